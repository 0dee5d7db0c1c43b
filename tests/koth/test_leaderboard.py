"""``koth leaderboard`` as it is typed: boards, ratings, comparisons, and what is refused."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.audit.outcomes import match, series
from tests.koth.commands import Koth
from tests.koth.conftest import missing

HONEST = Path(__file__).parents[1] / "corpus" / "honest_tournament_of_coup"


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Ten matches, of which Anna wins nine."""
    return series(tmp_path / "logs", [(3, 1)] * 9 + [(1, 2)])


def test_boards(koth: Koth, logs: Path) -> None:
    """Without an option: each game's own scoring, with the interval named, and short hashes."""
    typed = koth("leaderboard", logs)
    assert (typed.code, typed.err) == (0, "")
    assert typed.out.startswith("coins\n\nrank  name")
    assert "the 95 % Student's t interval of points per game" in typed.out
    value = koth("leaderboard", logs, "--format", "json").json
    assert value["format"] == "koth-leaderboard/1"
    hashes_are_shortened(typed.out, koth("leaderboard", logs, "--full-hash").out, value)


def hashes_are_shortened(text: str, full: str, value: Any) -> None:
    """Text has 8 digits of a bot's hash, or all of them with ``--full-hash``; JSON has all."""
    [bot, _] = [line["bot"] for line in value["games"]["coins"]]
    assert len(bot) == 64
    assert text.splitlines()[4].split()[-1] == bot[:8]
    assert full.splitlines()[4].split()[-1] == bot
    assert max(map(len, text.splitlines())) <= 100


def test_rating(koth: Koth, logs: Path) -> None:
    """``--rating`` ranks by rating; hashes are shortened as in a leaderboard."""
    typed = koth("leaderboard", logs, "--rating")
    assert (typed.code, typed.err) == (0, "")
    assert typed.out.startswith("coins, rating\n\npool  rank  name")
    value = koth("leaderboard", logs, "--rating", "--format", "json").json
    assert value["format"] == "koth-rating/1"
    assert [line["name"] for line in value["games"]["coins"]] == ["Anna", "Ben"]
    full = koth("leaderboard", logs, "--rating", "--full-hash").out
    hashes_are_shortened(typed.out, full, value)


def test_compare(koth: Koth, logs: Path) -> None:
    """``--compare`` names the better bot; the test accepts both verdicts."""
    typed = koth("leaderboard", logs, "--compare", "Anna", "Ben")
    assert (typed.code, typed.err) == (0, "")
    assert "\nAnna@" in typed.out
    assert "ahead in 9 of 10" in typed.out
    value = koth("leaderboard", logs, "--compare", "Ben", "Anna", "--format", "json").json
    assert (value["format"], value["verdict"]) == ("koth-comparison/1", "b")


def test_wrong_usage(koth: Koth, logs: Path) -> None:
    """Two questions at once, and bots that are not there, are refused."""
    words = ("leaderboard", logs, "--compare")
    assert "expected one of them, found both" in koth.complaint(*words, "Anna", "Ben", "--rating")
    assert "Did you mean 'Anna'?" in koth.complaint(*words, "Ana", "Ben")


def test_nothing_to_work_on(koth: Koth, tmp_path: Path) -> None:
    """Without a match that counts the exit code is 3, for every kind of output."""
    match(tmp_path / "void.jsonl", {"Anna": 3, "Ben": 1}, reason="void")
    for words in ([], ["--rating"], ["--compare", "Anna", "Ben"]):
        koth.complaint("leaderboard", tmp_path, *words, code=3)


def test_unread_files_are_told(koth: Koth, logs: Path) -> None:
    """An unreadable file is left out, and standard error names it."""
    (logs / "torn.jsonl").write_text("{")
    typed = koth("leaderboard", logs)
    assert typed.code == 0
    assert typed.err == "koth: 1 of 11 files could not be read; `koth audit` lists them.\n"


def test_missing_logs_are_told(koth: Koth, tmp_path: Path) -> None:
    """A table without some matches says so, of a folder and of a bundle; a whole one does not."""
    spring = tmp_path / "spring"
    shutil.copytree(HONEST, spring)
    assert missing(spring) == []
    first, second, *_ = matches = sorted((spring / "matches").iterdir())
    first.unlink()
    lacks = f"koth: 1 of {len(matches)} logs of its matches is not among those given; `koth verify "
    assert koth("leaderboard", spring).err == f"{lacks}{spring}` says more.\n"
    assert koth("pack", spring, "-o", tmp_path / "packed").code == 0
    bundle = tmp_path / "packed" / "spring.jsonl.zst"
    assert [f"koth: {sentence}" for sentence in missing(bundle)] == [f"{lacks}{bundle}` says more."]
    second.write_text("{}\n")
    told = koth("leaderboard", spring).err.splitlines()
    assert told[1:] == [f"{lacks}{spring}` says more."]
    assert "could not be read" in told[0]
    assert missing(spring / "tournament.jsonl") == []


def test_the_rating_library_is_loaded_when_needed() -> None:
    """``koth --help`` loads no rating library."""
    code = "from koth.cli.main import status; status(['--help'])"
    code += "; import sys; sys.exit('openskill' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0
