// Tables: one page of rows at a time, sortable, with all their rows as a file.

// Where a table's reader is: the first row shown and the column sorted by.
function tablePlace() {
  return { start: 0, sort: null };
}

// Draws `answer` into `body`; `redraw` draws it again after the reader moved within `place`.
function drawTable({ body, tools, widget, answer, place, fileName, redraw }) {
  const rows = place.sort ? inOrder(answer, [place.sort]) : answer;
  if (place.start >= rows.count) place.start = 0;
  const end = Math.min(place.start + widget.pageSize, rows.count);
  const isRight = (column) => rows.type(column.field) === "number" || column.right;
  const titles = widget.columns.map((column) => headCell(column, isRight(column), place, redraw));
  const lines = [];
  for (let row = place.start; row < end; row++) {
    const cells = widget.columns.map((column) => cell(column, isRight(column), rows, row));
    lines.push(element("tr", {}, ...cells));
  }
  const head = element("thead", {}, element("tr", {}, ...titles));
  const isTitled = widget.columns.some(({ title }) => title);
  const table = element("table", {}, ...(isTitled ? [head] : []), element("tbody", {}, ...lines));
  // A region that scrolls must be reachable by key.
  const label = widget.title || widget.name;
  const scroll = element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": label }, table);
  body.replaceChildren(scroll);
  // A table without a title is a line of text, not a list; on a phone its parts stand one below
  // the other.
  body.classList.toggle("line", !widget.title);
  if (!widget.title) return;
  body.append(pager(place, end, rows.count, widget.pageSize, redraw));
  const save = () => download(`${fileName}.csv`, csv(fileColumns(widget, rows), rows.count));
  const button = { type: "button", className: "download", disabled: !rows.count, onclick: save };
  const told = `Download CSV: ${rows.count.toLocaleString("en")} rows`;
  tools.replaceChildren(element("button", button, told));
}

function fileColumns(widget, rows) {
  return widget.columns.map((column) => ({
    title: column.title,
    isNumber: rows.type(column.field) === "number",
    value: (row) => rows.value(row, column.field),
  }));
}

function headCell(column, isRight, place, redraw) {
  const sorted = place.sort?.field === column.field ? place.sort : null;
  const sort = () => {
    place.sort = { field: column.field, descending: sorted ? !sorted.descending : false };
    place.start = 0;
    redraw(`th[data-field="${CSS.escape(column.field)}"] button`);
  };
  const order = sorted ? (sorted.descending ? "descending" : "ascending") : "none";
  const button = element("button", { type: "button", onclick: sort }, column.title);
  const className = isRight ? "number" : "";
  return element("th", { scope: "col", className, "aria-sort": order, "data-field": column.field }, button);
}

function cell(column, isRight, rows, row) {
  const value = rows.value(row, column.field);
  const valueOf = (field) => rows.value(row, field);
  const made = element("td", { className: isRight ? "number" : "", "data-title": column.title });
  made.append(cellContent(column, value, rows.type(column.field), valueOf));
  const rule = firstRule(column.rules, valueOf);
  if (rule?.color) made.style.color = rule.color;
  if (rule?.background) made.style.backgroundColor = rule.background;
  return made;
}

function cellContent(column, value, type, valueOf) {
  const text = show(value, type, column.format);
  const place = column.link && value !== null ? destination(fill(column.link.url, value, valueOf, true)) : null;
  if (!place) return shownText(text, value === null);
  return link(place, fill(column.link.text, text, valueOf, false), fill(column.link.hint, text, valueOf, false));
}

function pager(place, end, count, size, redraw) {
  const move = (by, which) => () => {
    place.start += by;
    redraw(`.pager .${which}`);
  };
  const button = (which, text, by, disabled) =>
    element("button", { type: "button", className: which, disabled, onclick: move(by, which) }, text);
  const told = count ? `Rows ${place.start + 1} to ${end} of ${count.toLocaleString("en")}` : "No rows";
  const bar = element("div", { className: "pager" }, element("span", {}, told));
  if (count > size) {
    bar.append(button("back", "Back", -size, place.start === 0), button("on", "Next", size, end === count));
  }
  return bar;
}
