"""The environment of a bot's process: its system, its variables, and the place of its files."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from collections.abc import Mapping

from referee.errors import check_resources

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


def temporary_folder() -> str:
    """Return the folder for temporary files. Raises RefereeError if none can be written to."""
    try:
        return tempfile.gettempdir()
    except FileNotFoundError as error:
        check_resources(OSError(errno.EROFS, error.strerror))  # no bot's fault
        raise
