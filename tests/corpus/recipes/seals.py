"""Attacks on the seal."""

from __future__ import annotations

from schema import seal
from schema.canonical import line
from tests.corpus.entries import entry
from tests.corpus.honest import Honest, changed, holding, plain
from tests.factories import loads, sealed

COUP, COINS = plain("coup"), plain("coins")
TOURNAMENT = holding("coins", "match_played", "tournament")


def with_seal(log: Honest, **fields: object) -> bytes:
    """``log`` with other fields in its seal; those that are None are left out."""
    *above, last = log.lines
    [end] = loads(last)
    end |= fields
    kept = {key: value for key, value in end.items() if value is not None}
    return b"".join(above) + line(len(above), kept)


@entry("corrupt")
def two_seals() -> bytes:
    """A second seal follows, which fits all above it."""
    data = COUP.data
    end = {"type": "match_sealed", "seed": COUP.seed}
    count = data.count(b"\n")
    return data + line(count, end | {"events": count, "sha256": seal.hex_digest(data)})


@entry("corrupt")
def same_seal_twice() -> bytes:
    """The seal's line stands twice."""
    return COUP.data + COUP.lines[-1]


@entry("corrupt")
def event_after_the_seal() -> bytes:
    """An event follows the seal, with the right number."""
    return COUP.data + line(len(COUP.lines), COUP.events[2])


@entry("corrupt")
def torn_event_after_the_seal() -> bytes:
    """The beginning of an event follows the seal."""
    return COUP.data + b'{"seq":%d,"type":"' % len(COUP.lines)


@entry("corrupt")
def seal_in_the_middle() -> bytes:
    """The seal stands in the middle, and a fitting one at the end."""
    events = COUP.events
    body = sealed(events[:4], COUP.seed)
    return sealed_above(body + b"".join(line(n, e) for n, e in enumerate(events[4:], 5)))


def sealed_above(body: bytes) -> bytes:
    """``body`` under one more seal."""
    count = body.count(b"\n")
    end = {"type": "match_sealed", "seed": COUP.seed, "events": count}
    return body + line(count, end | {"sha256": seal.hex_digest(body)})


@entry("corrupt")
def seal_with_one_event_more() -> bytes:
    """The seal counts one event more than there are."""
    return with_seal(COUP, events=len(COUP.lines))


@entry("corrupt")
def seal_that_counts_itself_as_text() -> bytes:
    """The seal's count is a text."""
    return with_seal(COUP, events=str(len(COUP.lines) - 1))


@entry("corrupt")
def seal_with_a_float_for_a_count() -> bytes:
    """The seal's count is right in value, but a float."""
    return with_seal(COUP, events=float(len(COUP.lines) - 1))


@entry("corrupt")
def seal_without_a_count() -> bytes:
    """The seal does not count."""
    return with_seal(COUP, events=None)


@entry("corrupt")
def seal_with_another_hash() -> bytes:
    """The seal's hash is all zeros."""
    return with_seal(COUP, sha256="0" * 64)


@entry("corrupt")
def seal_of_another_log() -> bytes:
    """The seal is that of another match."""
    [end] = loads(COINS.lines[-1])
    return with_seal(COUP, **end | {"events": len(COUP.lines) - 1})


@entry("corrupt")
def seal_with_its_hash_in_capitals() -> bytes:
    """The seal's hash is right, but in capitals."""
    [end] = loads(COUP.lines[-1])
    return with_seal(COUP, sha256=end["sha256"].upper())


@entry("corrupt")
def seal_with_half_a_hash() -> bytes:
    """The seal's hash is right, but half as long."""
    [end] = loads(COUP.lines[-1])
    return with_seal(COUP, sha256=end["sha256"][:32])


@entry("corrupt")
def seal_without_a_hash() -> bytes:
    """The seal does not hash."""
    return with_seal(COUP, sha256=None)


@entry("corrupt")
def seal_that_hashes_without_the_last_line_feed() -> bytes:
    """The seal's hash leaves out the LF above it."""
    return with_seal(COUP, sha256=seal.hex_digest(b"".join(COUP.lines[:-1])[:-1]))


@entry("corrupt")
def seal_with_an_unknown_field() -> bytes:
    """The seal names who sealed it."""
    return with_seal(COUP, by="the referee")


@entry("corrupt")
def tournament_seal_on_a_match() -> bytes:
    """A match is sealed as a tournament."""
    return with_seal(COUP, type="tournament_sealed")


@entry("corrupt")
def match_seal_on_a_tournament() -> bytes:
    """A tournament is sealed as a match."""
    return with_seal(TOURNAMENT, type="match_sealed")


@entry("corrupt")
def seal_with_another_seq() -> bytes:
    """The seal's number is that of the event above."""
    here = len(COUP.lines) - 1
    return changed(COUP.data, b'{"seq":%d' % here, b'{"seq":%d' % (here - 1))


@entry("corrupt")
def edited_without_a_new_seal() -> bytes:
    """The winner's name is edited, and the seal left as it was."""
    return changed(COUP.data, b"player1", b"player9")


@entry("corrupt")
def result_edited_without_a_new_seal() -> bytes:
    """The scores of a tournament's match are edited, and the seal left as it was."""
    data = TOURNAMENT.data
    scores = data[data.index(b'"scores":[') :].split(b"]")[0]
    return changed(data, scores, scores[:10] + b"9" + scores[11:])
