"""The keys of a dashboard file that this project knows, as JSON schemas; any other is a fault.

There is no published schema of `.lvdash.json`. Each key here was seen in published dashboard files
with the same widget type and version; a new one is added here when it has been seen likewise.
"""

from __future__ import annotations

# A widget's type with its one version that renders; the wrong one gives an invalid widget.
VERSIONS = {
    "area": (3,), "bar": (3,), "combo": (1,), "counter": (2,), "filter-date-picker": (2,),
    "filter-date-range-picker": (2,), "filter-multi-select": (2,), "filter-single-select": (2,),
    "forecast-line": (1,), "heatmap": (3,), "histogram": (3,), "line": (3,), "pie": (3,),
    "pivot": (3,), "range-slider": (2,), "scatter": (3,), "symbol-map": (2,), "table": (1, 2),
}  # fmt: skip

PAGE_TYPES = ["PAGE_TYPE_CANVAS", "PAGE_TYPE_GLOBAL_FILTERS"]
RELATIVE_OR_ISO = r"^(now(-\d+[hdwMy])?(/[hdwMy])?|\d{4}-\d{2}-\d{2}(T[\d:.]+)?)$"

TEXT = {"type": "string"}
FLAG = {"type": "boolean"}
WHOLE = {"type": "integer"}
NUMBER_AS_TEXT = {"type": "string", "pattern": r"^-?\d+(\.\d+)?$"}
# In a name that goes into addresses.
NAME = {"type": "string", "pattern": r"^[A-Za-z0-9_-]{1,60}$"}
HEX = {"type": "string", "pattern": r"^#[0-9A-Fa-f]{6}$"}


def one_of(*values: str) -> dict:
    return {"enum": list(values)}


def many(item: dict, least: int = 1) -> dict:
    return {"type": "array", "items": item, "minItems": least}


def keys(required: dict | None = None, **optional: dict) -> dict:
    """An object with these keys and no others."""
    required = required or {}
    return {
        "type": "object",
        "properties": required | optional,
        "required": list(required),
        "additionalProperties": False,
    }


THEME_COLOUR = keys({"themeColorType": TEXT, "position": WHOLE})
COLOUR = {"anyOf": [HEX, THEME_COLOUR]}

# --- datasets ------------------------------------------------------------------------------------

VALUE = keys({"value": TEXT})
MOMENT = keys({"value": {"type": "string", "pattern": RELATIVE_OR_ISO}})
DATA_TYPE = one_of("STRING", "DATE", "DATETIME", "INTEGER", "DECIMAL")
SELECTION = keys(
    values=keys({"dataType": DATA_TYPE, "values": many(VALUE, 0)}),
    range=keys({"dataType": one_of("DATE", "DATETIME"), "min": MOMENT, "max": MOMENT}),
)
PARAMETER = keys(
    {"displayName": TEXT, "keyword": NAME, "dataType": DATA_TYPE, "defaultSelection": SELECTION},
    complexType=one_of("MULTI", "RANGE"),
)
DATASET = keys(
    {"name": NAME, "displayName": TEXT, "queryLines": many(TEXT), "catalog": TEXT, "schema": TEXT},
    parameters=many(PARAMETER),
)

# --- queries of widgets --------------------------------------------------------------------------

QUERY = keys(
    {
        "name": TEXT,
        "query": keys(
            {"datasetName": TEXT, "disaggregated": FLAG},
            fields=many(keys({"name": TEXT, "expression": TEXT})),
            filters=many(keys({"expression": TEXT})),
            orders=many(keys({"direction": one_of("ASC", "DESC"), "expression": TEXT})),
            parameters=many(keys({"name": TEXT, "keyword": TEXT})),
        ),
    }
)

# --- parts of specs ------------------------------------------------------------------------------

