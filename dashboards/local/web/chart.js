// Line and bar charts, drawn by Vega-Lite.

// The colours and letters of the page's theme, for Vega.
function chartStyle() {
  const style = getComputedStyle(document.documentElement);
  const color = (name) => style.getPropertyValue(name).trim();
  const lines = { domainColor: color("--line"), tickColor: color("--line"), gridColor: color("--line") };
  return {
    background: "transparent",
    font: style.getPropertyValue("--font").trim(),
    view: { stroke: null },
    axis: { labelColor: color("--text"), titleColor: color("--text"), titleFontWeight: "normal", labelFontSize: 12, ...lines },
    legend: { labelColor: color("--text"), titleColor: color("--text"), labelFontSize: 12 },
    // A dark cell must stand out on a dark page, and a light one on a light page.
    style: { cell: { stroke: color("--line"), strokeWidth: 1 }, picked: { stroke: color("--text") }, cursor: { stroke: color("--focus") } },
  };
}

// Puts a specification into an element; resolves to Vega's view.
async function embed(target, specification, description) {
  const { view } = await vegaEmbed(target, { ...specification, description, config: chartStyle() }, {
    mode: "vega-lite",
    renderer: "canvas",
    actions: false,
    // No code from text: the page's policy forbids it.
    ast: true,
    // Styles are in the page's own sheet.
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true, theme: "page" },
  });
  return view;
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
  const parts = text.split(/[- :.]/).map(Number);
  return Date.UTC(parts[0], (parts[1] ?? 1) - 1, parts[2] ?? 1, parts[3] ?? 0, parts[4] ?? 0, parts[5] ?? 0);
}

async function drawChart({ body, widget, answer }) {
  const rows = chartRows(widget, answer);
  if (!rows.length) {
    body.replaceChildren(element("p", {}, "No rows"));
    return;
  }
  const target = element("div", { className: "plot" });
  body.replaceChildren(target);
  const size = { width: "container", height: Math.max(160, body.clientHeight - 90), autosize: { type: "fit-x", contains: "padding" } };
  const temporal = Object.values(widget.vega.encoding).some((one) => one.type === "temporal");
  const values = temporal ? rows : rows.map((row) => ({ ...row, at: row.atText }));
  await embed(target, { ...widget.vega, ...size, data: { values } }, widget.title || widget.name);
}

// The columns under which a chart's rows stand in a table.
function chartColumns(widget) {
  const shown = widget.kind === "heatmap" ? [widget.y, widget.x, widget.value] : [widget.at, ...(widget.series ? [widget.series] : []), ...widget.values];
  return shown.map(({ field, title, format }) => ({ field, title: title || field, format, rules: [], right: false }));
}
