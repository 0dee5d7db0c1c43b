"""Everything that the strict reader refuses, with the line and the message."""

from __future__ import annotations

import codecs
import gzip
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest

from schema import registry
from schema.errors import CorruptLog, LogError, UnsupportedLog
from schema.reader import IncompleteLog, parse
from tests.factories import SEED, Events, sealed
from tests.schema import samples
from tests.schema.samples import changed_line, lines, sealed_lines


class Change(NamedTuple):
    """A change of ``old`` to ``new`` in ``line``, and the message that it causes."""

    name: str
    line: int
    old: bytes
    new: bytes
    says: str


def refused(data: bytes, kind: type[LogError], line: int, says: str) -> LogError:
    """Return the error for ``data``, which must have this kind, line and text."""
    with pytest.raises(LogError) as caught:
        parse(data, samples.PATH)
    error = caught.value
    assert type(error) is kind
    assert error.line == line
    assert str(error).startswith(f"{samples.PATH}:{line}: ")
    assert says in error.found
    assert not error.found.endswith(".")  # messages go on after it
    return error


LAYOUT = "expected the byte layout of a log (seq and type first, no white space, LF), found another"
CRLF = LAYOUT.replace("another", "CR LF, as Git")

BYTES = (
    Change("not_json", 3, b"{", b"", "unexpected content after document (column 6)"),
    Change("cut_short", 3, b"}", b"", "expected a JSON object, found"),
    Change("two_objects", 3, b"}", b"}{}", "expected a JSON object, found"),
    Change("byte_order_mark", 1, b"{", b"\xef\xbb\xbf{", "found a byte order mark"),
    Change("invalid_utf8", 3, b"turn", b"t\xffrn", "expected text in UTF-8, found 0x"),
    Change("encoded_surrogate", 3, b"turn", b"\xed\xa0\x80", "expected text in UTF-8, found 0x"),
    Change("overlong_utf8", 3, b"turn", b"\xc0\xaf", "expected text in UTF-8, found 0x"),
    Change("nul_byte", 3, b"turn", b"t\0rn", "expected a JSON object, found"),
    Change("nul_behind", 3, b"}", b"}\0", "expected a JSON object, found"),
    Change("lone_surrogate", 3, b"turn", b"\\ud800", "expected a JSON object, found"),
    Change("nan", 3, b'"seat":0', b'"seat":NaN', "expected a JSON object, found"),
    Change("infinity", 3, b'"seat":0', b'"seat":Infinity', "expected a JSON object, found"),
    Change("deeper_than_json_goes", 1, b"10", b"[" * 5000 + b"]" * 5000, "expected a JSON object"),
    Change("carriage_return", 3, b"}", b"}\r", CRLF),
    Change("space_inside", 3, b'"seat":0', b'"seat": 0', LAYOUT),
    Change("space_in_front", 3, b"{", b" {", LAYOUT),
    Change("space_behind", 3, b"}", b"} ", LAYOUT),
    Change("tab_inside", 3, b'"seat":0', b'"seat":\t0', LAYOUT),
    Change("duplicate_key", 3, b'"seat":0', b'"seat":0,"seat":0', LAYOUT),
    Change("escaped_letter", 3, b"turn", b"t\\u0075rn", LAYOUT),
    Change("escaped_slash", 3, b"turn", b"t\\/rn", LAYOUT),
    Change("escaped_letter_in_a_key", 3, b'"seat"', b'"s\\u0065at"', LAYOUT),
    Change("minus_zero", 3, b'"seat":0', b'"seat":-0', LAYOUT),
    Change("exponent", 4, b'"coins":[2,', b'"coins":[2e0,', LAYOUT),
    Change("beyond_64_bits", 4, b"[1,0]", b"[18446744073709551616,0]", LAYOUT),
    Change("below_64_bits", 4, b"[1,0]", b"[-9223372036854775809,0]", LAYOUT),
)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (gzip.compress(samples.whole(), mtime=0) + b"\n", "found a gzip file. Unpack it first"),
        (b"PK\x03\x04\xff\n", "found a zip file. Unpack it first"),
        (samples.whole().decode().encode("utf-16"), "found UTF-16"),
        (codecs.BOM_UTF16_BE + samples.whole().decode().encode("utf-16-be"), "found UTF-16"),
        (b"<!doctype html>\n", "found HTML or XML. Download the raw log"),
        (b"c2sp.org/tlog-proof@v1\nindex 0\n", "found the proof of a log. Verify the log"),
        (b"old 5\n", "found a proof that one checkpoint extends another. Give the older one"),
    ],
    ids=["gzip", "zip", "utf16", "utf16_big_endian", "html", "proof", "consistency_proof"],
)
def test_another_kind_of_file_is_named(data: bytes, says: str) -> None:
    """A file that people take for a log is corrupt; the reason says what it is, and what to do."""
    refused(data, CorruptLog, 1, says)


