"""The few calls of the C library that the confined child needs; Linux only."""

from __future__ import annotations

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT = 47
PR_CAP_AMBIENT_CLEAR_ALL = 4

PROT_READ_WRITE = 3
MAP_PRIVATE_FIXED = 0x02 | 0x10
MAP_ANONYMOUS = 0x20

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long)

MAP_FAILED = ctypes.c_void_p(-1).value


def checked(result: int) -> int:
    """`result` of a C function; a negative one is raised as `OSError`."""
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


def syscall(number: int, *arguments: object) -> int:
    """Call the kernel by number: for calls that the C library does not wrap."""
    return checked(libc.syscall(ctypes.c_long(number), *arguments))


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process."""
    checked(libc.prctl(option, ctypes.c_ulong(value), *map(ctypes.c_ulong, (0, 0, 0))))


def drop_capabilities() -> None:
    """Give up what root can do beyond an ordinary user; without effect for one."""

    class Header(ctypes.Structure):
        _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))

    class Data(ctypes.Structure):
        _fields_ = (("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32))

    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    header, none = Header(0x20080522, 0), (Data * 2)()
    checked(libc.capset(ctypes.byref(header), ctypes.byref(none)))
