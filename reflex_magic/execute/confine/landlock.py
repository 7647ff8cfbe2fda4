"""Landlock: which files this process, and all it could ever start, may touch.

Written after linux/landlock.h. Rules can only be added for what is allowed; all else is refused.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable
from pathlib import Path

from reflex_magic.execute.confine.linux import syscall

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""System calls; the numbers are the same on every architecture."""

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << i for i in range(6))
MAKE_CHAR, MAKE_DIR, MAKE_REG, MAKE_SOCK, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM = (1 << i for i in range(6, 13))
REFER, TRUNCATE, IOCTL_DEV = (1 << i for i in range(13, 16))

ON_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = READ_FILE | READ_DIR
WRITE = READ | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER | TRUNCATE

OLDEST = 3
"""Before this ABI, files could be truncated behind Landlock's back."""


def abi() -> int:
    """The version that the kernel speaks; 0 when it has none or it is switched off."""
    try:
        return syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    except OSError:
        return 0


def restrict(read: Iterable[Path], write: Iterable[Path], list_only: Iterable[Path], null: Path) -> None:
    """Allow reading below `read`, everything below `write`, and listing below `list_only`.

    `null` may be read and written. TCP is refused altogether, and so are signals and abstract
    sockets to anything outside, where the kernel knows how. `no_new_privs` must be set.

    Raises
    ------
    OSError
        The kernel has no Landlock, or one that is too old.
    """
    version = abi()
    if version < OLDEST:
        raise OSError(f"Landlock {version} is older than {OLDEST}")
    handled = (1 << (16 if version >= 5 else 15)) - 1
    # Grown over time: files; TCP bind and connect since 4; abstract sockets and signals since 6.
    attributes = struct.pack("QQQ", handled, 3, 3)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = syscall(CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint32(0))
    grants = [(path, READ) for path in read] + [(path, WRITE) for path in write]
    grants += [(path, READ_DIR) for path in list_only] + [(null, READ_FILE | WRITE_FILE)]
    for path, access in grants:
        _allow(ruleset, path, access & handled)
    syscall(RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _allow(ruleset: int, path: Path, access: int) -> None:
    try:
        beneath = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # gone meanwhile: nothing to allow
    try:
        if not path.is_dir():
            access &= ON_A_FILE
        if access:
            rule = struct.pack("=Qi", access, beneath)
            syscall(ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint32(0))
    finally:
        os.close(beneath)
