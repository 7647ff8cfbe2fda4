"""What an Excel workbook holds, read from its bytes."""

from __future__ import annotations

import html
import io
import re
import zipfile

BYTES = 20_000_000
"""Larger workbooks are not looked at."""

_UNPACKED = 1_000_000
"""A list of sheets that unpacks to more than this is none."""
_SHEET = re.compile(r'<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"')


def sheets(content: bytes) -> tuple[str, ...]:
    """The names of the sheets of an .xlsx file, in order; none when it is no such file."""
    if not content.startswith(b"PK\x03\x04") or len(content) >= BYTES:
        return ()
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            listing = archive.getinfo("xl/workbook.xml")
            text = archive.read(listing).decode("utf-8") if listing.file_size <= _UNPACKED else ""
    except (KeyError, ValueError, zipfile.BadZipFile, OSError, NotImplementedError):
        return ()
    return tuple(map(html.unescape, _SHEET.findall(text)))
