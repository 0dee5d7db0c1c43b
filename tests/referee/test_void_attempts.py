"""Attempts of a tournament that are void, and the matches that are kept of them (SU-7, SU-9)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from koth.workers import workers
from referee import tournament
from referee.bot import Bot
from replay.verify import verify_all
from schema import discovery as layout
from schema.dice import Dice
from schema.executor import serial
from tests.factories import SEED, Events, loads
from tests.referee.bot_factory import UNIQUE, class_bot, contents, hold
from tests.sampling import left_to_the_long_run

OTHER = f"{13:064x}"
"""A seed with which two bots fail in the same match."""

SETTINGS: dict[str, Any] = {
    "seats": 3,
    "rounds": 5,
    "games_per_entrant": 2,
    "min_games_per_entrant": 0,
}

CALM = ("return 1", "return self.round", "return 10 - self.round", "return 1 + self.index")
RAISE = "raise ValueError('here')"
FAILING = {
    4: (1, {"update": f"if self.index == 1: {RAISE}"}, "crash"),
    5: (2, {"select": "return True if self.index == 2 else 4"}, "illegal"),
    6: (0, {"init": f"if index == 0: {RAISE}"}, "crash"),
    7: (1, {"init": f"if index == 1: {RAISE}"}, "crash"),
}
"""By entrant: the seat at which it fails, its methods, and the kind of its fault."""

STEPS = {6: 0, 7: 0, 5: 1, 4: 2}
"""The failing entrants, and the step of a game in which they fail."""


def eight(folder: Path) -> list[Bot]:
    """Return four bots without faults, and four that fail at one seat of a game."""
    calm = [class_bot(folder, f"calm{n}", select=body) for n, body in enumerate(CALM)]
    return calm + [
        class_bot(folder, f"failing{n}", **({"select": f"return {n}"} | bodies))
        for n, (_, bodies, _) in FAILING.items()
    ]


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a tournament of those eight bots."""
    folder = tmp_path_factory.mktemp("cup")
    hold(folder / "cup", eight(folder), card=UNIQUE, **SETTINGS)
    return folder / "cup"


def log(folder: Path) -> Events:
    """Return the events of the tournament's log."""
    return loads((folder / layout.TOURNAMENT).read_bytes())


def standings(folder: Path) -> Events:
    """Return the final table."""
    [finish] = [event for event in log(folder) if event["type"] == "tournament_finished"]
    found: Events = finish["standings"]
    return found


def recorded(folder: Path) -> list[str]:
    """Return the ids of the matches that the tournament's log reports, in order."""
    return [event["match"] for event in log(folder) if event["type"] == "match_played"]


def kept(folder: Path, kind: str) -> list[str]:
    """Return the ids of the matches that have a file."""
    return sorted(path.stem for path in (folder / kind).glob("[0-9]*"))


def verdicts(folder: Path) -> list[str]:
    """Return the verdict on each log."""
    return [one.verdict for one in verify_all(layout.logs([folder]))]


def expected(seed: str, entrants: list[int]) -> Events:
    """Return the expected disqualifications and void attempts, from the seed and the failures."""
    dice, attempt = Dice(seed), 0
    told: Events = []
    entrants = list(entrants)
    while True:
        attempt += 1
        names = [str(entrant) for entrant in entrants]
        for number in range(SETTINGS["games_per_entrant"] * len(entrants)):
            id = f"{attempt}-{number:06}"
            seats = [int(name) for name in dice.sample(f"match/{id}/seats", names, 3)]
            failing = [e for n, e in enumerate(seats) if e in FAILING and FAILING[e][0] == n]
            if failing:
                first = min(STEPS[entrant] for entrant in failing)
                out = [entrant for entrant in failing if STEPS[entrant] == first]
                break
        else:
            return told
        for entrant in out:
            kind = FAILING[entrant][2]
            told.append({"type": "disqualified", "entrant": entrant, "match": id, "kind": kind})
            entrants.remove(entrant)
        void = {"attempt": attempt, "matches": number + 1, "reason": "disqualified"}
        told.append({"type": "voided"} | void)


def rulings(events: Events) -> Events:
    """Return the disqualifications and void attempts of a log."""
    return [event for event in events if event["type"] in ("disqualified", "voided")]


def test_the_same_bytes_every_time(cup: Path, tmp_path: Path) -> None:
    """The logs have the same bytes with two workers, and only matches on record are kept."""
    two = tmp_path / "deep" / "two"
    with workers(2) as each:
        hold(two, eight(tmp_path), each, card=UNIQUE, **SETTINGS)
    assert contents(two) == contents(cup)
    for folder in (cup, two):
        assert len(rulings(log(folder))) >= 6
        assert kept(folder, "matches") == kept(folder, "evidence") == sorted(recorded(folder))
    assert set(verdicts(cup)) == {"verified"}


def test_who_is_disqualified(cup: Path, tmp_path: Path) -> None:
    """The first match with a fault ends an attempt, and all bots with that fault are out."""
    hold(tmp_path / "other", eight(tmp_path), card=UNIQUE, seed=OTHER, **SETTINGS)
    for folder, seed in ((cup, SEED), (tmp_path / "other", OTHER)):
        events = log(folder)
        assert rulings(events) == expected(seed, list(range(8)))
        out = {event["entrant"] for event in events if event["type"] == "disqualified"}
        assert {one["entrant"] for one in standings(folder)} == set(range(8)) - out


