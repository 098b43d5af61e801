// The counter: one number, in the colour of the first rule that holds.

function drawCounter({ body, widget, answer }) {
  const value = answer.count ? answer.value(0, widget.field) : null;
  const shown = element("p", { className: "value" }, show(value, answer.count ? answer.type(widget.field) : "text", widget.format));
  const rule = firstRule(widget.rules, () => value);
  const color = value === null ? null : rule?.color ?? widget.color;
  if (color) shown.style.color = color;
  const label = widget.label && widget.label !== widget.title ? [element("p", { className: "label" }, widget.label)] : [];
  body.replaceChildren(shown, ...label);
}
