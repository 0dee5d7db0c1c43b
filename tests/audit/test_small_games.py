"""Coins and Smallest Unique Number: clean logs break no rule, and their leaderboards add up."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest

from audit.leaderboard import leaderboard
from audit.tables import open_database
from games.table import Fault, Match
from tests import factories
from tests.audit import coin_games, unique_games
from tests.audit.contest import Contest
from tests.audit.together import report_on
from tests.audit.tournament_factory import hold
from tests.factories import SEED, Player, printed
from tests.games.unique_games import in_turn, random_game

ODD = (" 33F\r\n", "\v\fTRT", "NNN\x1c", "\x85NNN", "\u00a0NNN", "N N", "fff", "", "333F")


def at_odds(rng: random.Random) -> Player:
    """A player of Coins that fails in every way there is, and often prints something odd."""

    def play(ask: Any) -> Any:
        return rng.choice(
            [
                *(printed("".join(rng.choices("N123ABCXYZFURT", k=3))) for _ in range(9)),
                *(printed(rng.choice(ODD)) for _ in range(3)),
                *coin_games.FAULTS,
                printed(b"NNN\xff"),
            ]
        )

    return play


def test_games_of_coins_break_no_rule(tmp_path: Path) -> None:
    """Games with any actions and outputs have no finding.

    60 games have two to five players. One has sixty, the most that there can be, with a centre of
    nearly 2^60 coins. Of a tournament, two entrants share the first rank of the final table.
    """
    for number in range(60):
        rng, seed = random.Random(number), f"{number:064x}"
        play = (at_odds(rng), coin_games.anything(seed))[number % 2]
        players, rounds = rng.randint(2, 5), rng.randint(1, 15)
        events = factories.match_events(play, seed, "coins", players, rounds=rounds)
        factories.write(tmp_path / f"{number}.jsonl", events, seed)
    play = coin_games.anything("sixty")
    events = factories.match_events(play, factories.SEED, "coins", 60, rounds=1)
    assert events[1]["centre"] > 2**59
    factories.write(tmp_path / "sixty.jsonl", events)
    tie = hold(
        "coins",
        ("Anna", "Ben", "Cleo"),
        lambda match: lambda ask: printed("NNN" if ask.seat else "333"),
        rounds=1,
    )
    assert [line["rank"] for line in tie.standings] == [1, 1, 3]
    tie.write(tmp_path / "tie")
    report = report_on(tmp_path)
    assert report.logs == 60 + 1 + 1 + len(tie.matches)
    assert (report.findings, report.unread) == ([], [])


def test_games_of_smallest_unique_break_no_rule(tmp_path: Path) -> None:
    """60 games of two to twelve bots, many void, and two of a thousand have no finding."""
    games = [random_game(number)[1] for number in range(60)]
    for odd in (1, 10):
        settings = {"seats": 1000, "rounds": 1}
        play = in_turn([odd, *[11 - odd] * 999])
        games.append(factories.match_events(play, SEED, "smallest_unique", 1000, **settings))
    for number, events in enumerate(games):
        factories.write(tmp_path / f"{number}.jsonl", events)
    report = report_on(tmp_path)
    assert (report.logs, report.findings, report.unread) == (62, [], [])


def begun_again(bad: Sequence[int], **settings: int) -> Contest:
    """A tournament of Smallest Unique Number in which some entrants fail to update."""

    def player(match: Match) -> Player:
        play = factories.at_random(random.Random(match.id), 3)
        failing = tuple(seat for seat, one in enumerate(match.seats) if one in bad)[:1]
        return unique_games.failing("update", 2, failing, play, 3) if failing else play

    return hold(
        "smallest_unique", unique_games.NAMES, player, seats=3, games_per_entrant=2, **settings
    )


def test_tournaments_begun_again_break_no_rule(tmp_path: Path) -> None:
    """However many are disqualified, down to fewer than a table seats, there is no finding.

    Neither is there one if attempts are void because an entrant has too few games.
    """
    tournaments = [
        (begun_again((), rounds=3), []),
        (begun_again((1, 3), rounds=3), ["disqualified"] * 2),
        (begun_again((0, 1, 2, 3, 4), rounds=3), ["disqualified"] * 5),
        (begun_again((), rounds=2, min_games_per_entrant=5), ["too_few_games"] * 5),
    ]
    for number, (logs, reasons) in enumerate(tournaments):
        found = [event["reason"] for event in logs.events if event["type"] == "voided"]
        assert found == reasons
        assert (logs.standings == []) == (number == 2)  # too few are left
        logs.write(tmp_path / f"{number}")
    assert report_on(tmp_path).clean


def test_a_final_table_although_too_few_are_left(tmp_path: Path) -> None:
    """A final table is a finding if no bot is left, or fewer than one match has seats."""

    def player(match: Match) -> Player:
        return lambda ask: {seat: Fault("crash", during="construct") for seat in (0, 1)}

    logs = hold("smallest_unique", ("Anna", "Ben"), player, seats=2, rounds=1, games_per_entrant=1)
    assert logs.standings == []
    logs.standings.append({"rank": 1, "entrant": 0, "score": 0, "games": 0})
    logs.write(tmp_path)
    [finding] = report_on(tmp_path).findings
    assert finding.rule.id == "smallest_unique/final_table_not_from_the_matches"


def test_the_leaderboard_of_coins(tmp_path: Path) -> None:
    """Sums, means, intervals, wins and faults are those of the games, counted by hand."""
    logs = coin_games.tournament()
    events = logs.matches["1-000001"]
    late = events[2]["seat"]
    timeout = {"kind": "timeout", "clause": "CN-8", "penalty": "NNN", "ask": "turn"}
    events[2] = {"type": "fault", "seat": late, **timeout}
    logs.write(tmp_path)
    with open_database([tmp_path], current_only=True) as database:
        board = leaderboard(database, "coins")
    assert board.columns == (
        *("rank", "name", "games", "points", "wins", "faults"),
        *("points_per_game", "low", "high", "bot"),
    )
    due = []
    for entrant, name in enumerate(("Anna", "Ben", "Cleo")):
        points = [game["scores"][entrant] for game in logs.played]
        wins = sum(entrant in game["winners"] for game in logs.played)
        margin = 4.3027 * stdev(points) / len(points) ** 0.5
        faults = int(entrant == late)
        row = (name, 3, sum(points), wins, faults)
        interval = (mean(points), mean(points) - margin, mean(points) + margin)
        due.append((*row, *(round(value, 4) for value in interval)))
    due.sort(key=lambda row: -row[2])
    assert [row[0] for row in board.rows] == [1, 2, 3]
    assert [row[1:9] for row in board.rows] == due


def test_the_leaderboard_of_smallest_unique(tmp_path: Path) -> None:
    """Rates come from the games that count; a disqualified bot has no rank."""
    logs = unique_games.tournament()
    expected = {line["entrant"]: line for line in logs.standings}
    points: Counter[int] = Counter()
    for game in logs.played:
        if game["match"].startswith("3-"):
            points.update(dict(zip(game["seats"], game["scores"], strict=True)))
    logs.write(tmp_path)
    with open_database([tmp_path], current_only=True) as database:
        board = leaderboard(database, "smallest_unique")
    assert board.columns == (
        *("rank", "name", "games", "wins", "rate", "low", "high"),
        *("points_per_round", "disqualifications", "bot"),
    )
    rows = {unique_games.NAMES.index(str(row[1])): row for row in board.rows}
    assert set(rows) == set(range(7))
    for entrant, row in rows.items():
        if entrant in (1, 3):
            assert row[:1] + row[2:9] == (None, 0, 0, None, None, None, None, 1)
            continue
        line = expected[entrant]
        rate = Fraction(line["score"], line["games"])
        assert row[:1] + row[2:4] == (line["rank"], line["games"], line["score"])
        assert row[4] == pytest.approx(float(rate), abs=1e-4)
        assert float(str(row[5])) < rate < float(str(row[6]))
        assert row[7] == pytest.approx(points[entrant] / (3 * line["games"]), abs=1e-4)
        assert row[8] == 0
    assert [row[0] for row in board.rows] == [1, 2, 3, 4, 4, None, None]
