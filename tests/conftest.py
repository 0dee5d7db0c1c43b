"""What holds for all tests: property tests are not timed, and Ctrl-C reaches what they start."""

from __future__ import annotations

import signal

from hypothesis import settings

# A slow machine proves nothing wrong.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

# Whoever runs the tests in the background of a shell has SIGINT ignored, in all children too.
signal.signal(signal.SIGINT, signal.default_int_handler)
