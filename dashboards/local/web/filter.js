// Filter controls: one value, several, or a range of dates.

// The values to choose from: those of all columns the filter holds, sorted.
function options(datasets, on) {
  const found = new Set(on.flatMap(({ dataset, column, keep }) =>
    (datasets[dataset].columns[column]?.values ?? []).map((value) => cut(value, keep))));
  found.delete(null);
  return [...found].sort(compare);
}

// Draws the control; `choose` takes the new value.
function drawFilter({ body, widget, value, values, choose }) {
  const label = widget.title || widget.name;
  const controls = { one: selectOne, many: selectMany, range: selectRange }[widget.choices];
  controls({ body, label, value, values, choose, window: widget.window });
}

function selectOne({ body, label, value, values, choose }) {
  // An address may name a value that no row has.
  const all = [...new Set([...values.map(String), ...value])];
  const choices = [new Option("All", ""), ...all.map((one) => new Option(one, one))];
  const select = element("select", { "aria-label": label }, ...choices);
  select.value = value[0] ?? "";
  select.onchange = () => choose(select.value === "" ? [] : [select.value]);
  body.replaceChildren(select);
}

function selectMany({ body, label, value, values, choose }) {
  const wasOpen = body.querySelector("details")?.open ?? false;
  const focused = body.contains(document.activeElement) ? document.activeElement.value : null;
  const chosen = new Set(value);
  const all = [...new Set([...values.map(String), ...value])];
  const boxes = all.map((one) => {
    const box = element("input", { type: "checkbox", value: one, checked: chosen.has(one) });
    box.onchange = () => choose(all.filter((other) => (other === one ? box.checked : chosen.has(other))));
    return element("label", {}, box, shownText(one, false));
  });
  const told = value.length ? value.join(", ") : "All";
  const summary = element("summary", { "aria-label": `${label}: ${told}` }, told);
  const details = element("details", { open: wasOpen }, summary, element("div", { className: "choices" }, ...boxes));
  body.replaceChildren(details);
  if (focused !== null) [...details.querySelectorAll("input")].find((box) => box.value === focused)?.focus();
}

function selectRange({ body, label, value, choose, window: [min, max] }) {
  const ends = ["from", "to"].map((end, place) =>
    element("input", { type: "date", min, max, value: value[place], "aria-label": `${label}, ${end}` }));
  for (const end of ends) end.onchange = () => choose(ends.map((one) => one.value));
  body.replaceChildren(ends[0], " to ", ends[1]);
  if (min) body.append(element("p", { className: "label" }, `This file holds ${min} to ${max}.`));
}