@pytest.mark.parametrize("change", BYTES, ids=lambda change: change.name)
def test_bytes_that_no_writer_wrote_are_corrupt(change: Change) -> None:
    """A line that differs from the bytes of the writer is corrupt."""
    data = changed_line(change.line, change.old, change.new)
    refused(data, CorruptLog, change.line, change.says)


@pytest.mark.parametrize("depth", [100, 252, 253, 254, 255, 600, 1022, 1023, 1024])
def test_deep_nesting_is_corrupt(depth: int) -> None:
    """A log with a value nested to any depth is corrupt, and the message is the reader's."""
    nested = b"[" * depth + b"]" * depth
    refused(changed_line(1, b'"rounds":10', b'"rounds":' + nested), CorruptLog, 1, "")


EVENTS = (
    Change("seq_skipped", 3, b'"seq":2', b'"seq":3', "expected seq 2, found 3"),
    Change("seq_doubled", 3, b'"seq":2', b'"seq":1', "expected seq 2, found 1"),
    Change("seq_as_text", 3, b'"seq":2', b'"seq":"2"', "expected seq 2, found '2'"),
    Change("seq_as_fraction", 3, b'"seq":2', b'"seq":2.0', "expected seq 2, found 2.0"),
    Change("seq_as_bool", 2, b'"seq":1', b'"seq":true', "expected seq 1, found true"),
    Change("seq_missing", 3, b'"seq":2,', b"", "expected seq 2, found none"),
    Change("type_missing", 3, b'"type":"answered",', b"", 'expected an event with a "type"'),
    Change("type_no_text", 3, b'"answered"', b"7", 'expected an event with a "type"'),
    Change("unknown_event", 3, b'"answered"', b'"answred"', "'answred'"),
    Change("event_of_a_tournament", 3, b'"answered"', b'"match_played"', "'match_played'"),
    Change("unknown_field", 3, b'"ask"', b'"luck":1,"ask"', "answered.luck: unknown field"),
    Change(
        "unknown_nested_field",
        1,
        b'"name":"player0"',
        b'"name":"player0","luck":1',
        "players.0.luck: unknown field",
    ),
    Change(
        "missing_field",
        3,
        b'"seat":0,',
        b"",
        "answered.seat: expected this field, found none",
    ),
    Change(
        "missing_nested_field",
        1,
        b'"seat":0,',
        b"",
        "players.0.seat: expected this field, found none",
    ),
    Change("text_for_a_number", 3, b'"seat":0', b'"seat":"0"', "answered.seat: "),
    Change("number_for_a_text", 3, b'"turn"', b"1", "answered.ask: "),
    Change("bool_for_a_number", 3, b'"seat":0', b'"seat":true', "found true"),
    Change("fraction", 4, b"[2,1]", b"[2.5,1]", "coins_moved.coins.0: "),
    Change("whole_fraction", 4, b"[2,1]", b"[2.0,1]", "found 2.0"),
    Change("beyond_signed_64_bits", 4, b"[1,0]", b"[9223372036854775808,0]", "change.0"),
    Change("negative_coins", 4, b"[2,1]", b"[2,-1]", "coins_moved.coins.1: "),
    Change("null_for_a_text", 3, b'"output":""', b'"output":null', "answered.output: "),
    Change("list_for_a_number", 3, b'"seat":0', b'"seat":[]', "answered.seat: "),
    Change("text_for_a_list", 4, b"[1,0]", b'"10"', "coins_moved.change: "),
    Change("no_card", 2, b'"deck":"', b'"deck":"x', "dealt.deck: "),
    Change("no_cause", 4, b'"income"', b'"outcome"', "coins_moved.cause: "),
    Change("no_base64", 3, b'"output":""', b'"output_base64":"/w="', "answered.output_base64: "),
    Change(
        "other_key_order",
        3,
        b'"seat":0,"ask":"turn"',
        b'"ask":"turn","seat":0',
        "expected the fields in their declared order, found another",
    ),
    Change(
        "other_nested_key_order",
        1,
        b'"seat":0,"name":"player0"',
        b'"name":"player0","seat":0',
        "expected the fields in their declared order, found another",
    ),
    Change(
        "seq_not_first",
        3,
        b'"seq":2,"type":"answered"',
        b'"type":"answered","seq":2',
        LAYOUT,
    ),
)


