"""Rules on the keys and values of a file: what shapes.py does not name is a fault."""

from __future__ import annotations

from collections.abc import Iterator

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from dashboards.lint import shapes
from dashboards.lint.finding import Finding

# What to say where the usual sentence would not help; by the end of the path.
REMEDIES = {
    "queryLines": "write the query as queryLines, a list of texts that end in a line break",
    "query": "write the query as queryLines, a list of texts that end in a line break",
    "layoutVersion": 'write "layoutVersion": "GRID_V1" and place on 12 columns',
    "pageType": f"write one of {', '.join(shapes.PAGE_TYPES)}",
    "color": "write a bare hex colour such as #00805A; of a counter, inside value.style",
    "parameterValues": "bind parameters in a filter widget: in a chart's query they blank it",
    "catalog": "give every dataset catalog and schema, which a deployment replaces",
    "schema": "give every dataset catalog and schema, which a deployment replaces",
    "textbox_spec": "write the text as multilineTextboxSpec.lines",
    "allowHTML": "leave it false: cells hold values of other people's tables",
    "allowHTMLByDefault": "leave it false: cells hold values of other people's tables",
}


def path_of(error: ValidationError) -> str:
    """The path of a fault inside its widget or dataset, such as encodings.columns[2].title."""
    path = ""
    for part in error.absolute_path:
        path += f"[{part}]" if isinstance(part, int) else f".{part}"
    return path.lstrip(".")


def deepest(error: ValidationError) -> ValidationError:
    """Of a value that fits none of several forms, the fault of the form it comes closest to."""
    while error.context:
        branches: dict[object, list[ValidationError]] = {}
        for part in error.context:
            branches.setdefault(part.schema_path[0], []).append(part)
        error = min(branches.values(), key=len)[0]
    return error


def sentences(error: ValidationError) -> Iterator[tuple[str, str, str]]:
    """(last key, problem, remedy) of one fault."""
    path = path_of(error)
    inside = f" in {path}" if path else ""
    last = str(error.absolute_path[-1]) if error.absolute_path else ""
    if error.validator == "additionalProperties":
        for key in sorted(set(error.instance) - set(error.schema["properties"])):
            yield (
                key,
                f"unknown key '{key}'{inside}",
                "remove it, or add it to lint/shapes.py once seen",
            )
    elif error.validator == "required":
        for key in error.validator_value:
            if key not in error.instance:
                yield key, f"key '{key}' is missing{inside}", "write it"
    elif error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        yield last, f"{path} is {error.instance!r}", f"write one of {allowed}"
    elif error.validator == "const":
        yield last, f"{path} is {error.instance!r}", f"write {error.validator_value!r}"
    elif error.validator == "pattern":
        yield last, f"{path} is {error.instance!r}", f"write what fits {error.validator_value}"
    elif error.validator == "minItems":
        yield last, f"{path} is empty", "fill it or remove it"
    else:
        yield last, f"{path or 'it'} is no {error.validator_value}", "write that type"


def faults(place: str, value: object, schema: dict) -> list[Finding]:
    """What is wrong with one part of the file."""
    found = []
    for error in Draft202012Validator(schema).iter_errors(value):
        for key, problem, remedy in sentences(deepest(error)):
            found.append(Finding(place, problem, REMEDIES.get(key, remedy)))
    return list(dict.fromkeys(found))


def widget_faults(place: str, widget: dict) -> list[Finding]:
    """What is wrong with the keys of one widget, by its type and version."""
    if "spec" not in widget:
        return faults(place, widget, shapes.TEXT_BOX)
    found = faults(place, widget, shapes.WIDGET)
    spec = widget["spec"]
    if not isinstance(spec, dict):
        return found
    kind, version = spec.get("widgetType"), spec.get("version")
    versions = shapes.VERSIONS.get(kind) if isinstance(kind, str) else None
    if versions is None:
        known = ", ".join(sorted(shapes.VERSIONS))
        return [*found, Finding(place, f"spec.widgetType is {kind!r}", f"write one of {known}")]
    if version not in versions or isinstance(version, bool):
        allowed = " or ".join(map(str, versions))
        said = f"spec.version of the {kind} is {version!r}"
        return [*found, Finding(place, said, f"write {allowed}: others render as invalid")]
    if (kind, version) not in shapes.SPECS:
        said = f"{kind} {version} is not used by this project"
        return [
            *found,
            Finding(place, said, "add its keys to lint/shapes.py, from published files"),
        ]
    return found + faults(place, spec, shapes.SPECS[kind, version])
