"""The quick way to ``verified`` says so when, and only when, the strict and explaining way does."""

from __future__ import annotations

import random
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.smallest_unique import rules
from games.table import Ask, Fault, JointAsk
from replay import one_log, streaming_verify
from schema import seal
from schema.canonical import line
from schema.events import Answered
from schema.events import Fault as FaultEvent
from tests.factories import SEED, Events, Player, at_random, match_events, printed, sealed
from tests.games.unique_games import random_tournament
from tests.replay.log_factory import crash_match, hex_seed, illegal_match, random_match
from tests.sampling import LONG_RUN


def failing(otherwise: Player, every: int, replies: list[Any]) -> Player:
    """A player that gives one of ``replies`` every so many calls."""
    calls = iter(range(10**9))
    left = iter(replies * 100)

    def play(ask: Ask | JointAsk) -> Any:
        return next(left) if next(calls) % every == every - 1 else otherwise(ask)

    return play


BYTES = b"\xff\xfe"
FAILURES = [printed(BYTES), printed("x" * 70_000), Fault("crash", {"output": b"\x80"}), printed("")]


def heist(**given: Any) -> Events:
    """A short match of Bank Heist with all that a bot can do wrong."""
    player = failing(at_random(random.Random(3)), 7, FAILURES)
    return match_events(player, SEED, "bank_heist", 4, games_min=3, games_max=3, rabble=6, **given)


def void() -> Events:
    """A void match of Smallest Unique Number."""
    replies: dict[int, Any] = {seat: printed("3") for seat in range(10)}
    replies |= {5: Fault("timeout", during="select"), 6: printed(BYTES), 7: printed("11")}
    player = failing(at_random(random.Random(4)), 5, [replies])
    return match_events(player, SEED, "smallest_unique", 10, rounds=9)


MATCHES: dict[str, Callable[[], Events]] = {
    "coup": lambda: random_match(848),
    "illegal": illegal_match,
    "crash": crash_match,
    "coins": lambda: match_events(
        failing(at_random(random.Random(2)), 4, FAILURES), SEED, "coins", 3, rounds=4
    ),
    "bank heist": heist,
    "smallest unique": lambda: match_events(
        at_random(random.Random(5)), SEED, "smallest_unique", 10, rounds=9
    ),
    "void": void,
    "tournament": lambda: random_tournament(3).log,
}
SEEDS = {name: hex_seed(848) for name in ("coup", "illegal", "crash")} | {"tournament": hex_seed(3)}


@cache
def match(name: str) -> tuple[Events, str]:
    """One of MATCHES, with its seed."""
    return MATCHES[name](), SEEDS.get(name, SEED)


def agreed(path: Path, data: bytes) -> str:
    """The verdict on a log of these bytes, on which both ways agree."""
    path.write_bytes(data)
    ends = streaming_verify.verified(path)
    told, links = one_log.examine_strictly(path)
    assert (ends is not None) == (told.verdict == "verified"), told
    if ends is not None:
        assert one_log._verified(path, ends) == (told, links)
    return told.verdict


def resealed(body: bytes, seed: str) -> bytes:
    """Any bytes with a seal below them."""
    kind = "tournament" if b"tournament_started" in body else "match"
    end = {"type": f"{kind}_sealed", "seed": seed, "events": body.count(b"\n")}
    return body + line(body.count(b"\n"), end | {"sha256": seal.hex_digest(body)})


@pytest.mark.parametrize("name", MATCHES)
def test_a_sound_log_takes_the_quick_way(name: str, tmp_path: Path) -> None:
    """Fast verification accepts a log of a referee in one pass."""
    assert agreed(tmp_path / "log.jsonl", sealed(*match(name))) == "verified"