@pytest.mark.parametrize("change", EVENTS, ids=lambda change: change.name)
def test_events_that_no_model_allows_are_corrupt(change: Change) -> None:
    """An event that is unknown, has a wrong number, or has other fields is corrupt."""
    data = changed_line(change.line, change.old, change.new)
    refused(data, CorruptLog, change.line, change.says)


@pytest.mark.parametrize("value", [b"[]", b"7", b'"text"', b"null", b"true"])
def test_a_line_is_an_object(value: bytes) -> None:
    """A line that is JSON but no object is corrupt."""
    changed = lines()
    changed[2] = value
    refused(sealed_lines(changed), CorruptLog, 3, "expected an event")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b'{"format":"koth-evidence/1","seq":0}\n', "a file of the format 'koth-evidence/1'"),
        (b'{"format":7}\n', "something else"),
        (b"example.com/spring\n31\n", "text that is no JSON: unexpected character"),
    ],
)
def test_a_file_of_another_kind_is_named(data: bytes, found: str) -> None:
    """Another file of Koth is corrupt as a log, and the message says what was found."""
    refused(data, CorruptLog, 1, f"found {found}")


def test_only_the_beginning_of_a_file_shows_its_kind() -> None:
    """A later line that begins like another kind of file is no JSON, and says nothing of a file."""
    found = lines()
    found[2] = b"<p>"
    refused(sealed_lines(found), CorruptLog, 3, "found text that is no JSON")


def test_a_blank_line_is_corrupt() -> None:
    """A blank line in the middle or at the end is corrupt."""
    found = lines()
    blank = sealed_lines([*found[:4], b"", *found[4:]])
    refused(blank, CorruptLog, 5, "expected a JSON object, found an empty line")
    refused(samples.whole() + b"\n", CorruptLog, 11, "expected a JSON object")


def test_windows_line_ends_are_corrupt() -> None:
    """CRLF at the end of lines is corrupt, even under a seal that fits, and is named."""
    refused(sealed_lines([text + b"\r" for text in lines()]), CorruptLog, 1, CRLF)


# --- The seal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0"), (8, "8"), (10, "10"), (True, "true"), ("9", "'9'")]
)
def test_a_seal_counts_the_events_above(count: object, text: str) -> None:
    """A seal with a wrong number of events is corrupt."""
    data = sealed_lines(lines(), events=count)
    refused(data, CorruptLog, 10, f"the seal says events {text}, the bytes give 9")


@pytest.mark.parametrize(
    ("digest", "text"), [("0" * 64, f"'{'0' * 64}'"), ("", "''"), (None, "null")]
)
def test_a_seal_hashes_the_bytes_above(digest: str | None, text: str) -> None:
    """A seal with a wrong hash, or none, is corrupt, and both hashes are named."""
    true = sealed_lines(lines()).split(b'"')[-2].decode()
    data = sealed_lines(lines(), sha256=digest)
    refused(data, CorruptLog, 10, f"the seal says sha256 {text}, the bytes give {true!r}")


def test_a_fraction_does_not_count() -> None:
    """A seal whose number of events is not an integer is corrupt, even if the value is right."""
    refused(sealed_lines(lines(), events=9.0), CorruptLog, 10, "match_sealed.events")


def test_a_second_seal_is_corrupt() -> None:
    """A second seal is corrupt, even if it fits the lines above."""
    found = samples.whole().split(b"\n")[:-1]
    refused(sealed_lines(found), CorruptLog, 11, "expected nothing after the seal, found more")


def test_an_event_after_the_seal_is_corrupt() -> None:
    """An event after the seal is corrupt, even with the right number."""
    more = b'{"seq":10,"type":"answered","seat":0,"ask":"turn"}\n'
    refused(samples.whole() + more, CorruptLog, 11, "expected nothing after the seal, found more")


