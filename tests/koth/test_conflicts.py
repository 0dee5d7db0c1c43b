"""Other packages with Koth's names: the command says so by name at its start, with the remedy."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from koth import conflicts


def started(path: Path) -> subprocess.CompletedProcess[str]:
    """``koth --help`` in an environment that has ``path``, too."""
    code = "from koth.cli.start import run; run(['--help'])"
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(path), *sys.path])},
        cwd="/",
        capture_output=True,
        text=True,
    )


def test_a_package_that_shares_its_folder(tmp_path: Path) -> None:
    """PyPI's ``schema`` has written into the same folder, or the other way round."""
    info = tmp_path / "schema-0.7.8.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: schema\nVersion: 0.7.8\n")
    ran = started(tmp_path)
    assert ran.returncode == 4
    assert ran.stderr.startswith("koth: the package schema 0.7.8 is installed here, and Koth ")
    assert "`pipx install koth`" in ran.stderr
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize("name", conflicts.NAMES)
def test_a_package_that_hides_one(name: str, tmp_path: Path) -> None:
    """A package found before Koth's own is named with its file."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    ran = started(tmp_path)
    assert ran.returncode == 4
    assert f"'{tmp_path}/{name}/__init__.py' is another package called {name}" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_nothing_is_wrong_with_this_environment() -> None:
    """Koth alone passes."""
    conflicts.check()
