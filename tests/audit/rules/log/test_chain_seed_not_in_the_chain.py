"""The rule ``log/chain_seed_not_in_the_chain``."""

from __future__ import annotations

from tests.audit.contests import doctored, fired

_AS_HELD = doctored(lambda events: None)
_OTHER_HEAD = doctored(lambda events: events[0].update(seed_commitment="ab" * 32))


def test_chain_seed_not_in_the_chain() -> None:
    """A chain that does not lead to the head is found; a contest as it was held is clean."""
    assert fired(_AS_HELD) == set()
    assert fired(_OTHER_HEAD) == {"log/chain_seed_not_in_the_chain"}
