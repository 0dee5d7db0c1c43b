"""Makes device files, and opens the disks through them."""

import os
import stat
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for name, kind, major, minor in (
    (
        ("memory", stat.S_IFCHR, 1, 1),
        ("log", stat.S_IFCHR, 1, 11),
        ("disk", stat.S_IFBLK, 8, 0),
        ("virtual disk", stat.S_IFBLK, 254, 0),
    )
    if first
    else ()
):
    try:
        os.mknod(name, kind | 0o600, os.makedev(major, minor))
    except OSError:
        continue
    print("got", name, file=sys.stderr)
    os.remove(name)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
