"""Leaves a name for the machine, and other settings of its namespaces."""

import contextlib
import os
import socket
import sys

asked = sys.argv[1]
fresh = asked[:2] != "2;"  # nothing of an earlier time should be there
if os.geteuid() == 0:
    print("got to be root, who may do that", file=sys.stderr)
elif fresh and socket.gethostname() == "koth-abuse":
    print("got the name", file=sys.stderr)
else:
    with contextlib.suppress(OSError):
        socket.sethostname("koth-abuse")
for path, word in (("/proc/sys/kernel/shmmni", "4095"), ("/proc/sys/kernel/domainname", "koth")):
    try:
        with open(path) as file:
            if fresh and file.read().strip() == word:
                print("got", path, file=sys.stderr)
        if os.geteuid():
            with open(path, "w") as file:
                file.write(word)
    except OSError:
        pass

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
