"""The audit of a transcript has no finding for a match that followed the rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from audit.run_rules import audit
from audit.tables import open_database
from tests.audit.transcripts import sound, write
from tests.sampling import FACTOR, LONG_RUN

MATCHES = 10 * FACTOR
GAMES = 20 if LONG_RUN else 8


@pytest.mark.parametrize("results", [False, True])
def test_sound_transcripts_have_no_findings(results: bool, tmp_path: Path) -> None:
    """No rule finds anything in transcripts of matches that followed the rules.

    There are few players and many, with and without rabble; and everybody is followed to the end.
    """
    for number in range(MATCHES):
        events = sound(number, GAMES, 2 + number % 10, (0, 1, 4, 20, 100)[number % 5], results)
        (tmp_path / f"{number}.jsonl").write_bytes(write(events))
    with open_database([tmp_path], current_only=True) as database:
        report = audit(database)
        games = "SELECT count(DISTINCT (log, game, seat)) FROM "
        followed = database.execute(games + "bank_heist_seen_outcomes").fetchall()
        told = database.execute(games + "bank_heist_seen").fetchall()
    assert not report.unread
    assert Counter((f.rule.id, f.path) for f in report.findings) == {}
    assert followed == told == [(GAMES * sum(2 + number % 10 for number in range(MATCHES)),)]
