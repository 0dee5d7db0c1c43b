"""The rule ``log/stage_seed_not_from_the_chain``."""

from __future__ import annotations

from pathlib import Path

from tests import factories
from tests.audit.contest import sealed
from tests.audit.contests import doctored, doctored_folder, event, fired
from tests.contests import Events


@doctored
def _other_beacon(events: Events) -> None:
    event(events, "stage_started", stage=2)["beacon"] = "drand 4712"


@doctored
def _no_beacon(events: Events) -> None:
    del event(events, "stage_started", stage=2)["beacon"]


def test_stage_seed_not_from_the_chain() -> None:
    """A beacon that was changed or removed after the stage is found."""
    assert fired(_other_beacon) == {"log/stage_seed_not_from_the_chain"}
    assert fired(_no_beacon) == {"log/stage_seed_not_from_the_chain"}


@doctored_folder
def _imported(cup: Path) -> None:
    path = cup / "stages/0002/tournament.jsonl"
    start, *rest = factories.loads(path.read_bytes())
    del start["seed_commitment"]
    path.write_bytes(sealed([start | {"source": "imported"}, *rest], ""))


def test_stage_without_a_seed_of_its_tournament() -> None:
    """A stage whose tournament hides its seed as an imported one is found."""
    assert "log/stage_seed_not_from_the_chain" in fired(_imported)
