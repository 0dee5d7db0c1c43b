"""The environment variables of a bot's process."""

from __future__ import annotations

import os
from collections.abc import Mapping

NO_SEED = "0" * 64
"""A seed of zeros, for processes that start before a bot's seed is known."""


def environment(bot_seed: str) -> Mapping[str, str]:
    """Return the whole environment of a bot."""
    return {
        "KOTH_BOT_SEED": bot_seed,
        "PYTHONHASHSEED": "0",
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
