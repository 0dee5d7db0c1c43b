"""Reads nothing and writes nothing."""

import time

time.sleep(60)
