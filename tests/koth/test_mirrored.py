"""A mirrored tournament of Coup, from its first match to a proof."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from referee import entry_checks, resume, tournament
from referee.roster.resolve import resolve
from schema import registry
from schema.executor import serial
from tests.factories import SEED, loads
from tests.koth.commands import Koth
from tests.referee.bot_factory import contents

TAXMAN = registry.card("coup").bots / "taxman.py"
WARNING = "koth: some matches share their dice, and at the isolation 'process' a bot can carry"


@pytest.fixture
def twins(tmp_path: Path) -> list[Path]:
    """Two bots with the same code and different names."""
    (tmp_path / "bots").mkdir()
    return [Path(shutil.copy(TAXMAN, tmp_path / "bots" / f"{n}.py")) for n in ("ann", "ben")]


@pytest.fixture
def cup(koth: Koth, twins: list[Path], tmp_path: Path) -> Path:
    """A tournament of two rounds between the twins, which share their dice."""
    words = ["-o", tmp_path / "cup", "--set", "rounds=2", "--set", "mirrored=true", "--seed", SEED]
    typed = koth("tournament", "coup", *twins, *words, "--isolation", "process")
    assert typed.code == 0
    assert WARNING in typed.err
    return tmp_path / "cup"


def test_every_command_knows_shared_dice(koth: Koth, cup: Path, tmp_path: Path) -> None:
    """A mirrored tournament is verified, audited, signed, proved, packed and asked again."""
    match = cup / "matches" / "1-000001.jsonl"
    key = tmp_path / "key"
    public = koth("keygen", "example.com/spring", "-o", key).out.strip()
    pinned = ("--key", public, "--origin", "example.com/spring")
    assert koth("verify", cup).code == 0
    assert koth("audit", cup).code == 0
    assert koth("reask", match, tmp_path / "bots").code == 0
    assert koth("sign", cup, "--key", key).code == 0
    assert koth("prove", cup, "1-000001", "-o", tmp_path / "proof").code == 0
    assert koth("verify", match, "--proof", tmp_path / "proof", *pinned).code == 0
    assert koth("export", "transcript", cup / "tournament.jsonl").out == "2 ann\n2 ben\n"
    assert koth("pack", cup, "-o", tmp_path / "archive").code == 0
    query = "SELECT match, dice FROM schedule ORDER BY number"
    asked = koth("sql", tmp_path / "archive", query, "--format", "csv")
    assert asked.out.splitlines()[1:] == [
        "1-000000,1-000000",
        "1-000001,1-000000",
        "1-000002,1-000002",
        "1-000003,1-000002",
    ]


def test_twins_play_the_same_match_twice(cup: Path) -> None:
    """With the same code at both seats, the logs of a pair differ in their first lines only."""
    for first in ("1-000000", "1-000002"):
        second = f"1-{int(first[2:]) + 1:06}"
        events, mirrored = (
            loads((cup / "matches" / f"{match}.jsonl").read_bytes()) for match in (first, second)
        )
        assert events[1:-1] == mirrored[1:-1]
        assert events[-1]["seed"] == mirrored[-1]["seed"]


def test_a_resumed_mirrored_tournament_has_the_same_bytes(
    cup: Path, twins: list[Path], tmp_path: Path
) -> None:
    """A tournament that stops between the matches of a pair goes on with the same dice."""

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    rest = planned(tmp_path / "again", twins)
    with pytest.raises(KeyboardInterrupt):
        tournament.play(rest, serial, stop)
    assert len([*(tmp_path / "again" / "matches").iterdir()]) == 1
    rest = resume.plan(tmp_path / "again", [str(path) for path in twins])
    tournament.play(rest, serial, lambda done, total: None)
    assert contents(tmp_path / "again") == contents(cup)


@pytest.mark.parametrize(
    ("isolation", "mirrored", "warned"),
    [("sandbox", 1, False), ("process", 1, True), ("none", 1, True), ("process", 0, False)],
)
def test_shared_dice_outside_a_sandbox_are_warned_of(
    isolation: str, mirrored: int, warned: bool, twins: list[Path], tmp_path: Path
) -> None:
    """Only a sandbox keeps a bot from carrying notes between matches that share their dice."""
    settings = registry.card("coup").settings({"mirrored": mirrored})
    tournament = replace(planned(tmp_path / "cup", twins), isolation=isolation, settings=settings)
    warnings = entry_checks.check_tournament(tournament, None)
    assert [warning.startswith("some matches share") for warning in warnings] == [True] * warned


def planned(folder: Path, twins: list[Path]) -> tournament.Tournament:
    """Return the tournament of :func:`cup`, not begun yet."""
    card = registry.card("coup")
    settings = card.settings({"rounds": 2, "mirrored": "true"})
    bots = resolve([str(path) for path in twins], card)
    return tournament.plan(card, bots, settings, SEED, None, folder, "process")
