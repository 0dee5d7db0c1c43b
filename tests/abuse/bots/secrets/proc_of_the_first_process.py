"""Reads the data of process 1 in /proc: environment, memory, files, folders."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for name in ("environ", "mem", "maps", "auxv", "io", "syscall") if first else ():
    try:
        os.close(os.open(f"/proc/1/{name}", os.O_RDONLY))
    except OSError:
        continue
    print("got", name, file=sys.stderr)
for name in ("fd", "fdinfo", "map_files", "cwd/.", "root/.") if first else ():
    try:
        print("got", name, os.listdir(f"/proc/1/{name}"), file=sys.stderr)
    except OSError:
        continue

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
