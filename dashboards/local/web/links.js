// Links of the tables: templates filled in, and only addresses that are safe to follow.

const PLACEHOLDER = /\{\{\s*(.*?)\s*\}\}/g;
const FILTER = /^f_(.+?)~(.+)$/;
const CELL = /^cell_(.+?)~(.+)$/;

// `cell` stands for {{ @ }}, `valueOf(field)` for {{ field }}; a value inside an address is encoded.
function fill(template, cell, valueOf, encode) {
  const whole = template.trim().match(/^\{\{\s*(.*?)\s*\}\}$/);
  return template.replace(PLACEHOLDER, (_, name) => {
    const value = (name === "@" ? cell : valueOf(name)) ?? "";
    return encode && !whole ? encodeURIComponent(value) : String(value);
  });
}

// The parts of an address after ? and #, as [name, value].
function parameters(address) {
  const [before, hash = ""] = address.split(/#(.*)/s);
  const query = before.split(/\?(.*)/s)[1] ?? "";
  return [...new URLSearchParams(query), ...new URLSearchParams(hash)];
}

// The filters that an address sets: {page, widget, value}.
function filtersIn(address) {
  return parameters(address).flatMap(([name, value]) => {
    const found = name.match(FILTER);
    return found ? [{ page: found[1], widget: found[2], value }] : [];
  });
}

// The chosen cells that an address of this page holds: {page, dataset, x, y}.
function cellsIn(address) {
  return parameters(address).flatMap(([name, value]) => {
    const found = name.match(CELL);
    if (!found) return [];
    try {
      const [x, y] = JSON.parse(value);
      return [{ page: found[1], dataset: found[2], x, y }];
    } catch {
      // Somebody else's parameter.
      return [];
    }
  });
}

// Where a link leads: into this page, to another site, or nowhere (null). An address relative to
// the workspace leads nowhere from a file, and neither does any scheme but http and https.
function destination(address) {
  const filters = filtersIn(address);
  if (filters.length) {
    const named = filters.map(({ page, widget, value }) =>
      `f_${page}~${widget}=${encodeURIComponent(value)}`);
    return { href: `#page=${filters[0].page}&${named.join("&")}`, isInside: true };
  }
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return ["http:", "https:"].includes(url.protocol) ? { href: url.href, isInside: false } : null;
}

function link(place, text, hint) {
  const properties = { href: place.href, title: hint };
  if (!place.isInside) Object.assign(properties, { target: "_blank", rel: "noopener noreferrer" });
  return element("a", properties, shownText(text, false));
}
