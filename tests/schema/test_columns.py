"""Columns of text in a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from schema.columns import padded, width

TEXT = st.text(st.characters(categories=["L", "M", "N", "P", "S", "Zs"]))


def test_the_width_of_characters() -> None:
    """Most characters take one column, ideographs and pictures two, combining marks none."""
    assert [width(text) for text in ("", "abc", "Ünï", "漢字", "🦊", "e\u0301")] == [
        *(0, 3, 3, 4, 2, 1)
    ]


@given(TEXT, st.integers(0, 40), st.booleans())
def test_padded_text_has_the_width(text: str, columns: int, right: bool) -> None:
    """Spaces fill the columns on the chosen side, and nothing is cut."""
    result = padded(text, columns, right)
    spaces = " " * (columns - cell_len(text))
    assert result == (spaces + text if right else text + spaces)
