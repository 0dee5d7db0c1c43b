"""``--jobs``: work in several processes is the same work."""

from __future__ import annotations

import os

import pytest

from koth.progress import counted
from koth.workers import WorkerError, workers


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs: int) -> None:
    """However many processes work, results come in the order of the items."""
    with workers(jobs) as each:
        assert list(each(abs, range(-20, 0))) == list(range(20, 0, -1))


def test_a_worker_that_dies_is_an_error() -> None:
    """When a process dies, that is said, and nothing hangs."""
    with pytest.raises(WorkerError, match="a worker process died"), workers(2) as each:
        list(each(os._exit, [3]))


def test_an_error_in_a_worker_is_the_same_error_here() -> None:
    """What goes wrong in a process is raised where its result is taken."""
    with pytest.raises(ValueError, match="invalid literal"), workers(2) as each:
        list(each(int, ["1", "one"]))


def test_progress_counts_results() -> None:
    """Progress hears of every result, of how many."""
    heard: list[tuple[int, int]] = []
    each = counted(map, lambda done, total: heard.append((done, total)))
    assert list(each(abs, [-1, -2])) == [1, 2]
    assert heard == [(1, 2), (2, 2)]
