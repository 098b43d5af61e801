"""Random pair examples: a source, a target made from it by edits, settings and rules."""

import json
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal

from tests.fuzz.canonical import EXACT, Undecided, family
from tests.fuzz.datatypes import INTEGERS, NESTED, Type, array, decimal, map_of, struct
from tests.fuzz.example import Example, Rule, Table, dump_example
from tests.fuzz.expressions import quoted
from tests.fuzz.oracle import expected
from tests.fuzz.rules import TOLERANCES, plain_text
from tests.fuzz.values import VIEW_TYPES, Dice, any_type, any_value, edited, nullable, text

NAMES = (
    *(
        "id",
        "a",
        "b",
        "v",
        "Amount",
        "CustName",
        "order",
        "select",
        "from",
        "user name",
        "a.b",
        "a.b",
    ),
    *(
        "we`ird",
        "größe",
        "имя",
        "列",
        "row_hash",
        "record_key",
        "side",
        "source",
        "target",
        "pair_id",
    ),
    *("diff_type", "key", "k0", "c0", "c1", "occurrences", "_row", "struct", "element", "x,y"),
    *("o'neil", 'a"b', "100", "true", "a-b", "a$b", "{x}", "$value", "$source", "s", "mismatch_id"),
    *("bucket", "is_null", "h", "n", "low", "value", "%s", "{{ x }}", "--", "a=b", "source_value"),
)
KEY_TYPES = ("int", "bigint", "string", "string", "date", "timestamp", "double", "boolean")
ZONES = ("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe")
TEXT_RULES = (
    ("strip_invisible", ""),
    ("trim", "right"),
    ("trim", "both"),
    ("trim", "right_ws"),
    ("unicode_normalize", "NFC"),
    ("unicode_normalize", "NFKC"),
    ("unicode_normalize", "NFD"),
    ("case_insensitive", ""),
    ("empty_as_null", ""),
    ("json_canonical", ""),
    ("compare_as", "int"),
    ("compare_as", "decimal(10,2)"),
    ("compare_as", "double"),
    ("compare_as", "date"),
    ("compare_as", "timestamp"),
    ("compare_as", "boolean"),
    ("compare_as", "target"),
)
NUMBER_RULES = (
    ("round", "2"),
    ("round", "0"),
    ("round", "-1"),
    ("abs_tolerance", "0.01"),
    ("abs_tolerance", "1"),
    ("abs_tolerance", "0"),
    ("abs_tolerance", "1e-9"),
    ("rel_tolerance", "0.01"),
    ("rel_tolerance", "1e-12"),
    ("compare_as", "string"),
    ("compare_as", "target"),
    ("compare_as", "decimal(12,1)"),
)
TIME_RULES = (
    ("date_only", ""),
    ("timestamp_precision", "ms"),
    ("timestamp_precision", "s"),
    ("timestamp_precision", "min"),
    ("abs_tolerance_seconds", "1"),
    ("abs_tolerance_seconds", "0.000001"),
    ("abs_tolerance_seconds", "86400"),
    ("compare_as", "string"),
    ("compare_as", "target"),
)


@dataclass
class Side:
    """A column of the target in the making: its name there and the source's name for it."""

    name: str
    kind: Type
    old_name: str
    old_kind: Type
    values: list
    is_key: bool = False


# --- the source ----------------------------------------------------------------------------------


def column_types(dice, is_key):
    if is_key and not dice.chance(25):
        return Type(dice.pick(KEY_TYPES))
    if dice.chance(4):
        return Type(dice.pick(VIEW_TYPES))
    return any_type(dice)


def any_source(dice, key_count):
    """A table whose first columns are its key: rows of a key are mostly apart."""
    names = dice.some(NAMES, max(1, key_count), 5)
    if any(";" in name for name in names[:key_count]):
        names = [f"key_{i}" for i in range(key_count)] + names[key_count:]
    kinds = [column_types(dice, i < key_count) for i in range(len(names))]
    row_count = dice.number(0, 8)
    columns = [column_values(dice, kind, i < key_count, row_count) for i, kind in enumerate(kinds)]
    rows = tuple(zip(*columns, strict=True)) if row_count else ()
    return Table(tuple(zip(names, kinds, strict=True)), rows)


