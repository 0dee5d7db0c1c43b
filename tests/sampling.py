"""The thoroughness of tests: a sample in the suite, more cases in the long run (`make fuzz`)."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

FACTOR = int(os.environ.get("KOTH_FUZZ", "1"))
"""Factor by which the long run tries more cases than the suite."""

LONG_RUN = FACTOR > 1

left_to_the_long_run = pytest.mark.skipif(not LONG_RUN, reason="left to the long run, `make fuzz`")
"""Marks what the suite skips: more of the same kind as what it tries."""

left_to_the_wheel = pytest.mark.skipif(
    not LONG_RUN and (Path(__file__).parents[1] / "koth").is_dir(),
    reason="left to the built wheel, `make wheel-test`",
)
"""Marks what a reader does with an installed Koth: whole pages, typed from top to bottom."""


def is_sampled(name: str, share: int) -> bool:
    """Return whether the suite tries a case: one in ``share``, by the hash of its name."""
    return LONG_RUN or zlib.crc32(name.encode()) % share == 0


def one_in(share: int, cases: Mapping[str, Any]) -> list[Any]:
    """The cases by their names, as parameters; the suite tries one in ``share``."""
    return sampled(cases, [name for name in cases if is_sampled(name, share)])


def sampled(cases: Mapping[str, Any], suite: Iterable[str]) -> list[Any]:
    """The cases by their names, as parameters; the suite tries those that ``suite`` names.

    A case that has several values is a tuple.
    """
    tried = set(suite)
    assert tried <= cases.keys(), f"no such cases: {sorted(tried - cases.keys())}"
    return [
        pytest.param(
            *(values if isinstance(values, tuple) else (values,)),
            id=name,
            marks=() if name in tried else left_to_the_long_run,
        )
        for name, values in cases.items()
    ]
