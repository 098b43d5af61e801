// Choices: the value of every filter and its address, and the chosen cell of every dataset.

class Choices {
  constructor(pages) {
    this.filters = pages.flatMap((page) =>
      page.widgets
        .filter(({ kind }) => kind === "filter")
        .map((widget) => ({ page: page.name, widget })));
    this.reset();
  }

  reset() {
    this.values = new Map(this.filters.map((filter) => [filterKey(filter), filter.widget.default]));
    // By page and dataset: {text, conditions: [{column, keep, value}]}.
    this.picks = new Map();
  }

  // A filter's value: a list of chosen values, empty for all; of a range its two ends.
  value(page, widget) {
    return this.values.get(filterKey({ page, widget }));
  }

  set(page, widget, value) {
    this.values.set(filterKey({ page, widget }), value);
  }

  // A second choice of the same cell takes it back.
  pick(page, dataset, pick) {
    const key = `${page}~${dataset}`;
    if (this.picks.get(key)?.text === pick.text) this.picks.delete(key);
    else this.picks.set(key, pick);
  }

  picked(page, dataset) {
    return this.picks.get(`${page}~${dataset}`);
  }

  // The chosen cells of a page, as [dataset, pick].
  picksOf(page) {
    return [...this.picks]
      .filter(([key]) => key.startsWith(`${page}~`))
      .map(([key, pick]) => [key.slice(page.length + 1), pick]);
  }

  // What holds the rows of a dataset for a widget of the page: the filters, the widget's own, and
  // the chosen cell. A heat map stays whole: the next cell is chosen there.
  conditions(page, widget, datasets) {
    const { dataset, kept } = widget.query;
    const own = kept.map(({ column, values }) => ({ column, keep: null, holds: isOneOf(values) }));
    const byFilter = this.filters
      .filter((filter) => filter.page === page && !isOpen(this.values.get(filterKey(filter))))
      .flatMap((filter) => {
        const holds = filterTest(filter.widget.choices, this.values.get(filterKey(filter)));
        const isDates = filter.widget.choices === "range";
        return filter.widget.on
          .filter((on) => on.dataset === dataset && on.column in datasets[dataset].columns)
          .map((on) => ({ ...on, holds, isDates }));
      });
    const pick = widget.kind === "heatmap" ? undefined : this.picked(page, dataset);
    const byPick = (pick?.conditions ?? []).map((one) => ({ ...one, holds: (value) => value === one.value }));
    return [...own, ...byFilter, ...byPick];
  }

  // The window of dates that a dataset was read for, where other dates are chosen and its rows
  // cannot follow: they were counted over all of the window.
  windowLeft(page, { name, columns }) {
    const left = this.filters.find((filter) =>
      filter.page === page
      && String(this.values.get(filterKey(filter))) !== String(filter.widget.default)
      && filter.widget.on.some((on) => on.isParameter && on.dataset === name && !(on.column in columns)));
    return left?.widget.window;
  }

  // Takes the filters from an address; all others stand as the file has them. Returns the page
  // to show.
  read(address) {
    this.reset();
    const known = new Map(this.filters.map((filter) => [filterKey(filter), filter]));
    let shown = new Map(parameters(address)).get("page");
    for (const { page, widget, value } of filtersIn(address)) {
      const filter = known.get(`${page}~${widget}`);
      if (!filter) continue;
      this.values.set(filterKey(filter), fromAddress(filter.widget.choices, value));
      shown ??= page;
    }
    return shown;
  }

  // The filters that are not as the file has them.
  changed() {
    return this.filters.filter((filter) =>
      String(this.values.get(filterKey(filter))) !== String(filter.widget.default));
  }

  // The datasets that changed filters of the page hold.
  heldBy(page) {
    const own = this.changed().filter((filter) => filter.page === page);
    return new Set(own.flatMap(({ widget }) => widget.on.map(({ dataset }) => dataset)));
  }

  address(page) {
    const named = this.changed().map((filter) => {
      const value = toAddress(filter.widget.choices, this.values.get(filterKey(filter)));
      return `f_${filterKey(filter)}=${value}`;
    });
    const picked = this.picksOf(page).map(([dataset, { conditions }]) => {
      const values = JSON.stringify(conditions.map(({ value }) => value));
      return `cell_${page}~${dataset}=${encodeURIComponent(values)}`;
    });
    return "#" + [`page=${page}`, ...named, ...picked].join("&");
  }
}

function filterKey({ page, widget }) {
  return `${page}~${widget.name ?? widget}`;
}

function isOpen(value) {
  return value.every((one) => one === "");
}

function filterTest(choices, value) {
  if (choices === "range") {
    const [from, to] = value;
    return (date) => date !== null && date.slice(0, 10) >= from && (!to || date.slice(0, 10) <= to);
  }
  return isOneOf(value.map(String));
}

function isOneOf(texts) {
  const chosen = new Set(texts);
  return (value) => value !== null && chosen.has(String(value));
}

function fromAddress(choices, text) {
  if (choices === "range") {
    const [from = "", to = ""] = text.split("~");
    return [from.slice(0, 10), to.slice(0, 10)];
  }
  if (text === "") return [];
  if (choices === "many" && text.startsWith("[")) {
    try {
      return JSON.parse(text).map(String);
    } catch {
      // A value may itself begin with a bracket.
    }
  }
  return [text];
}

function toAddress(choices, value) {
  if (choices === "range") return value.map(encodeURIComponent).join("~");
  if (choices === "many" && value.length) return encodeURIComponent(JSON.stringify(value));
  return encodeURIComponent(value[0] ?? "");
}
