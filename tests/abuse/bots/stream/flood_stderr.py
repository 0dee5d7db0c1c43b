"""Writes 64 MiB of errors, and answers."""

import os
import sys

input()
for _ in range(64):
    os.write(2, b"x" * (1 << 20))
print("keep", flush=True)
for _ in sys.stdin:
    print("keep", flush=True)
