"""File names for hostile names: distinct, and safe on every file system and in every URL."""

from __future__ import annotations

import re
import string
from pathlib import PurePosixPath
from urllib.parse import quote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from report.site.names import RESERVED, file_name, pair_name, safe_path
from report.site.site_links import bot_path, list_path, match_path, pair_path

HOSTILE = (
    *("../../etc/passwd", "..", ".", "", "a/b", "a\\b", "nul\0", "CON", "con", "con.txt", "Com1"),
    *("\u202etxt.exe", "x" * 10_000, "ducal", "Ducal", "DUCAL", "ducal.2", "index", "list", "-x"),
    *("ﬁ", "fi", "é", "e\u0301", "ducal~taxman", "a b", "<b>", "%2e%2e", "aux.", "trailing ", "_"),
)

NAMES = st.text(max_size=60) | st.sampled_from(HOSTILE)
NEAR = st.text(alphabet="aAbB1-_.~", max_size=4)


@given(NAMES | NEAR, NAMES | NEAR)
def test_different_names_have_different_file_names(name: str, other: str) -> None:
    """The file name is injective, also where a file system folds case."""
    same = file_name(name).casefold() == file_name(other).casefold()
    assert same == (name == other)


@given(NAMES | NEAR)
def test_a_file_name_is_safe_everywhere(name: str) -> None:
    """It has nothing for a path, a URL or Windows to interpret, and fits in a name."""
    safe = file_name(name)
    assert re.fullmatch(r"[a-z0-9][a-z0-9_-]*(\.[0-9a-f]{32})?", safe)
    assert quote(safe) == safe
    assert safe.partition(".")[0] not in RESERVED
    assert len(f"{safe}~{safe}.100.html") < 255


@pytest.mark.parametrize("name", ["con", "aux", "nul", "com1", "lpt9", "index"])
def test_a_reserved_name_is_replaced(name: str) -> None:
    """A bot with the name of a device of Windows, or of a folder's own page, has a file."""
    assert file_name(name).startswith("named.")


@given(NAMES | NEAR, NAMES | NEAR, NAMES | NEAR)
def test_no_two_pages_have_one_path(name: str, other: str, third: str) -> None:
    """Pages of bots, their further pages, and those of pairings and matches never meet."""
    names = {name, other, third}
    paths = [
        *(bot_path(one, page) for one in names for page in (1, 2)),
        *(f"{match_path(one)}.html" for one in names),
        *(pair_path(pair, page) for pair in _pairs(names) for page in (1, 2)),
        *(list_path(page) for page in (1, 2)),
    ]
    assert len({path.casefold() for path in paths}) == len(paths)


def test_bytes_that_are_not_utf_8_have_names() -> None:
    """A folder's name may have such bytes."""
    assert len({*map(file_name, ("\udcfe", "\udcff", "?"))}) == 3


def test_a_pair_has_one_name_in_any_order() -> None:
    """The order of the seats does not matter."""
    assert pair_name("fox", "Owl") == pair_name("Owl", "fox")


def _pairs(names: set[str]) -> set[str]:
    ordered = sorted(names)
    pairs = {(one, two) for one in ordered for two in ordered if one < two}
    made = {pair_name(*pair) for pair in pairs}
    assert len(made) == len(pairs)
    return made


@pytest.mark.parametrize("path", ["matches/1-000017.jsonl", "evidence/1-000000.jsonl"])
def test_an_ordinary_log_keeps_its_path(path: str) -> None:
    """The raw logs of a tournament have the paths that ``koth verify`` expects."""
    assert safe_path(path) == path
    assert safe_path("tournament.jsonl") == "tournament.jsonl"


@given(st.lists(st.text(alphabet=string.printable.replace("/", ""), min_size=1), min_size=1))
def test_a_path_stays_below_its_folder(parts: list[str]) -> None:
    """No part of a path leads upwards."""
    path = "/".join(parts)
    assume(PurePosixPath(path).parts)
    assert ".." not in safe_path(path).split("/")


def test_a_suffix_within_a_name_remains_a_part_of_it() -> None:
    """Two files whose names begin alike have two paths."""
    paths = ["a.jsonl", "a.jsonl.zst", "a", "a.jsonl.jsonl"]
    assert len({*map(safe_path, paths)}) == len(paths)


def test_a_long_name_is_cut() -> None:
    """A name of any length has a file name that file systems take, with its beginning.

    A plain name of 40 characters is its own.
    """
    assert file_name("x" * 40) == "x" * 40
    assert file_name("x" * 41) != "x" * 41
    assert re.fullmatch(r"x{40}\.[0-9a-f]{32}", file_name("X" * 10_000))
