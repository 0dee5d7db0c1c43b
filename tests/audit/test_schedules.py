"""Each change of the list of matches in a tournament's log is found by the rule of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path

import pytest

from audit.run_rules import audit
from audit.tables import open_database
from games.table import Match, Result
from tests.audit import bank_heists, coin_games
from tests.audit.contest import Contest, contest
from tests.audit.together import findings_of, report_on
from tests.factories import Events, tournament_events, write

NAMES = ("Anna", "Ben", "Cleo")
PAIRS = [*combinations(range(len(NAMES)), 2)]


def changes(events: Events) -> Iterator[Events]:
    """The log with a match left out, added, exchanged with the next, or with the seats changed."""
    matches = [n for n, event in enumerate(events) if event["type"] == "match_played"]
    for n in matches:
        yield [*events[:n], *events[n + 1 :]]
        if n + 1 in matches:
            yield [*events[:n], events[n + 1], events[n], *events[n + 2 :]]
    last = matches[-1]
    added = events[last] | {"match": f"1-{len(matches):06}"}
    yield [*events[: last + 1], added, *events[last + 1 :]]


@pytest.mark.parametrize(
    ("held", "rule"),
    [
        (contest, "coup/schedule_not_kept"),
        (coin_games.tournament, "coins/schedule_not_kept"),
        (bank_heists.series, "bank_heist/series_not_as_set"),
    ],
)
def test_matches_that_are_not_those_set_are_found(
    held: Callable[[], Contest], rule: str, tmp_path: Path
) -> None:
    """A match that is missing, one too many, and two that change places are found."""
    numbers = set()
    for number, events in enumerate(changes(held().events)):
        write(tmp_path / f"{number}.jsonl", events, "7" * 64)
        numbers.add(f"{number}")
    assert {Path(found.path).stem for found in findings_of(rule, tmp_path)} == numbers


def drawn(match: Match) -> Result:
    """A match without a winner."""
    return Result("drawn", (0, 0), (), (), "0" * 64)


def test_only_the_listed_pairings_are_played(tmp_path: Path) -> None:
    """A tournament of some pairings breaks no rule; with another list of pairings it does."""
    lists = [some for size in (1, 2) for some in combinations(PAIRS, size)]
    for n, pairings in enumerate(lists):
        events = tournament_events(drawn, NAMES, pairings=pairings)
        for m, listed in enumerate(lists):
            events[0] = events[0] | {"pairings": [list(pair) for pair in listed]}
            write(tmp_path / f"{n} as {m}.jsonl", events)
    findings = report_on(tmp_path).findings
    numbers = range(len(lists))
    expected = {f"{n} as {m}" for n in numbers for m in numbers if n != m}
    assert {Path(finding.path).stem for finding in findings} == expected
    assert {finding.rule.id for finding in findings} == {"coup/schedule_not_kept"}


def test_many_rounds_of_many_bots_are_not_listed_in_full(tmp_path: Path) -> None:
    """A log of one match that sets four hundred million misses the second one."""
    names = [f"bot-{n}" for n in range(200)]
    start, *rest = tournament_events(drawn, names[:2], rounds=1)
    entrants = [{"entrant": n, "name": name, "bot": f"{n:064x}"} for n, name in enumerate(names)]
    set_up = {"entrants": entrants, "settings": start["settings"] | {"rounds": 10_000}}
    write(tmp_path / "a.jsonl", [start | set_up, rest[0], *rest[2:]])
    [finding] = findings_of("coup/schedule_not_kept", tmp_path)
    assert (finding.expected, finding.found) == ("1-000001, seats [0,2]", "no more matches")


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    """Findings say that there is no result, that no coins were laid out, or no match was due."""
    for name, make in (("coup", contest), ("bank_heist", bank_heists.series)):
        logs = make()
        first, *_, last = logs.matches
        del logs.matches[first][-1]
        logs.seal(first)
        logs.events.insert(-1, logs.played[-1] | {"match": f"1-{int(last[2:]) + 1:06}"})
        (tmp_path / name).mkdir()
        logs.write(tmp_path / name)
    game = coin_games.still()
    game.drop(game.first("laid_out"))
    game.write(tmp_path / "coins")
    with open_database([tmp_path], current_only=True) as database:
        for rule, found in {
            "log/result_not_at_the_end": "no result",
            "coins/laid_out_not_once": "never",
        }.items():
            assert found in {finding.found for finding in audit(database, rule).findings}
        for rule in ("coup/schedule_not_kept", "bank_heist/series_not_as_set"):
            findings = audit(database, rule).findings
            assert "no more matches" in {finding.expected for finding in findings}
