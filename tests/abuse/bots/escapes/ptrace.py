"""Takes over process 1, its parent process, and their other children, as a debugger does."""

import ctypes
import os
import sys

SEIZE, ATTACH = 0x4206, 16


class Piece(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("size", ctypes.c_size_t)]


asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))


def near():
    """Process 1, the two before this one, and what else they have started."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parents[int(name)] = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    before = {1, os.getppid(), parents.get(os.getppid(), 1)}
    found = before | {one for one, parent in parents.items() if parent == os.getppid()}
    return found - {os.getpid(), 0}


for process in near() if first else ():
    if os.fork() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        buffer = ctypes.create_string_buffer(8)
        mine, theirs = Piece(ctypes.addressof(buffer), 8), Piece(0x400000, 8)
        if libc.ptrace(SEIZE, process, None, None) == 0:
            print("got hold of", process, file=sys.stderr)
        arguments = ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0
        if libc.process_vm_readv(process, *arguments) >= 0 or ctypes.get_errno() == 14:
            print("got the memory of", process, file=sys.stderr)
        try:
            os.close(os.open(f"/proc/{process}/mem", os.O_RDWR))
            print("got the memory file of", process, file=sys.stderr)
        except OSError:
            pass
        os._exit(0)
    os.wait()

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
