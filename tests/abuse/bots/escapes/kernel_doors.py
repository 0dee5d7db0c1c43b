"""Opens what leads deep into the kernel: programs in it, its counters, its modules, its clock."""

import ctypes
import os
import platform
import struct
import sys

REFUSED = (1, 13, 38)  # EPERM, EACCES, ENOSYS
ARRAY = struct.pack("4I", 2, 4, 4, 1).ljust(128, b"\0")
COUNTER = struct.pack("2I", 1, 64).ljust(128, b"\0")
HANDLE = struct.pack("Ii8x", 8, 1)
CALLS = {
    "bpf": ((321, 280), 0, ARRAY, 128),
    "perf_event_open": ((298, 241), COUNTER, -1, 0, -1, 0),  # of all processes
    "open_by_handle_at": ((304, 265), -100, HANDLE, 0),
    "init_module": ((175, 105), None, 0, None),
    "kexec_load": ((246, 104), 0, 0, None, 0),
    "swapon": ((167, 224), None, 0),
    "acct": ((163, 89), None),
    "sethostname": ((170, 161), b"koth", 4),
    "userfaultfd": ((323, 282), 0),
}
MACHINES = ("x86_64", "aarch64")
"""The machines of the two numbers of each call."""

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first and os.geteuid() == 0:
    print("got to be root, whom all of them are open to", file=sys.stderr)
elif first and platform.machine() in MACHINES:
    libc = ctypes.CDLL(None, use_errno=True)
    for name, (numbers, *arguments) in CALLS.items():
        number = numbers[MACHINES.index(platform.machine())]
        if libc.syscall(number, *arguments) >= 0 or ctypes.get_errno() not in REFUSED:
            print("got", name, ctypes.get_errno(), file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
