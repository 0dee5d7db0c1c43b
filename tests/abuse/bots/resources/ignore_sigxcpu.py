"""Computes without end, in two threads, and ignores the signal that says it is too much."""

import hashlib
import os
import signal
import sys
import threading

asked = sys.argv[1]
first = asked == "0" or asked[:2] == "1;" or (os.path.isfile(asked) and not os.path.getsize(asked))


def compute():
    while True:
        hashlib.sha256(bytes(1 << 20))


if first:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    threading.Thread(target=compute, daemon=True).start()
    compute()

if os.path.isfile(asked):
    with open(asked, "a", newline="") as history:
        history.write(sys.argv[5])
print("NNN" if ";" in asked else 0)