FRAME = keys(
    showTitle=FLAG, title=TEXT, showDescription=FLAG, description=TEXT,
    headerAlignment=one_of("left", "center", "right"),
)  # fmt: skip
FORMAT = keys(
    {"type": one_of("number", "number-plain", "number-percent", "number-currency")},
    abbreviation=one_of("none", "compact"),
    decimalPlaces=keys({"type": one_of("max", "exact"), "places": WHOLE}),
    currencyCode=TEXT,
    hideGroupSeparator=FLAG,
    suffix=TEXT,
)
CONDITION = keys(
    {
        "operator": one_of("=", "<", "<=", ">", ">="),
        "operand": keys({"type": one_of("data-value"), "value": TEXT}),
    }
)
# In counters no rule with = or < was seen.
COUNTER_CONDITION = keys(
    {
        "operator": one_of("<=", ">", ">="),
        "operand": keys({"type": one_of("data-value"), "value": NUMBER_AS_TEXT}),
    }
)
AXIS = keys(hideTitle=FLAG, title=TEXT, hideLabels=FLAG, labelAngle=WHOLE)
SORT = keys(
    {"by": one_of("natural-order", "x", "x-reversed", "y", "y-reversed", "custom-order")},
    orderedValues=many(TEXT),
) | {
    "if": {"properties": {"by": {"const": "custom-order"}}, "required": ["by"]},
    "then": {"required": ["orderedValues"]},
}
MAPPINGS = many(keys({"value": TEXT, "color": HEX}))
RAMP = keys(
    {"mode": one_of("custom-sequential", "scheme")},
    colors=keys({"start": HEX, "end": HEX}),
    scheme=TEXT,
)
LEGEND = keys(position=one_of("bottom", "right"), hide=FLAG, hideTitle=FLAG, title=TEXT)
LABEL = keys({"show": FLAG})


def scale(*types: str, **more: dict) -> dict:
    return keys({"type": one_of(*types)}, **more)


def spec(widget_type: str, version: int, **parts: dict) -> dict:
    return keys(
        {"version": {"const": version}, "widgetType": {"const": widget_type}, "frame": FRAME},
        **parts,
    ) | {"required": ["version", "widgetType", "frame", *parts]}


# --- widgets -------------------------------------------------------------------------------------

SHOWN_VALUE = keys(
    {"fieldName": TEXT},
    displayName=TEXT,
    format=FORMAT,
    formatTemplate=TEXT,
    rowNumber=WHOLE,
    style=keys(
        bold=FLAG,
        italic=FLAG,
        fontSize={"type": "number"},
        color=COLOUR,
        rules=many(keys({"condition": COUNTER_CONDITION, "color": COLOUR}, bold=FLAG)),
    ),
)
CELL_STYLE = keys(
    {
        "type": one_of("basic"),
        "rules": many(keys({"condition": CONDITION, "backgroundColor": COLOUR})),
    }
)
RULE_V1 = keys(
    {
        "if": keys({"column": TEXT, "fn": one_of("=", ">", "<", ">=", "<="), "literal": TEXT}),
        "value": keys({"foregroundColor": COLOUR}),
    }
)
# A column of table 1 with a key missing renders as an invalid widget: all are required.
COLUMN_V1 = {
    "title": TEXT,
    "type": one_of("string", "integer", "float", "decimal", "date", "datetime", "boolean"),
    "displayAs": one_of("string", "number", "datetime", "boolean", "link"),
    "order": WHOLE,
    "alignContent": one_of("left", "center", "right"),
    "allowSearch": FLAG,
    "allowHTML": {"const": False},
    "highlightLinks": FLAG,
    "booleanValues": many(TEXT),
    "imageUrlTemplate": TEXT,
    "imageTitleTemplate": TEXT,
    "imageWidth": TEXT,
    "imageHeight": TEXT,
    "linkUrlTemplate": TEXT,
    "linkTextTemplate": TEXT,
    "linkTitleTemplate": TEXT,
    "linkOpenInNewTab": FLAG,
    "preserveWhitespace": FLAG,
    "useMonospaceFont": FLAG,
    "cellFormat": keys(
        {
            "default": keys({"foregroundColor": {"anyOf": [COLOUR, {"type": "null"}]}}),
            "rules": many(RULE_V1, 0),
        }
    ),
}
FORMATS_V1 = {"numberFormat": TEXT, "dateTimeFormat": TEXT, "description": TEXT}


def axis_field(*types: str) -> dict:
    more = {"sort": SORT, "domainMin": {"type": "number"}, "reverse": FLAG}
    return keys(
        {"fieldName": TEXT, "scale": scale(*types, **more)},
        displayName=TEXT,
        axis=AXIS,
        format=FORMAT,
    )


