"""The rule ``log/chain_seed_not_in_the_chain``."""

from __future__ import annotations

from tests.audit.contests import found
from tests.contests import Events


def _change(events: Events) -> None:
    events[0]["seed_commitment"] = "ab" * 32


def test_chain_seed_not_in_the_chain() -> None:
    """A chain that does not lead to the head is found; a contest as it was held is clean."""
    assert found(lambda events: None) == set()
    assert found(_change) == {"log/chain_seed_not_in_the_chain"}
