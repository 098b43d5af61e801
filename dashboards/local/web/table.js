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
  const head = element("tr", {}, ...widget.columns.map((column) => headCell(column, place, redraw)));
  const lines = [];
  for (let row = place.start; row < end; row++) {
    lines.push(element("tr", {}, ...widget.columns.map((column) => cell(column, rows, row))));
  }
  const isTitled = widget.columns.some(({ title }) => title);
  const table = element("table", {}, ...(isTitled ? [element("thead", {}, head)] : []), element("tbody", {}, ...lines));
  // A region that scrolls must be reachable by key.
  const scroll = element("div", { className: "scroll", tabIndex: 0, role: "region", "aria-label": widget.title || widget.name }, table);
  body.replaceChildren(scroll);
  // A table without a title is a line of text, not a list.
  if (!widget.title) return;
  body.append(pager(place, end, rows.count, widget.pageSize, redraw));
  const save = () => download(`${fileName}.csv`, csv(fileColumns(widget, rows), rows.count));
  const label = `Download CSV: ${rows.count.toLocaleString("en")} rows`;
  tools.replaceChildren(element("button", { type: "button", className: "download", disabled: !rows.count, onclick: save }, label));
}

function fileColumns(widget, rows) {
  return widget.columns.map((column) => ({
    title: column.title,
    isNumber: rows.type(column.field) === "number",
    value: (row) => rows.value(row, column.field),
  }));
}

function headCell(column, place, redraw) {
  const sorted = place.sort?.field === column.field ? place.sort : null;
  const sort = () => {
    place.sort = { field: column.field, descending: sorted ? !sorted.descending : false };
    place.start = 0;
    redraw(`th[data-field="${CSS.escape(column.field)}"] button`);
  };
  const order = sorted ? (sorted.descending ? "descending" : "ascending") : "none";
  const button = element("button", { type: "button", onclick: sort }, column.title);
  return element("th", { scope: "col", "aria-sort": order, "data-field": column.field }, button);
}

function cell(column, rows, row) {
  const value = rows.value(row, column.field);
  const valueOf = (field) => rows.value(row, field);
  const type = rows.type(column.field);
  const made = element("td", { className: type === "number" || column.right ? "number" : "" });
  made.append(cellContent(column, value, type, valueOf));
  const rule = firstRule(column.rules, valueOf);
  if (rule?.color) made.style.color = rule.color;
  if (rule?.background) made.style.backgroundColor = rule.background;
  return made;
}

function cellContent(column, value, type, valueOf) {
  const text = show(value, type, column.format);
  if (!column.link) return shownText(text, value === null);
  const place = destination(fill(column.link.url, value, valueOf, true));
  const label = fill(column.link.text, text, valueOf, false);
  return place && value !== null ? link(place, label, fill(column.link.hint, text, valueOf, false)) : shownText(text, value === null);
}

function pager(place, end, count, size, redraw) {
  const move = (by, which) => () => {
    place.start += by;
    redraw(`.pager .${which}`);
  };
  const button = (which, text, by, isOff) => element("button", { type: "button", className: which, disabled: isOff, onclick: move(by, which) }, text);
  const told = count ? `Rows ${place.start + 1} to ${end} of ${count.toLocaleString("en")}` : "No rows";
  const moves = count > size ? [button("back", "Back", -size, place.start === 0), button("on", "Next", size, end === count)] : [];
  return element("div", { className: "pager" }, element("span", {}, told), ...moves);
}
