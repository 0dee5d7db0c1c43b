"""Old files for the tests of importing: those of ``tests/data``, and what goes wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.run_rules import audit
from audit.tables import open_database
from games.importing import formats, imported
from schema import reader
from schema.errors import UsageError
from schema.reader import Log

DATA = Path(__file__).parent.parent / "data"
TRANSCRIPT, EXCERPT = DATA / "bank-heist-transcript.txt", DATA / "bank-heist-excerpt.txt"
"""Three games without the lines of ``Results``, and the two that followed, with them."""

COUP = "25 Anna\n20 Ben\n15 Cleo\n"
COINS = "1. Anna: 9\n2. Ben: 5\n2. Cleo: 5\n4. Dora: -1\n"
SMALLEST_UNIQUE = "".join(
    f"Bot{n}: {wins / 2000:.4f} ({wins}/2000)\n" for n, wins in enumerate(range(400, 300, -10))
)
"""Final tables that add up: three bots in 60 games of Coup, ten in 2,000 of Smallest Unique."""


def bring_in(format: str, folder: Path, *files: Path) -> Path:
    """The folder, with what the files hold imported into it."""
    imported.write(formats.read(format, files), folder)
    return folder


def match_in(folder: Path, match: str = "1-000000") -> Log:
    """The log of a match in the folder, read strictly."""
    return reader.read(folder / "matches" / f"{match}.jsonl")


def tournament_in(folder: Path) -> Log:
    """The tournament's own log in the folder, read strictly."""
    return reader.read(folder / "tournament.jsonl")


def broken(rule: str, tmp_path: Path, sound: str, changed: str) -> list[tuple[str, str]]:
    """Return the findings of a rule on a changed final table; a sound table has none."""
    tmp_path.mkdir(exist_ok=True)
    folders = []
    for number, table in enumerate((sound, changed)):
        (tmp_path / f"{number}.txt").write_text(table)
        folders.append(bring_in("results", tmp_path / str(number), tmp_path / f"{number}.txt"))
    with open_database(folders, current_only=True) as database:
        report = audit(database, rule)
    assert (report.logs, report.unread) == (2, [])
    assert {Path(finding.path).parent for finding in report.findings} <= {folders[1]}
    return [(finding.expected, finding.found) for finding in report.findings]


def refusal(format: str, tmp_path: Path, content: str | bytes, name: str = "old.txt") -> str:
    """Return the message that refuses a file, without its path; no output is left."""
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UsageError) as error:
        bring_in(format, tmp_path / "new", file)
    assert list(tmp_path.iterdir()) == [file]
    told = str(error.value)
    assert "\n" not in told
    return told.removeprefix(str(file)).removesuffix(" Nothing is imported.")
