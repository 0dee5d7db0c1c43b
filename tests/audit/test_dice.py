"""The dice in SQL are those of schema.dice."""

from __future__ import annotations

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from schema.dice import Dice
from tests.sampling import LONG_RUN

SEEDS = st.text("0123456789abcdef", min_size=64, max_size=64)
PRINTABLE = st.characters(exclude_categories=("C", "Z"), include_characters=" ")
LABELS = st.text(PRINTABLE, min_size=1, max_size=30)
BOUNDS = st.integers(1, 2**52)
CASES = st.lists(
    st.tuples(SEEDS, LABELS, BOUNDS, BOUNDS, st.integers(0, 11)), min_size=8, max_size=8
)
"""Eight dice for one query, which takes DuckDB longer to plan than to run."""


@settings(max_examples=25 if LONG_RUN else 5)
@given(cases=CASES)
def test_a_die_in_sql_is_the_same(
    macros: duckdb.DuckDBPyConnection, cases: list[tuple[str, str, int, int, int]]
) -> None:
    """Words, integers below a bound, chances and bulk draws are equal for any label."""
    rows = macros.execute(
        "SELECT die_word(c.s, c.l), die_below(c.s, c.l, c.a), die_chance(c.s, c.l, c.a, c.b), "
        "die_bulk(c.s, c.l, c.draw) FROM (SELECT unnest($cases) AS c)",
        {"cases": [dict(zip(("s", "l", "a", "b", "draw"), case, strict=True)) for case in cases]},
    ).fetchall()
    for row, (seed, label, a, b, draw) in zip(rows, cases, strict=True):
        dice = Dice(seed)
        bulk = dice.bulk(label, 12)
        assert row == (dice.word(label), dice.below(label, a), dice.chance(label, a, b), bulk[draw])


@given(seed=SEEDS, label=LABELS)
def test_a_chance_in_sql_ends_where_the_die_begins(
    macros: duckdb.DuckDBPyConnection, seed: str, label: str
) -> None:
    """A die is below a chance, never equal to it."""
    word, most = Dice(seed).word(label), 2**52
    row = macros.execute(
        "SELECT die_chance($s, $l, $word, $most), die_chance($s, $l, $word + 1, $most)",
        {"s": seed, "l": label, "word": word, "most": most},
    ).fetchone()
    assert row == (False, True)
    assert row == tuple(Dice(seed).chance(label, a, most) for a in (word, word + 1))


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
