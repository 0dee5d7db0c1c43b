"""Results of Coup that are not due: the rules about both ways to end find them."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import product
from pathlib import Path

from games.table import Fault
from tests.audit.doctored_logs import Doctored, ending, failing, turn
from tests.audit.together import report_on

RULES = {
    "drawn": "coup/draw_not_scored",
    "eliminated": "coup/elimination_not_scored",
    "forfeit": "coup/forfeit_not_scored",
}
SCORES = ([0, 0], [1, 0], [0, 1], [1, 1])
WINNERS: tuple[list[int], ...] = ([], [0], [1], [0, 1])


def wrong() -> Iterator[tuple[Doctored, set[str]]]:
    """Matches with each result that is not due, and the rules that must find it."""
    for played in (turn("I\n"), ending("Sq\\*[_'<=0]"), failing(Fault("crash"))):
        due = played.first("match_finished")
        for reason, scores, winners in product(RULES, SCORES, WINNERS):
            log = deepcopy(played)
            log.first("match_finished").update(reason=reason, scores=scores, winners=winners)
            if log.events != played.events:
                yield log, {RULES[due["reason"]], RULES[reason]}


def test_only_the_result_that_is_due_breaks_no_rule(tmp_path: Path) -> None:
    """Each other reason, score or winner is found by the rules of the due and the recorded end."""
    expected: dict[str, set[str]] = {}
    for number, (log, rules) in enumerate(wrong()):
        log.write(tmp_path / f"{number}")
        expected[f"{number}"] = rules
    found: dict[str, set[str]] = {}
    for finding in report_on(tmp_path).findings:
        found.setdefault(Path(finding.path).parent.name, set()).add(finding.rule.id)
    assert found == expected
    assert len(found) == 3 * (3 * 4 * 4 - 1)
