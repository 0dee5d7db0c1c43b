"""Writes to every folder outside of its own: the referee's, the system's, its interpreter's."""

import json
import os
import site
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
with open("targets.json") as file:
    targets = json.load(file)
folders = [targets["outside"], targets["folder"], "/", "/usr/lib", "/usr/local/bin", "/etc"]
folders += ["/var/tmp", "/run", "/root", "/home", "/opt", "/srv", "/sys/fs/cgroup", "/dev", "/mnt"]
folders += [sys.prefix, os.path.dirname(os.__file__), *site.getsitepackages()]
for folder in folders if first else ():
    path = f"{folder}/koth-abuse-{os.getpid()}"
    try:
        with open(path, "w") as file:
            file.write("koth-abuse")
    except OSError:
        continue
    print("got", path, file=sys.stderr)
    if folder != targets["outside"]:
        os.remove(path)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
