// The counter: one number, in the colour of the first rule that holds.

function drawCounter({ body, widget, answer }) {
  const value = answer.count ? answer.value(0, widget.field) : null;
  // No row, no number: a dash, which is neither red nor green.
  const text = value === null ? "–" : show(value, answer.type(widget.field), widget.format);
  const shown = element("p", { className: "value" }, text);
  const rule = firstRule(widget.rules, () => value);
  const color = value === null ? null : rule?.color ?? widget.color;
  if (color) shown.style.color = color;
  body.replaceChildren(shown);
  if (widget.label && widget.label !== widget.title) {
    body.append(element("p", { className: "label" }, widget.label));
  }
}
