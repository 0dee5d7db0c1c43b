"""The environment of a bot's process: its system and its variables."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

SYSTEMS = {"darwin": "macOS", "win32": "Windows"}

NO_SEED = "0" * 64
"""A seed of zeros, for processes that start before a bot's seed is known."""


def system_name() -> str:
    """Return the name of this system."""
    return SYSTEMS.get(sys.platform, sys.platform)


def environment(bot_seed: str) -> Mapping[str, str]:
    """Return the whole environment of a bot."""
    return {
        "KOTH_BOT_SEED": bot_seed,
        "PYTHONHASHSEED": "0",
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
