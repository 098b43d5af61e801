// The heat map: a window of pairs and nights, drawn by Vega-Lite, walked by mouse or arrow keys.

// In pixels: the least and greatest height of a cell, and its width: the least, that from which a
// date fits above it, and the greatest.
const HEIGHT = { least: 24, most: 36 };
const WIDTH = { least: 16, dated: 90, most: 160 };
// What a text needs around it.
const MARGIN = 6;
const LABEL_SIZE = 11;
// How many pairs are shown at once.
const PAIRS = 25;

// Where a heat map's reader is: the window's first row and column (null: the newest columns), and
// the cell the keyboard is on, as places on both axes.
function heatPlace() {
  return { top: 0, left: null, cursor: null, usesKeys: false };
}

// The values along an axis in the file's order.
function alongAxis(axis, answer) {
  const found = new Set();
  for (let row = 0; row < answer.count; row++) found.add(answer.value(row, axis.field));
  const values = [...found];
  if (axis.order === "custom-order") {
    const rank = (value) => (axis.ordered.indexOf(String(value)) + 1 || Infinity);
    return values.sort((a, b) => rank(a) - rank(b) || compare(a, b));
  }
  if (axis.order) values.sort(compare);
  return axis.order === "natural-order-reversed" ? values.reverse() : values;
}

// What a click on a cell chooses: {text, conditions}, the condition on x first.
function cellPick(widget, dataset, x, y) {
  const part = (axis, value) => {
    const { column, keep } = widget.query.fields.find(({ name }) => name === axis.field);
    const type = keep === null ? dataset.columns[column].type : "date";
    return { text: `${axis.title} ${show(value, type)}`, condition: { column, keep, value } };
  };
  const parts = [part(widget.x, x), part(widget.y, y)];
  return { text: `${parts[1].text}, ${parts[0].text}`, conditions: parts.map(({ condition }) => condition) };
}

