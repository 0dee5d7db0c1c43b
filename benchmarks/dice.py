"""Dice per second: one at a time, in bulk, and in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256

import duckdb

from audit.tables import SQL
from benchmarks.measure import Figure, at_least, in_turn, medians
from schema.dice import Dice

SIZE = 300_000
"""Dice of each kind."""

SEED = "00" * 32


def run(size: int) -> Iterator[Figure]:
    """Single dice, bulk dice and dice in SQL, each against the hash alone, done there."""
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

    def in_sql(aggregate: str) -> None:
        connection.execute(f"SELECT {aggregate} FROM range(?) t(n)", [SEED, size]).fetchall()

    works: dict[str, Callable[[], None]] = {
        "hashlib alone": hashed,
        "DuckDB's sha256 alone": partial(in_sql, "max(sha256(? || ':game/' || n || '/success/4'))"),
        "single": single,
        "bulk": bulk,
        "sql": partial(in_sql, "sum(die_word(?, 'game/' || n || '/success/4'))"),
    }
    rates = {name: size / seconds for name, seconds in medians(in_turn(works)).items()}
    for name, hash, goal in (
        ("single", "hashlib alone", 1.4e6),
        ("bulk", "hashlib alone", 4.5e6),
        ("sql", "DuckDB's sha256 alone", 3e6),
    ):
        yield Figure(f"{name} dice", rates[name], "1/s", hash, rates[hash], (at_least(goal),))
