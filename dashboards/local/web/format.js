// What a value looks like, and which rule colours it.

const NUMBER = { maximumFractionDigits: 20 };

// The text of a value; NULL is told apart from empty text by whoever shows it.
function show(value, type, format) {
  if (value === null) return "null";
  // Digits that arrive as text are more than a number of this language holds.
  if (type === "number" && typeof value === "number") {
    return new Intl.NumberFormat("en", format ?? NUMBER).format(value);
  }
  if (type === "timestamp") return `${value.replace(/\.0+$/, "")} UTC`;
  return String(value);
}

function holds({ operator, literal }, value) {
  if (value === null) return false;
  const numeric = isNumber(literal) && isNumber(value);
  const order = numeric ? Number(value) - Number(literal) : compare(String(value), String(literal));
  const answers = {
    "=": order === 0, "<>": order !== 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0,
  };
  return answers[operator];
}

function isNumber(value) {
  return typeof value !== "boolean" && String(value).trim() !== "" && !isNaN(value);
}

// The first rule that holds; `valueOf` gives the value of a field of the row.
function firstRule(rules, valueOf) {
  return rules.find((rule) => holds(rule, valueOf(rule.field)));
}

// An element with its properties and its children; texts become text, never markup.
function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// Direction-changing letters of one value must not reorder its neighbours.
function shownText(text, isNull) {
  // An id stays on its line, however long.
  const isWord = text.length <= 64 && !/\s/.test(text);
  return element("bdi", { className: isNull ? "null" : isWord ? "word" : "" }, text);
}
