"""Answers its second question too late, from a child in another session that outlives it."""

import os
import time

input()
print("keep", flush=True)
input()
if os.fork() == 0:
    os.setsid()
    time.sleep(2)
    for _ in range(20):
        print("roll", flush=True)
time.sleep(60)
