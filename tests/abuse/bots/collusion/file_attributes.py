"""Leaves attributes and times on files that are there every time: programs, its interpreter."""

import os
import sys

PLACES = (sys.executable, os.__file__, "/usr/bin/env", "/etc/localtime", "/usr", "/dev/null")
MARK = 1_000_000_000

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
if os.geteuid() == 0:
    print("got to be root, who may do that", file=sys.stderr)
for place in PLACES if os.geteuid() else ():
    try:
        if fresh and "user.koth" in os.listxattr(place):
            print("got the attribute of", place, file=sys.stderr)
            os.removexattr(place, "user.koth")
        else:
            os.setxattr(place, "user.koth", b"1")
    except OSError:
        pass
    try:
        found = os.stat(place)
        if fresh and found.st_atime == MARK:
            print("got the time of", place, file=sys.stderr)
        os.utime(place, (MARK, found.st_mtime))
    except OSError:
        pass

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
