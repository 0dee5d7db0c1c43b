"""Ends after its first answer; a child in another session answers later in its place."""

import os
import sys
import time

print("keep", flush=True)
if os.fork() == 0:
    os.setsid()
    time.sleep(0.5)
    for _ in sys.stdin:
        print("roll", flush=True)
