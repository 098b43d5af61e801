// Rows: the packed datasets, which of their rows the choices leave, and a widget's query over them.

// The data of the page: base64 of gzip of JSON.
async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function cut(value, keep) {
  return keep === null || value === null ? value : value.slice(0, keep);
}

// The numbers of the rows for which every condition {column, keep, holds} holds.
function rowsWhere(dataset, conditions) {
  // Each distinct value is judged once.
  const tests = conditions.map(({ column, keep, holds }) => {
    const { values, codes } = dataset.columns[column];
    return { codes, allowed: values.map((value) => holds(cut(value, keep))) };
  });
  const found = [];
  for (let row = 0; row < dataset.rows; row++) {
    if (tests.every(({ codes, allowed }) => allowed[codes[row]])) found.push(row);
  }
  return found;
}

// A query's answer: `count` rows, `value(row, field)`, and `type(field)` as datasets name types.
function ask(dataset, query, rows) {
  const fields = new Map(query.fields.map((field) => [field.name, field]));
  const type = (name) => {
    const { column, aggregate, keep } = fields.get(name);
    if (keep !== null) return "date";
    const counts = aggregate && aggregate !== "min" && aggregate !== "max";
    return counts ? "number" : dataset.columns[column].type;
  };
  const answer = query.raw
    ? plainAnswer(dataset, fields, rows)
    : groupedAnswer(dataset, query.fields, rows);
  return inOrder({ ...answer, type }, query.orders);
}

function plainAnswer(dataset, fields, rows) {
  const value = (row, name) => {
    const { column, keep } = fields.get(name);
    const { values, codes } = dataset.columns[column];
    return cut(values[codes[rows[row]]], keep);
  };
  return { count: rows.length, value };
}

// One row per distinct combination of the fields that are no aggregate, in the order of the rows.
function groupedAnswer(dataset, fields, rows) {
  const plain = fields.filter((field) => !field.aggregate);
  const places = new Map(fields.map((field, place) => [field.name, place]));
  const groups = new Map();
  const members = (key) => groups.get(key) ?? groups.set(key, []).get(key);
  for (const row of rows) {
    const codes = plain.map(({ column, keep }) => groupCode(dataset, column, keep, row));
    members(codes.join()).push(row);
  }
  // Without a plain field there is one row, also of nothing.
  if (!plain.length) members("");
  const answers = [...groups.values()].map((own) =>
    fields.map((field) => valueOf(dataset, field, own)));
  return { count: answers.length, value: (row, name) => answers[row][places.get(name)] };
}

// A number that stands for the row's value in a group; equal cut values have the first one's.
function groupCode(dataset, column, keep, row) {
  const packed = dataset.columns[column];
  if (keep === null) return packed.codes[row];
  packed.cuts ??= {};
  packed.cuts[keep] ??= firstBearers(packed.values.map((value) => cut(value, keep)));
  return packed.cuts[keep][packed.codes[row]];
}

function firstBearers(values) {
  const places = new Map();
  return values.map((value, place) => places.get(value) ?? places.set(value, place).get(value));
}

function valueOf(dataset, { column, aggregate, keep }, rows) {
  if (column === null) return rows.length;
  const { values, codes } = dataset.columns[column];
  if (!aggregate) return cut(values[codes[rows[0]]], keep);
  const known = rows.map((row) => values[codes[row]]).filter((value) => value !== null);
  if (aggregate === "count") return known.length;
  if (aggregate === "count_distinct") return new Set(known).size;
  if (!known.length) return null;
  if (aggregate === "min" || aggregate === "max") {
    const sign = aggregate === "min" ? 1 : -1;
    return known.reduce((best, value) => (sign * compare(value, best) < 0 ? value : best));
  }
  const sum = known.reduce((total, value) => total + Number(value), 0);
  return aggregate === "sum" ? sum : sum / known.length;
}

// NULL first, numbers by size, else by code unit, as Spark orders.
function compare(a, b) {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

// The answer with its rows sorted by [{field, descending}]; rows that are equal keep their order.
function inOrder(answer, orders) {
  if (!orders.length) return answer;
  const sorted = [...Array(answer.count).keys()].sort((a, b) => {
    for (const { field, descending } of orders) {
      const order = compare(answer.value(a, field), answer.value(b, field));
      if (order) return descending ? -order : order;
    }
    return a - b;
  });
  return { ...answer, value: (row, field) => answer.value(sorted[row], field) };
}
