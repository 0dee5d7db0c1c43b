"""Leaves a message queue of POSIX, and looks for it."""

import ctypes
import os
import sys

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
libc = ctypes.CDLL("librt.so.1", use_errno=True)
if fresh and libc.mq_open(b"/koth-abuse", os.O_RDWR) >= 0:
    print("got the queue", file=sys.stderr)
    libc.mq_unlink(b"/koth-abuse")
else:
    libc.mq_open(b"/koth-abuse", os.O_RDWR | os.O_CREAT, 0o600, None)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
