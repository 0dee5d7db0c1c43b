"""The environment variables of a bot's process."""

from __future__ import annotations

import os
from collections.abc import Mapping

NO_SEED = "0" * 64
"""What stands for a bot's seed before there is one."""


def environment(bot_seed: str) -> Mapping[str, str]:
    """All that a bot finds in its environment."""
    return {
        "KOTH_BOT_SEED": bot_seed,
        "PYTHONHASHSEED": "0",
        "PATH": os.environ.get("PATH", os.defpath),
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
