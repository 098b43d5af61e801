// Comma-separated values by RFC 4180, safe to open in a spreadsheet.

// What a spreadsheet would take for a formula, at the start of a field; and, as many separate fields
// by semicolons or tabs, after those and after a line's end.
const FORMULA = /^[=+\-@\t\r\n]/;
const FORMULA_INSIDE = /([;\t\r\n]["\s]*)([=+\-@])/g;

function csvField(value, isNumber) {
  // NULL is nothing at all, an empty text is "".
  if (value === null) return "";
  if (value === "") return '""';
  const text = isNumber ? String(value) : String(value).replace(FORMULA, "'$&").replace(FORMULA_INSIDE, "$1'$2");
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

// The text of a file: a line of titles, then `count` rows; a column is {title, isNumber, value(row)}.
// Spreadsheets read UTF-8 by its byte-order mark.
function csv(columns, count) {
  const lines = [columns.map(({ title }) => csvField(title, false))];
  for (let row = 0; row < count; row++) {
    lines.push(columns.map(({ value, isNumber }) => csvField(value(row), isNumber)));
  }
  return "\ufeff" + lines.map((line) => line.join(",") + "\r\n").join("");
}

function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  element("a", { href: url, download: name }).click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
