"""Answers its second question too late, from a child in another session that outlives it."""

import os
import time

input()
print("keep", flush=True)
input()
if os.fork() == 0:
    os.setsid()
    for _ in range(20):
        time.sleep(0.1)
        print("roll", flush=True)
time.sleep(60)
