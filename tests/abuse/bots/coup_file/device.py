"""Puts a device that never ends in the place of the history, or a link to it."""

import os
import stat
import sys

path = sys.argv[1]
first = not os.path.getsize(path)
with open(path, "a", newline="") as history:
    history.write(sys.argv[5])
if first:
    os.remove(path)
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except OSError:
        os.symlink("/dev/zero", path)
