"""Class bots play on after a failure: with the rules of docs/add-a-game.md, and the skeleton's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.factories import loads, sealed
from tests.game_factory import install
from tests.koth.commands import ROOT, Koth
from tests.referee.bot_factory import class_source, script

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


@pytest.fixture(scope="module", params=["minority", "skeleton"])
def game(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[str]:
    """Yield the name of a game that is installed: with the page's rules, and the skeleton's."""
    site = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        name = install(site, patch, {}, "class", request.param)
        if name == "minority":
            (site / name / "rules.py").write_text(rules())
        yield name


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the paths of the bots by name."""
    folder = tmp_path_factory.mktemp("bots")
    return {
        name: script(folder, f"{name}.py", class_source(head="", **bodies))
        for name, bodies in BOTS.items()
    }


def test_class_bots_play_on_after_a_failure(
    game: str, bots: dict[str, Path], koth: Koth, tmp_path: Path
) -> None:
    """The match goes on; it has the same events alone, in a batch and in the referee's process."""
    single, spring, inside = tmp_path / "single.jsonl", tmp_path / "spring", tmp_path / "inside"
    words = (*bots.values(), "--seed", "2a", "--set", "rounds=6", "--set", "matches=3")
    koth("play", game, *words, "-o", single)
    koth("tournament", game, *words, "-o", spring)
    koth("tournament", game, *words, "-o", inside, "--isolation", "none")
    for command in ("verify", "audit"):
        assert koth(command, single, spring, inside).code == 0
    events = loads(single.read_bytes())
    chosen = [event["choices"] for event in events if event["type"] == "chosen"]
    assert [choices[2] for choices in chosen] == [0, -1, 1, -1, -1, -1]
    faults = [event["kind"] for event in events if event["type"] == "fault"]
    assert faults == ["illegal", "crash", "crash", "crash"]
    logs = [log for cup in (spring, inside) for log in (cup / "matches").iterdir()]
    assert len(logs) == 6
    for log in logs:
        assert loads(log.read_bytes())[1:-1] == events[1:-1]


def test_a_forged_log_without_an_answer_diverges(
    game: str, bots: dict[str, Path], koth: Koth, tmp_path: Path
) -> None:
    """The rules find that the answer of a seat is missing; they do not fail."""
    log = tmp_path / "log.jsonl"
    koth("play", game, *bots.values(), "-o", log, "--seed", "2a", "--set", "rounds=4")
    events = loads(log.read_bytes())
    forged = [n for n, event in enumerate(events) if event["type"] in ("answered", "fault")]
    assert len(forged) == 6
    for number in forged:
        left = [dict(other) for other in (*events[:number], *events[number + 1 : -1])]
        log.write_bytes(sealed(left, events[-1]["seed"]))
        assert "diverged" in koth("verify", log).out


def test_legal_choices_are_forged_one_by_one(
    game: str, bots: dict[str, Path], koth: Koth, tmp_path: Path
) -> None:
    """No referee records the legal choices of all seats as answers, so that such a log diverges."""
    log = tmp_path / "log.jsonl"
    seats = [bots["steady"], bots["steady"], bots["fickle"]]
    koth("play", game, *seats, "-o", log, "--seed", "2a", "--set", "rounds=4")
    start, chosen, *rest, end = loads(log.read_bytes())
    answers = [
        {"type": "answered", "seat": seat, "ask": "select", "output": str(choice)}
        for seat, choice in enumerate(chosen["choices"])
    ]
    log.write_bytes(sealed([start, *answers, chosen, *rest], end["seed"]))
    told = "event 1, field type: recorded 'answered', recomputed 'chosen'"
    assert told in koth("verify", log).out
