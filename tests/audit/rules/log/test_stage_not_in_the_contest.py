"""The rule ``log/stage_not_in_the_contest``."""

from __future__ import annotations

from pathlib import Path

from replay.verify import verify_all
from schema.discovery import logs
from tests import contests
from tests.audit.contests import copied, doctored_folder, event, fired
from tests.contests import Events


def _without_the_end(events: Events) -> Events:
    return events[: events.index(event(events, "stage_started", stage=3))]


def _cut(cup: Path) -> None:
    contests.rewrite(cup, _without_the_end(contests.events(cup)))


_CUT = doctored_folder(_cut)
_RENAMED = doctored_folder(lambda cup: (cup / "stages/0003").rename(cup / "stages/3"))


def test_stage_not_in_the_contest(tmp_path: Path) -> None:
    """A stage that was cut off the contest's log, but not removed from its folder, is found."""
    assert fired(_CUT) == {"log/stage_not_in_the_contest"}
    cup = copied(tmp_path / "cup")
    _cut(cup)
    verdicts = {Path(log.path).name: log.verdict for log in verify_all(logs([cup]))}
    assert verdicts["contest.jsonl"] == "forged"


def test_a_stage_under_another_name() -> None:
    """A stage whose folder has another name than its number is no stage of the contest."""
    assert fired(_RENAMED) == {"log/stage_not_in_the_contest", "log/stage_without_log"}
