// The page: tabs, theme, choices and their chips, and every widget drawn from the rows they leave.

const AS_CHART = new Set(["chart", "heatmap"]);

class Page {
  constructor({ datasets, pages }) {
    Object.assign(this, { datasets, pages });
    this.choices = new Choices(pages);
    // Where each table's and heat map's reader is, and which charts are shown as tables.
    this.places = new Map();
    this.asTable = new Set();
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.onclick = () => this.open(tab.dataset.page);
      tab.onkeydown = (event) => this.onTabKey(event);
    }
    const prefersDark = matchMedia("(prefers-color-scheme: dark)");
    this.theme(prefersDark.matches);
    const turn = (dark) => {
      this.theme(dark);
      this.draw();
    };
    prefersDark.onchange = () => turn(prefersDark.matches);
    document.getElementById("theme").onclick = () => turn(document.documentElement.dataset.theme !== "dark");
    addEventListener("hashchange", () => this.readAddress());
    addEventListener("click", (event) => this.onClick(event));
    let width = innerWidth;
    addEventListener("resize", () => {
      if (innerWidth !== width) this.draw();
      width = innerWidth;
    });
  }

  theme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.getElementById("theme").textContent = dark ? "Light" : "Dark";
  }

  // Filters may stand after ? too, as in the workspace, until this page has written its address.
  readAddress() {
    const isOwn = location.hash.startsWith("#page=");
    const shown = this.choices.read(isOwn ? location.hash : location.href);
    for (const { page, dataset, x, y } of isOwn ? cellsIn(location.hash) : []) {
      const map = this.heatMapOf(page, dataset);
      if (map) this.choices.pick(page, dataset, cellPick(map, this.datasets[dataset], x, y));
    }
    this.places.clear();
    const known = this.pages.find(({ name }) => name === shown) ?? this.pages[0];
    return this.open(known.name);
  }

  open(name) {
    this.page = this.pages.find((page) => page.name === name);
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const isShown = tab.dataset.page === name;
      tab.setAttribute("aria-selected", isShown);
      tab.tabIndex = isShown ? 0 : -1;
      document.getElementById(`page-${tab.dataset.page}`).hidden = !isShown;
    }
    return this.draw();
  }

  heatMapOf(page, dataset) {
    const { widgets } = this.pages.find(({ name }) => name === page) ?? { widgets: [] };
    return widgets.find(({ kind, query }) => kind === "heatmap" && query.dataset === dataset);
  }

  // A link into this page leads to the first drawing that shows what it chose.
  async onClick(event) {
    const link = event.target.closest?.('a[href^="#page="]');
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const isNew = link.hash !== location.hash;
    history[isNew ? "pushState" : "replaceState"](null, "", link.hash);
    await this.readAddress();
    const held = this.choices.heldBy(this.page.name);
    const shown = this.page.widgets.find(({ kind, query }) => kind !== "filter" && held.has(query?.dataset));
    if (!shown) return;
    document.getElementById(`w-${this.page.name}-${shown.name}`).scrollIntoView({ block: "start" });
    const fed = this.fedBy(shown);
    if (fed) this.tell(fed);
  }

  onTabKey(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const at = this.pages.indexOf(this.page) + by + this.pages.length;
    this.open(this.pages[at % this.pages.length].name);
    document.getElementById(`tab-${this.page.name}`).focus();
  }

  // After a choice the tables begin at their first row.
  chosen() {
    for (const place of this.places.values()) if ("start" in place) place.start = 0;
    history.replaceState(null, "", this.choices.address(this.page.name));
    return this.draw();
  }

  async draw() {
    this.drawChips();
    const drawn = this.page.widgets.filter(({ kind }) => kind !== "text");
    await Promise.all(drawn.map((widget) => this.drawWidget(widget)));
    // Tests and screenshots wait for it.
    document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
  }

  drawWidget(widget) {
    const { page, choices } = this;
    const box = document.getElementById(`w-${page.name}-${widget.name}`);
    const body = box.querySelector(".body");
    const tools = box.querySelector(".tools");
    if (widget.kind === "filter") return this.drawFilter(widget, body);
    const name = widget.query.dataset;
    const dataset = this.datasets[name];
    const conditions = choices.conditions(page.name, widget, this.datasets);
    const answer = ask(dataset, widget.query, rowsWhere(dataset, conditions));
    const fileName = `${page.name}-${widget.name}`;
    const context = { body, tools, widget, dataset, conditions, answer, fileName };
    const isTable = widget.kind === "table" || this.asTable.has(widget);
    if (isTable) this.drawAsTable(context);
    if (AS_CHART.has(widget.kind)) this.drawSwitch(context, isTable);
    const left = choices.windowLeft(page.name, { name, ...dataset });
    if (isTable && left) body.append(element("p", { className: "label" }, `Of ${left[0]} to ${left[1]}.`));
    if (isTable) return null;
    if (widget.kind === "counter") return drawCounter(context);
    return widget.kind === "chart" ? drawChart(context) : this.drawHeatMap(context);
  }

  drawFilter(widget, body) {
    const { page, choices } = this;
    const choose = (value) => {
      choices.set(page.name, widget, value);
      this.chosen();
    };
    const value = choices.value(page.name, widget);
    drawFilter({ body, widget, value, values: options(this.datasets, widget.on), choose });
  }

  // The same place for every drawing of a widget.
  place(context, make) {
    const key = `${context.fileName} ${make.name}`;
    return this.places.get(key) ?? this.places.set(key, make()).get(key);
  }

  drawAsTable(context) {
    const { widget, body } = context;
    const isTable = widget.kind === "table";
    const shown = isTable ? widget : { ...widget, columns: chartColumns(widget), pageSize: 25 };
    const redraw = (focus) => {
      this.drawWidget(widget);
      const target = body.querySelector(focus);
      (target?.disabled ? body.querySelector(".scroll") : target)?.focus();
    };
    drawTable({ ...context, widget: shown, place: this.place(context, tablePlace), redraw });
  }

  drawSwitch({ tools, widget }, isTable) {
    const flip = () => {
      if (!this.asTable.delete(widget)) this.asTable.add(widget);
      this.drawWidget(widget);
      tools.querySelector(".switch").focus();
    };
    if (!isTable) tools.replaceChildren();
    const text = isTable ? "Show as chart" : "Show as table";
    tools.append(element("button", { type: "button", className: "switch", onclick: flip }, text));
  }

  drawHeatMap(context) {
    const { page, choices } = this;
    const { widget, body, dataset, conditions } = context;
    const hadFocus = body.contains(document.activeElement);
    // Only a choice of dates takes dates away.
    const ofX = widget.query.fields.filter(({ name }) => name === widget.x.field);
    const dated = conditions.filter(({ column, isDates }) => isDates || column === ofX[0].column);
    const across = ask(dataset, { ...widget.query, fields: ofX, orders: [] }, rowsWhere(dataset, dated));
    const onPick = async (pick) => {
      choices.pick(page.name, widget.query.dataset, pick);
      await this.chosen();
      this.showFed(widget);
    };
    const picked = choices.picked(page.name, widget.query.dataset);
    const map = new HeatMap({ ...context, across, place: this.place(context, heatPlace), picked, onPick });
    return map.draw().then(() => hadFocus && map.frame?.focus({ preventScroll: true }));
  }

  // After a choice: the table that it holds comes into view, and is told to who cannot see it.
  showFed(widget) {
    const fed = this.fedBy(widget);
    if (!fed) return;
    document.getElementById(`w-${this.page.name}-${fed.name}`).scrollIntoView({ block: "nearest" });
    this.tell(fed);
  }

  // The table of the rows that a widget counts.
  fedBy({ query }) {
    return this.page.widgets.find((one) => one.kind === "table" && one.query.dataset === query.dataset);
  }

  tell(table) {
    const pager = document.querySelector(`#w-${this.page.name}-${table.name} .pager span`);
    document.getElementById("said").textContent = `${table.title}: ${pager.textContent}`;
  }

  drawChips() {
    const chips = this.choices.picksOf(this.page.name).map(([dataset, pick]) => {
      const onclick = () => {
        this.choices.pick(this.page.name, dataset, pick);
        this.chosen();
      };
      const name = `Clear ${pick.text}`;
      const button = element("button", { type: "button", onclick, "aria-label": name }, "Clear");
      return element("li", {}, shownText(pick.text, false), button);
    });
    document.querySelector(`#page-${this.page.name} .chips`).replaceChildren(...chips);
  }
}

async function start() {
  const page = new Page(await unpack(document.getElementById("data").textContent));
  await page.readAddress();
}

start().catch((failure) => {
  const notice = document.getElementById("notice");
  notice.hidden = false;
  notice.textContent = `The page could not be drawn: ${failure.message}`;
  throw failure;
});
