"""seccomp: which system calls this process, and all its threads, may make.

A deny-list, written as the BPF program that the kernel wants. Landlock says which files may be
touched; this says that nothing is executed, started, connected, signalled or inspected, and that
metadata, which Landlock does not cover, stays as it is. Numbers after asm/unistd_64.h and
asm-generic/unistd.h.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from dataclasses import dataclass

from reflex_magic.execute.confine.linux import syscall

LOAD, JUMP_EQUAL, JUMP_AT_LEAST, JUMP_SET, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCHITECTURE = 0, 4
"""Offsets in the record that the program sees; see also `_argument`."""

NEWEST = 450
"""Calls added to Linux later than this one are refused unseen, as an older kernel would."""

CLONE_THREAD = 0x10000
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
PR_SET_PDEATHSIG = 1
WRITING = (
    os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_TMPFILE", 0) & ~getattr(os, "O_DIRECTORY", 0)
)

SINCE_5 = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432, "fspick": 433,
    "pidfd_open": 434, "clone3": 435, "openat2": 437, "pidfd_getfd": 438, "process_madvise": 440,
    "mount_setattr": 442, "quotactl_fd": 443, "memfd_secret": 447, "process_mrelease": 448,
}  # fmt: skip
"""Numbered alike on every architecture."""

X86_64 = SINCE_5 | {
    "open": 2, "ioctl": 16, "shmget": 29, "shmat": 30, "shmctl": 31, "socket": 41, "connect": 42, "accept": 43,
    "bind": 49, "listen": 50, "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "semget": 64,
    "semop": 65, "semctl": 66, "msgget": 68, "msgsnd": 69, "msgrcv": 70, "msgctl": 71, "truncate": 76,
    "rename": 82, "mkdir": 83, "rmdir": 84, "creat": 85, "link": 86, "unlink": 87, "symlink": 88, "chmod": 90,
    "fchmod": 91, "chown": 92, "fchown": 93, "lchown": 94, "ptrace": 101, "syslog": 103, "setpgid": 109,
    "setsid": 112, "rt_sigqueueinfo": 129, "utime": 132, "mknod": 133, "personality": 135, "setpriority": 141,
    "sched_setparam": 142, "sched_setscheduler": 144, "modify_ldt": 154, "pivot_root": 155, "prctl": 157,
    "adjtimex": 159, "chroot": 161, "acct": 163, "settimeofday": 164, "mount": 165, "umount2": 166, "swapon": 167,
    "swapoff": 168, "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "init_module": 175, "delete_module": 176, "quotactl": 179, "setxattr": 188, "lsetxattr": 189,
    "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198, "fremovexattr": 199, "tkill": 200,
    "sched_setaffinity": 203, "semtimedop": 220, "clock_settime": 227, "tgkill": 234, "utimes": 235, "mq_open": 240,
    "mq_unlink": 241, "kexec_load": 246, "add_key": 248, "request_key": 249, "keyctl": 250, "ioprio_set": 251,
    "inotify_init": 253, "migrate_pages": 256, "openat": 257, "mkdirat": 258, "mknodat": 259, "fchownat": 260,
    "futimesat": 261, "unlinkat": 263, "renameat": 264, "linkat": 265, "symlinkat": 266, "fchmodat": 268,
    "unshare": 272, "vmsplice": 278, "move_pages": 279, "utimensat": 280, "accept4": 288, "inotify_init1": 294,
    "rt_tgsigqueueinfo": 297, "perf_event_open": 298, "fanotify_init": 300, "fanotify_mark": 301, "prlimit64": 302,
    "name_to_handle_at": 303, "open_by_handle_at": 304, "clock_adjtime": 305, "setns": 308,
    "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "finit_module": 313, "sched_setattr": 314,
    "renameat2": 316, "memfd_create": 319, "kexec_file_load": 320, "bpf": 321, "execveat": 322,
    "userfaultfd": 323,
}  # fmt: skip

AARCH64 = SINCE_5 | {
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15, "fremovexattr": 16,
    "inotify_init1": 26, "ioctl": 29, "ioprio_set": 30, "mknodat": 33, "mkdirat": 34, "unlinkat": 35,
    "symlinkat": 36, "linkat": 37, "renameat": 38, "umount2": 39, "mount": 40, "pivot_root": 41, "truncate": 45,
    "chroot": 51, "fchmod": 52, "fchmodat": 53, "fchownat": 54, "fchown": 55, "openat": 56, "quotactl": 60,
    "vmsplice": 75, "utimensat": 88, "acct": 89, "personality": 92, "unshare": 97, "kexec_load": 104,
    "init_module": 105, "delete_module": 106, "clock_settime": 112, "syslog": 116, "ptrace": 117,
    "sched_setparam": 118, "sched_setscheduler": 119, "sched_setaffinity": 122, "kill": 129, "tkill": 130,
    "tgkill": 131, "rt_sigqueueinfo": 138, "setpriority": 140, "reboot": 142, "setpgid": 154, "setsid": 157,
    "sethostname": 161, "setdomainname": 162, "prctl": 167, "settimeofday": 170, "adjtimex": 171, "mq_open": 180,
    "mq_unlink": 181, "msgget": 186, "msgctl": 187, "msgrcv": 188, "msgsnd": 189, "semget": 190, "semctl": 191,
    "semtimedop": 192, "semop": 193, "shmget": 194, "shmctl": 195, "shmat": 196, "socket": 198, "bind": 200,
    "listen": 201, "accept": 202, "connect": 203, "add_key": 217, "request_key": 218, "keyctl": 219, "clone": 220,
    "execve": 221, "swapon": 224, "swapoff": 225, "migrate_pages": 238, "move_pages": 239,
    "rt_tgsigqueueinfo": 240, "perf_event_open": 241, "accept4": 242, "prlimit64": 261, "fanotify_init": 262,
    "fanotify_mark": 263, "name_to_handle_at": 264, "open_by_handle_at": 265, "clock_adjtime": 266, "setns": 268,
    "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "finit_module": 273, "sched_setattr": 274,
    "renameat2": 276, "memfd_create": 279, "bpf": 280, "execveat": 281, "userfaultfd": 282,
    "kexec_file_load": 294,
}  # fmt: skip

TABLES = {"x86_64": (0xC000003E, 317, X86_64), "aarch64": (0xC00000B7, 277, AARCH64)}
"""The kernel's name of the architecture, the number of seccomp itself, and the numbers above."""

