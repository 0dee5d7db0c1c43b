"""Start-up: a command imports only the modules that it needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from koth.cli.commands import COMMANDS, module_of
from tests.koth.commands import COMMAND

HEAVY = {"asyncio", "cryptography", "duckdb", "numpy", "openskill", "pandas", "pyarrow", "rich"}
HEAVY |= {"sqlite3", "ssl", "unittest", "urllib.request", "xml"}
HEAVY |= {"audit.tables", "audit.rating", "referee"}
MAIN = """\
import sys
from koth.cli.main import status
code = status(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
sys.exit(code)
"""
SUBCOMMANDS = {f"koth.cli.{module_of(name)}" for name in COMMANDS}


def loaded(*words: object) -> set[str]:
    """The modules that are there after a command that went well."""
    command = [sys.executable, "-c", MAIN, *map(str, words)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(found.stderr.split())


def test_help_loads_nothing_that_works() -> None:
    """Help says what is in the commands' signatures: it needs no library, no game, no model."""
    modules = loaded("--help")
    assert modules & (HEAVY | {"games", "orjson", "pydantic", "replay", "schema.events"}) == set()


def test_verify_loads_nothing_heavy(log: Path) -> None:
    """Replay needs the format and the rules of one game: no SQL, no referee, no other game."""
    modules = loaded("verify", log)
    assert "games.coup.rules" in modules
    assert modules & (HEAVY | {"games.coins", "games.bank_heist", "games.smallest_unique"}) == set()


def test_a_command_loads_no_other(log: Path) -> None:
    """Only the subcommand that is typed is imported."""
    assert loaded("verify", log) & SUBCOMMANDS == {"koth.cli.verify"}


def test_a_bot_is_no_module_of_a_command(tmp_path: Path) -> None:
    """``python -m koth`` imports no file of the current folder that is named like a module."""
    for name in ("copy.py", "random.py", "typer.py"):
        (tmp_path / name).write_text("raise SystemExit('a bot runs here')")
    ran = subprocess.run([*COMMAND, "rules", "coup", "CP-1"], cwd=tmp_path, check=False)
    assert ran.returncode == 0