def test_an_attempt_in_the_log(cup: Path) -> None:
    """The log has the matches, the fault, the disqualified, the void, and the next attempt."""
    attempts: list[Events] = [[]]
    for event in log(cup)[1:-2]:
        attempts[-1].append(event)
        if event["type"] == "voided":
            attempts.append([])
    for number, events in enumerate(attempts, 1):
        played = [event for event in events if event["type"] == "match_played"]
        assert [event["match"] for event in played] == [
            f"{number}-{n:06}" for n in range(len(played))
        ]
        *fine, last = played
        assert all((one["reason"], one["faults"]) == ("played", []) for one in fine)
        rest = events[len(played) :]
        if number == len(attempts):
            assert (rest, last["faults"]) == ([], [])
            continue
        assert (last["reason"], last["winners"]) == ("void", [])
        assert rest == [
            *(
                {
                    "type": "disqualified",
                    "entrant": last["seats"][fault["seat"]],
                    "match": last["match"],
                    "kind": fault["kind"],
                }
                for fault in last["faults"]
            ),
            {
                "type": "voided",
                "attempt": number,
                "matches": len(played),
                "reason": "disqualified",
            },
        ]


def test_the_table_counts_the_last_attempt_only(cup: Path) -> None:
    """Wins and games of void attempts do not count (SU-7, SU-9)."""
    played = [event for event in log(cup) if event["type"] == "match_played"]
    attempt = played[-1]["match"].partition("-")[0]
    last = [one for one in played if one["match"].startswith(f"{attempt}-")]
    assert attempt != "1"
    for one in standings(cup):
        seats = [
            (event, event["seats"].index(one["entrant"]))
            for event in last
            if one["entrant"] in event["seats"]
        ]
        assert one["games"] == len(seats)
        assert one["score"] == sum(seat in event["winners"] for event, seat in seats)


def test_the_evidence_of_a_void_match(cup: Path) -> None:
    """The evidence of a void match says why a bot failed."""
    out = [e for e in log(cup) if e["type"] == "disqualified" and e["kind"] == "crash"]
    assert out
    for event in out:
        evidence = cup / layout.EVIDENCE / f"{event['match']}.jsonl"
        assert "ValueError: here" in evidence.read_text()


def together(folder: Path, failing: int, calm: int) -> list[Bot]:
    """Return bots that fail in their constructor, and bots without faults."""
    bots = [class_bot(folder, f"failing{n}", init=RAISE) for n in range(failing)]
    return bots + [class_bot(folder, f"calm{n}", select=CALM[n]) for n in range(calm)]


@pytest.mark.parametrize(
    ("failing", "calm", "attempts"),
    [
        (3, 0, 1),
        (1, 2, 1),
        pytest.param(4, 0, 1, marks=left_to_the_long_run),
        pytest.param(4, 2, None, marks=left_to_the_long_run),
    ],
)
def test_too_few_are_left(failing: int, calm: int, attempts: int | None, tmp_path: Path) -> None:
    """With fewer bots than seats the tournament ends with an empty table (SU-1)."""
    assert hold(tmp_path / "cup", together(tmp_path, failing, calm), card=UNIQUE, **SETTINGS) == []
    *events, finish, seal = log(tmp_path / "cup")
    assert (finish["type"], finish["standings"]) == ("tournament_finished", [])
    assert seal["type"] == "tournament_sealed"
    assert attempts in (None, sum(event["type"] == "voided" for event in events))
    out = [event["entrant"] for event in events if event["type"] == "disqualified"]
    assert failing + calm - len(out) < SETTINGS["seats"]
    assert set(verdicts(tmp_path / "cup")) == {"verified"}


# --- too few games (SU-7) ------------------------------------------------------------------------

FEW: dict[str, Any] = {"seats": 2, "rounds": 1, "games_per_entrant": 1}
"""Settings for four bots that each have two games on average, and need at least one."""


def attempts_needed(seed: str) -> int:
    """Return the attempt in which each of four entrants has a seat in the four games."""
    dice, attempt = Dice(seed), 1
    names = ["0", "1", "2", "3"]
    while (
        len({s for n in range(4) for s in dice.sample(f"match/{attempt}-{n:06}/seats", names, 2)})
        < 4
    ):
        attempt += 1
    return attempt


def seed_needing(attempts: int) -> str:
    """Return the first seed that needs that many attempts."""
    return next(s for s in (f"{n:064x}" for n in range(10_000)) if attempts_needed(s) == attempts)


@pytest.mark.parametrize("attempts", [1, 2, 3])
def test_somebody_has_too_few_games(attempts: int, tmp_path: Path) -> None:
    """The tournament is repeated with new draws until every bot has enough games."""
    bots = together(tmp_path, 0, 4)
    folder = tmp_path / "cup"
    table = hold(folder, bots, card=UNIQUE, seed=seed_needing(attempts), **FEW)
    void = [{"attempt": n, "matches": 4, "reason": "too_few_games"} for n in range(1, attempts)]
    assert rulings(log(folder)) == [{"type": "voided"} | one for one in void]
    assert recorded(folder) == [f"{a}-{n:06}" for a in range(1, attempts + 1) for n in range(4)]
    assert kept(folder, "matches") == kept(folder, "evidence") == recorded(folder)
    assert sum(one["games"] for one in table) == 8
    assert all(one["games"] >= 1 for one in table)
    assert set(verdicts(folder)) == {"verified"}


def test_progress_goes_on_over_attempts(tmp_path: Path) -> None:
    """Every match played is counted, also those of void attempts."""
    seen: list[tuple[int, int]] = []
    settings = UNIQUE.settings(FEW)
    planned = tournament.plan(
        UNIQUE,
        together(tmp_path, 0, 4),
        settings,
        seed_needing(2),
        None,
        tmp_path / "cup",
        "process",
    )
    tournament.play(planned, serial, lambda done, total: seen.append((done, total)))
    assert seen == [(n, 4 if n <= 4 else 8) for n in range(1, 9)]
