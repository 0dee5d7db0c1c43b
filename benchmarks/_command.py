"""Run a command of Koth as a process, and measure its processor time and its memory."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

KOTH = "from koth.cli.start import run; run()"
"""The code of the installed command."""

STARTER = """
import resource, subprocess, sys

status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss)
sys.exit(status)
"""
"""Runs a command. It is a small process, because Linux counts the memory of the process that
starts a command as the command's own.
"""


@dataclass
class Used:
    """The resources that a command took."""

    seconds: float
    """Processor time."""
    megabytes: float
    """Peak memory."""


def run(command: str, *arguments: str | Path) -> Used:
    """Run a command of Koth. Raises RuntimeError if it fails."""
    words = [sys.executable, "-c", KOTH, command, *map(str, arguments)]
    starter = subprocess.run(
        [sys.executable, "-S", "-c", STARTER, *words],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if starter.returncode:
        raise RuntimeError(f"koth {command} ended with exit code {starter.returncode}")
    seconds, memory = starter.stdout.split()
    unit = 1 if sys.platform == "darwin" else 1_024
    return Used(float(seconds), int(memory) * unit / 1e6)