def column_values(dice, kind, is_key, count):
    """A column of a table: few different values, or a key's many."""
    if not is_key:
        pool = [any_value(dice, kind) for _ in range(dice.number(1, 4))]
        return [dice.pick(pool) if dice.chance(88) else None for _ in range(count)]
    if kind.name in INTEGERS and dice.chance(70):
        start = dice.number(-3, 9)
        return [start + i if dice.chance(95) else nullable(dice, kind) for i in range(count)]
    made = []
    while len(made) < count:
        value = any_value(dice, kind) if dice.chance(96) else None
        if value not in made or dice.chance(15):
            made.append(value)
    return made


# --- the target ----------------------------------------------------------------------------------


def widened(dice, kind):
    """Another type of the same family, and what makes a value of it."""
    if kind.name in INTEGERS or kind.name == "decimal":
        return wider_number(dice, kind)
    if kind.name == "float":
        return Type("double"), lambda v: v
    if kind.name == "date":
        return Type(dice.pick(("timestamp", "timestamp_ntz"))), as_midnight
    if kind.name in ("timestamp", "timestamp_ntz"):
        return Type("timestamp_ntz" if kind.name == "timestamp" else "timestamp"), lambda v: v
    if kind.name == "interval month":
        return Type("interval year to month"), lambda v: v
    if kind.name == "array":
        part, convert = widened(dice, kind.fields[0][1])
        return array(part), lambda v: [none_or(convert, item) for item in v]
    if kind.name == "map":
        (_, key), (_, item) = kind.fields
        part, convert = widened(dice, item)
        return map_of(key, part), lambda v: [(k, none_or(convert, held)) for k, held in v]
    if kind.name == "struct":
        return other_struct(dice, kind)
    return kind, lambda v: v


def wider_number(dice, kind):
    if kind.name == "decimal":
        scale = kind.scale + dice.pick(range(0, 39 - kind.precision))
        wide = decimal(min(38, kind.precision - kind.scale + scale + 1), scale)
        return wide, lambda v: v.quantize(Decimal(1).scaleb(-wide.scale), context=EXACT)
    sizes = list(INTEGERS)
    bigger = sizes[sizes.index(kind.name) + 1 :]
    form = dice.pick((*bigger, "decimal", "decimal", "double"))
    if form == "decimal":
        wide = decimal(38, dice.pick((0, 2, 18)))
        return wide, lambda v: Decimal(v).quantize(Decimal(1).scaleb(-wide.scale), context=EXACT)
    return Type(form), float if form == "double" else lambda v: v


def other_struct(dice, kind):
    """Fields in another order or case, wider, dropped or added."""
    made = []
    for i, (name, part) in enumerate(kind.fields):
        convert = lambda v: v  # noqa: E731
        if dice.chance(25):
            part, convert = widened(dice, part)
        if dice.chance(25):
            name = name.swapcase()
        made.append((name, part, i, convert))
    if len(made) > 1 and dice.chance(15):
        made.pop()
    if dice.chance(12):
        made.append(("added", Type("int"), None, None))
    made = dice.shuffled(made)

    def convert_all(value):
        return tuple(None if i is None else none_or(f, value[i]) for _, _, i, f in made)

    return struct(*((name, part) for name, part, _, _ in made)), convert_all


def none_or(convert, value):
    return None if value is None else convert(value)


def as_midnight(value):
    return datetime.combine(value, time()) if isinstance(value, date) else value


def target_columns(dice, source, key_count):
    """The target's columns: the source's, some renamed, wider, of another family, one-sided."""
    made = []
    for i, (old_name, old_kind) in enumerate(source.columns):
        held = [row[i] for row in source.rows]
        name, kind = old_name, old_kind
        if i >= key_count and made and dice.chance(4):
            continue
        if dice.chance(15):
            name = other_case(name)
        elif dice.chance(5):
            name = f"new_{i}"
        if dice.chance(12):
            kind, convert = widened(dice, kind)
            held = [none_or(convert, value) for value in held]
        elif dice.chance(3):
            kind = any_type(dice, 1)
            held = [nullable(dice, kind) for _ in held]
        made.append(Side(name, kind, old_name, old_kind, held, i < key_count))
    if dice.chance(6):
        kind = any_type(dice, 1)
        made.append(Side("added", kind, "", kind, [nullable(dice, kind) for _ in source.rows]))
    return dice.shuffled(made) if dice.chance(30) else made