@pytest.mark.parametrize("name", MATCHES)
def test_no_chunk_changes_the_verdict(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log verifies wherever its chunks end, and a second seal below it is found."""
    data = sealed(*match(name))
    first, end = data.index(b"\n") + 1, data.rindex(b"\n", 0, -1) + 1
    monkeypatch.setattr(streaming_verify, "BATCH", 1)
    for chunk in (1, end - first, len(data) - first):
        monkeypatch.setattr(streaming_verify, "CHUNK", chunk)
        assert agreed(tmp_path / "log.jsonl", data) == "verified"
        assert agreed(tmp_path / "log.jsonl", data + data[end:]) == "corrupt"


FOREIGN: list[dict[str, object]] = [
    {"appended": "I"},
    {"appended": ""},
    {"appended_base64": "/w=="},
    {"file": "I"},
    {"file": "I", "cut": ["file"]},
    {"cut": ["appended"]},
    {"found": "a pipe"},
]
"""Fields of answers and faults that hold what only bots of the *file* protocol can do."""


MODELS = {"answered": Answered, "fault": FaultEvent}


@pytest.mark.parametrize("name", ["coins", "bank heist", "void", "illegal"])
def test_a_channel_that_its_protocol_has_not_diverges(name: str, tmp_path: Path) -> None:
    """A field that no bot of the game can write diverges in both kinds of verification."""
    events, seed = match(name)
    told: set[str] = set()
    for type, model in MODELS.items():
        seq = next(n for n, event in enumerate(events) if event["type"] == type)
        for fields in FOREIGN:
            if name == "illegal" and "file" not in fields:
                continue  # in Coup a bot may add to the history
            found = events[seq] | fields
            changed = [*events]
            changed[seq] = {key: found[key] for key in get_type_hints(model) if key in found}
            if changed != events:
                told.add(agreed(tmp_path / "log.jsonl", sealed(changed, seed)))
    assert told == {"diverged"}


OTHERS: list[object] = [
    True,
    False,
    None,
    0,
    1,
    -1,
    1.0,
    1.5,
    2**63,
    2**64 - 1,
    2**70,
    "",
    "1",
    "é",
    [],
    {},
    [1],
]


def places(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of everything in a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = []
    for key, one in inner:
        found.append((value, key))
        if isinstance(one, dict | list):
            found += places(one)
    return found


@pytest.mark.parametrize("name", MATCHES)
def test_no_other_value_anywhere_divides_them(name: str, tmp_path: Path) -> None:
    """Values that only compare as equal, or that no number may have, are seen for what they are."""
    events, seed = match(name)
    chance = random.Random(name)
    for _ in range(150):
        changed = deepcopy(events)
        container, key = chance.choice(places(chance.choice(changed)))
        was = container[key]
        container[key] = chance.choice(
            [*OTHERS, *([bool(was), float(was)] * 5 if isinstance(was, int) else [])]
        )
        try:
            data = sealed(changed, seed)
        except (orjson.JSONEncodeError, AttributeError):  # JSON has no such number; no kind of log
            continue
        agreed(tmp_path / "log.jsonl", data)


@pytest.mark.parametrize("other", [True, 1.0, 2**63, "1", None, [1]])
def test_a_choice_that_is_no_integer_is_corrupt(other: object, tmp_path: Path) -> None:
    """A carried answer is handed on by the rules as it is, so it must be what it seems."""
    events, seed = deepcopy(match("smallest unique")[0]), SEED
    choices = next(e["choices"] for e in events if 1 in e.get("choices", ()))
    choices[choices.index(1)] = other
    assert agreed(tmp_path / "log.jsonl", sealed(events, seed)) in ("corrupt", "diverged")
    if other != 2**63:
        assert agreed(tmp_path / "log.jsonl", sealed(events, seed)) == "corrupt"


@pytest.mark.parametrize(
    "carried",
    [
        [[1, True]],
        [[1, 2.0]],
        [[1, 1e16]],
        [[1, None]],
        [[1, "2"]],
        [[1, [2]]],
        [1, [[2]]],
        [[1], {}],
        [[1, {}]],
        [None],
        [(1, 2)],
    ],
)
def test_only_lists_of_integers_are_handed_on(carried: list[Any]) -> None:
    """Fast verification doubts a value that only resembles a list of integers."""
    streaming_verify._check_integers([[1, 10, -3], [], [2**63 - 1]])
    with pytest.raises(streaming_verify._Doubt):
        streaming_verify._check_integers(carried)


@pytest.mark.parametrize("key", ["seq", "type"])
def test_a_line_feed_between_inner_objects_is_found(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event may hold a list of objects that begin as a line or an event: it stays one line."""
    score = rules.score
    inner = {"more": [{key: 0}, {key: 1}]}
    monkeypatch.setattr(rules, "score", lambda *given: {**score(*given), **inner})
    data = sealed(match_events(at_random(random.Random(5)), SEED, "smallest_unique", 10, rounds=3))
    body = data[: data.rindex(b"\n", 0, -1) + 1]
    second = b'"%b":1}' % key.encode()
    for start in (b"{", b'{"seq":2,'):
        changed = body.replace(b",{" + second, b"\n" + start + second)
        assert changed != body
        (tmp_path / "log.jsonl").write_bytes(resealed(changed, SEED))
        assert streaming_verify.verified(tmp_path / "log.jsonl") is None
    if key == "type":  # such lines are not written in one step
        (tmp_path / "log.jsonl").write_bytes(data)
        assert streaming_verify.verified(tmp_path / "log.jsonl") is None


@pytest.mark.parametrize("name", MATCHES)
def test_no_event_is_changed_after_it_was_emitted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Events are written many at a time, so rules may not go on with what is in them."""
    kept: list[tuple[Any, Any]] = []
    receive = streaming_verify._Verification.receive

    def keep(quickly: Any, event: Any, clause: str) -> None:
        kept.append((event, deepcopy(event)))
        receive(quickly, event, clause)

    monkeypatch.setattr(streaming_verify._Verification, "receive", keep)
    assert agreed(tmp_path / "log.jsonl", sealed(*match(name))) == "verified"
    assert kept
    assert all(event == before for event, before in kept)


TOKENS = [
    b"true",
    b"1.0",
    b"1e0",
    b"-0",
    b" ",
    b"\n",
    b",",
    b'"',
    b"{",
    b"}",
    b"\\u0041",
    b"\\ud800",
]
TOKENS += [b"\xff", b"\xc3\xa9", b"00", b"18446744073709551616", b'"seat":0,', b"null", b"[]", b""]


@settings(
    max_examples=250 if LONG_RUN else 60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.sampled_from(list(MATCHES)),
    st.floats(0, 1, exclude_max=True),
    st.integers(0, 3),
    st.sampled_from(TOKENS) | st.binary(max_size=2),
    st.booleans(),
)
def test_no_other_bytes_divide_them(
    tmp_path: Path, name: str, at: float, gone: int, put: bytes, at_token: bool
) -> None:
    """Both kinds of verification agree after any bytes of a log are replaced and sealed again."""
    data = sealed(*match(name))
    body = data[: data.rindex(b"\n", 0, -1) + 1]
    place = int(at * len(body))
    if at_token:  # where a value begins
        place = body.find(b":", place) + 1
    new = body[:place] + put + body[place + gone :]
    for changed in (resealed(new, match(name)[1]), new + data[len(body) :]):
        agreed(tmp_path / "log.jsonl", changed)


@pytest.mark.parametrize("name", ["smallest unique", "bank heist", "tournament"])
def test_lines_and_keys_out_of_order_are_found(name: str, tmp_path: Path) -> None:
    """Lines that are joined, cut, exchanged or doubled, and keys in another order, are found."""
    events, seed = match(name)
    data = sealed(events, seed)
    body = data[: data.rindex(b"\n", 0, -1) + 1]
    lines = body.splitlines(keepends=True)
    reordered = [dict(reversed(event.items())) for event in events]
    for changed in (
        resealed(body.replace(b"}\n{", b"},{"), seed),
        resealed(body.replace(b',"', b'\n"'), seed),
        resealed(body.replace(b"}\n{", b"},{", 1).replace(b'},{"seat"', b'}\n{"seat"', 1), seed),
        resealed(b"".join([*lines[:3], lines[4], lines[3], *lines[5:]]), seed),
        resealed(b"".join([*lines[:3], lines[3], *lines[3:]]), seed),
        resealed(b"".join(lines[:-1]), seed),
        resealed(body + lines[-1], seed),
        resealed(body.replace(b"\n", b"\r\n"), seed),
        resealed(b"\xef\xbb\xbf" + body, seed),
        sealed([*reordered[:1], *events[1:]], seed),
        sealed([*events[:-1], reordered[-1]], seed),
        sealed([*events[:3], reordered[3], *events[4:]], seed),
        body,
        data + b"\n",
        data + data,
        data.replace(seed.encode(), hex_seed(1).encode()),
        data.replace(b"_sealed", b"_finished"),
        data.replace(b"match_sealed", b"no_sealed").replace(b"tournament_s", b"match_s"),
        b"",
        b"\n",
        lines[0],
    ):
        assert agreed(tmp_path / "log.jsonl", changed) != "verified", changed[:1000]


def test_a_log_of_many_chunks_is_read_to_its_end(tmp_path: Path) -> None:
    """In a log much longer than a chunk a change is found wherever it is."""
    events = match_events(at_random(random.Random(6)), SEED, "smallest_unique", 10, rounds=1_500)
    data = sealed(events)
    assert len(data) > 3 * streaming_verify.CHUNK
    assert agreed(tmp_path / "log.jsonl", data) == "verified"
    body = data[: data.rindex(b"\n", 0, -1) + 1]
    for chunk in range(len(body) // streaming_verify.CHUNK + 1):
        for place in range(
            chunk * streaming_verify.CHUNK - 60, chunk * streaming_verify.CHUNK + 200, 37
        ):
            if 400 < place < len(body) and 48 < body[place] < 57:  # a digit
                new = body[:place] + bytes([body[place] + 1]) + body[place + 1 :]
                assert agreed(tmp_path / "log.jsonl", new + data[len(body) :]) == "corrupt"
                agreed(tmp_path / "log.jsonl", resealed(new, SEED))


def test_a_long_answer_is_ahead_of_its_chunk(tmp_path: Path) -> None:
    """Questions that are put together are answered from as far ahead as their answers lie."""
    player = failing(at_random(random.Random(7)), 2, [printed("y" * 70_000)])
    events = match_events(player, SEED, "bank_heist", 9, games_min=2, games_max=2, rabble=0)
    assert agreed(tmp_path / "log.jsonl", sealed(events)) == "verified"


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("coup", "games.coup.rules.observation"),
        ("coins", "games.coins.rules.observation"),
        ("bank heist", "games.bank_heist.rules.observation"),
        ("bank heist", "games.bank_heist.rules.figures"),
    ],
)
def test_no_observation_is_made(
    name: str, function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fast verification makes no observation, because nothing but a bot's answer depends on it."""
    (tmp_path / "log.jsonl").write_bytes(sealed(*match(name)))
    monkeypatch.setattr(function, lambda *arguments: pytest.fail("it is made"))
    assert streaming_verify.verified(tmp_path / "log.jsonl") is not None


def test_white_space_without_end_is_refused(tmp_path: Path) -> None:
    """Lines in which there is nothing, however long, do not keep the verifier busy."""
    data = sealed(*match("smallest unique"))
    first = data.index(b"\n") + 1
    blank = (b" " * streaming_verify.CHUNK + b"\n") * 1_100
    assert agreed(tmp_path / "log.jsonl", resealed(data[:first] + blank, SEED)) == "corrupt"


def test_what_is_no_file_is_left_to_the_reader(tmp_path: Path) -> None:
    """A folder, and a file that is not there, are no reason to fail."""
    assert streaming_verify.verified(tmp_path) is None
    assert streaming_verify.verified(tmp_path / "none.jsonl") is None
