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
    this.theme(matchMedia("(prefers-color-scheme: dark)").matches);
    document.getElementById("theme").onclick = () => {
      this.theme(document.documentElement.dataset.theme !== "dark");
      this.draw();
    };
    addEventListener("hashchange", () => this.readAddress());
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

  // Filters may stand after ? too, as they do in an address of the workspace.
  readAddress() {
    const shown = this.choices.read(location.href);
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

  onTabKey(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    const at = this.pages.indexOf(this.page) + by + this.pages.length;
    this.open(this.pages[at % this.pages.length].name);
    document.getElementById(`tab-${this.page.name}`).focus();
  }

  // After a choice the tables begin at their first row.
  chosen() {
    for (const [key, place] of this.places) if (key.startsWith(`${this.page.name}~`) && "start" in place) place.start = 0;
    history.replaceState(null, "", this.choices.address(this.page.name));
    return this.draw();
  }

  async draw() {
    this.drawChips();
    await Promise.all(this.page.widgets.filter(({ kind }) => kind !== "text").map((widget) => this.drawWidget(widget)));
    document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
  }

  drawWidget(widget) {
    const { page, choices } = this;
    const box = document.getElementById(`w-${page.name}-${widget.name}`);
    const body = box.querySelector(".body");
    const tools = box.querySelector(".tools");
    if (widget.kind === "filter") {
      const choose = (value) => {
        choices.set(page.name, widget, value);
        this.chosen();
      };
      return drawFilter({ body, widget, value: choices.value(page.name, widget), values: options(this.datasets, widget.on), choose });
    }
    const name = widget.query.dataset;
    const dataset = this.datasets[name];
    const rows = rowsWhere(dataset, choices.conditions(page.name, widget, this.datasets));
    const answer = ask(dataset, widget.query, rows);
    const context = { body, tools, widget, answer, page: page.name, fileName: `${page.name}-${widget.name}` };
    const isTable = widget.kind === "table" || this.asTable.has(widget);
    if (isTable) this.drawAsTable(context);
    if (AS_CHART.has(widget.kind)) this.drawSwitch(context, isTable);
    if (isTable) return null;
    if (widget.kind === "counter") return drawCounter(context);
    return widget.kind === "chart" ? drawChart(context) : this.drawHeatMap(context);
  }

  // The same place for every drawing of a widget.
  place(context, make) {
    const key = `${context.page}~${context.widget.name}~${make.name}`;
    return this.places.get(key) ?? this.places.set(key, make()).get(key);
  }

  drawAsTable(context) {
    const { widget, body } = context;
    const shown = widget.kind === "table" ? widget : { ...widget, columns: chartColumns(widget), pageSize: 25 };
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
    tools.append(element("button", { type: "button", className: "switch", onclick: flip }, isTable ? "Show as chart" : "Show as table"));
  }

  drawHeatMap(context) {
    const { page, choices } = this;
    const { widget, body } = context;
    const hadFocus = body.contains(document.activeElement);
    const onPick = async (pick) => {
      choices.pick(page.name, widget.query.dataset, pick);
      await this.chosen();
      this.showFed(widget);
    };
    const picked = choices.picked(page.name, widget.query.dataset);
    const map = new HeatMap({ ...context, place: this.place(context, heatPlace), picked, onPick });
    return map.draw().then(() => hadFocus && map.frame?.focus());
  }

  // After a choice: the table that it holds comes into view, and is told to who cannot see it.
  showFed(widget) {
    const fed = this.page.widgets.find((one) => one.kind === "table" && one.query.dataset === widget.query.dataset);
    if (!fed) return;
    const box = document.getElementById(`w-${this.page.name}-${fed.name}`);
    box.scrollIntoView({ block: "nearest" });
    document.getElementById("said").textContent = `${fed.title}: ${box.querySelector(".pager span").textContent}`;
  }

  drawChips() {
    const chips = [...this.choices.picks].filter(([key]) => key.startsWith(`${this.page.name}~`)).map(([, pick]) => {
      const clear = () => {
        this.choices.pick(this.page.name, this.page.widgets.find(({ name }) => name === pick.widget).query.dataset, pick);
        this.chosen();
      };
      const button = element("button", { type: "button", onclick: clear, "aria-label": `Clear ${pick.text}` }, "Clear");
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