def other_case(name):
    """Another case of a name, where that is the same name for everybody."""
    return name if "ß" in name else name.swapcase()


def edited_rows(dice, columns, row_count):
    """The target's rows: the source's after a few edits, often none; and the edited columns."""
    rows = [[column.values[i] for column in columns] for i in range(row_count)]
    edited_columns = set()
    for _ in range(dice.pick((0, 0, 0, 1, 1, 2, 3, 5, 8))):
        form = dice.pick((*["cell"] * 10, "drop", "add", "double", "swap", "move"))
        if form == "add":
            rows.append([nullable(dice, column.kind) for column in columns])
        elif rows:
            others = [i for i, column in enumerate(columns) if not column.is_key]
            spared = others and dice.chance(80)
            c = dice.pick(others) if spared else dice.number(0, len(columns) - 1)
            row_edit(dice, form, rows, columns, c)
            edited_columns.add(columns[c].name)
    return tuple(map(tuple, dice.shuffled(rows) if dice.chance(25) else rows)), edited_columns


def row_edit(dice, form, rows, columns, c):
    """Changes the list of rows in place, at a cell of column c where the form is of cells."""
    i = dice.number(0, len(rows) - 1)
    if form == "cell":
        rows[i][c] = edited(dice, rows[i][c], columns[c].kind)
    elif form == "drop":
        rows.pop(i)
    elif form == "double":
        rows.append(list(rows[i]))
    elif form == "swap":
        j = dice.number(0, len(rows) - 1)
        rows[i][c], rows[j][c] = rows[j][c], rows[i][c]
    else:
        # To a neighbouring column of the same type.
        others = [k for k, column in enumerate(columns) if column.kind == columns[c].kind]
        k = dice.pick(others)
        rows[i][c], rows[i][k] = rows[i][k], rows[i][c]


# --- settings ------------------------------------------------------------------------------------


def pair_settings(dice, columns):
    """Columns of table_pairs.csv, most of them left out."""
    choices = {
        "duplicate_keys": ("multiset", 20),
        "null_keys": ("match", 20),
        "type_differences": ("fail", 10),
        "fail_on_empty": ("true", 30),
        "hash_algorithm": ("sha256", 15),
        "store_values": ("full", 10),
    }
    made = {name: value for name, (value, percent) in choices.items() if dice.chance(percent)}
    if dice.chance(25):
        sides = ("ignore_source_only", "ignore_target_only", "ignore", "fail")
        made["one_sided_columns"] = dice.pick(sides)
    if dice.chance(25):
        made["max_recorded_rows"] = str(dice.number(1, 3))
    keys = [column.name for column in columns if column.is_key]
    if keys:
        spelt = [other_case(name) if dice.chance(15) else name for name in keys]
        made["key_columns"] = dice.pick((";", "; ")).join(spelt)
    shared = [column for column in columns if column.old_name]
    if shared and dice.chance(15):
        made |= filters(dice, shared)
    if shared and dice.chance(12):
        made |= watermarks(dice, shared)
    return made


def filters(dice, columns):
    """The same predicate for one or both sides, over a column that both have."""
    column = dice.pick(columns)
    name = column.name
    forms = ["is not null", "is null"]
    if column.kind.name in INTEGERS and column.old_kind.name in INTEGERS:
        forms += [f"{dice.pick(('>', '<=', '<>', '='))} {dice.number(-2, 8)}"] * 2
    if column.kind.name == column.old_kind.name == "string":
        forms += [f"{dice.pick(('=', '<>'))} '{dice.pick(('a', 'x', '', '12'))}'"] * 2
    if column.kind.name == column.old_kind.name == "date":
        forms += [f"{dice.pick(('<', '>='))} date'2024-01-31'"] * 2
    if column.kind.name == column.old_kind.name == "boolean":
        forms += [""]
    form = dice.pick(forms)
    sides = dice.pick((("source", "target"), ("source", "target"), ("source",), ("target",)))
    names = {"source": column.old_name, "target": name}
    return {f"{side}_filter": f"{quoted(names[side])} {form}".strip() for side in sides}


