"""Property tests are not timed: a slow machine proves nothing wrong."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
