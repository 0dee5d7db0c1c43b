"""Attacks on the bytes of a log, below JSON."""

from __future__ import annotations

import re
from typing import get_args, get_type_hints
from zlib import crc32

from games.bank_heist.events import EVENTS as BANK_HEIST
from games.coins.events import EVENTS as COINS
from games.coup.events import EVENTS as COUP
from games.smallest_unique.events import EVENTS as SMALLEST_UNIQUE
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS
from tests.corpus.entries import LOG, Files, add, entry
from tests.corpus.honest import GAMES, Honest, holding, plain, resealed, rewritten

KNOWN = {
    "bank_heist": BANK_HEIST,
    "coins": COINS,
    "coup": COUP,
    "smallest_unique": SMALLEST_UNIQUE,
}
IMPORTED_ONLY = ("heist_seen", "credits_seen")

COINS_MATCH, COUP_MATCH = plain("coins"), plain("coup")
HEIST, UNIQUE = plain("bank_heist"), plain("smallest_unique")


def flipped(log: Honest, seq: int) -> bytes:
    """``log`` with the lowest bit of an event's last digit flipped: it is JSON still."""
    lines = log.lines
    at = [found.start() for found in re.finditer(rb"[0-9]", lines[seq])][-1]
    lines[seq] = lines[seq][:at] + bytes([lines[seq][at] ^ 1]) + lines[seq][at + 1 :]
    return b"".join(lines)


def type_of(model: type) -> str:
    """The type of the events of a model."""
    [name] = get_args(get_type_hints(model)["type"])
    return str(name)


def flip(name: str, game: str, model: type, kind: str = "match") -> None:
    """An entry: a bit is flipped in the first event of a model."""
    type = type_of(model)
    log = holding(game, type, kind)
    told = f"One bit of the last digit in the first {type} is flipped."
    add(f"flipped_bit_in_{name}{type}", told, "corrupt", lambda: flipped(log, log.seq(type)))


for game, own in KNOWN.items():
    for model in (*MATCH_EVENTS, *own):
        if type_of(model) not in IMPORTED_ONLY:
            flip(f"{game}_", game, model)

for tournament_model in TOURNAMENT_EVENTS:
    flip("", "smallest_unique", tournament_model, "tournament")


# --- Encodings


@entry("corrupt")
def byte_order_mark() -> bytes:
    """A UTF-8 byte order mark stands in front."""
    return b"\xef\xbb\xbf" + COINS_MATCH.data


@entry("corrupt")
def byte_order_mark_resealed() -> bytes:
    """A UTF-8 byte order mark stands in front, and the seal fits it."""
    return resealed(b"\xef\xbb\xbf" + COINS_MATCH.data)


@entry("corrupt")
def utf16() -> bytes:
    """An editor saved the log as UTF-16."""
    return COINS_MATCH.data.decode().encode("utf-16")


@entry("corrupt")
def latin_1_in_a_name() -> bytes:
    """A player's name holds an é in Latin-1, and the seal fits it."""
    return rewritten(COINS_MATCH.data, b"player0", b"Ren\xe9")


@entry("corrupt")
def invalid_utf8_in_an_answer() -> bytes:
    """An answer holds the byte FF, which is never UTF-8, and the seal fits it."""
    return rewritten(COINS_MATCH.data, b'"output":"', b'"output":"\xff')


@entry("corrupt")
def overlong_utf8() -> bytes:
    """A letter of an answer is written in two bytes where one is right, and the seal fits it."""
    return rewritten(COUP_MATCH.data, b'"ask":"turn"', b'"ask":"t\xc1\xb5rn"')


@entry("corrupt")
def overlong_nul() -> bytes:
    """An answer holds NUL as C0 80, as Java writes it, and the seal fits it."""
    return rewritten(COUP_MATCH.data, b'"output":"', b'"output":"\xc0\x80')


@entry("corrupt")
def surrogates_encoded_as_utf8() -> bytes:
    """An emoji stands as two surrogates of three bytes each, and the seal fits it."""
    return rewritten(COUP_MATCH.data, b'"output":"', b'"output":"\xed\xa0\xbd\xed\xb8\x80')


@entry("corrupt")
def beyond_unicode() -> bytes:
    """An answer holds a code point above U+10FFFF, and the seal fits it."""
    return rewritten(COUP_MATCH.data, b'"output":"', b'"output":"\xf4\x90\x80\x80')


# --- Line ends and white space between lines


@entry("corrupt")
def crlf_line_ends() -> bytes:
    """A file transfer made every line end CRLF."""
    return HEIST.data.replace(b"\n", b"\r\n")


@entry("corrupt")
def crlf_line_ends_resealed() -> bytes:
    """Every line ends in CRLF, and the seal fits that."""
    return resealed(HEIST.data.replace(b"\n", b"\r\n")).removesuffix(b"\n") + b"\r\n"


@entry("corrupt")
def crlf_in_one_line_resealed() -> bytes:
    """One line ends in CRLF, and the seal fits that."""
    return rewritten(UNIQUE.data, b"}\n", b"}\r\n")


@entry("incomplete")
def cr_line_ends() -> bytes:
    """Every line ends in CR alone: without an LF it is all one torn line."""
    return UNIQUE.data.replace(b"\n", b"\r")


@entry("incomplete")
def line_separators_for_line_feeds() -> bytes:
    """Lines are parted by U+2028: without an LF it is all one torn line."""
    return UNIQUE.data.replace(b"\n", "\u2028".encode())


@entry("corrupt")
def only_a_line_feed() -> bytes:
    """The file holds one LF and nothing else."""
    return b"\n"


