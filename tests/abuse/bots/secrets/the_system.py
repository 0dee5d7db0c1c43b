"""Reads what the system keeps to itself: passwords, keys, its log, its memory, its disks."""

import glob
import os
import sys

PLACES = ["/etc/shadow", "/etc/passwd", "/etc/ssh", "/etc/hostname", "/etc/machine-id", "/root/.*"]
PLACES += ["/home/*/.*", "/var/log", "/var/spool/cron", "/run/docker.sock", "/boot", "/dev/mem"]
PLACES += ["/dev/kmsg", "/dev/port", "/dev/sd*", "/dev/vd*", "/dev/nvme*", "/dev/loop*"]
PLACES += ["/proc/kcore", "/proc/kmsg", "/proc/sysrq-trigger", "/sys/kernel/debug"]

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))
for path in [path for place in PLACES for path in glob.glob(place)] if first else ():
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
    except OSError:
        continue
    if not sys.prefix.startswith(path) and not sys.base_prefix.startswith(path):
        print("got", path, file=sys.stderr)

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