// The width of the widest of the texts in a chart.
function widest(texts) {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = `${LABEL_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(0, ...texts.map((text) => pen.measureText(text).width));
}

// `across` is asked for its columns: a date without a cell is a column too.
class HeatMap {
  constructor(context) {
    Object.assign(this, context);
    const { widget, answer, across } = context;
    this.xs = alongAxis(widget.x, across);
    this.ys = alongAxis(widget.y, answer);
    this.text = (axis, value) => show(value, answer.type(axis.field));
    this.cells = new Map();
    for (let row = 0; row < answer.count; row++) {
      const key = this.key(answer.value(row, widget.x.field), answer.value(row, widget.y.field));
      this.cells.set(key, answer.value(row, widget.value.field));
    }
  }

  key(x, y) {
    return JSON.stringify([x, y]);
  }

  async draw() {
    if (!this.cells.size) {
      this.body.replaceChildren(element("p", {}, "No rows"));
      return;
    }
    const longest = Math.max(...this.ys.map((y) => this.text(this.widget.y, y).length));
    this.room = Math.min(7 * longest + 16, this.body.clientWidth * 0.32);
    this.fit(this.body.clientWidth - this.room - 14);
    this.plot = element("div", { className: "plot" });
    this.told = element("p", { className: "told", role: "status" });
    const name = this.widget.title || this.widget.name;
    const keys = "Arrow keys move from cell to cell, Enter chooses one, Escape takes the choice back.";
    const label = { role: "application", "aria-roledescription": "heat map", "aria-label": `${name}. ${keys}` };
    this.frame = element("div", { className: "heat", tabIndex: 0, ...label }, this.plot);
    this.frame.onkeydown = (event) => this.onKey(event);
    this.frame.onfocus = () => this.show(true);
    this.frame.onblur = () => this.show(false);
    replaceDrawing(this.body, this.frame, this.told, this.windowBar());
    this.view = await embed(this.body, this.plot, this.specification(), name);
    // Vega's click knows what the mouse was over; of a tap it knows nothing.
    let touched = null;
    this.view.addEventListener("touchstart", (_, item) => { touched = item; });
    this.view.addEventListener("click", (_, item) => {
      const at = (item ?? touched)?.datum?.at;
      touched = null;
      if (at) this.choose(at);
    });
    // The frame tells what a picture cannot.
    this.plot.setAttribute("aria-hidden", "true");
  }

  // How many nights and pairs fit, and how large a cell is.
  fit(width) {
    this.columns = Math.max(1, Math.min(this.xs.length, Math.floor(width / WIDTH.least)));
    this.cellWidth = Math.min(WIDTH.most, Math.floor(width / this.columns));
    this.rows = Math.min(PAIRS, this.ys.length);
    const texts = this.widget.hasLabels ? [...new Set(this.cells.values())] : [];
    const long = Math.ceil(widest(texts.map((one) => show(one, "text")))) + MARGIN;
    // In a narrow cell the text stands upright.
    this.isUpright = long > this.cellWidth;
    const free = Math.floor((roomOf(this.body) - 170) / this.rows);
    this.cellHeight = Math.max(this.isUpright ? long : HEIGHT.least, Math.min(HEIGHT.most, free));
    const { place } = this;
    place.left = Math.max(0, Math.min(place.left ?? Infinity, this.xs.length - this.columns));
    place.top = Math.max(0, Math.min(place.top, this.ys.length - this.rows));
    // A filter may have taken away the cell the keyboard was on.
    const { cursor } = place;
    if (cursor && !(cursor.x < this.xs.length && cursor.y < this.ys.length)) place.cursor = null;
  }

  // The window's cells as Vega gets them.
  values() {
    const { place, widget } = this;
    const picked = this.picked && this.key(...this.picked.conditions.map(({ value }) => value));
    const at = place.usesKeys && place.cursor;
    const cursor = at && this.key(this.xs[at.x], this.ys[at.y]);
    const values = [];
    for (const y of this.ys.slice(place.top, place.top + this.rows)) {
      for (const x of this.xs.slice(place.left, place.left + this.columns)) {
        const key = this.key(x, y);
        if (!this.cells.has(key)) continue;
        const value = show(this.cells.get(key), "text");
        values.push({
          at: { x, y },
          x: this.text(widget.x, x),
          y: this.text(widget.y, y),
          value,
          label: widget.hasLabels ? value : "",
          ink: widget.inks[value] ?? "black",
          tip: this.sentence(x, y),
          picked: key === picked,
          cursor: key === cursor,
        });
      }
    }
    return values;
  }

  specification() {
    const made = structuredClone(this.widget.vega);
    made.width = this.cellWidth * this.columns;
    made.height = this.cellHeight * this.rows;
    made.autosize = { type: "pad", contains: "content" };
    const { room } = this;
    Object.assign(made.encoding.y.axis, { labelLimit: room - 8, minExtent: room, maxExtent: room });
    if (this.cellWidth >= WIDTH.dated) made.encoding.x.axis.labelAngle = 0;
    const text = made.layer.find(({ mark }) => mark.type === "text").mark;
    Object.assign(text, { fontSize: LABEL_SIZE, angle: this.isUpright ? -90 : 0 });
    made.data = { name: "cells", values: this.values() };
    return made;
  }

  sentence(x, y) {
    const key = this.key(x, y);
    const value = this.cells.has(key) ? show(this.cells.get(key), "text") : "nothing";
    return `${this.text(this.widget.y, y)}, ${this.text(this.widget.x, x)}: ${value}`;
  }

  choose({ x, y }) {
    const { widget, place } = this;
    if (!this.cells.has(this.key(x, y))) return;
    place.cursor = { x: this.xs.indexOf(x), y: this.ys.indexOf(y) };
    this.onPick(cellPick(widget, this.dataset, x, y));
  }

  onKey(event) {
    const { place } = this;
    const cursor = (place.cursor ??= { x: place.left + this.columns - 1, y: place.top });
    const steps = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
      PageUp: [0, -this.rows], PageDown: [0, this.rows], Home: [-Infinity, 0], End: [Infinity, 0],
    };
    if (event.key in steps) {
      const [dx, dy] = steps[event.key];
      cursor.x = Math.max(0, Math.min(this.xs.length - 1, cursor.x + dx));
      cursor.y = Math.max(0, Math.min(this.ys.length - 1, cursor.y + dy));
      this.follow(cursor);
      this.show(true);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose({ x: this.xs[cursor.x], y: this.ys[cursor.y] });
    } else if (event.key === "Escape" && this.picked) {
      this.onPick(this.picked);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Moves the window so that it holds the cursor.
  follow({ x, y }) {
    const { place } = this;
    place.left = Math.max(x - this.columns + 1, Math.min(place.left, x));
    place.top = Math.max(y - this.rows + 1, Math.min(place.top, y));
    this.body.querySelector(".pager")?.replaceWith(this.windowBar());
  }

  // Shows the cursor, or hides it, and says where it is.
  show(usesKeys) {
    const { place } = this;
    place.usesKeys = usesKeys;
    if (usesKeys) {
      const cursor = (place.cursor ??= { x: place.left + this.columns - 1, y: place.top });
      this.told.textContent = this.sentence(this.xs[cursor.x], this.ys[cursor.y]);
    }
    this.view?.data("cells", this.values()).runAsync();
  }

  windowBar() {
    const { place } = this;
    const move = (key, by, end) => () => {
      place[key] = Math.max(0, Math.min(place[key] + by, end));
      place.cursor = null;
      this.body.querySelector(".pager").replaceWith(this.windowBar());
      this.view.data("cells", this.values()).runAsync();
    };
    const bar = element("div", { className: "pager" });
    const button = (text, disabled, onclick) => element("button", { type: "button", disabled, onclick }, text);
    const part = (axis, values, key, size, back, on) => {
      if (size >= values.length) return;
      const end = values.length - size;
      const range = `${axis.title} ${place[key] + 1} to ${place[key] + size} of ${values.length}`;
      bar.append(
        element("span", {}, range),
        button(back, place[key] === 0, move(key, -size, end)),
        button(on, place[key] === end, move(key, size, end)),
      );
    };
    part(this.widget.y, this.ys, "top", this.rows, "Up", "Down");
    part(this.widget.x, this.xs, "left", this.columns, "Earlier", "Later");
    return bar;
  }
}