NUMBERS = {
    "anyOf": [
        axis_field("quantitative"),
        keys(
            {
                "fields": many(keys({"fieldName": TEXT}, displayName=TEXT)),
                "scale": scale("quantitative"),
            },
            axis=AXIS,
            format=FORMAT,
        ),
    ]
}
CHART = {
    "x": axis_field("temporal", "categorical", "quantitative"),
    "y": NUMBERS,
}
BY_COLOUR = keys(
    {"fieldName": TEXT, "scale": scale("categorical", mappings=MAPPINGS)},
    displayName=TEXT,
    legend=LEGEND,
)
HEAT_COLOUR = {
    "anyOf": [
        BY_COLOUR,
        keys(
            {
                "fieldName": TEXT,
                "scale": scale(
                    "quantitative",
                    colorRamp=RAMP,
                    reverse=FLAG,
                    domain=keys({"min": {"type": "number"}}),
                ),
            },
            displayName=TEXT,
            legend=LEGEND,
        ),
    ]
}
MARK = keys(
    layout=one_of("stack", "group", "layer", "percent-stack"), colors=many(COLOUR)
)  # fmt: skip
BOUND = {
    "anyOf": [
        keys({"fieldName": TEXT, "queryName": TEXT}, displayName=TEXT),
        keys({"parameterName": TEXT, "queryName": TEXT}),
    ]
}


def filter_spec(widget_type: str, **more: dict) -> dict:
    built = spec(widget_type, 2, encodings=keys({"fields": many(BOUND)}))
    built["properties"] |= {"selection": keys({"defaultSelection": SELECTION}), **more}
    return built


def chart_spec(widget_type: str) -> dict:
    built = spec(
        widget_type, 3, encodings=keys(CHART, color=BY_COLOUR, label=LABEL,
        extra=many(keys({"fieldName": TEXT}, displayName=TEXT))),
    )  # fmt: skip
    built["properties"]["mark"] = MARK
    return built


def table_v1() -> dict:
    column = keys(
        COLUMN_V1 | {"fieldName": TEXT, "displayName": TEXT, "visible": FLAG}, **FORMATS_V1
    )
    unseen = keys(COLUMN_V1 | {"name": TEXT}, **FORMATS_V1)
    return spec(
        "table", 1,
        encodings=keys({"columns": many(column)}),
        invisibleColumns=many(unseen, 0), allowHTMLByDefault={"const": False}, itemsPerPage=WHOLE,
        paginationSize=one_of("default"), condensed=FLAG, withRowNumber=FLAG,
    )  # fmt: skip


COLUMN_V2 = keys({"fieldName": TEXT}, displayName=TEXT, format=FORMAT, style=CELL_STYLE)

# The specs of the widgets that this project uses.
SPECS = {
    ("counter", 2): spec("counter", 2, encodings=keys({"value": SHOWN_VALUE})),
    ("table", 1): table_v1(),
    ("table", 2): spec("table", 2, encodings=keys({"columns": many(COLUMN_V2)})),
    ("heatmap", 3): spec(
        "heatmap", 3,
        encodings=keys(
            {
                "x": axis_field("temporal", "categorical"),
                "y": axis_field("categorical"),
                "color": HEAT_COLOUR,
            },
            label=LABEL,
        ),
    ),
    ("line", 3): chart_spec("line"),
    ("bar", 3): chart_spec("bar"),
    ("filter-single-select", 2): filter_spec("filter-single-select", disallowAll=FLAG),
    ("filter-multi-select", 2): filter_spec("filter-multi-select"),
    ("filter-date-range-picker", 2): filter_spec("filter-date-range-picker"),
}  # fmt: skip

TEXT_BOX = keys({"name": NAME, "multilineTextboxSpec": keys({"lines": many(TEXT)})})
WIDGET = keys({"name": NAME, "queries": many(QUERY), "spec": {"type": "object"}})
PLACE = keys({"x": WHOLE, "y": WHOLE, "width": WHOLE, "height": WHOLE})
PAGE = keys(
    {
        "name": NAME,
        "displayName": TEXT,
        "pageType": one_of(*PAGE_TYPES),
        "layoutVersion": {"const": "GRID_V1"},
        "layout": many(keys({"position": PLACE, "widget": {"type": "object"}})),
    }
)
SIDES = keys({"light": HEX, "dark": HEX})
THEME = keys(
    canvasBackgroundColor=SIDES, widgetBackgroundColor=SIDES, widgetBorderColor=SIDES,
    fontColor=SIDES, selectionColor=SIDES, visualizationColors=many(HEX),
    widgetHeaderAlignment=one_of("LEFT", "CENTER", "RIGHT", "ALIGNMENT_UNSPECIFIED"),
)  # fmt: skip
DASHBOARD = keys(
    {"datasets": many({"type": "object"}), "pages": many({"type": "object"})},
    uiSettings=keys(theme=THEME, applyModeEnabled=FLAG),
)
