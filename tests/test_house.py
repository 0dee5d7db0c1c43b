"""The house: its folders, and which of them may import which."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_imports_run_one_way() -> None:
    """The import rules of pyproject.toml hold: schema, games, then the others, koth on top."""
    linter = Path(sys.executable).with_name("lint-imports")
    found = subprocess.run([linter], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout


def test_a_short_help_imports_no_heavy_library() -> None:
    """`koth --help` loads neither DuckDB nor pydantic, so that it starts at once."""
    code = (
        "import sys; from koth.cli.main import status; status(['--help']); "
        "sys.exit(any(name in sys.modules for name in ('duckdb', 'pydantic_core')))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert found.returncode == 0


def test_no_module_is_long() -> None:
    """A module of the product has at most 400 lines."""
    folders = ("schema", "games", "referee", "replay", "audit", "report", "koth")
    sources = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert len(sources) > 300
    assert [str(path) for path in sources if path.read_bytes().count(b"\n") > 400] == []
