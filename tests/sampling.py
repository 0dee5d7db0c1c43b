"""How thorough the tests are: a sample in the suite, more of it in the long run (`make fuzz`)."""

from __future__ import annotations

import os

FACTOR = int(os.environ.get("KOTH_FUZZ", "1"))
"""How many times as much is tried as in the suite."""
