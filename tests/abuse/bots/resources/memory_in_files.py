"""Takes memory that no limit on a process counts: files without a name, and SysV segments."""

import ctypes
import os
import sys

PIECE, ENOUGH = 32 << 20, 1_300 << 20

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    libc = ctypes.CDLL(None)
    libc.shmat.restype = ctypes.c_void_p
    taken, zeros, files = 0, bytes(PIECE), []
    while taken < ENOUGH:
        files.append(os.memfd_create("memory"))
        os.write(files[-1], zeros)
        segment = libc.shmget(0, PIECE, 0o1600)
        address = libc.shmat(segment, None, 0)
        libc.shmctl(segment, 0, None)  # it is gone with its last user
        if segment < 0 or address in (None, ctypes.c_void_p(-1).value):
            raise MemoryError
        ctypes.memset(address, 1, PIECE)
        taken += 2 * PIECE
    print("got", taken, "bytes", file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
