"""The audit of a transcript has no finding for a match that followed the rules."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

from audit import views
from audit.run_rules import audit
from audit.tables import open_database
from schema import registry
from tests.audit.transcripts import sound, write
from tests.sampling import FACTOR, LONG_RUN

MATCHES = 10 * FACTOR
GAMES = 20 if LONG_RUN else 8


def test_sound_transcripts_have_no_findings(tmp_path: Path) -> None:
    """No rule finds anything in transcripts of matches that followed the rules.

    There are few players and many, with and without rabble and results; and everybody is followed
    to the end.
    """
    for number, results in product(range(MATCHES), (False, True)):
        events = sound(number, GAMES, 2 + number % 10, (0, 1, 4, 20, 100)[number % 5], results)
        (tmp_path / f"{number} {results}.jsonl").write_bytes(write(events))
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database)
        games = "SELECT count(DISTINCT (log, game, seat)) FROM "
        followed = database.execute(games + "bank_heist_seen_outcomes").fetchall()
        told = database.execute(games + "bank_heist_seen").fetchall()
    assert not report.unread
    assert Counter((f.rule.id, f.path) for f in report.findings) == {}
    seats = 2 * sum(2 + number % 10 for number in range(MATCHES))
    assert followed == told == [(GAMES * seats,)]


ODDS = [800_000_000, 1_100_000_000, 1_300_000_000, 1_650_000_000, 1_950_000_000]
"""BH-7: the odds of the banks as a match begins, in billionths."""


def following(row: dict[str, Any]) -> tuple[list[int], list[int], list[int]]:
    """Return the lowest and highest odds and the most in the accounts after a game, by bank."""
    lowest, highest, saved = list(row["lowest_odds"]), list(row["highest_odds"]), []
    for bank, most in enumerate(row["most_saved"]):
        winnings = row["bet"] + row["highest_odds"][bank] * row["bet"] // 10**9
        robbed = row["can_succeed"] and row["lowest_bank"] <= bank <= row["highest_bank"]
        match row["action"] if robbed else "":
            case "finger":  # BH-21
                lowest[bank] = max(0, lowest[bank] - 50_000_000)
            case "acquire intel":  # BH-15
                highest[bank] = min(10**12, highest[bank] + 10_000 * winnings)
            case "deposit":
                most += winnings
        saved.append(min(10**15, most + 14 * most // 10_000))  # BH-17, BH-27
    return lowest, highest, saved


def test_bounds_follow_from_the_game_before(tmp_path: Path) -> None:
    """Odds and accounts that a transcript does not show have the bounds that the rules give."""
    for number in range(24):
        events = sound(number, GAMES, 2 + number % 3, 3, results=number % 2 == 0)
        (tmp_path / f"{number}.jsonl").write_bytes(write(events))
    with open_database([tmp_path], current_only=True) as database:
        query = "FROM bank_heist_seen_bounds ORDER BY log, seat, game"
        views.compute(database, registry.card("bank_heist"), query)
        result = database.execute(query)
        names = [column[0] for column in result.description]
        rows = [dict(zip(names, row, strict=True)) for row in result.fetchall()]
    assert len(rows) == GAMES * sum(2 + number % 3 for number in range(24))
    changed = Counter[str]()
    bounds = ("lowest_odds", "highest_odds", "most_saved")
    for row, after in pairwise([*rows, {"game": 0}]):
        if row["game"] == 0:
            assert (row["lowest_odds"], row["highest_odds"]) == (ODDS, ODDS)
            assert row["most_saved"] == [0] * 5
        if after["game"]:
            assert following(row) == tuple(after[bound] for bound in bounds)
            changed.update(bound for bound in bounds if row[bound] != after[bound])
    assert changed.keys() == set(bounds)


def test_sums_of_winnings(tmp_path: Path) -> None:
    """Sums take one amount each of some players; each member of the rabble may win either bet."""
    (tmp_path / "log.jsonl").write_bytes(write(sound(0, GAMES, 2, 0, results=False)))
    with open_database([tmp_path], current_only=True) as database:
        views.compute(database, registry.card("bank_heist"), "FROM bank_heist_seen_cases")
        [(bits, *won)] = database.execute(
            "SELECT bank_heist_sums_of([[1, 2, 4], [10, 20, 40], [100, 100, 100]])::VARCHAR, "
            "bank_heist_rabble_winnings(0, 0), bank_heist_rabble_winnings(4, 2)"
        ).fetchall()
    sums = {sum(one) for one in product((0, 1, 2, 4), (0, 10, 20, 40), (0, 100))}
    assert {place for place, bit in enumerate(bits) if bit == "1"} == sums
    odds = ODDS[4]
    once = [[bet + odds * bet // 10**9] * 3 for bet in (69, 420)]
    assert won == [[], [once[0], once[0], once[1], once[1]]]


def test_gains_by_the_finger(tmp_path: Path) -> None:
    """A finger brings any sum of quarters; of very many crossers, between one and eight of them."""
    (tmp_path / "log.jsonl").write_bytes(write(sound(0, GAMES, 2, 0, results=False)))
    few, many = [1, 2, 4, 8, 16, 16], [2**n for n in range(40)]
    with open_database([tmp_path], current_only=True) as database:
        views.compute(database, registry.card("bank_heist"), "FROM bank_heist_seen_cases")
        [(gains, bounds)] = database.execute(
            "SELECT bank_heist_gains(?::HUGEINT[]), bank_heist_gains(?::HUGEINT[])", [few, many]
        ).fetchall()
    sums = {sum(some) for size in range(1, 7) for some in combinations(few, size)}
    assert sorted(gain["least"] for gain in gains) == sorted(sums)
    assert all(gain["least"] == gain["most"] for gain in gains)
    assert bounds == [{"least": 1, "most": sum(many[-8:])}]
