"""Raises its own limits, and those of process 1."""

import os
import resource
import sys

NAMES = [name for name in dir(resource) if name.startswith("RLIMIT_")]
WHOSE = ("AS", "CPU", "CORE", "FSIZE", "NOFILE", "NPROC")

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for name in NAMES if first else ():
    number = getattr(resource, name)
    soft, hard = resource.getrlimit(number)
    if hard == resource.RLIM_INFINITY:
        if name.removeprefix("RLIMIT_") in WHOSE:
            print("got no", name, file=sys.stderr)
        continue
    try:
        resource.setrlimit(number, (hard + 1, hard + 1))
        print("got", name, file=sys.stderr)
    except (OSError, ValueError):
        pass

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
