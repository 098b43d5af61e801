"""Writes the tables of examples as real Delta tables: a Parquet file and a first commit each.

A table is on disk in a few milliseconds without a Spark job; Spark only registers it. Columns that
Delta cannot hold are kept in another form and read through a view.
"""

import json
import uuid
from concurrent.futures import ThreadPoolExecutor

import pyarrow
import pyarrow.parquet

from tests.cases.tables import ODD_CHARACTERS
from tests.fuzz.datatypes import DAY_TIME, VIEW_ONLY, YEAR_MONTH, Type
from tests.fuzz.example import Table
from tests.fuzz.expressions import quoted

ARROW = {
    "tinyint": pyarrow.int8(),
    "smallint": pyarrow.int16(),
    "int": pyarrow.int32(),
    "bigint": pyarrow.int64(),
    "float": pyarrow.float32(),
    "double": pyarrow.float64(),
    "date": pyarrow.date32(),
    "timestamp": pyarrow.timestamp("us", "UTC"),
    "timestamp_ntz": pyarrow.timestamp("us"),
    "string": pyarrow.string(),
    "boolean": pyarrow.bool_(),
    "binary": pyarrow.binary(),
}
DELTA = {
    "tinyint": "byte",
    "smallint": "short",
    "int": "integer",
    "bigint": "long",
}


def write_pairs(spark, schema, folder, examples):
    """Writes and registers both tables of each example; yields (example, relation by side)."""
    jobs = [(f"{e.pair_id}_{side}", e.side(side)) for e in examples for side in SIDES]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda job: register(spark, schema, folder, *job), jobs))
    for example in examples:
        yield example, {side: f"{schema}.{example.pair_id}_{side}" for side in SIDES}


SIDES = ("source", "target")


def register(spark, schema, folder, name, table):
    """Makes schema.name: a Delta table, or a view over one."""
    is_view = any(kind.name in VIEW_ONLY for _, kind in table.columns)
    base = f"{name}_data" if is_view else name
    path = folder / base
    write_delta(path, held(table) if is_view else table)
    spark.sql(f"create table {schema}.{base} using delta location '{path}'")
    if is_view:
        columns = ", ".join(restored(*column) for column in table.columns)
        spark.sql(f"create view {schema}.{name} as select {columns} from {schema}.{base}")


def held(table: Table) -> Table:
    """The table as Delta can hold it."""
    kinds = {
        **dict.fromkeys(YEAR_MONTH, "int"),
        **dict.fromkeys(DAY_TIME, "bigint"),
        "void": "int",
        "variant": "string",
    }
    columns = tuple((n, Type(kinds[k.name]) if k.name in kinds else k) for n, k in table.columns)
    return Table(columns, table.rows)


def restored(name, kind):
    """SQL that gives a held column its type back."""
    column = quoted(name)
    if kind.name in YEAR_MONTH:
        return f"cast(make_ym_interval(0, {column}) as {kind}) as {column}"
    if kind.name in DAY_TIME:
        seconds = f"cast({column} as decimal(18, 0)) * cast(0.000001 as decimal(18, 6))"
        interval = f"make_dt_interval(0, 0, 0, cast({seconds} as decimal(18, 6)))"
        return f"cast({interval} as {kind}) as {column}"
    if kind.name == "void":
        return f"null as {column}"
    return f"parse_json({column}) as {column}" if kind.name == "variant" else column


# --- the files -----------------------------------------------------------------------------------


def write_delta(path, table):
    """One Parquet file and commit 0."""
    (path / "_delta_log").mkdir(parents=True)
    is_mapped = any(map(ODD_CHARACTERS.search, all_names(table)))
    layout = Layout(is_mapped)
    fields = [layout.field(name, kind) for name, kind in table.columns]
    arrays = [
        pyarrow.array([layout.value(v, field) for v in values], layout.arrow(field))
        for field, values in zip(fields, columns_of(table), strict=True)
    ]
    data = pyarrow.Table.from_arrays(arrays, [field["physical"] for field in fields])
    pyarrow.parquet.write_table(data, path / "part-0.parquet")
    actions = (protocol(table, is_mapped), metadata(fields, layout), added(path / "part-0.parquet"))
    commit = path / "_delta_log" / f"{0:020}.json"
    commit.write_text("".join(json.dumps(action) + "\n" for action in actions))


