"""Attacks on the JSON of a line: the same value in other words, and values that a log has not.

All are sealed again, so that it is not the seal that finds them.
"""

from __future__ import annotations

from tests.corpus.entries import add, entry
from tests.corpus.honest import plain, rewritten

COINS, COUP, HEIST, UNIQUE = map(plain, ("coins", "coup", "bank_heist", "smallest_unique"))

SEAT = b'"seat":0,"ask"'
OUTPUT = b'"output":""'
COMMITTED = b'"seed_commitment"'


def in_coup(name: str, attack: str, old: bytes, new: bytes) -> None:
    """An entry: ``old`` became ``new`` in a match of Coup."""
    add(name, attack, "corrupt", lambda: rewritten(COUP.data, old, new))


def number(name: str, attack: str, text: bytes) -> None:
    """An entry: the seat of an answer is this text instead of 0."""
    in_coup(name, attack, SEAT, b'"seat":' + text + b',"ask"')


# --- The same text in other words

in_coup("space_after_a_colon", "A space follows a colon.", SEAT, b'"seat": 0,"ask"')
in_coup("space_after_a_comma", "A space follows a comma.", SEAT, b'"seat":0, "ask"')
in_coup("tab_between_fields", "A tab stands between two fields.", SEAT, b'"seat":0,\t"ask"')
in_coup(
    "space_in_front_of_a_line", "A space stands in front of a line.", b'\n{"seq":1', b'\n {"seq":1'
)
in_coup("space_at_the_end_of_a_line", "A space stands at the end of a line.", b"}\n", b"} \n")
in_coup("escaped_letter", "A letter is written as an escape.", b'"turn"', b'"t\\u0075rn"')
in_coup("escaped_letter_in_a_key", "A letter of a key is an escape.", b'"ask"', b'"\\u0061sk"')
in_coup("escaped_slash", "A slash is escaped.", b'"coup/1"', b'"coup\\/1"')
in_coup("escaped_delete", "DEL is written as an escape.", OUTPUT, b'"output":"\\u007f"')
in_coup("escaped_accent", "An é is written as an escape.", OUTPUT, b'"output":"\\u00e9"')
in_coup(
    "escaped_emoji",
    "An emoji is written as two escapes.",
    OUTPUT,
    b'"output":"\\ud83d\\ude00"',
)
in_coup(
    "escape_in_capitals",
    "The hex digits of an escape are capitals.",
    OUTPUT,
    b'"output":"\\u001B"',
)
in_coup(
    "long_escape_of_a_line_feed",
    "A line feed is the long escape instead of the short one.",
    OUTPUT,
    b'"output":"\\u000a"',
)
in_coup("line_feed_in_a_text", "A text holds LF as it is.", OUTPUT, b'"output":"\n"')
in_coup("tab_in_a_text", "A text holds a tab as it is.", OUTPUT, b'"output":"\t"')
in_coup("unknown_escape", "A text holds an escape that is none.", OUTPUT, b'"output":"\\x41"')
in_coup("lone_high_surrogate", "A text holds half a pair.", OUTPUT, b'"output":"\\ud83d"')
in_coup("lone_low_surrogate", "A text holds the other half.", OUTPUT, b'"output":"\\ude00"')
in_coup(
    "surrogates_the_wrong_way_round",
    "A text holds a pair of surrogates in the wrong order.",
    OUTPUT,
    b'"output":"\\ude00\\ud83d"',
)
in_coup(
    "lone_surrogate_in_a_name",
    "A player is called by half a pair of surrogates.",
    b'"player1"',
    b'"\\udcff"',
)

# --- Other JSON, and what only some take for JSON

