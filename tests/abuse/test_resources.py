"""Bots that take all the resources they can get."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from referee.sandbox import cgroup
from tests.abuse.parties import SCRIPTS, Bait, are_contained, each_party

COUNTED = ("resources/memory_in_files", "resources/memory_in_many_processes")
"""Bots whose memory only cgroups can count."""

COSTLY = ("resources/cpu_loop", "resources/ignore_sigxcpu", "resources/memory_bomb", *COUNTED)
"""Bots that keep the machine busy for a while: each plays one of the games for scripts."""


@each_party("resources", alone=COSTLY)
def test_a_glutton(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot's resources are freed, and the next decision and match have enough."""
    if level == "sandbox" and names[0] in COUNTED and not cgroup.has_cgroup():
        pytest.skip("without cgroups, memory is limited for each process alone")
    games = SCRIPTS[:1] if names[0] in COSTLY else SCRIPTS
    are_contained(names, level, bait, *games)
