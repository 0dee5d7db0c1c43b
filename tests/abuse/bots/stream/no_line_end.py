"""Answers its first question, and then without the end of a line."""

import time

input()
print("keep", flush=True)
input()
print("keep", end="", flush=True)
time.sleep(60)