@entry("corrupt")
def only_white_space() -> bytes:
    """The file holds spaces without an end."""
    return b"   "


@entry("corrupt")
def blank_line_in_the_middle() -> bytes:
    """A blank line stands in the middle, and the seal fits it."""
    return rewritten(COUP_MATCH.data, b"}\n", b"}\n\n")


@entry("corrupt")
def blank_line_in_front() -> bytes:
    """A blank line stands in front of the first event, and the seal fits it."""
    return resealed(b"\n" + COUP_MATCH.data)


@entry("corrupt")
def blank_line_at_the_end() -> bytes:
    """A blank line follows the seal."""
    return COUP_MATCH.data + b"\n"


@entry("corrupt")
def space_after_the_seal() -> bytes:
    """A space follows the seal's line."""
    return COUP_MATCH.data + b" "


# --- NUL bytes


@entry("corrupt")
def nul_in_an_answer() -> bytes:
    """An answer holds a NUL byte as it is, and the seal fits it."""
    return rewritten(COINS_MATCH.data, b'"output":"', b'"output":"\0')


@entry("corrupt")
def nul_at_the_end_of_a_line() -> bytes:
    """A NUL byte stands behind an event, and the seal fits it."""
    return rewritten(COINS_MATCH.data, b"}\n", b"}\0\n")


@entry("corrupt")
def nuls_after_the_seal() -> bytes:
    """The file system padded the sealed log with NUL bytes."""
    return COINS_MATCH.data + bytes(512)


@entry("corrupt")
def nuls_for_a_tail() -> bytes:
    """After a power cut the last lines are NUL bytes."""
    whole = b"".join(COINS_MATCH.lines[:4])
    return whole + bytes(200)


@entry("corrupt")
def hole_of_nuls_in_the_middle() -> bytes:
    """A stretch in the middle became NUL bytes, of the same size."""
    data = HEIST.data
    return data[:700] + bytes(100) + data[800:]


# --- Cut, and what is no log at all


@entry("incomplete")
def empty_file() -> bytes:
    """The file is empty."""
    return b""


@entry("incomplete")
def only_the_start() -> bytes:
    """Nothing but the first event is there."""
    return COUP_MATCH.lines[0]


@entry("incomplete")
def only_half_of_the_start() -> bytes:
    """The file breaks off in its first line."""
    return COUP_MATCH.lines[0][:100]


@entry("corrupt")
def only_the_seal() -> bytes:
    """Nothing but the seal is there."""
    return COUP_MATCH.lines[-1]


def truncated() -> None:
    """A log of every game, cut in its tail."""
    for game in GAMES:
        log = plain(game)
        add(
            f"truncated_tail_of_{game}",
            "The log breaks off in the middle of its last event but one.",
            "incomplete",
            lambda log=log: b"".join(log.lines[:-2]) + log.lines[-2][:30],
        )


truncated()


@entry("incomplete")
def truncated_before_the_seal() -> bytes:
    """The seal is gone, nothing else."""
    return b"".join(HEIST.lines[:-1])


@entry("incomplete")
def truncated_in_the_seal() -> bytes:
    """The log breaks off within the hash of its seal."""
    return HEIST.data[:-20]


@entry("incomplete")
def truncated_by_the_last_line_feed() -> bytes:
    """Only the very last LF is missing."""
    return UNIQUE.data[:-1]


@entry("corrupt")
def beginning_cut_off() -> bytes:
    """The first hundred bytes are gone."""
    return HEIST.data[100:]


@entry("corrupt")
def tail_with_garbage() -> bytes:
    """After a few events the log goes on with garbage."""
    return b"".join(COUP_MATCH.lines[:4]) + b"\x8f\x02core dumped"


@entry("corrupt")
def tail_with_another_seq() -> bytes:
    """The torn last line is the beginning of an event that is not next."""
    return b"".join(COUP_MATCH.lines[:4]) + b'{"seq":9,"type":"answ'


@entry("corrupt")
def garbage_in_a_whole_last_line() -> bytes:
    """After a few events a line of garbage ends in LF."""
    return b"".join(COUP_MATCH.lines[:4]) + b"Killed\n"


@entry("corrupt")
def gzip_of_a_log() -> bytes:
    """The log was compressed with gzip and kept its name."""
    data = COUP_MATCH.data
    size, check = len(data), crc32(data)
    stored = b"\x01" + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + data
    head = bytes.fromhex("1f8b 0800 0000 0000 00ff")
    return head + stored + check.to_bytes(4, "little") + size.to_bytes(4, "little")


@entry("corrupt")
def page_of_html() -> bytes:
    """A server sent an error page in place of the log."""
    return b"<!DOCTYPE html>\n<title>404 Not Found</title>\n"


@entry("corrupt")
def log_written_twice() -> bytes:
    """The file holds the same log twice."""
    return UNIQUE.data * 2


@entry("corrupt")
def two_logs_in_one_file() -> bytes:
    """A log of another game follows the sealed one."""
    return UNIQUE.data + COINS_MATCH.data


@entry("corrupt")
def log_that_is_a_folder() -> Files:
    """A folder bears the name of a log."""
    return {f"{LOG}/readme.txt": b"The log used to be here.\n"}


@entry("corrupt")
def all_lines_in_one() -> bytes:
    """All events stand in a single line."""
    return COUP_MATCH.data.replace(b"\n", b"") + b"\n"


@entry("corrupt")
def json_array_of_events() -> bytes:
    """Somebody made one JSON array of the lines."""
    return b"[" + UNIQUE.data[:-1].replace(b"\n", b",\n") + b"]\n"