def columns_of(table):
    return [[row[i] for row in table.rows] for i in range(len(table.columns))]


def all_names(table):
    """Names of the columns and of all struct fields below them."""

    def below(kind):
        own = [name for name, _ in kind.fields] if kind.name == "struct" else []
        return own + [name for _, part in kind.fields for name in below(part)]

    return [n for name, kind in table.columns for n in (name, *below(kind))]


class Layout:
    """How columns are laid out in the file; with column mapping each field has a name there."""

    def __init__(self, is_mapped):
        self.is_mapped, self.ids = is_mapped, 0

    def field(self, name, kind):
        """A field: name, name in the file, id, type, and the fields below it."""
        self.ids += 1
        number = self.ids
        if kind.name == "struct":
            parts = [self.field(*part) for part in kind.fields]
        else:
            parts = [self.unnamed(*part) for part in kind.fields]
        physical = f"col-{number}" if self.is_mapped else name
        return {"name": name, "physical": physical, "id": number, "kind": kind, "parts": parts}

    def unnamed(self, name, kind):
        """The element, key or value of an array or map: it has no id of its own."""
        return {**self.field(name, kind), "id": None}

    def arrow(self, field):
        kind, parts = field["kind"], field["parts"]
        if kind.name == "decimal":
            return pyarrow.decimal128(kind.precision, kind.scale)
        if kind.name == "array":
            return pyarrow.list_(self.arrow(parts[0]))
        if kind.name == "map":
            return pyarrow.map_(self.arrow(parts[0]), self.arrow(parts[1]))
        if kind.name == "struct":
            return pyarrow.struct([(part["physical"], self.arrow(part)) for part in parts])
        return ARROW[kind.name]

    def value(self, value, field):
        kind, parts = field["kind"], field["parts"]
        if value is None or not parts:
            return value
        if kind.name == "array":
            return [self.value(item, parts[0]) for item in value]
        if kind.name == "map":
            return [(self.value(k, parts[0]), self.value(v, parts[1])) for k, v in value]
        named = zip(parts, value, strict=True)
        return {part["physical"]: self.value(item, part) for part, item in named}

    def schema(self, field):
        """A field in the schema of Delta's metadata."""
        mapping = {
            "delta.columnMapping.id": field["id"],
            "delta.columnMapping.physicalName": field["physical"],
        }
        return {
            "name": field["name"],
            "type": self.schema_type(field),
            "nullable": True,
            "metadata": mapping if self.is_mapped else {},
        }

    def schema_type(self, field):
        kind, parts = field["kind"], field["parts"]
        if kind.name == "struct":
            return {"type": "struct", "fields": [self.schema(part) for part in parts]}
        if kind.name == "array":
            element = self.schema_type(parts[0])
            return {"type": "array", "elementType": element, "containsNull": True}
        if kind.name == "map":
            key, value = map(self.schema_type, parts)
            return {"type": "map", "keyType": key, "valueType": value, "valueContainsNull": True}
        return DELTA.get(kind.name, str(kind))


def protocol(table, is_mapped):
    features = ["columnMapping"] if is_mapped else []
    if any("timestamp_ntz" in kind.names() for _, kind in table.columns):
        features.append("timestampNtz")
    versions = {"minReaderVersion": 1, "minWriterVersion": 2}
    if features:
        versions = {"minReaderVersion": 3, "minWriterVersion": 7}
        versions |= {"readerFeatures": features, "writerFeatures": features}
    return {"protocol": versions}


def metadata(fields, layout):
    mapping = {"delta.columnMapping.mode": "name", "delta.columnMapping.maxColumnId": layout.ids}
    configuration = {name: str(value) for name, value in mapping.items()}
    schema = {"type": "struct", "fields": [layout.schema(field) for field in fields]}
    return {
        "metaData": {
            "id": str(uuid.uuid4()),
            "format": {"provider": "parquet", "options": {}},
            "schemaString": json.dumps(schema),
            "partitionColumns": [],
            "configuration": configuration if layout.is_mapped else {},
            "createdTime": 0,
        }
    }


def added(file):
    return {
        "add": {
            "path": file.name,
            "partitionValues": {},
            "size": file.stat().st_size,
            "modificationTime": 0,
            "dataChange": True,
        }
    }
