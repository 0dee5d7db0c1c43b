"""Bots that leave something for their next decision or match.

The tests of a file run one after the other. These must: both need descriptors in transit, of which
the bots of an ordinary user share a quota.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.protocols import workspace
from tests.abuse.parties import SCRIPTS, Bait, are_contained, each_party
from tests.referee.test_sandbox import once, seated
from tests.referee.test_warm import SEEDS, make


@each_party("collusion")
def test_a_hoarder(names: Sequence[str], level: str, bait: Bait) -> None:
    """The bot finds nothing of the things that it left."""
    are_contained(names, level, bait, *SCRIPTS)


@pytest.mark.usefixtures("sandboxes")
@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_descriptors_on_their_way_are_no_others_business(level: str) -> None:
    """A bot that sends many descriptors does not disturb other bots, nor their start.

    They are more than a bot of an ordinary user can send, which is 256. Many thousands of root's
    would take messages from its processes without capabilities, such as those of a browser.
    """
    sends = make(
        "import array, socket, sys, time\n"
        "a, b = socket.socketpair()\n"
        "rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [0] * 100))]\n"
        "try:\n    for _ in range(10): a.sendmsg([b'x'], rights)\n"
        "except OSError:\n    print('full', flush=True)\n"
        "time.sleep(60)\n"
    )
    with workspace.open_workspace(sends, seated(level, limit=2)) as place:
        serving = threading.Thread(target=place.run, args=(SEEDS[0], ()))
        serving.start()
        time.sleep(0.5)
        others = [
            once(replace(make("print(1)"), name=f"fox-{number}"), level=level)
            for number in range(3)
        ]
        serving.join()
    assert [other.output for other in others] == [b"1\n"] * 3
