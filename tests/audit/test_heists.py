"""Bank Heist: clean logs break no rule, changed ones do, and the leaderboard adds up."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, stdev
from typing import Any, cast, get_args

import pytest

from audit.leaderboard import leaderboard
from audit.query import query
from audit.run_rules import Report
from audit.tables import open_database
from games.bank_heist.events import Action, What, Why
from tests import factories
from tests.audit.bank_heists import Heist, anything, cut, pool, series
from tests.audit.together import report_on, unnoticed, variants
from tests.audit.tournament_factory import hold
from tests.factories import Events, Player, printed
from tests.golden.make import HERE
from tests.sampling import FACTOR, left_to_the_long_run

BOUND = 10**15
WORDS: dict[str, tuple[str, ...]] = {
    "why": get_args(Why),
    "what": get_args(What),
    "action": get_args(Action),
    "ask": ("bet", "action", "plea"),
    "reason": ("played", "void"),
}
TEXTS = {"rabble_bets": ".01234", "player_fates": ".osf", "rabble_fates": ".osf"}
WORD_OF_OTHERS = {
    "match_started": ("tournament", "match", "players", "settings", "game", "rules", "format"),
    "answered": ("output",),
    "fault": ("output", "kind"),
}
"""Values of a single log from elsewhere: its tournament, the bots, and the referee's clock."""