in_coup("single_quotes", "A text stands in single quotes.", b'"turn"', b"'turn'")
in_coup("key_without_quotes", "A key stands without quotes.", b'"ask"', b"ask")
in_coup("trailing_comma", "A comma follows the last field.", b"}\n", b",}\n")
in_coup("comment_behind_an_event", "A comment follows an event.", b"}\n", b"} // fine\n")
in_coup("comment_between_fields", "A comment stands inside.", SEAT, b'"seat":0,/**/"ask"')
in_coup("two_objects_in_a_line", "A second object follows in a line.", b"}\n", b"}{}\n")
in_coup("brace_too_many", "A line ends in two braces.", b"}\n", b"}}\n")
in_coup("brace_missing", "A line lacks its last brace.", b"}\n", b"\n")
in_coup("python_true", "A value is True as Python writes it.", SEAT, b'"seat":True,"ask"')


@entry("corrupt")
def line_that_is_an_array() -> bytes:
    """An event became an array."""
    line = COUP.lines[1]
    return rewritten(COUP.data, line, b'["seq",1,"type","dealt"]\n')


@entry("corrupt")
def line_that_is_a_text() -> bytes:
    """An event became a text."""
    return rewritten(COUP.data, COUP.lines[1], b'"dealt"\n')


@entry("corrupt")
def line_that_is_null() -> bytes:
    """An event became null."""
    return rewritten(COUP.data, COUP.lines[1], b"null\n")


@entry("corrupt")
def line_that_is_an_empty_object() -> bytes:
    """An event became an object without fields."""
    return rewritten(COUP.data, COUP.lines[1], b"{}\n")


# --- Numbers

number("not_a_number", "A number is NaN.", b"NaN")
number("infinity", "A number is Infinity.", b"Infinity")
number("minus_infinity", "A number is -Infinity.", b"-Infinity")
number("float_that_is_whole", "A number is 0.0 instead of 0.", b"0.0")
number("float_with_a_fraction", "A number is 0.5.", b"0.5")
number("exponent", "A number is 0e0 instead of 0.", b"0e0")
number("minus_zero", "A number is -0 instead of 0.", b"-0")
number("minus_zero_as_a_float", "A number is -0.0 instead of 0.", b"-0.0")
number("minus_one", "A seat is -1.", b"-1")
number("leading_zero", "A number is 00 instead of 0.", b"00")
number("plus_sign", "A number is +0 instead of 0.", b"+0")
number("hexadecimal", "A number is 0x0 instead of 0.", b"0x0")
number("seat_beyond_32_bits", "A seat is 2^32, which wraps round to 0.", b"4294967296")
number("two_to_the_63", "A number is 2^63.", b"9223372036854775808")
number("two_to_the_64", "A number is 2^64, which wraps round to 0.", b"18446744073709551616")
number("below_minus_two_to_the_63", "A number is -2^63-1.", b"-9223372036854775809")
number("ten_to_the_400", "A number is 1 with 400 zeros.", b"1" + b"0" * 400)
number("ten_to_the_400_as_exponent", "A number is 1e400, which is infinite.", b"1e400")
number("five_thousand_digits", "A number has 5,000 digits.", b"7" * 5_000)
number("fraction_of_five_thousand_digits", "A number has 5,000 digits of 0.", b"0." + b"0" * 5_000)
number("true_for_a_number", "A number is true.", b"true")
number("false_for_a_number", "A number is false instead of 0.", b"false")
number("null_for_a_number", "A number is null.", b"null")
number("text_for_a_number", "A number is a text.", b'"0"')
number("array_for_a_number", "A number is an array of itself.", b"[0]")
number("object_for_a_number", "A number is an empty object.", b"{}")


@entry("corrupt")
def float_in_a_score() -> bytes:
    """A score is 1.0 instead of 1."""
    return rewritten(UNIQUE.data, b'"scores":[1', b'"scores":[1.0')


@entry("corrupt")
def huge_number_in_a_choice() -> bytes:
    """A choice is 2^63, one more than a log can hold."""
    return rewritten(UNIQUE.data, b'"choices":[', b'"choices":[9223372036854775808,')


@entry("corrupt")
def huge_number_in_credits() -> bytes:
    """Credits are 10^400."""
    return rewritten(HEIST.data, b'"credits":[', b'"credits":[1' + b"0" * 400 + b",")


# --- Other types

