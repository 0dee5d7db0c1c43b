"""A bot's bytes in JSON: all bytes are written to fields and read back unchanged."""

from __future__ import annotations

import binascii

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schema.bot_output import CAP, CHANNELS, from_fields, to_fields


@given(st.dictionaries(st.sampled_from(CHANNELS), st.binary()))
@example({"output": b"\xff", "appended": "ü\u2028\0".encode(), "file": b""})
def test_any_bytes_come_back(channels: dict[str, bytes]) -> None:
    """The bytes of a channel are read back unchanged, and no channel is added."""
    assert from_fields(to_fields(channels)) == channels


@given(st.binary())
def test_text_stays_readable(written: bytes) -> None:
    """Valid UTF-8 is kept as text and anything else as base64, and never both."""
    try:
        expected = {"output": written.decode()}
    except UnicodeDecodeError:
        assert list(to_fields({"output": written})) == ["output_base64"]
    else:
        assert to_fields({"output": written}) == expected


@given(st.permutations(CHANNELS), st.binary(), st.binary(), st.binary())
def test_fields_come_in_declared_order(
    order: list[str], one: bytes, two: bytes, three: bytes
) -> None:
    """The fields are in declared order, whatever the order of the channels."""
    fields = to_fields(dict(zip(order, (one, two, three), strict=True)))
    assert [name.removesuffix("_base64") for name in fields] == list(CHANNELS)


@pytest.mark.parametrize("size", [CAP - 1, CAP, CAP + 1, 3 * CAP])
@pytest.mark.parametrize("unit", [b"x", b"\xff", "ü".encode()])
def test_the_cap_is_kept_and_said(size: int, unit: bytes) -> None:
    """At most 64 KiB of a channel are kept, and only a longer channel is called cut."""
    written = (unit * size)[:size]
    fields = to_fields({"output": written, "appended": b"I\n"})
    kept = from_fields({name: fields[name] for name in fields if name != "cut"})
    assert kept == {"output": written[:CAP], "appended": b"I\n"}
    assert fields.get("cut") == (["output"] if size > CAP else None)


@given(
    st.dictionaries(st.sampled_from(CHANNELS), st.sampled_from([0, 1, CAP, CAP + 1, CAP + 99])),
    st.sampled_from([b"x", b"\xff", "ü".encode()]),
)
def test_fields_are_the_same_when_written_again(sizes: dict[str, int], unit: bytes) -> None:
    """Fields that are read and written again are unchanged, also if they were cut."""
    fields = to_fields({channel: (unit * size)[:size] for channel, size in sizes.items()})
    assert to_fields(from_fields(fields)) == fields


def test_a_character_cut_in_two_is_kept() -> None:
    """If the limit falls inside a character, the first half of the character is kept."""
    fields = to_fields({"output": b"x" * (CAP - 1) + "ü".encode()})
    assert list(fields) == ["output_base64", "cut"]
    assert from_fields(fields)["output"][:CAP] == b"x" * (CAP - 1) + b"\xc3"


def test_no_base64_is_refused() -> None:
    """Invalid base64 raises ValueError."""
    for text in ("=", "a", "****", "YQ=", "YQ==\n"):
        with pytest.raises(binascii.Error):
            from_fields({"output_base64": text})
