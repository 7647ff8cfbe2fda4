"""Put the results of all benchmarks into one page.

    python -m benchmarks.report FOLDER PAGE

FOLDER has the JSON files that the benchmarks wrote, PAGE is the Markdown file to write.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.common import Measure, Result, Table, shown

HEAD = """\
# Benchmarks

What reflection costs. Written by `make bench`; [benchmarks/](../benchmarks) says what each one measures.
"""


def read(data: dict[str, Any]) -> Result:
    """A result as it was written."""
    return Result(
        data["benchmark"],
        data["about"],
        [Measure(**m) for m in data["measures"]],
        [Table(t["title"], tuple(t["head"]), [tuple(row) for row in t["rows"]]) for t in data["tables"]],
        data["notes"],
    )


def page(results: Sequence[dict[str, Any]]) -> str:
    """All results, each with the machine and the versions it was measured on."""
    parts = [HEAD]
    for data in results:
        machine = data["machine"]
        on = ", ".join(f"{name} {value}" for name, value in machine.items() if name not in ("date", "system"))
        parts.append(f"{shown(read(data))}\n{machine['date']}, {machine['system']}: {on}.\n")
    return "\n".join(parts)


def main(argv: Sequence[str]) -> int:
    """Read, and write the page."""
    folder, target = map(Path, argv)
    found = [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]
    target.write_text(page(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
