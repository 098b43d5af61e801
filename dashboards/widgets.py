"""Widgets of a dashboard file, each with the keys that published files have (README.md).

Every function returns the `widget` object of a layout item. `fields` of charts and filters map the
name by which encodings refer to a field to its expression over the dataset's columns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MAIN = "main_query"


def column(name: str) -> dict:
    """A column of the dataset as a field of a query."""
    return {"name": name, "expression": f"`{name}`"}


def total(name: str) -> dict:
    """The sum of a column as a field of a query."""
    return {"name": f"sum({name})", "expression": f"SUM(`{name}`)"}


def query(dataset: str, fields: Sequence[dict], is_raw: bool, **extra) -> dict:
    """The one query of a widget that is no filter; is_raw: rows as they are, not grouped."""
    body = {"datasetName": dataset, "fields": list(fields), "disaggregated": is_raw}
    return {"name": MAIN, "query": body | extra}


def only(name: str, value: str) -> dict:
    """What keeps a widget to the rows in which a column has one value."""
    return {"filters": [{"expression": f"`{name}` IN ('{value}')"}]}


def sorted_by(**directions: str) -> dict:
    """The order of a table's rows: ASC or DESC by column."""
    orders = [{"direction": d, "expression": f"`{name}`"} for name, d in directions.items()]
    return {"orders": orders}


def frame(title: str, description: str = "") -> dict:
    """Title and, where there is one, the line below it; none of both where they are blank."""
    said = {"showDescription": True, "description": description} if description else {}
    return {"showTitle": bool(title), "title": title, **said}


def text(name: str, *lines: str) -> dict:
    """A text box of Markdown; every line ends its paragraph."""
    return {"name": name, "multilineTextboxSpec": {"lines": [f"{line}\n\n" for line in lines]}}


def counter(name: str, of: dict, title: str, value: str, colours: tuple[str, str, str]) -> dict:
    """A number. colours: at zero, above zero, and where no rule applies."""
    zero, above, otherwise = colours

    def rule(operator: str, colour: str) -> dict:
        operand = {"type": "data-value", "value": "0"}
        return {"condition": {"operator": operator, "operand": operand}, "color": colour}

    shown = {
        "fieldName": value,
        "displayName": title,
        "format": {
            "type": "number-plain",
            "abbreviation": "none",
            "decimalPlaces": {"type": "exact", "places": 0},
        },
        # no two rules fit one number, so it does not matter which of them wins
        "style": {
            "bold": True,
            "color": otherwise,
            "rules": [rule("<=", zero), rule(">", above)],
        },
    }
    spec = {"version": 2, "widgetType": "counter", "encodings": {"value": shown}}
    return {"name": name, "queries": [of], "spec": spec | {"frame": frame(title)}}


def table(name: str, of: dict, head: dict, columns: Mapping[str, str]) -> dict:
    """A table of plain columns: column of the dataset to its title."""
    shown = [{"fieldName": c, "displayName": said} for c, said in columns.items()]
    spec = {"version": 2, "widgetType": "table", "encodings": {"columns": shown}, "frame": head}
    return {"name": name, "queries": [of], "spec": spec}


def whole_column(place: int, title: str, url: str = "", is_number: bool = False) -> dict:
    """A column of the older table with every key that published files give it."""
    return {
        "title": title,
        "type": "integer" if is_number else "string",
        "displayAs": "link" if url else ("number" if is_number else "string"),
        "order": place,
        "alignContent": "right" if is_number else "left",
        "allowSearch": not is_number,
        "allowHTML": False,
        "highlightLinks": False,
        "booleanValues": ["false", "true"],
        "imageUrlTemplate": "{{ @ }}",
        "imageTitleTemplate": "{{ @ }}",
        "imageWidth": "",
        "imageHeight": "",
        "linkUrlTemplate": url or "{{ @ }}",
        "linkTextTemplate": "{{ @ }}",
        "linkTitleTemplate": "{{ @ }}",
        "linkOpenInNewTab": False,
        "preserveWhitespace": False,
        "useMonospaceFont": False,
        "cellFormat": {"default": {"foregroundColor": None}, "rules": []},
        **({"numberFormat": "0"} if is_number else {}),
    }


