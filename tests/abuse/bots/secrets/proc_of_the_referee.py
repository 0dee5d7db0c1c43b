"""Reads the data of the process that started it in /proc: environment, memory, files, folders."""

import os
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
process = os.getppid() if first else 0
for _ in range(2):
    if process <= 1:
        break
    for name in ("environ", "mem", "maps", "auxv", "io", "stack"):
        try:
            os.close(os.open(f"/proc/{process}/{name}", os.O_RDONLY))
        except OSError:
            continue
        print("got", process, name, file=sys.stderr)
    for name in ("fd", "map_files", "fdinfo"):
        try:
            print("got", process, name, os.listdir(f"/proc/{process}/{name}"), file=sys.stderr)
        except OSError:
            continue
    for name in ("cwd", "exe", "root"):
        try:
            print("got", process, name, os.readlink(f"/proc/{process}/{name}"), file=sys.stderr)
        except OSError:
            continue
    try:
        with open(f"/proc/{process}/stat") as file:
            process = int(file.read().rpartition(")")[2].split()[1])
    except OSError:
        break

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
