"""Becomes root: by a change of its user, by programs that grant it, by a file's rights."""

import ctypes
import os
import shutil
import subprocess
import sys

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
if first:
    if os.geteuid() == 0:
        print("got to be root already", file=sys.stderr)
    for change in (os.setuid, os.setgid, os.seteuid, lambda _: os.setgroups([0])):
        try:
            change(0)
            print("got", change, file=sys.stderr)
        except OSError:
            pass
    if ctypes.CDLL(None).prctl(39, 0, 0, 0, 0) != 1:
        print("got new privileges to be had", file=sys.stderr)
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("Cap") and int(line.split()[1], 16):
                print("got", line, file=sys.stderr)
    for command in (["su", "-c", "id -u"], ["sudo", "-n", "id", "-u"], ["pkexec", "id", "-u"]):
        if shutil.which(command[0]):
            found = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
            if found.stdout.strip() == b"0":
                print("got root by", command[0], file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
