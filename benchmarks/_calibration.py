"""The machine of a run, and the time of two fixed works on it, to compare machines."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import orjson

from benchmarks.measure import in_turn, medians

LOOP = 1_000_000
"""Additions and remainders of the loop in pure Python."""

ITEMS = 50_000
"""Objects of the JSON text, of about 60 bytes each."""

ROUNDS = 5
CPU_INFO = Path("/proc/cpuinfo")


def machine() -> dict[str, object]:
    """Return the facts about this machine that a report of a benchmark has."""
    return {
        "processor": processor(),
        "processors": len(os.sched_getaffinity(0)),
        "system": platform.platform(),
        "python": platform.python_version(),
    }


def processor() -> str:
    """Return the model of the processor, or its architecture if the system does not name it."""
    lines = CPU_INFO.read_text().splitlines() if CPU_INFO.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.machine())


def calibration() -> dict[str, float]:
    """Return the median milliseconds of the works ``loop`` and ``orjson``, measured in turn."""
    text = orjson.dumps([{"seq": n, "type": "answered", "output": "x" * 20} for n in range(ITEMS)])
    taken = medians(in_turn({"loop": loop, "orjson": lambda: orjson.loads(text)}, ROUNDS))
    return {name: 1000 * seconds for name, seconds in taken.items()}


def loop() -> int:
    """Run a fixed loop of pure Python."""
    total = 0
    for number in range(LOOP):
        total += number % 7
    return total
