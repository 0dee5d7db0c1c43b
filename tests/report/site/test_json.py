"""The stand-in for orjson reads and writes what orjson does, and fails in its words."""

from __future__ import annotations

import math
from pathlib import Path
from types import ModuleType

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.site.stand_ins import orjson as own
from tests.sampling import is_sampled

TESTS = Path(__file__).parents[2]
LOGS = [
    log
    for log in [*sorted(TESTS.glob("corpus/*/**/*.jsonl")), *sorted(TESTS.glob("golden/*/*.jsonl"))]
    if log.is_file()
]

PIECES = (
    *'{}[],:"-0.+eE\\ \n\t1x',
    *('"a"', "1.5", "1e5", "1e999", "true", "tru", "null", "nan", "NaN", "Infinity", "é", "\ufeff"),
    *("\\u00e9", "\\ud83d", "\\udc00", "\\u12", "18446744073709551616", "-9223372036854775809"),
    *("\x01", "[[", "/*", "01"),
)
"""Parts of documents, many of which are not JSON."""

NUMBERS = st.integers(-(1 << 65), 1 << 65) | st.floats()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


def loaded(module: ModuleType, data: bytes) -> tuple[str, str]:
    """Return the value of a document, or the error."""
    try:
        return "value", repr(module.loads(data))
    except module.JSONDecodeError as error:
        return "error", str(error)


def dumped(module: ModuleType, value: object) -> bytes | str:
    """Return the JSON of a value, or the error."""
    try:
        return bytes(module.dumps(value))
    except module.JSONEncodeError as error:
        return str(error)


@given(st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_a_document_of_pieces(text: str) -> None:
    """Any text is the same value, or has the same error at the same place."""
    data = text.encode()
    assert loaded(own, data) == loaded(orjson, data)


@given(st.binary(max_size=8).map(lambda data: b'["' + data + b'"]'))
def test_a_document_of_bytes(data: bytes) -> None:
    """Bytes that are not UTF-8, and control characters, are refused in the same words."""
    assert loaded(own, data) == loaded(orjson, data)


@given(VALUES)
def test_a_value(value: object) -> None:
    """Any value has the same JSON, or the same reason to have none."""
    assert dumped(own, value) == dumped(orjson, value)


@given(st.floats(), st.integers(-25, 25))
def test_a_float(number: float, exponent: int) -> None:
    """Floats of every size are written alike."""
    mantissa, _ = math.frexp(number) if math.isfinite(number) else (number, 0)
    for value in (number, mantissa * 10.0**exponent):
        assert dumped(own, value) == dumped(orjson, value)


@pytest.mark.parametrize(
    ("head", "close"),
    [("[", "]"), ('{"a":', "}"), ('["]",', "]"), ('["\\\\",', "]"), ('["\\"[",', "]")],
)
@pytest.mark.parametrize("levels", [253, 254, 255, 900, 1025])
def test_deep_documents(head: str, close: str, levels: int) -> None:
    """Reading stops below 1,024 levels, writing below 254; strings have no levels."""
    data = (head * levels + "1" + close * levels).encode()
    for module in (own, orjson):
        if levels > own.MAX_LOADED:
            with pytest.raises(module.JSONDecodeError, match="depth limit exceeded"):
                module.loads(data)
        elif levels > own.MAX_DUMPED:
            assert dumped(module, module.loads(data)) == "Recursion limit reached"
        else:
            assert dumped(module, module.loads(data)) == data


@pytest.mark.parametrize(
    "log", [log for log in LOGS if is_sampled(str(log.relative_to(TESTS)), 40)],
    ids=lambda log: str(log.relative_to(TESTS)),
)  # fmt: skip
def test_lines_of_logs(log: Path) -> None:
    """Each line of the golden logs and of the corpus is read and written alike."""
    for line in log.read_bytes().split(b"\n"):
        actual, expected = loaded(own, line), loaded(orjson, line)
        assert actual == expected
        if expected[0] == "value":
            assert dumped(own, own.loads(line)) == dumped(orjson, orjson.loads(line))