@pytest.mark.parametrize("tail", [b"garbage", b"{", b'{"seq":10,"type":"', b"\0", b" "])
def test_a_tail_after_the_seal_is_corrupt(tail: bytes) -> None:
    """Any bytes after the seal are corrupt, even the start of an event."""
    refused(samples.whole() + tail, CorruptLog, 11, "expected nothing after the seal, found more")


def test_the_seal_of_the_other_kind_is_corrupt() -> None:
    """A match with the seal of a tournament is corrupt, and the reverse too."""
    refused(
        sealed_lines(lines(), type="tournament_sealed"),
        CorruptLog,
        10,
        "expected the seal of the log begun above",
    )
    tournament = sealed(samples.tournament_events()).replace(b"tournament_sealed", b"match_sealed")
    refused(tournament, CorruptLog, 5, "expected the seal of the log begun above")


# --- The start -----------------------------------------------------------------------------------


def test_a_start_in_the_middle_is_corrupt() -> None:
    """A second start is corrupt."""
    found = lines()
    again = found[0].replace(b'"seq":0', b'"seq":9')
    says = "expected an event of the log begun above, found 'match_started'"
    refused(sealed_lines([*found, again]), CorruptLog, 10, says)


def test_a_missing_start_is_corrupt() -> None:
    """A log whose first event is not its start is corrupt."""
    events = samples.events()[1:]
    says = "expected the start of a log, found 'dealt'"
    refused(sealed(events, SEED), CorruptLog, 1, says)


def doctored(**fields: Any) -> bytes:
    """Return the small log with these fields in its start; None removes a field."""
    events = samples.events()
    start = events[0] | fields
    events[0] = {key: value for key, value in start.items() if value is not None}
    return sealed(events)


def test_a_start_without_a_commitment_is_corrupt() -> None:
    """A match that is played here needs a commitment to its seed."""
    refused(doctored(seed_commitment=None), CorruptLog, 1, "expected a seed_commitment, found none")


def test_a_seal_without_the_seed_is_corrupt() -> None:
    """A log with a commitment needs its seed in the seal."""
    refused(sealed_lines(lines(), seed=None), CorruptLog, 10, "expected a seed, found none")


def imported(keep: str = "") -> Events:
    """Return the small log as an imported one; ``keep`` names the field of a commitment."""
    events = samples.events()
    start = events[0]
    committed = start.pop("seed_commitment")
    start["source"] = "imported"
    if keep:
        start[keep] = committed
    return events


def test_an_imported_log_has_no_seed() -> None:
    """An imported log with a commitment, or with a seed, is corrupt."""
    with_commitment = sealed(imported(keep="seed_commitment"))
    refused(with_commitment, CorruptLog, 1, "expected no seed_commitment, found one")
    refused(sealed(imported()), CorruptLog, 10, "expected no seed, found one")


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"luck": 1}, "settings.luck: unknown field"),
        ({"rounds": 0}, "settings.rounds: "),
        ({"rounds": 10_001}, "settings.rounds: "),
        ({"time_limit_s": 3_601}, "settings.time_limit_s: "),
        ({"max_calls": 0}, "settings.max_calls: "),
        ({"max_calls": 100_001}, "settings.max_calls: "),
        ({"max_calls": "4"}, "settings.max_calls: "),
        ({"max_calls": True}, "settings.max_calls"),
        ({"max_calls": 4.0}, "settings.max_calls"),
    ],
)
def test_wrong_settings_are_corrupt(settings: dict[str, object], says: str) -> None:
    """A setting that is unknown, out of range or of another type is corrupt, and named."""
    known = samples.events()[0]["settings"]
    refused(doctored(settings=known | settings), CorruptLog, 1, says)


def test_settings_are_all_there_in_their_order() -> None:
    """The log has every setting of the game, in declared order."""
    known = samples.events()[0]["settings"]
    says = "expected every setting in its declared order, found another"
    for name in known:
        fewer = {key: value for key, value in known.items() if key != name}
        refused(doctored(settings=fewer), CorruptLog, 1, says)
    refused(doctored(settings=dict(reversed(known.items()))), CorruptLog, 1, says)


def people(numbers: Sequence[int], names: Sequence[str]) -> list[dict[str, object]]:
    """Return players with these seats and names."""
    bot = samples.events()[0]["players"][0]["bot"]
    pairs = zip(numbers, names, strict=True)
    return [{"seat": number, "name": name, "bot": bot} for number, name in pairs]


