"""``python -m reflex_magic.demo [DIR]``: write the example; the repository's notebooks/ is made with it."""

from __future__ import annotations

import sys

from reflex_magic.demo import write
from reflex_magic.errors import RecordError

if __name__ == "__main__":
    try:
        written = write(*sys.argv[1:2])
    except RecordError as e:
        sys.exit(str(e))
    for path in written:
        sys.stdout.write(f"{path}\n")