def watermarks(dice, columns):
    """A watermark column that both sides hold as number or time, and a lag."""
    fit = [c for c in columns if {family(c.kind), family(c.old_kind)} in ({"number"}, {"time"})]
    fit = [c for c in fit if not {c.kind.name, c.old_kind.name} & {"float", "double"}]
    if not fit:
        return {}
    column = dice.pick(fit)
    if family(column.kind) == "number":
        lag = dice.pick(("", "0", "1", "2"))
    else:
        lag = dice.pick(("", "0", "1 second", "2 hours", "1 day", "30 days", "15 minutes"))
    return {"watermark_column": column.name, **({"watermark_lag": lag} if lag else {})}


# --- rules ---------------------------------------------------------------------------------------


def column_rules(dice, source, columns, edited_columns):
    """Lines of column_rules.csv; renamed columns always have theirs."""
    lines = [
        Rule(column.name, "source_column", column.old_name)
        for column in columns
        if column.old_name and column.old_name.lower() != column.name.lower()
    ]
    has_key = any(column.is_key for column in columns)
    for column in columns:
        while dice.chance(55 if column.name in edited_columns else 20):
            lines += rules_of(dice, column, has_key, column.name in edited_columns)
    while dice.chance(12):
        lines.append(wide_rule(dice, columns))
    kept = {old.old_name for old in columns}
    one_sided = [name for name, _ in source.columns if name not in kept]
    one_sided += [column.name for column in columns if not column.old_name]
    lines += [Rule(name, "ignore") for name in one_sided if dice.chance(20)]
    return tuple(distinct(lines))


def distinct(lines):
    """Without lines that say of one place and side what an earlier one says at the same level."""
    seen = set()
    for line in lines:
        sides = {line.side} if line.side else {"source", "target"}
        slots = {(line.column.lower(), line.rule, line.is_pattern, side) for side in sides}
        if not slots & seen:
            seen |= slots
            yield line


def wide_rule(dice, columns):
    """A rule by pattern or for every column; it fits some column."""
    options = {option for c in columns for option in fitting_options(c.kind, c.old_kind)}
    fit = sorted(option for option in options if option[0] != "compare_as")
    named = [c.name for c in columns if c.old_name]
    if not fit or not named:
        return Rule("*", "case_insensitive")
    rule, argument = dice.pick(fit)
    if dice.chance(5):
        rule, argument = "compare_as", "string"
    name = dice.pick(("*", "*", dice.pick(named)))
    return Rule(name, rule, argument, is_pattern=name != "*" or dice.chance(60))


def rules_of(dice, column, has_key, is_edited):
    """A rule on one column or on a path into it; none where none is known for its type."""
    if not column.old_name:
        return expressions_for_added(dice, column)
    path, kind, old, in_key = places(dice, column)
    is_path = path != column.name
    side = dice.pick(("", "", "", "source", "target"))
    if (
        dice.chance(8)
        and not column.is_key
        and (not is_path or kind_of_parent(column, path) == "struct")
    ):
        return [Rule(path, "ignore")]
    if dice.chance(6) and not is_path:
        return expressions_over(dice, column)
    if dice.chance(4) and not is_path:
        return [Rule(path, "exact")]
    if kind.name == "timestamp_ntz" and dice.chance(40):
        return [Rule(path, "time_zone", dice.pick(ZONES), side)]
    if kind.name not in (*NESTED, "variant", "void") and not is_path and dice.chance(15):
        side = side if family(kind) == family(old) == "string" else ""
        return [Rule(path, "value_map", value_maps(dice, column, kind), side)]
    options = fitting_options(kind, old)
    if column.is_key or in_key or not has_key:
        options = [option for option in options if option[0] not in TOLERANCES]
    if not options:
        return []
    rule, argument = dice.pick(narrowed(dice, options, is_edited))
    if rule in TOLERANCES or rule == "compare_as":
        side = "source" if argument == "target" and dice.chance(30) else ""
    lines = [Rule(path, rule, argument, side)]
    if (rule, argument) == ("compare_as", "timestamp") and dice.chance(30):
        lines.append(Rule(path, "time_zone", dice.pick(ZONES), lines[0].side))
    return lines


