"""Other packages with Koth's names: the command says so by name at its start, with the remedy."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from koth import conflicts

START = "from koth.cli.start import run; run(['--help'])"


def ran(code: str, path: Path) -> subprocess.CompletedProcess[str]:
    """A script in an environment that has ``path``, too."""
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join([str(path), *sys.path]), "PYTHONSAFEPATH": ""},
        cwd="/",
        capture_output=True,
        text=True,
    )


def test_a_package_that_shares_its_folder(tmp_path: Path) -> None:
    """PyPI's ``schema`` has written into the same folder, or the other way round."""
    info = tmp_path / "schema-0.7.8.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: schema\nVersion: 0.7.8\n")
    started = ran(START, tmp_path)
    assert started.returncode == 4
    assert started.stderr.startswith("koth: the package schema 0.7.8 is installed here, and Koth ")
    assert "`pipx install ./koth`" in started.stderr
    assert "Traceback" not in started.stderr


@pytest.mark.parametrize("name", conflicts.NAMES)
def test_a_package_that_hides_one(name: str, tmp_path: Path) -> None:
    """A package found before Koth's own is named with its file."""
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("")
    started = ran(START, tmp_path)
    assert started.returncode == 4
    assert f"'{tmp_path}/{name}/__init__.py' is another package called {name}" in started.stderr
    assert "Traceback" not in started.stderr


def test_nothing_is_wrong_with_this_environment() -> None:
    """Koth alone passes."""
    assert not conflicts.problem


def test_an_import_names_another_package(tmp_path: Path) -> None:
    """``import koth`` names the package and the remedy, and every use of Koth is an ImportError."""
    (tmp_path / "schema-0.7.8.dist-info").mkdir()
    imported = ran("import koth", tmp_path)
    sentence = "the package schema 0.7.8 is installed here, and Koth has a package of that name too"
    assert imported.stderr.startswith(f"koth: {sentence}")
    assert imported.stderr.count("\n") == 1
    assert "`python -m venv`" in imported.stderr
    used = ran("from koth import verify", tmp_path)
    assert used.returncode == 1
    assert used.stderr.splitlines()[-1].startswith(f"ImportError: {sentence}")


def test_a_package_that_was_imported_first(tmp_path: Path) -> None:
    """Another package that is imported already is named with its file."""
    (tmp_path / "schema.py").write_text("class Schema: ...")
    code = "import sys, schema; sys.path.pop(0); sys.path.pop(0); import koth"
    assert "schema.py' is another package called schema" in ran(code, tmp_path).stderr


def test_the_other_package_is_named_where_it_is_missing() -> None:
    """A user of PyPI's ``schema`` finds Koth's instead, and an error that says so."""
    with pytest.raises(ImportError, match=r"Koth's package schema and has no 'Schema': in one"):
        from schema import Schema  # type: ignore[attr-defined]  # noqa: F401
    assert not hasattr(sys.modules["schema"], "no_such_name")


def test_no_message_installs_another_project_called_koth() -> None:
    """PyPI's ``koth`` is another project, so every message installs Koth from a folder."""
    sources = [
        path
        for name in ("koth", *conflicts.NAMES)
        for path in Path(conflicts.HOME, name).rglob("*.py")
    ]
    assert sources
    assert [path for path in sources if re.search(r"install '?koth\b", path.read_text())] == []
