"""What holds for all tests: properties are sampled, and not timed; nothing is cached."""

from __future__ import annotations

import os
import signal
import sys

from hypothesis import settings

from tests.sampling import FACTOR

# A slow machine proves nothing wrong; the long run (`make fuzz`) draws more.
settings.register_profile("untimed", deadline=None, max_examples=30 * FACTOR)
settings.load_profile("untimed")

# Bytecode is kept, whatever the environment says: the tests start Koth hundreds of times.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Whoever runs the tests in the background of a shell has SIGINT ignored, in all children too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What is not about sandboxes is tested without them, on every machine alike.
os.environ["KOTH_ISOLATION"] = "process"
