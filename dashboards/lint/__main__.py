"""`python -m dashboards.lint [FILE...]`: exit code 1 when a file has a fault."""

import sys
from pathlib import Path

from dashboards.build import FILE
from dashboards.lint import findings


def main(names: list[str]) -> int:
    """Prints a line per fault of the named files, or of the project's own."""
    count = 0
    for path in [Path(name) for name in names] or [FILE]:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            print(f"{path}: cannot be read: {error}")
            count += 1
            continue
        found = findings(text)
        count += len(found)
        for one in found:
            print(f"{path}: {one}")
    print(f"dashboards.lint: {count} findings" if count else "dashboards.lint: nothing found")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
