"""The text macros in SQL do what Python does."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

CHARACTERS = st.sampled_from("aäÄ😀_'\"\n")
TEXTS = st.text(CHARACTERS, max_size=9)


def said(macros: duckdb.DuckDBPyConnection, expression: str, **parameters: object) -> Any:
    """The value of an expression."""
    row = macros.execute(f"SELECT {expression}", parameters).fetchone()
    assert row
    return row[0]


@given(text=TEXTS, c=CHARACTERS)
def test_texts_are_taken_apart_as_python_does(
    macros: duckdb.DuckDBPyConnection, text: str, c: str
) -> None:
    """The characters of a text, also in order; how often one is in it; the text without one."""
    assert said(macros, "characters($text)", text=text) == list(text)
    assert said(macros, "sorted($text)", text=text) == sorted(text)
    assert said(macros, "occurrences($text, $c)", text=text, c=c) == text.count(c)
    assert said(macros, "without($text, $c)", text=text, c=c) == text.replace(c, "", 1)


def test_nothing_is_in_every_text(macros: duckdb.DuckDBPyConnection) -> None:
    """A text without no character at all, which a forged log may name, is the same text."""
    assert said(macros, "without('abc', '')") == "abc"


def test_a_value_in_a_finding(macros: duckdb.DuckDBPyConnection) -> None:
    """Text is in quotes, with its line breaks visible; a missing value is "nothing"."""
    assert said(macros, "shown($text)", text='a\n"b"') == r'"a\n\"b\""'
    assert said(macros, "shown(NULL::VARCHAR)") == "nothing"


@pytest.mark.parametrize(
    ("match", "attempt"),
    [("1-000001", 1), (f"{2**63 - 1}-000001", 2**63 - 1), (f"{2**63}-000001", None), ("x-1", None)],
)
def test_the_attempt_of_a_match(
    macros: duckdb.DuckDBPyConnection, match: str, attempt: int | None
) -> None:
    """It is the number before the hyphen, if that fits an integer of 64 bits."""
    assert said(macros, "attempt_of($match)", match=match) == attempt


def test_the_folder_of_a_stage(macros: duckdb.DuckDBPyConnection) -> None:
    """Its number has four digits, or more if it needs them."""
    assert said(macros, "stage_folder('spring', 7)") == "spring/stages/0007"
    assert said(macros, "stage_folder('spring', 12345)") == "spring/stages/12345"