in_coup("null_for_a_text", "A text is null.", OUTPUT, b'"output":null')
in_coup("number_for_a_text", "A text is a number.", b'"ask":"turn"', b'"ask":1')
in_coup("text_for_an_array", "An array is a text.", b'"coins":[1,1]', b'"coins":"11"')
in_coup("object_for_an_array", "An array is an object.", b'"coins":[1,1]', b'"coins":{"0":1,"1":1}')
in_coup("array_for_an_object", "An object is an array.", b'"settings":{', b'"settings":[],"was":{')

# --- Keys

in_coup("duplicate_key", "A key stands twice, with one value.", SEAT, b'"seat":0,"seat":0,"ask"')
in_coup(
    "duplicate_key_with_another_value",
    "A key stands twice: one parser takes the first value, another the last.",
    SEAT,
    b'"seat":1,"seat":0,"ask"',
)
in_coup("duplicate_seq", "An event has two numbers.", b'{"seq":1', b'{"seq":9,"seq":1')
in_coup(
    "duplicate_type",
    "An event has two types.",
    b'"type":"dealt"',
    b'"type":"match_finished","type":"dealt"',
)
in_coup(
    "duplicate_key_inside_a_player",
    "A player has two names.",
    b'"name":"player0"',
    b'"name":"player1","name":"player0"',
)
in_coup(
    "duplicate_key_by_an_escape",
    "A key stands twice, once with an escape in it.",
    SEAT,
    b'"se\\u0061t":1,"seat":0,"ask"',
)
in_coup("empty_key", "An event has a field without a name.", SEAT, b'"seat":0,"":0,"ask"')
in_coup("key_with_a_nul", "A key ends in an escaped NUL.", b'"ask"', b'"ask\\u0000"')
in_coup("key_in_capitals", "A key is written in capitals.", b'"ask"', b'"ASK"')
in_coup(
    "proto_key", "An event has a field called __proto__.", SEAT, b'"seat":0,"__proto__":{},"ask"'
)


@entry("corrupt")
def other_key_order() -> bytes:
    """Two fields of an answer changed places."""
    return rewritten(COUP.data, b'"seat":0,"ask":"turn"', b'"ask":"turn","seat":0')


@entry("corrupt")
def other_key_order_in_a_player() -> bytes:
    """Two fields of a player changed places."""
    return rewritten(COUP.data, b'"seat":0,"name":"player0"', b'"name":"player0","seat":0')


@entry("corrupt")
def other_key_order_in_the_seal() -> bytes:
    """Two fields of the seal changed places."""
    start, _, end = COUP.data.rpartition(b'"events":')
    count, _, rest = end.partition(b",")
    return start + rest[:-2] + b',"events":' + count + b"}\n"


@entry("corrupt")
def seq_not_first() -> bytes:
    """The type stands in front of the number."""
    return rewritten(COUP.data, b'"seq":1,"type":"dealt"', b'"type":"dealt","seq":1')


# --- Nesting


def nested(depth: int, closed: bool = True) -> bytes:
    """Brackets in brackets."""
    return b"[" * depth + (b"]" * depth if closed else b"")


number("nested_100_deep", "A number is 100 brackets.", nested(100))
number("nested_1024_deep", "A number is 1,024 brackets.", nested(1024))
number("nested_50000_deep", "A number is 100,000 brackets, one in another.", nested(50_000))
number("nested_20000_deep_unclosed", "20,000 brackets open.", nested(20_000, False))
number(
    "objects_nested_10000_deep", "10,000 objects nest.", b'{"a":' * 10_000 + b"0" + b"}" * 10_000
)


@entry("corrupt")
def nested_settings() -> bytes:
    """The settings hold an object of settings."""
    return rewritten(COINS.data, b'"settings":{', b'"settings":{"settings":{},')


@entry("corrupt")
def key_that_is_huge() -> bytes:
    """A key is 20,000 letters long."""
    return rewritten(COINS.data, b'"ask"', b'"' + b"a" * 20_000 + b'":0,"ask"')