def linked_table(
    name: str, of: dict, head: dict, columns: Mapping[str, str], links: Mapping[str, str],
    numbers: Sequence[str] = (), hidden: Sequence[str] = (),
) -> dict:  # fmt: skip
    """A table some of whose columns are links: column to URL, in which {{ @ }} is the cell.

    The older form of the table widget: the only one in which published files have links, and one
    that takes complete column objects only. numbers: columns of whole numbers; hidden: columns
    that the query has for its order.
    """
    shown = [
        {"fieldName": c, "displayName": said, "visible": True}
        | whole_column(place, said, links.get(c, ""), c in numbers)
        for place, (c, said) in enumerate(columns.items())
    ]
    unseen = [{"name": c} | whole_column(len(shown) + i, c) for i, c in enumerate(hidden)]
    spec = {
        "version": 1,
        "widgetType": "table",
        "encodings": {"columns": shown},
        "invisibleColumns": unseen,
        "allowHTMLByDefault": False,
        "itemsPerPage": 25,
        "paginationSize": "default",
        "condensed": True,
        "withRowNumber": False,
        "frame": head,
    }
    return {"name": name, "queries": [of], "spec": spec}


def mappings(colours: Mapping[str, str]) -> list[dict]:
    """Hard colours by value."""
    return [{"value": value, "color": colour} for value, colour in colours.items()]


def heat_map(
    name: str, of: dict, head: dict, places: tuple[str, str], cell: str, colours: Mapping[str, str]
) -> dict:
    """A map of categories. places: columns across and down; cell: the one written and coloured."""
    across, down = places

    def axis(column_name: str) -> dict:
        scale = {"type": "categorical", "sort": {"by": "natural-order"}}
        return {"fieldName": column_name, "scale": scale, "axis": {"hideTitle": True}}

    encodings = {
        "x": axis(across),
        "y": axis(down),
        "color": {
            "fieldName": cell,
            "displayName": "Differences",
            "legend": {"position": "bottom", "title": "Differences found"},
            "scale": {"type": "categorical", "mappings": mappings(colours)},
        },
        "label": {"show": True},
    }
    spec = {"version": 3, "widgetType": "heatmap", "encodings": encodings, "frame": head}
    return {"name": name, "queries": [of], "spec": spec}


def line(name: str, of: dict, head: dict, across: str, columns: Mapping[str, str]) -> dict:
    """Lines over dates: column of the dataset to what it is called."""
    fields = [{"fieldName": f"sum({c})", "displayName": said} for c, said in columns.items()]
    encodings = {
        "x": {"fieldName": across, "scale": {"type": "temporal"}, "axis": {"hideTitle": True}},
        "y": {"fields": fields, "scale": {"type": "quantitative"}},
    }
    spec = {"version": 3, "widgetType": "line", "encodings": encodings, "frame": head}
    return {"name": name, "queries": [of], "spec": spec}


def bar(
    name: str, of: dict, head: dict, across: tuple[str, Sequence[str]], up: str,
    by: tuple[str, Mapping[str, str]],
) -> dict:  # fmt: skip
    """Stacked bars. across: column, its values in order; up: field; by: column, its colours."""
    column_name, values = across
    colour, colours = by
    sort = {"by": "custom-order", "orderedValues": list(values)}
    encodings = {
        "x": {
            "fieldName": column_name,
            "scale": {"type": "categorical", "sort": sort},
            "axis": {"hideTitle": True},
        },
        "y": {"fieldName": up, "scale": {"type": "quantitative"}, "axis": {"hideTitle": True}},
        "color": {
            "fieldName": colour,
            "legend": {"position": "bottom", "hideTitle": True},
            "scale": {"type": "categorical", "mappings": mappings(colours)},
        },
    }
    spec = {"version": 3, "widgetType": "bar", "encodings": encodings, "mark": {"layout": "stack"}}
    return {"name": name, "queries": [of], "spec": spec | {"frame": head}}


def filter_on(
    name: str, kind: str, title: str, fields: Mapping[str, str], parameter: str = "",
    of: Sequence[str] = (), default: dict | None = None,
) -> dict:  # fmt: skip
    """A filter. fields: dataset to its column; parameter: a keyword of the datasets `of`."""
    queries, bound = [], []
    for dataset in of:
        named = f"{name}_parameter_{dataset}"
        asked = {"name": parameter, "keyword": parameter}
        body = {"datasetName": dataset, "parameters": [asked], "disaggregated": False}
        queries.append({"name": named, "query": body})
        bound.append({"parameterName": parameter, "queryName": named})
    for dataset, column_name in fields.items():
        named = f"{name}_{dataset}"
        body = {"datasetName": dataset, "fields": [column(column_name)], "disaggregated": False}
        queries.append({"name": named, "query": body})
        bound.append({"fieldName": column_name, "displayName": title, "queryName": named})
    spec = {"version": 2, "widgetType": f"filter-{kind}", "encodings": {"fields": bound}}
    selection = {"selection": {"defaultSelection": default}} if default else {}
    return {"name": name, "queries": queries, "spec": spec | selection | {"frame": frame(title)}}
