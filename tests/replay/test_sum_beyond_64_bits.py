"""A recomputed number that no log can hold: the sum of numbers that it can."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from replay import verdict_render
from replay.rerun import as_json
from replay.verify import verify
from tests.corpus.honest import holding
from tests.factories import sealed


@pytest.mark.parametrize(("score", "total"), [(2**63 - 1, 3 * (2**63 - 1)), (-(2**63), -3 * 2**63)])
def test_the_verdict_tells_it_as_text(score: int, total: int, tmp_path: Path) -> None:
    """A forged table is `diverged`, with the true sum, and does not end the check of other logs."""
    log = holding("coins", "tournament_finished", "tournament")
    events = log.events
    for event in events:
        if event["type"] == "match_played":
            event["scores"] = [score] * 3
    path = tmp_path / "log.jsonl"
    path.write_bytes(sealed(events, log.seed))
    verdict = verify(path)
    assert verdict.verdict == "diverged"
    assert str(total) in verdict_render.verdicts_text([verdict])
    [told] = orjson.loads(verdict_render.verdicts_json([verdict]))["logs"]
    assert str(total) in orjson.dumps(told).decode()


def test_only_integers_beyond_64_bits_become_text() -> None:
    """The smallest and the largest number of 64 bits stay numbers, those beyond are text."""
    ends = [-(2**63), 2**63 - 1]
    assert as_json({"scores": (*ends, True)}) == {"scores": [*ends, True]}
    beyond = [-(2**63) - 1, 2**63]
    assert as_json([{"scores": beyond}]) == [{"scores": [*map(str, beyond)]}]
