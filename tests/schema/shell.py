"""Run commands in the shell, as a user types them."""

from __future__ import annotations

import subprocess
from pathlib import Path


def sh(command: str, folder: Path | None = None) -> str:
    """Return the standard output of ``command``, which must exit with 0 and no error message."""
    ran = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b""), ran.stderr.decode()
    return ran.stdout.decode()
