"""Dice per second: one at a time, in bulk, and in SQL."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

import duckdb

from audit.tables import SQL
from benchmarks.measure import Figure, at_least, in_turn, medians
from schema.dice import Dice

SIZE = 300_000
"""Dice of each kind."""

SEED = "00" * 32


def run(size: int) -> Iterator[Figure]:
    """Single dice, bulk dice and dice in SQL, against the hash alone."""
    dice = Dice(SEED)
    connection = duckdb.connect(config={"threads": 1})
    connection.execute((SQL / "dice.sql").read_text())

    def hashed() -> None:
        for number in range(size):
            sha256(f"{SEED}:game/{number}/success/4".encode()).hexdigest()

    def single() -> None:
        for number in range(size):
            dice.below(f"game/{number}/success/4", 10)

    def bulk() -> None:
        dice.bulk("rabble", size)

    def sql() -> None:
        connection.execute(
            "SELECT sum(die_word(?, 'game/' || n || '/success/4')) FROM range(?) t(n)",
            [SEED, size],
        ).fetchall()

    taken = medians(in_turn({"hash": hashed, "single": single, "bulk": bulk, "sql": sql}))
    rates = {name: size / seconds for name, seconds in taken.items()}
    goals = {"single": 1.4e6, "bulk": 4.5e6, "sql": 3e6}
    for name, goal in goals.items():
        yield Figure(
            f"{name} dice", rates[name], "1/s", "hashlib alone", rates["hash"], (at_least(goal),)
        )
