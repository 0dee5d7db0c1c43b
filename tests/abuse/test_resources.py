"""Bots that take all that there is."""

from __future__ import annotations

import pytest

from referee.sandbox import cgroup
from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained

TOGETHER = ("memory_in_files", "memory_in_many_processes")
"""What they take is counted by cgroups alone."""

COSTLY = ("cpu_loop", "ignore_sigxcpu", "memory_bomb", *TOGETHER)
"""Their harm takes the machine itself a while: one of the games in which scripts play must do."""


@each_bot("resources")
def test_a_glutton(name: str, level: str, verdict: str, bait: Bait) -> None:
    """What it takes it gives back; the next decision and the next match have all they need."""
    if level == "sandbox" and name.endswith(TOGETHER) and not cgroup.has_cgroup():
        pytest.skip("without cgroups, memory is limited for each process alone")
    games = SCRIPTS[:1] if name.endswith(COSTLY) else SCRIPTS
    is_contained(name, level, verdict, bait, *games)