@pytest.mark.parametrize(
    ("players", "says"),
    [
        (people([1, 0], "ab"), "players: expected seats numbered from 0"),
        (people([1, 2], "ab"), "players: expected seats numbered from 0"),
        (people([0, 0], "ab"), "players: expected seats numbered from 0"),
        (people([0, 1], "aa"), "players: expected different names, found one twice"),
        (people([0, 1, 2], "abc"), "expected 2 bots, found 3"),
        (people([0], "a"), "expected 2 bots, found 1"),
        ([], "expected 2 bots, found 0"),
        (people([0, 1], ["a", "b c"]), "players.1.name: "),
        (people([0, 1], ["a", ""]), "players.1.name: "),
        (people([0, 1], ["a", "../b"]), "players.1.name: "),
        (people([0, 1], ["a", "b" * 65]), "players.1.name: "),
    ],
)
def test_wrong_players_are_corrupt(players: list[dict[str, object]], says: str) -> None:
    """Players are numbered from 0, have different names, and are as many as the game needs."""
    refused(doctored(players=players), CorruptLog, 1, says)


def test_wrong_entrants_are_corrupt() -> None:
    """Entrants of a tournament are numbered from 0 and have different names."""
    events = samples.tournament_events()
    first, second = events[0]["entrants"]
    events[0]["entrants"] = [second, first]
    refused(sealed(events), CorruptLog, 1, "entrants: expected entrants numbered from 0")
    events[0]["entrants"] = [first, first | {"entrant": 1}]
    refused(sealed(events), CorruptLog, 1, "entrants: expected different names")


@pytest.mark.parametrize("match", ["000001", "0-000001", "1-1", "1-00000x", "1-000001\n"])
def test_a_match_id_is_attempt_and_number(match: str) -> None:
    """The id of a match is its attempt, a hyphen, and at least six digits."""
    refused(doctored(match=match), CorruptLog, 1, "match: ")


# --- Results -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"scores": []}, "scores: expected 2, one for each seat, found 0"),
        ({"scores": [0, 0, 0]}, "scores: expected 2, one for each seat, found 3"),
        ({"winners": [2]}, "expected seats below 2, found another"),
    ],
)
def test_the_result_of_a_match_is_about_its_seats(fields: dict[str, object], says: str) -> None:
    """A result has one score per seat, and its winners are seats of the match."""
    events = samples.events()
    events[-1] |= fields
    refused(sealed(events), CorruptLog, 9, says)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"seats": [0, 2]}, "expected the number of an entrant, found another"),
        ({"scores": [1]}, "scores: expected 2, one for each seat, found 1"),
        ({"winners": [2]}, "expected seats below 2, found another"),
        ({"faults": [{"seat": 2, "kind": "crash"}]}, "expected seats below 2, found another"),
        ({"faults": [{"seat": 1, "kind": "rude"}]}, "match_played.faults.0.kind: "),
    ],
)
def test_a_match_played_is_about_its_entrants(fields: dict[str, object], says: str) -> None:
    """A match in a tournament's log names entrants and seats that exist."""
    events = samples.tournament_events()
    events[1] |= fields
    refused(sealed(events), CorruptLog, 2, says)


@pytest.mark.parametrize("entrant", [2, 10**6])
def test_a_disqualified_bot_is_an_entrant(entrant: int) -> None:
    """A disqualification, and a rank, name an entrant that exists."""
    events = samples.tournament_events()
    ruled = {"type": "disqualified", "entrant": entrant, "match": "1-000001", "kind": "tampered"}
    says = "expected the number of an entrant, found another"
    refused(sealed([*events[:3], ruled, events[3]]), CorruptLog, 4, says)
    events[-1]["standings"][1]["entrant"] = entrant
    refused(sealed(events), CorruptLog, 4, says)


def test_a_tournament_has_no_events_of_its_matches() -> None:
    """An event of the game is corrupt in the log of a tournament."""
    events = samples.tournament_events()
    moved = samples.events()[3]
    refused(sealed([*events[:3], moved, events[3]]), CorruptLog, 4, "'coins_moved'")


# --- Unknown formats, games and rules ------------------------------------------------------------


def newer(*more: bytes) -> list[bytes]:
    """Return the lines of the small log in a newer format, with ``more`` lines at its end."""
    found = lines()
    found[0] = found[0].replace(b"koth-log/1", b"koth-log/2")
    return [*found, *more]


