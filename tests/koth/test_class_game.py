"""A game of class bots in a package: the rules that docs/add-a-game.md shows, with commands."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.factories import loads, sealed
from tests.game_factory import entry
from tests.koth.commands import ROOT, Koth
from tests.referee.bot_factory import class_source

CARD = """\
name = "NAME"
title = "Minority"
seats = [3, 3]
entrants = [3, 9]
protocol = "class"
scratch = "none"
rules = "NAME/1"
rulebook = "NAME:RULES.md"
bots = "NAME:bots"
audit = "NAME:audit"
leaderboard = "NAME:leaderboard.sql"

[versions."NAME/1"]
events = "NAME.events:EVENTS"
settings = "NAME.events:Settings"
match = "NAME.rules:play"
tournament = "NAME.tournament:play"
carriers = { select = { event = "chosen", field = "choices" } }
"""
EVENTS = """\
from typing import Literal

from pydantic import BaseModel, ConfigDict
from schema.fields import event
from typing_extensions import TypedDict


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    rounds: int = 4
    time_limit_s: int = 5


@event
class Chosen(TypedDict):
    \"\"\"All have chosen.\"\"\"

    type: Literal["chosen"]
    round: int
    choices: list[int]
    points: list[int]


EVENTS = (Chosen,)
"""
TOURNAMENT = """\
from games.standings import final_order
from games.table import Match, Schedule


def play(table):
    entrants = range(len(table.players))
    played = yield Schedule([Match(f"1-{n:06}", (0, 1, 2)) for n in range(3)])
    for match, result in played:
        table.played(match, result, clause="MI-3")
    table.finish(final_order([0 for _ in entrants], [3 for _ in entrants]), clause="MI-3")
"""
LEADERBOARD = "SELECT name, sum(score) AS points FROM seats() WHERE game = 'NAME' GROUP BY name"
BOTS = {
    "steady": {"select": "return 1"},
    "fickle": {"select": "return self.round % 2"},
    "fragile": {"select": "return [0, 5, 1][self.round - 1] if self.round < 6 else 1"},
}
"""Bots, of which the last chooses something illegal in round 2, and fails in round 4 and later."""


def rules() -> str:
    """Return the rules of the page's section about class bots."""
    section = (ROOT / "docs/add-a-game.md").read_text().split("## A game of class bots\n")[1]
    return section.split("```python\n")[1].split("```\n")[0]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the name of the game, which is installed, with its example bots."""
    name, site = "minority_of_the_page", tmp_path_factory.mktemp("site")
    files = {
        "__init__.py": "",
        "RULES.md": "".join(f"- **MI-{n}** A clause.\n" for n in range(1, 5)),
        "game.toml": CARD,
        "events.py": EVENTS,
        "rules.py": rules(),
        "tournament.py": TOURNAMENT,
        "leaderboard.sql": LEADERBOARD,
        "audit/README": "",
        **{f"bots/{bot}.py": class_source(head="", **body) for bot, body in BOTS.items()},
    }
    for path, text in files.items():
        (site / name / path).parent.mkdir(parents=True, exist_ok=True)
        (site / name / path).write_text(text.replace("NAME", name))
    entry(site, name, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(site)
        yield name


def test_class_bots_play_on_after_a_failure(game: str, koth: Koth, tmp_path: Path) -> None:
    """The match goes on; it has the same events alone, in a batch and in the referee's process."""
    seats = ["examples/steady", "examples/fickle", "examples/fragile"]
    single, spring, inside = tmp_path / "single.jsonl", tmp_path / "spring", tmp_path / "inside"
    words = (*seats, "--seed", "2a", "--set", "rounds=6")
    koth("play", game, *words, "-o", single)
    koth("tournament", game, *words, "-o", spring)
    koth("tournament", game, *words, "-o", inside, "--isolation", "none")
    assert koth("verify", single, spring, inside).code == 0
    events = loads(single.read_bytes())
    chosen = [event["choices"] for event in events if event["type"] == "chosen"]
    assert [choices[2] for choices in chosen] == [0, -1, 1, -1, -1, -1]
    faults = [event["kind"] for event in events if event["type"] == "fault"]
    assert faults == ["illegal", "crash", "crash", "crash"]
    logs = [log for cup in (spring, inside) for log in (cup / "matches").iterdir()]
    assert len(logs) == 6
    for log in logs:
        assert loads(log.read_bytes())[1:-1] == events[1:-1]


def test_a_forged_log_without_an_answer_diverges(game: str, koth: Koth, tmp_path: Path) -> None:
    """The rules of the page find that the answer of a seat is missing; they do not fail."""
    log = tmp_path / "log.jsonl"
    seats = ["examples/steady", "examples/fickle", "examples/fragile"]
    koth("play", game, *seats, "-o", log, "--seed", "2a")
    events = loads(log.read_bytes())
    for number, event in enumerate(events):
        if event["type"] in ("answered", "fault"):
            left = [dict(other) for other in (*events[:number], *events[number + 1 : -1])]
            log.write_bytes(sealed(left, events[-1]["seed"]))
            assert "diverged" in koth("verify", log).out


def test_legal_choices_are_forged_one_by_one(game: str, koth: Koth, tmp_path: Path) -> None:
    """No referee records the legal choices of all seats as answers, so that such a log diverges."""
    log = tmp_path / "log.jsonl"
    seats = ["examples/steady", "examples/steady", "examples/fickle"]
    koth("play", game, *seats, "-o", log, "--seed", "2a")
    start, chosen, *rest, end = loads(log.read_bytes())
    answers = [
        {"type": "answered", "seat": seat, "ask": "select", "output": str(choice)}
        for seat, choice in enumerate(chosen["choices"])
    ]
    log.write_bytes(sealed([start, *answers, chosen, *rest], end["seed"]))
    told = "event 1, field type: recorded 'answered', recomputed 'chosen'"
    assert told in koth("verify", log).out
