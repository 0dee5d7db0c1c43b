"""Dice per second: one at a time, in bulk, and in SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256

import duckdb

from audit.loading.models import SQL
from benchmarks.measure import Figure, in_turn, medians, times
from schema.dice import Dice

SIZE = 500_000
"""Dice of each kind; SQL uses all processors."""

QUICK = 100_000

SEED = "00" * 32


def run(size: int) -> Iterator[Figure]:
    """Measure single dice, bulk dice and dice in SQL, each against SHA-256 alone."""
    dice = Dice(SEED)
    labels = [f"game/{number}/success/4" for number in range(size)]
    connection = duckdb.connect()
    connection.execute((SQL / "dice.sql").read_text())
    connection.execute(
        "CREATE TABLE dice AS SELECT 'game/' || n || '/success/4' AS label FROM range(?) t(n)",
        [size],
    )

    def hashed() -> None:
        for label in labels:
            sha256(f"{SEED}:{label}".encode()).hexdigest()

    def single() -> None:
        for label in labels:
            dice.below(label, 10)

    def bulk() -> None:
        dice.bulk("rabble", size)

    def in_sql(aggregate: str) -> None:
        connection.execute(f"SELECT {aggregate} FROM dice", [SEED]).fetchall()

    works: dict[str, Callable[[], None]] = {
        "hashlib alone": hashed,
        "DuckDB's sha256 alone": partial(in_sql, "max(sha256(? || ':' || label))"),
        "single": single,
        "bulk": bulk,
        "sql": partial(in_sql, "max(die_word(?, label))"),
    }
    rates = {name: size / seconds for name, seconds in medians(in_turn(works)).items()}
    for name, hash, goal in (
        ("single", "hashlib alone", 0.67),
        ("bulk", "hashlib alone", 1.7),
        ("sql", "DuckDB's sha256 alone", 0.8),
    ):
        yield Figure(f"{name} dice", rates[name], "1/s", hash, rates[hash], (times(goal),))
