"""The second verifier agrees with ``koth verify`` on contests, also on changed ones."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from referee.contest.folder import opened
from tests import contests
from tests.contests import Events
from tests.independent.test_koth_check import FILE, ROOT, expected

CONTESTS = FILE.with_name("koth_check_contest.py")


@pytest.fixture(scope="module")
def checker() -> Iterator[Any]:
    """The second verifier of contests, as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FILE.parent))
        yield import_module(CONTESTS.stem)
        for name in (CONTESTS.stem, FILE.stem):
            sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest of three stages, with a late, a revised and a withdrawn bot, and a beacon."""
    folder = tmp_path_factory.mktemp("contest")
    cup, bots = folder / "cup", folder / "bots"

    def hold() -> None:
        contests.new(cup)
        contests.enter(cup, [contests.bot(bots, name) for name in ("anna", "bert", "cleo")])
        contests.run(cup)
        contests.enter(cup, [contests.bot(bots, "dora")])
        contests.run(cup, "drand 4711")
        contests.withdraw(cup, "cleo")
        contests.enter(cup, [contests.bot(bots, "bert", "better")])
        contests.run(cup)

    contests.simulated(hold)
    return cup


def _files(cup: Path) -> None:
    [file] = (cup / "bots/anna").glob("*/anna.py")
    file.write_text("# another\n")


def _dropped(cup: Path) -> None:
    shutil.rmtree(cup / "stages/0002")


def _added(cup: Path) -> None:
    shutil.copytree(cup / "stages/0001", cup / "stages/0004")


def _match_exchanged(cup: Path) -> None:
    first, second = (cup / f"stages/{stage}/matches/1-000001.jsonl" for stage in ("0001", "0002"))
    shutil.copy(first, second)


def _torn(cup: Path) -> None:
    with (cup / "contest.jsonl").open("ab") as file:
        file.write(b'{"seq":')


def _closed(cup: Path) -> None:
    with opened(cup) as held:
        held.close()


def _events(change: Callable[[Events], object]) -> Callable[[Path], None]:
    def edit(cup: Path) -> None:
        events = contests.events(cup)
        change(events)
        contests.rewrite(cup, events)

    return edit


def _started(events: Events, stage: int) -> int:
    return next(n for n, event in enumerate(events) if event.get("stage") == stage)


CHANGES: dict[str, Callable[[Path], object]] = {
    "as held": lambda cup: None,
    "closed": _closed,
    "files": _files,
    "stage dropped": _dropped,
    "stage added": _added,
    "match exchanged": _match_exchanged,
    "torn": _torn,
    "beacon": _events(lambda events: events[_started(events, 2)].update(beacon="x")),
    "head": _events(lambda events: events[0].update(seed_commitment="ab" * 32)),
    "id": _events(lambda events: events[0].update(contest="pot")),
    "plays": _events(lambda events: events[0].update(plays="tournaments")),
    "root": _events(lambda events: events[-1].update(root="ab" * 32)),
    "cut off": _events(lambda events: events.pop()),
    "withdrawn earlier": _events(
        lambda events: events.insert(_started(events, 2), {"type": "withdrawn", "name": "cleo"})
    ),
    "entered later": _events(lambda events: events.append(events.pop(1))),
}


@pytest.mark.parametrize("name", CHANGES)
def test_it_agrees_on_contests(name: str, checker: Any, played: Path, tmp_path: Path) -> None:
    """Both verifiers give each log of a contest the same verdict."""
    cup = tmp_path / "cup"
    shutil.copytree(played, cup)
    CHANGES[name](cup)
    schemas = checker.koth_check.read_schemas(ROOT / "schema" / "json")
    logs = checker.examine(cup, schemas)
    verdicts = {str(log.path.relative_to(tmp_path)): log.verdict for log in logs}
    assert verdicts == expected(tmp_path, cup)


def test_the_command_prints_each_verdict(played: Path) -> None:
    """The command prints one line per log, and ends with 0 if all are sound."""
    command = [sys.executable, str(CONTESTS), str(played)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{played}/contest.jsonl: sound: " in done.stdout


def test_it_can_be_read_at_a_sitting() -> None:
    """The file has at most 220 lines, of at most 100 characters."""
    lines = CONTESTS.read_text().splitlines()
    assert len(lines) <= 220
    assert max(map(len, lines)) <= 100