def rising(rng: random.Random) -> Player:
    """A player that waits, then is lucky, and soon has everything that a player can have."""

    def play(ask: Any) -> Any:
        args = ask.args
        game, bank, credits = int(args[0]), int(args[7]), int(args[8])
        if ask.name == "bet":
            return printed(str(1 if game < 60 else credits // 2))
        if game < 60:
            return printed("buy guard")
        if credits < 10**7:
            return printed("")
        if float(args[26 + bank]) < 1000:
            return printed("acquire intel")
        return printed(rng.choice(["", "", "deposit", "withdraw", "double cross", "finger"]))

    return play


def crossing_when_rich(ask: Any) -> Any:
    """An answer of a bot that saves for guards, then for odds, and then crosses with the others."""
    game, credits, odds = int(ask.args[0]), int(ask.args[8]), float(ask.args[30])
    poor, is_known = credits < 3 * 10**7, odds >= 1000
    if ask.name == "bet":
        if poor:
            return printed("1" if game < 100 else str(min(credits // 2, 500_000)))
        return printed(str(credits // 3 if is_known else max(13 * 10**6 // 3, credits // 8)))
    if poor:
        return printed("buy guard" if game < 100 else "")
    if not is_known:
        return printed("acquire intel")
    return printed("double cross" if credits >= 10**9 else "")


def changes(field: str, value: Any) -> Iterator[Any]:
    """Other values of the same type."""
    if field in WORDS:
        yield from (word for word in WORDS[field] if word != value)
    elif field in TEXTS:
        for n, old in enumerate(value):
            yield from (value[:n] + c + value[n + 1 :] for c in TEXTS[field] if c != old)
        yield from (value[:-1], value + ".", value + TEXTS[field][1])
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, list):
        for n, one in enumerate(value):
            yield from ([*value[:n], other, *value[n + 1 :]] for other in changes("", one))
        yield [*value, *value[:1]] if value else [0]
    else:
        yield "0" * 64 if len(value) == 64 else value + "~"


def kind(event: dict[str, Any]) -> object:
    """The type of an event, and what it is about."""
    return (event["type"], *map(event.get, ("why", "what", "action", "kind", "ask")))


def kinds(match: Heist) -> int:
    """The number of kinds of events in a match."""
    return len(set(map(kind, match.events)))


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Events], Report]:
    """Long and odd matches by name, and one audit of them all beside the pool."""
    folder = tmp_path_factory.mktemp("sound")

    def played(name: str, player: Player, seed: int, players: int, **settings: int) -> Events:
        events = factories.match_events(player, f"{seed:064x}", "bank_heist", players, **settings)
        factories.write(folder / f"{name}.jsonl", events, f"{seed:064x}")
        return events

    for number, match in enumerate(pool()):
        factories.write(folder / f"{number}.jsonl", match.events, match.seed)
    for n in (1, 2, 30):
        play, games = anything(random.Random(n)), {"games_min": 3, "games_max": 12}
        played(f"{n} players", play, n, n, **games, rabble=60)
    bounds = {"games_min": 160, "games_max": 160, "rabble": 0}
    rich = {"games_min": 130, "games_max": 130, "rabble": 30}
    matches = {
        "at the bounds": played("at the bounds", rising(random.Random(25)), 25, 1, **bounds),
        "rich rabble": played("rich rabble", anything(random.Random(0)), 0, 3, **rich),
    }
    tie = hold(
        "bank_heist",
        ("Anna", "Ben", "Cleo"),
        lambda match: lambda ask: printed("1" if (ask.name, ask.seat) == ("bet", 2) else "0"),
        games_min=2,
        games_max=2,
        rabble=0,
    )
    tie.write(folder / "tie")
    return matches | {"tie": tie.events}, report_on(folder)


def test_random_matches_break_no_rule(sound: tuple[dict[str, Events], Report]) -> None:
    """Matches in which players do and print anything, at tables of 1 to 30, have no finding.

    Neither have the matches and the tournament of the following tests.
    """
    _, report = sound
    tie = 1 + 1
    assert (report.logs, report.findings, report.unread) == (len(pool()) + 3 + 2 + tie, [], [])


def test_a_match_at_the_bounds_breaks_no_rule(sound: tuple[dict[str, Events], Report]) -> None:
    """Credits, winnings, accounts and odds that have grown to their bounds are audited, too."""
    matches, report = sound
    for what, most in (
        ("credits", BOUND),
        ("winnings", BOUND),
        ("account", BOUND),
        ("odds", 10**12),
    ):
        afters = [e["after"] for e in matches["at the bounds"] if e.get("what") == what]
        assert max(afters) == most
    assert report.clean


def test_a_match_with_a_rich_rabble_breaks_no_rule(sound: tuple[dict[str, Events], Report]) -> None:
    """A rabble that bets each amount of BH-28 in the course of 130 games has no finding."""
    matches, report = sound
    bets = "".join(e["rabble_bets"] for e in matches["rich rabble"] if e["type"] == "bets_closed")
    assert set(bets) == set(".01234")
    assert report.clean


def test_a_tie_breaks_no_rule(sound: tuple[dict[str, Events], Report]) -> None:
    """A final table in which two entrants share the first rank has no finding."""
    matches, report = sound
    assert [line["rank"] for line in matches["tie"][-1]["standings"]] == [1, 1, 3]
    assert report.clean


@left_to_the_long_run
def test_a_rabble_at_the_bound_breaks_no_rule(tmp_path: Path) -> None:
    """A member of the rabble that has all the credits of BH-31, and bets some, has no finding."""
    seed, settings = f"{25:064x}", {"games_min": 285, "games_max": 285, "rabble": 1}
    events = factories.match_events(crossing_when_rich, seed, "bank_heist", 3, **settings)
    credits = [e["rabble_credits"] for e in events if e["type"] == "game_finished"]
    assert min(credits[credits.index(BOUND) :]) < BOUND
    factories.write(tmp_path / "log.jsonl", events, seed)
    assert report_on(tmp_path).clean


def firsts() -> Iterator[tuple[Heist, int]]:
    """A match for each kind of event, cut after its first game with one, and the event's place."""
    matches: dict[object, tuple[Heist, int]] = {}
    for match in pool():
        for n, event in enumerate(match.events[1:-1], 1):
            key = kind(event)
            if key not in matches or n < matches[key][1]:
                matches[key] = (match, n)
    for match, n in matches.values():
        types = [event["type"] for event in match.events]
        yield cut(match, types.index("game_finished", n)), n


def test_every_change_is_found(tmp_path: Path) -> None:
    """Each changed and freshly sealed log breaks a rule, or can no longer be read.

    The suite tries one change of each field of each kind of event, the long run more.
    """
    rng = random.Random(1)
    chosen = []
    for match, n in firsts():
        fields: dict[str, list[tuple[str, Events]]] = {}
        for name, events in variants(match.events, changes, WORD_OF_OTHERS):
            if name.startswith(f"{n} "):
                fields.setdefault(name.partition(":")[0], []).append((name, events))
        for every in fields.values():
            some = rng.sample(every, min(FACTOR, len(every)))
            chosen += [(name, events, match.seed) for name, events in some]
    assert unnoticed(tmp_path, chosen) == []


@pytest.mark.parametrize("most", [pytest.param(2**31 - 1, marks=left_to_the_long_run), 2**63 - 1])
def test_enormous_numbers_are_findings(tmp_path: Path, most: int) -> None:
    """The audit completes for all numbers that a log can hold, up to the largest."""
    match = max(pool(), key=kinds)
    logs: list[Events] = []
    for type in ("moved", "bet", "bets_closed", "shared_out", "cross_judged", "game_finished"):
        for field in {key for event in match.events if event["type"] == type for key in event}:
            if field not in ("type", "why", "what", "rabble_bets", "bank", "seat", "succeeded"):
                logs.append(
                    [
                        event | {field: [most] * 5 if field == "credits" else most}
                        if event["type"] == type
                        else event
                        for event in match.events
                    ]
                )
    for number, events in enumerate(logs):
        factories.write(tmp_path / f"{number}.jsonl", events, match.seed)
    report = report_on(tmp_path)
    assert not report.unread
    assert len({finding.path for finding in report.findings}) == len(logs)


def test_movements_are_in_the_order_of_their_names() -> None:
    """The same query gives the same text in every run, also of a map."""
    log = HERE / "bank_heist-1" / "many_games_at_random.jsonl"
    with open_database([log]) as database:
        rows = query(database, "SELECT map_keys(moves) AS names FROM bank_heist_settled").rows
    assert [names for (names,) in rows] == [sorted(cast(list[str], names)) for (names,) in rows]


def test_the_leaderboard(tmp_path: Path) -> None:
    """Sums, means, intervals, wins, heists and faults are those of the matches."""
    logs = series()
    logs.write(tmp_path)
    with open_database([tmp_path], current_only=True) as database:
        board = leaderboard(database, "bank_heist")
    assert board.columns == (
        *("rank", "name", "matches", "credits", "wins", "heists", "successes", "faults"),
        *("credits_per_match", "low", "high", "bot"),
    )
    due = []
    for entrant, name in enumerate(("Anna", "Ben", "Cleo")):
        credits = [match["scores"][entrant] for match in logs.played]
        margin = 4.3027 * stdev(credits) / 3**0.5
        interval = (mean(credits), max(0, mean(credits) - margin), mean(credits) + margin)
        fates = "".join(
            event["player_fates"][entrant]
            for events in logs.matches.values()
            for event in events
            if event["type"] == "heist_rolled"
        )
        due.append(
            (
                *(name, 3, sum(credits)),
                sum(entrant in match["winners"] for match in logs.played),
                fates.count("s") + fates.count("f"),
                fates.count("s"),
                sum(fault["seat"] == entrant for match in logs.played for fault in match["faults"]),
                *(round(value, 1) for value in interval),
            )
        )
    due.sort(key=lambda row: -row[2])
    assert [row[0] for row in board.rows] == [1, 2, 3]
    assert [row[1:11] for row in board.rows] == due
    assert [line["score"] for line in logs.standings] == [row[2] for row in due]


def test_one_match_has_no_interval(tmp_path: Path) -> None:
    """The leaderboard of a single match has means, and no interval around them."""
    match = pool()[0]
    factories.write(tmp_path / "log.jsonl", match.events, match.seed)
    with open_database([tmp_path], current_only=True) as database:
        rows = leaderboard(database, "bank_heist").rows
    assert [row[3] for row in rows] == sorted(match.events[-1]["scores"], reverse=True)
    assert [row[9:11] for row in rows] == [(None, None)] * len(rows)
