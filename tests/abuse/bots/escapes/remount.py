"""Mounts: over its folder, over the system's; makes what is read-only writable; unmounts."""

import ctypes
import os
import sys

READ_ONLY, REMOUNT, BIND, DETACH = 1, 32, 4096, 2

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    libc = ctypes.CDLL(None, use_errno=True)
    home = os.getcwd().encode()
    for name, source, place, kind, flags in (
        ("tmpfs", b"none", home, b"tmpfs", 0),
        ("proc", b"proc", home, b"proc", 0),
        ("a part of /usr", b"/usr/bin", home, None, BIND),
        ("the old root", b"/proc/1/root", home, None, BIND),
        ("/ writable", None, b"/", None, REMOUNT | BIND),
        ("/usr writable", None, b"/usr", None, REMOUNT | BIND),
    ):
        if libc.mount(source, place, kind, flags, None) == 0:
            print("got", name, file=sys.stderr)
            if place == home:
                libc.umount2(home, DETACH)
    for place in ("/tmp", "/proc", "/usr") if os.geteuid() else ():
        if libc.umount2(place.encode(), DETACH) == 0:
            print("got rid of", place, file=sys.stderr)
    if libc.chroot(home) == 0:
        print("got chroot", file=sys.stderr)
        os.chroot(".")

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
