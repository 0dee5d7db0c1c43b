"""Answers every question twice."""

import sys

for _ in sys.stdin:
    print("keep\nroll", flush=True)
