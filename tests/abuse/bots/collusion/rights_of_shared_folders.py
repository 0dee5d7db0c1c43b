"""Leaves its mark on the folders for temporary files: rights, times, attributes."""

import os
import sys
from contextlib import suppress

PLACES = ("/tmp", "/dev/shm", "/var/tmp", "..", "../..", "../../..")
MARK = 1_000_000_000

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
for place in PLACES:
    try:
        found = os.stat(place)
        if fresh and found.st_mode & 0o7777 == 0o1771:
            print("got the rights of", place, file=sys.stderr)
        if fresh and found.st_mtime == MARK:
            print("got the time of", place, file=sys.stderr)
        if fresh and "user.koth" in os.listxattr(place):
            print("got the attribute of", place, file=sys.stderr)
    except OSError:
        pass
for place in PLACES:
    if os.geteuid() == 0 and place[0] == "/":
        continue  # they are the machine's own, and others need them as they are
    with suppress(OSError):
        os.setxattr(place, "user.koth", b"1")
    with suppress(OSError):
        os.chmod(place, 0o1771)
    with suppress(OSError):
        os.utime(place, (MARK, MARK))

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
