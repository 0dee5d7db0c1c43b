"""Leaves a process that waits for the next time, to stop it, to read it, to write to its files."""

import os
import sys

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) not in (1, os.getpid(), os.getppid()):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if fresh and b"koth-abuse" in file.read():
                    print("got", name, file=sys.stderr)
        except OSError:
            pass
if os.fork() == 0:
    os.setsid()
    os.closerange(0, 3)
    os.execvp("sh", ["sh", "-c", "sleep 3; exit", "koth-abuse"])

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
