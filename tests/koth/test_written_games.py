"""The games that ``koth new-game`` writes: every command takes them; their audit finds forgeries.

Those of the protocols *argv* and *stream* have tests of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from koth.cli.main import status
from schema import registry
from tests.factories import SEED, loads, write
from tests.game_factory import install
from tests.koth.commands import Koth

BOTS = {
    "file": ["examples/cautious", "examples/envious"],
    "class": ["examples/contrary", "examples/patient", "examples/wavering"],
}
WRONG = """\
class Wrong:
    def __init__(self, index): self.choices = [1, None, True, 0]
    def select(self): return self.choices.pop(0) if self.choices else exit(1)
    def update(self, choices): choices.clear()
"""
FAULTY = {
    "file": ("print('keep')", ["illegal"] * 5),
    "class": (WRONG, ["illegal", "illegal", "crash"]),
}
"""A bot that fails, and its faults in a match of five rounds: where others append, it prints."""


@dataclass(frozen=True)
class World:
    """A game of one protocol that is installed, and its logs."""

    protocol: str
    game: str
    """Its name."""
    cup: Path
    """The folder of a tournament of the example bots."""
    faulty: Path
    """The log of a match in which a bot fails."""

    @property
    def log(self) -> Path:
        """The log of the tournament's first match."""
        return self.cup / "matches" / "1-000000.jsonl"


@pytest.fixture(scope="module", params=BOTS)
def world(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[World]:
    """Yield a game of each protocol with its logs."""
    folder, bots = tmp_path_factory.mktemp("world"), BOTS[request.param]
    wrong, cup, faulty = folder / "wrong.py", folder / "cup", folder / "faulty.jsonl"
    wrong.write_text(FAULTY[request.param][0])
    words = ["--seed", SEED, "--set", "rounds=5"]
    one = "matches=1" if request.param == "class" else "games=1"
    with pytest.MonkeyPatch.context() as patch:
        game = install(folder / "site", patch, {}, request.param)
        assert status(["tournament", game, *bots, "-o", str(cup), *words, "--set", one]) == 0
        assert status(["play", game, str(wrong), *bots[1:], "-o", str(faulty), *words]) == 0
        yield World(request.param, game, cup, faulty)


def test_every_command_takes_the_game(world: World, koth: Koth, tmp_path: Path) -> None:
    """From its rules to a site with its tournament, it is a game like the others."""
    bots = BOTS[world.protocol]
    commands: list[list[object]] = [
        ["bots", world.game],
        ["rules", world.game],
        ["games", world.game],
        ["verify", world.cup, world.faulty],
        ["audit", world.cup, world.faulty],
        ["leaderboard", world.cup],
        ["faults", world.faulty],
        ["explain", world.faulty],
        ["explain", world.log, 1],
        ["replay", world.log, "--at", 2],
        ["watch", world.log, "--follow"],
        ["diff", world.log, world.log],
        ["reask", world.log, *bots],
        ["blame", world.log, "--seat", 0, "--bots", "examples"],
        ["again", world.log, bots[0], "--seat", 0, "--bots", "examples"],
        ["report", world.faulty, "-o", tmp_path / "match.html"],
        ["report", world.cup, "-o", tmp_path / "cup.html"],
        ["site", world.cup, "-o", tmp_path / "pages", "--no-browser-tools"],
    ]
    for words in commands:
        typed = koth(*words)
        assert typed.code == 0, (words, typed)


def test_a_bot_that_fails_costs_itself_its_answers_only(world: World) -> None:
    """Each failure is a fault of its seat, and the match is played to its end."""
    events = loads(world.faulty.read_bytes())
    faults = [(event["seat"], event["kind"]) for event in events if event["type"] == "fault"]
    assert faults == [(0, kind) for kind in FAULTY[world.protocol][1]]
    assert (events[-3]["round"], events[-2]["reason"]) == (5, "rounds_played")


FORGERIES: dict[str, dict[str, tuple[str, str, Callable[[int], int]]]] = {
    "file": {
        "dice_not_from_the_seed": ("dealt", "dice", lambda side: 7 - side),
        "point_not_for_the_higher_die": ("scored", "points", lambda points: points + 1),
    },
    "class": {
        "choice_of_no_side": ("chosen", "choices", lambda side: 2),
        "no_choice_without_a_fault": ("chosen", "choices", lambda side: -1),
        "point_not_for_the_few": ("chosen", "points", lambda points: points + 1),
    },
}
"""For each rule of the audit what it finds: of which list in which event the first entry changes,
and how."""


def test_each_audit_rule_finds_its_forgery(world: World, koth: Koth, tmp_path: Path) -> None:
    """A log that was changed and sealed again has a finding of the rule, at the changed event."""
    forgeries = FORGERIES[world.protocol]
    rules = {path.stem for path in registry.card(world.game).audit.glob("*.sql")}
    assert forgeries.keys() == rules
    for rule, (kind, field, change) in forgeries.items():
        events = loads(world.log.read_bytes())
        seq = max(number for number, event in enumerate(events) if event["type"] == kind)
        events[seq][field][0] = change(events[seq][field][0])
        log = write(tmp_path / f"{rule}.jsonl", events[:-1], events[-1]["seed"])
        found = koth("audit", log, "--rule", f"{world.game}/{rule}", "--format", "json").json
        assert [finding["seq"] for finding in found["findings"]] == [seq], rule
