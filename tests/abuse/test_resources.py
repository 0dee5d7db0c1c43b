"""Bots that take all the resources they can get."""

from __future__ import annotations

import pytest

from referee.sandbox import cgroup
from tests.abuse.playing import SCRIPTS, Bait, each_bot, is_contained

TOGETHER = ("memory_in_files", "memory_in_many_processes")
"""Bots whose memory only cgroups can count."""

COSTLY = ("cpu_loop", "ignore_sigxcpu", "memory_bomb", *TOGETHER)
"""Bots that keep the machine busy for a while: each plays one of the games for scripts."""


@each_bot("resources")
def test_a_glutton(name: str, level: str, verdict: str, bait: Bait) -> None:
    """The bot's resources are freed, and the next decision and match have enough."""
    if level == "sandbox" and name.endswith(TOGETHER) and not cgroup.has_cgroup():
        pytest.skip("without cgroups, memory is limited for each process alone")
    games = SCRIPTS[:1] if name.endswith(COSTLY) else SCRIPTS
    is_contained(name, level, verdict, bait, *games)
