"""The dice in SQL are those of schema.dice."""

from __future__ import annotations

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from schema.dice import Dice
from tests.sampling import LONG_RUN

SEEDS = st.text("0123456789abcdef", min_size=64, max_size=64)
LABELS = st.text(min_size=1, max_size=30).filter(str.isprintable)
BOUNDS = st.integers(1, 2**52)


@settings(max_examples=200 if LONG_RUN else 40)
@given(seed=SEEDS, label=LABELS, a=BOUNDS, b=BOUNDS, draw=st.integers(0, 11))
def test_a_die_in_sql_is_the_same(
    macros: duckdb.DuckDBPyConnection, seed: str, label: str, a: int, b: int, draw: int
) -> None:
    """Words, integers below a bound, chances and bulk draws are equal for any label."""
    dice = Dice(seed)
    row = macros.execute(
        "SELECT die_word($s, $l), die_below($s, $l, $a), die_chance($s, $l, $a, $b), "
        "die_bulk($s, $l, $draw)",
        {"s": seed, "l": label, "a": a, "b": b, "draw": draw},
    ).fetchone()
    bulk = dice.bulk(label, 12)
    assert row == (dice.word(label), dice.below(label, a), dice.chance(label, a, b), bulk[draw])


@given(seed=SEEDS, label=LABELS)
def test_a_chance_in_sql_ends_where_the_die_begins(
    macros: duckdb.DuckDBPyConnection, seed: str, label: str
) -> None:
    """A die is below a chance, never equal to it."""
    dice = Dice(seed)
    word = dice.word(label)
    for a in (word, word + 1):
        row = macros.execute(
            "SELECT die_chance($s, $l, $a, $b)", {"s": seed, "l": label, "a": a, "b": 2**52}
        ).fetchone()
        assert row == (dice.chance(label, a, 2**52),) == (a > word,)


@given(seed=SEEDS, label=LABELS, items=st.lists(LABELS, unique=True, max_size=20))
def test_a_shuffle_in_sql_is_the_same(
    macros: duckdb.DuckDBPyConnection, seed: str, label: str, items: list[str]
) -> None:
    """Items ordered by their shuffle key are in the order of the dice."""
    rows = macros.execute(
        "SELECT item FROM (SELECT unnest($items::VARCHAR[]) AS item) "
        "ORDER BY shuffle_key($s, $l, item)",
        {"items": items, "s": seed, "l": label},
    ).fetchall()
    assert [item for (item,) in rows] == Dice(seed).shuffle(label, items)
