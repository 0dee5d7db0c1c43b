"""Writes all its answers at once, and never reads a question."""

import sys
import time

sys.stdout.write("keep\nroll\n" * 1000)
sys.stdout.flush()
time.sleep(60)