def test_a_newer_format_is_unsupported() -> None:
    """A newer format is refused by name and with advice, before its events are read."""
    says = "the log is in koth-log/2; this program reads up to koth-log/1. Use a newer koth"
    refused(sealed_lines(newer()), UnsupportedLog, 1, says)
    unknown = b'{"seq":9,"type":"teleported","where":{"x":1.5}}'
    refused(sealed_lines(newer(unknown)), UnsupportedLog, 1, says)


def test_a_newer_format_without_a_seal_is_unsupported() -> None:
    """A log of a newer format without a seal is unsupported, not incomplete."""
    data = b"".join(text + b"\n" for text in newer())
    refused(data, UnsupportedLog, 1, "koth-log/2")


def test_a_newer_format_with_broken_bytes_is_corrupt() -> None:
    """Broken layout, sequence or seal is corrupt in any format, because bytes are checked first."""
    refused(sealed_lines(newer(b'{"seq":9,"type": "new"}')), CorruptLog, 10, LAYOUT)
    refused(sealed_lines(newer(b'{"seq":8,"type":"new"}')), CorruptLog, 10, "expected seq 9")
    refused(sealed_lines(newer(), sha256="0" * 64), CorruptLog, 10, "the seal says sha256")
    refused(sealed_lines(newer(b"{")), CorruptLog, 10, "expected a JSON object")


@pytest.mark.parametrize(
    "format", ["koth-log/0", "koth-log/01", "koth-log/-1", "koth-log/1 ", "koth/1", "", 1, None]
)
def test_no_format_is_corrupt(format: object) -> None:
    """A format other than koth-log/N is corrupt, and the message names the expected one."""
    refused(
        doctored(format=format), CorruptLog, 1, f"expected format 'koth-log/1', found {format!r}"
    )


def test_an_unknown_game_is_unsupported() -> None:
    """A log has no typing error: its game is not installed, however similar another name is."""
    games = ", ".join(registry.names())
    for game in ("xyzzy", "coop"):
        problem = f"game '{game}' is not known here; known: {games}. Install its package"
        refused(doctored(game=game), UnsupportedLog, 1, problem)


@pytest.mark.parametrize("value", ["1.5", "9223372036854775808"])
def test_numbers_of_an_unknown_game_are_integers_of_64_bits(value: str) -> None:
    """A number that no game may have is corrupt also in a game that is not installed."""
    found = lines()
    found[0] = found[0].replace(b'"coup"', b'"coop"')
    for place in (b'"x":%b', b'"x":[0,[%b]]', b'"x":{"y":[{"z":%b}]}'):
        event = b'{"seq":9,"type":"moved",' + place % value.encode() + b"}"
        refused(sealed_lines([*found, event]), CorruptLog, 10, "expected integers of 64 bits")


def test_unknown_rules_are_unsupported() -> None:
    """A rules version that is not installed is reported with those that are."""
    says = "rules 'coup/3' are not known here; known: coup/1, coup/2. Use a newer koth"
    refused(doctored(rules="coup/3"), UnsupportedLog, 1, says)


def test_a_known_game_in_an_unsealed_log_is_held_against_its_models() -> None:
    """An unknown event in a log without a seal is corrupt, not incomplete."""
    found = lines()
    found[2] = found[2].replace(b'"answered"', b'"answred"')
    refused(b"".join(text + b"\n" for text in found), CorruptLog, 3, "'answred'")


@pytest.mark.parametrize("old", [b'"answered"', b'"seat"', b'"turn"', b'"seat":0'])
def test_messages_obey_no_log(old: bytes) -> None:
    """Messages are printable and short, whatever bytes a log holds."""
    wild = b'"' + b"\\u001b[2J\\n\\u202e" * 100 + b'"'
    new = wild if old != b'"seat":0' else b'"seat":' + wild
    with pytest.raises(CorruptLog) as caught:
        parse(changed_line(3, old, new), samples.PATH)
    assert caught.value.found.isprintable()
    assert len(caught.value.found) < 600


def test_every_verdict_has_its_name() -> None:
    """The errors have the verdicts that the command prints."""
    assert (CorruptLog.verdict, UnsupportedLog.verdict, IncompleteLog.verdict) == (
        "corrupt",
        "unsupported",
        "incomplete",
    )
