"""databricks.yml with what it includes, and its references replaced; no workspace is asked."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = re.compile(r"\$\{([^}]*)\}")


def load(root: Path = ROOT) -> dict:
    """The bundle as one dict; a resource that two files define is an error."""
    bundle = yaml.safe_load((root / "databricks.yml").read_text())
    for name in bundle.get("include", []):
        included = yaml.safe_load((root / name).read_text())
        for kind, resources in included["resources"].items():
            known = bundle["resources"].setdefault(kind, {})
            if twice := known.keys() & resources.keys():
                raise ValueError(f"{name} defines {kind} {', '.join(twice)} again")
            known |= resources
    return bundle


def strings(node) -> list[str]:
    """Every text in a tree of dicts and lists."""
    if isinstance(node, dict):
        node = list(node.values())
    if isinstance(node, list):
        return [text for part in node for text in strings(part)]
    return [node] if isinstance(node, str) else []


def resolved(node, values: dict):
    """The tree with ${name} replaced by values[name], whole trees included; others stay."""
    if isinstance(node, dict):
        return {key: resolved(part, values) for key, part in node.items()}
    if isinstance(node, list):
        return [resolved(part, values) for part in node]
    if not isinstance(node, str):
        return node
    if (whole := REFERENCE.fullmatch(node)) and whole[1] in values:
        return values[whole[1]]
    return REFERENCE.sub(lambda m: str(values.get(m[1], m[0])), node)


def defaults(bundle: dict) -> dict:
    """Values of the variables that have a default, by reference."""
    variables = bundle["variables"].items()
    return {f"var.{name}": var["default"] for name, var in variables if "default" in var}
