"""What a person types: commands run by the shell, in a folder."""

from __future__ import annotations

import subprocess
from pathlib import Path


def sh(command: str, folder: Path | None = None) -> str:
    """What ``command`` prints on standard output; it must end with status 0 and no complaint."""
    ran = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b""), ran.stderr.decode()
    return ran.stdout.decode()