PRETENDED = (
    "chmod", "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr", "fsetxattr",
    "removexattr", "lremovexattr", "fremovexattr",
)  # fmt: skip
"""Do nothing and say they did: `shutil.copy` in the private folder must not fail over a mode.

Setting times is refused instead: `Path.touch` takes its success for the file being there.
"""

MAKING = (
    "creat", "unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat", "rmdir", "link", "linkat",
    "symlink", "symlinkat", "truncate",
)  # fmt: skip
"""Change a folder; left to Landlock where there is one."""

OPENING = {"open": 1, "openat": 2}
"""Which argument holds the flags."""

TO_SELF = {
    "kill": False, "tgkill": False, "rt_sigqueueinfo": False, "rt_tgsigqueueinfo": False, "prlimit64": True,
    "sched_setaffinity": True, "sched_setparam": True, "sched_setscheduler": True, "sched_setattr": True,
}  # fmt: skip
"""Allowed with the process's own id as the first argument; the value: whether 0 means the same."""

Instruction = tuple[int, int, int, int]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> Instruction:
    return code, if_true, if_false, value & 0xFFFFFFFF


def _argument(index: int) -> int:
    """Offset of the low half of an argument; both architectures are little endian."""
    return 16 + 8 * index


def _refuse(code: int) -> Instruction:
    return _step(RETURN, ERROR | code)


def _when(number: int, body: list[Instruction]) -> list[Instruction]:
    """`body`, which must end by returning, for one system call."""
    return [_step(JUMP_EQUAL, number, 0, len(body)), *body]


@dataclass(frozen=True, slots=True)
class Filter:
    """The program for this machine.

    `pid` is the process that will be filtered. With `read_only`, no file can be opened for
    writing wherever it lies: for systems without Landlock.
    """

    machine: str
    pid: int
    read_only: bool

    def program(self) -> list[Instruction]:
        """The instructions.

        Raises
        ------
        OSError
            The calls of this machine are not known.
        """
        if self.machine not in TABLES:
            raise OSError(f"no table of system calls for {self.machine}")
        architecture, _, numbers = TABLES[self.machine]
        denied, absent, allowed = _refuse(errno.EPERM), _refuse(errno.ENOSYS), _step(RETURN, ALLOW)
        steps = [
            _step(LOAD, ARCHITECTURE),
            _step(JUMP_EQUAL, architecture, 1, 0),
            _step(RETURN, KILL),
            _step(LOAD, NUMBER),
            # The x32 calls of x86-64, then what is newer than these tables.
            *(_step(JUMP_AT_LEAST, 0x40000000, 0, 1), denied),
            *(_step(JUMP_AT_LEAST, NEWEST + 1, 0, 1), absent),
        ]
        special: dict[str, list[Instruction]] = {
            # Threads are allowed, processes are not; clone3 hides its flags in memory.
            "clone": [_step(LOAD, _argument(0)), _step(JUMP_SET, CLONE_THREAD, 0, 1), allowed, denied],
            "clone3": [absent],
            "ioctl": self._unless(1, (TIOCSTI, TIOCLINUX)),
            "prctl": self._unless(0, (PR_SET_PDEATHSIG,)),
        }
        for name, zero in TO_SELF.items():
            own = [_step(JUMP_EQUAL, 0, 1, 0)] if zero else []
            special[name] = [_step(LOAD, _argument(0)), *own, _step(JUMP_EQUAL, self.pid, 0, 1), allowed, denied]
        for name in PRETENDED:
            special[name] = [_refuse(0)]
        for name in (*MAKING, *OPENING, "openat2"):
            special[name] = []
        if self.read_only:
            for name in MAKING:
                special[name] = [denied]
            for name, index in OPENING.items():
                test = [_step(LOAD, _argument(index)), _step(JUMP_SET, WRITING, 1, 0), allowed]
                special[name] = [*test, _refuse(errno.EACCES)]
            special["openat2"] = [absent]
        for name, number in numbers.items():
            body = special.get(name, [denied])
            if body:
                steps += _when(number, body)
        return [*steps, allowed]

    @staticmethod
    def _unless(index: int, values: tuple[int, ...]) -> list[Instruction]:
        """Allow the call unless its argument `index` is one of `values`."""
        tests = [_step(JUMP_EQUAL, value, len(values) - i, 0) for i, value in enumerate(values)]
        return [_step(LOAD, _argument(index)), *tests, _step(RETURN, ALLOW), _refuse(errno.EPERM)]


def install(*, read_only: bool) -> None:
    """Filter this process from now on, for ever. `no_new_privs` must be set.

    Raises
    ------
    OSError
        The kernel has no seccomp, or this machine is not known.
    """
    machine = platform.machine()
    steps = Filter(machine, os.getpid(), read_only).program()
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    memory = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(steps), ctypes.addressof(memory))
    syscall(TABLES[machine][1], ctypes.c_uint(1), ctypes.c_uint(0), program)
