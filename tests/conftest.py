"""What holds for all tests: property tests are not timed, Ctrl-C ends them, nothing is cached."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# A slow machine proves nothing wrong.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Whoever runs the tests in the background of a shell has SIGINT ignored, in all children too.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Whoever runs the tests has a cache of their own.
os.environ["KOTH_CACHE"] = "off"
