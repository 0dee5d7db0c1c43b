"""Answers once, closes its output, and does not end."""

import os
import time

input()
print("keep", flush=True)
os.close(1)
time.sleep(60)
