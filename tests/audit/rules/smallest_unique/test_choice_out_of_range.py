"""The rule ``smallest_unique/choice_out_of_range``."""

from __future__ import annotations

from pathlib import Path

from tests.audit.doctoring import fired
from tests.audit.unique_games import played


def test_choice_out_of_range(tmp_path: Path) -> None:
    """A zero among the choices is found."""
    log = played()
    choices = log.first("round")["choices"]
    choices[choices.index(max(choices))] = 11
    assert fired(tmp_path, log) == {"smallest_unique/choice_out_of_range"}
