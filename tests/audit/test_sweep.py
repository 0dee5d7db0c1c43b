"""Each changed field that the rules derive is a finding, for all such fields of some logs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from games.table import Fault
from tests.audit import bank_heists, coin_games, unique_games
from tests.audit.contest import Contest, contest
from tests.audit.doctored_logs import Doctored, ending, failing, turn
from tests.audit.together import report_on, unnoticed, variants
from tests.factories import answer
from tests.sampling import LONG_RUN, is_sampled, sampled

CARDS = "~^*!$"
WORDS = {
    "cause": ("income", "foreign_aid", "tax", "steal", "coup", "assassination", "false_claim"),
    "reason": ("eliminated", "drawn", "forfeit", "agreed"),
    "ask": ("turn", "response", "block", "proof", "loss", "exchange", "close", "other"),
}
WORD_OF_OTHERS = {
    "match_started": ("tournament", "match", "players", "settings", "game", "rules", "format"),
    "answered": ("appended", "output"),
    "fault": ("appended", "output", "file", "kind"),
    "round": ("choices",),
}
"""Values of a single log from elsewhere: its tournament, the bots, and the referee's clock."""


def logs() -> Iterator[Doctored]:
    """Matches with every kind of event."""
    yield turn("Ep\n")
    yield ending("Sq\\*[_'<=0]")
    yield ending("Asq[_'<=0]")
    yield failing(Fault("crash"))
    yield failing(answer("X"))
    yield coin_games.busy()
    yield coin_games.still()
    yield unique_games.played()


def changes(field: str, value: Any) -> Iterator[Any]:
    """Other values of the same type."""
    if field in WORDS:
        yield from (word for word in WORDS[field] if word != value)
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, list):
        for n, one in enumerate(value):
            yield from ([*value[:n], other, *value[n + 1 :]] for other in changes("", one))
        yield [*value, *value[:1]] if value else [0]
    elif value and set(value) <= set(CARDS):
        yield from (value[:n] + value[n + 1 :] for n in range(len(value)))
        yield from (CARDS[CARDS.index(value[0]) - 1] + value[1:], value + "~")
        if value != value[::-1]:
            yield value[::-1]
    else:
        yield "0" * 64 if len(value) == 64 else value + "~"


def test_every_change_is_found(tmp_path: Path) -> None:
    """Each changed and freshly sealed log breaks a rule, or can no longer be read.

    The suite tries one change in four, the long run all.
    """
    changed = [
        (name, events, log.seed)
        for log in logs()
        for name, events in variants(log.events, changes, WORD_OF_OTHERS)
        if is_sampled(name, 4)
    ]
    assert len(changed) > (2000 if LONG_RUN else 500)
    assert unnoticed(tmp_path, changed) == []


def changed_tables(table: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield a final table with one number changed, or one line left out, doubled or moved down."""
    for n, line in enumerate(table):
        above, below = table[:n], table[n + 1 :]
        for field, value in line.items():
            yield from ([*above, line | {field: other}, *below] for other in changes(field, value))
        yield [*above, *below]
        yield [*above, line, line, *below]
        if below:
            yield [*above, below[0], line, *below[1:]]


@pytest.mark.parametrize(
    "make",
    sampled(
        {
            "coup": contest,
            "coins": coin_games.tournament,
            "smallest_unique": unique_games.tournament,
            "bank_heist": bank_heists.series,
        },
        ["coup", "smallest_unique"],
    ),
)
def test_every_change_of_a_final_table_is_found(
    tmp_path: Path, make: Callable[[], Contest]
) -> None:
    """A final table with a wrong number, or with a line missing, doubled or moved, is a finding.

    The suite tries one change in four, the long run all.
    """
    tables = [*changed_tables(make().standings)][:: 1 if LONG_RUN else 4]
    for number, table in enumerate(tables):
        logs = make()
        logs.events[-1]["standings"] = table
        logs.write(tmp_path / f"{number}")
    report = report_on(tmp_path)
    paths = {finding.path for finding in report.findings} | {file.path for file in report.unread}
    assert {Path(path).parts[-2] for path in paths} == {f"{n}" for n in range(len(tables))}