def narrowed(dice, options, is_edited):
    """The options with fewer readings as another type, and on edited columns with tolerances."""
    others = [option for option in options if option[0] != "compare_as"]
    near = [option for option in options if option[0] in TOLERANCES]
    if near and is_edited and dice.chance(60):
        return near
    return others if others and dice.chance(50) else options


def places(dice, column):
    """A path into a column, the types of both sides there, and whether it is in a map's key."""
    path, kind, old, in_key = column.name, column.kind, column.old_kind, False
    while "." not in column.name and kind.fields and kind.name == old.name and dice.chance(70):
        name, part = dice.pick(kind.fields)
        if old.field(name) is None or "." in name:
            break
        in_key |= kind.name == "map" and name == "key"
        path, kind, old = f"{path}.{name}", part, old.field(name)
    return path, kind, old, in_key


def kind_of_parent(column, path):
    """The name of the type that holds the part at a path."""
    kind = column.kind
    for step in path.split(".")[1:-1]:
        kind = kind.field(step)
    return kind.name


def fitting_options(kind, old):
    """Rules, with arguments, that fit one of two types; for two families those that join them."""
    options = []
    for each in (kind, old):
        if family(each) == "string":
            options += TEXT_RULES
        elif family(each) == "number":
            options += NUMBER_RULES
        elif family(each) == "time":
            options += TIME_RULES
        elif each.name in NESTED:
            options.append(("empty_as_null", ""))
            options += [("array_unordered", "")] * 3 if each.name == "array" else []
    if family(kind) == family(old):
        return options
    options = [option for option in options if option[0] not in TOLERANCES]
    is_scalar = not {kind.name, old.name} & {*NESTED, "variant"}
    return options + [("compare_as", "target"), ("compare_as", "string")] * (6 * is_scalar)


def value_maps(dice, column, kind):
    """A JSON object from texts of the column to text or null."""
    known = [plain_text(v, kind) for v in column.values if v is not None] or ["x"]
    mapping, only_null = {}, dice.chance(50)
    for _ in range(dice.number(1, 2)):
        key = dice.pick(known) if dice.chance(80) else text(dice)
        mapping[key] = None if only_null or dice.chance(30) else text(dice)
    return json.dumps(mapping, ensure_ascii=dice.chance(50))


def expressions_over(dice, column):
    """Rule expression on one side of a column that both have."""
    side = dice.pick(("source", "target"))
    name, kind = (column.old_name, column.old_kind)
    if side == "target":
        name, kind = column.name, column.kind
    if kind.name in INTEGERS:
        forms = (f"coalesce({quoted(name)}, 0)", quoted(name))
    elif kind.name == "string":
        forms = (f"coalesce({quoted(name)}, 'none')", f"concat({quoted(name)}, 'x')", quoted(name))
    else:
        forms = (quoted(name),)
    return [Rule(column.name, "expression", dice.pick(forms), side)]


def expressions_for_added(dice, column):
    """Rule expression that gives the source what only the target has."""
    if column.kind.name in INTEGERS:
        return [Rule(column.name, "expression", str(dice.number(-3, 9)), "source")]
    if column.kind.name == "string":
        return [Rule(column.name, "expression", dice.pick(("'x'", "''", "'é'")), "source")]
    return []


# --- examples ------------------------------------------------------------------------------------


def any_example(dice):
    """A pair example; the contract need not say what must be recorded of it."""
    key_count = dice.pick((0, 1, 1, 1, 1, 2, 2))
    source = any_source(dice, key_count)
    columns = target_columns(dice, source, key_count)
    rows, edited_columns = edited_rows(dice, columns, len(source.rows))
    target = Table(tuple((column.name, column.kind) for column in columns), rows)
    lines = column_rules(dice, source, columns, edited_columns)
    return Example(source, target, pair_settings(dice, columns), lines)


def is_decided(example):
    """Whether the contract says what must be recorded."""
    try:
        expected(example)
    except Undecided:
        return False
    return True


def drawn(seed, count):
    """`count` different decided examples, the same for the same seed."""
    dice = Dice(seed)
    found = {}
    while len(found) < count:
        example = any_example(dice)
        if is_decided(example):
            found[json.dumps(dump_example(example))] = example
    return list(found.values())
