// Line and bar charts, drawn by Vega-Lite.

// The colours and letters of the page's theme, for Vega.
function chartStyle() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const text = { labelColor: color("--text"), titleColor: color("--text"), labelFontSize: 12 };
  const lines = { domainColor: color("--line"), tickColor: color("--line"), gridColor: color("--line") };
  return {
    background: "transparent",
    font: style.getPropertyValue("--font").trim(),
    view: { stroke: null },
    axis: { titleFontWeight: "normal", ...text, ...lines },
    legend: text,
    style: {
      // A dark cell must stand out on a dark page, and a light one on a light page.
      cell: { stroke: color("--line"), strokeWidth: 1 },
      picked: { stroke: color("--text") },
      cursor: { stroke: color("--focus") },
    },
  };
}

// What was drawn in an element before, to be ended.
const drawnIn = new WeakMap();

// Draws a specification into `target`, a new part of `body`; resolves to Vega's view.
async function embed(body, target, specification, description) {
  drawnIn.get(body)?.finalize();
  document.getElementById("vg-tooltip-element")?.classList.remove("visible");
  const styled = { ...specification, description, config: chartStyle() };
  const made = await vegaEmbed(target, styled, {
    mode: "vega-lite",
    renderer: "canvas",
    actions: false,
    // No code from text: the page's policy forbids it.
    ast: true,
    // Styles are in the page's own sheet.
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true, theme: "page" },
  });
  drawnIn.set(body, made);
  body.style.minHeight = "";
  return made.view;
}

// The height in pixels that the file gives a widget, title and all; on a phone there is no grid.
function roomOf(body) {
  return parseInt(getComputedStyle(body).getPropertyValue("--room") || 300);
}

// Keeps the page where it is while a drawing is replaced.
function replaceDrawing(body, ...parts) {
  body.style.minHeight = `${body.offsetHeight}px`;
  body.replaceChildren(...parts);
}

// The rows as the chart names them: one per row of the answer and number drawn.
function chartRows(widget, answer) {
  const rows = [];
  const type = answer.type(widget.at.field);
  const isTime = type === "date" || type === "timestamp";
  for (let row = 0; row < answer.count; row++) {
    const at = answer.value(row, widget.at.field);
    for (const { field, title, format } of widget.values) {
      const value = answer.value(row, field);
      const series = widget.series ? answer.value(row, widget.series.field) : title;
      rows.push({
        at: isTime && at !== null ? utcMillis(at) : at,
        value: value === null ? null : Number(value),
        series: series === null ? "null" : String(series),
        atText: show(at, type),
        valueText: show(value, answer.type(field), format),
      });
    }
  }
  return rows;
}

function utcMillis(text) {
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = text.split(/[- :.]/).map(Number);
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

async function drawChart({ body, widget, answer }) {
  const rows = chartRows(widget, answer);
  if (!rows.length) {
    body.replaceChildren(element("p", {}, "No rows"));
    return;
  }
  const target = element("div", { className: "plot" });
  replaceDrawing(body, target);
  const height = Math.max(160, roomOf(body) - 160);
  const size = { width: "container", height, autosize: { type: "fit-x", contains: "padding" } };
  const temporal = Object.values(widget.vega.encoding).some((one) => one.type === "temporal");
  const values = temporal ? rows : rows.map((row) => ({ ...row, at: row.atText }));
  await embed(body, target, { ...widget.vega, ...size, data: { values } }, widget.title || widget.name);
}

// The columns under which a chart's rows stand in a table.
function chartColumns(widget) {
  const shown = widget.kind === "heatmap"
    ? [widget.y, widget.x, widget.value]
    : [widget.at, widget.series, ...widget.values].filter(Boolean);
  return shown.map(({ field, title, format }) => ({ field, title: title || field, format, rules: [], right: false }));
}
