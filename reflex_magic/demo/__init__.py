"""The worked example: a file of orders with real traps, and a notebook that walks through them."""

from __future__ import annotations

import os
from pathlib import Path

from reflex_magic.demo.orders import csv_bytes
from reflex_magic.demo.story import notebook_text
from reflex_magic.errors import RecordError


def write(folder: str | os.PathLike[str] = ".") -> list[Path]:
    """Write ``orders.csv`` and ``orders.ipynb`` into `folder`, which is made where it does not exist.

    Raises
    ------
    RecordError
        A file of that name with other content exists, or the folder cannot be written.
    """
    target = Path(folder).expanduser()
    contents = {target / "orders.csv": csv_bytes(), target / "orders.ipynb": notebook_text().encode()}
    try:
        target.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            if path.exists() and path.read_bytes() != content:
                raise RecordError(f"{path} exists and reads otherwise; name another folder: %reflect demo FOLDER")
        for path, content in contents.items():
            path.write_bytes(content)
    except OSError as e:
        raise RecordError(f"{target} cannot be written: {e.strerror or e}") from e
    return list(contents)
