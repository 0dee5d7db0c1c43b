"""Logs of another format, game or rules version, and events that are unknown."""

from __future__ import annotations

from typing import Any

from tests.corpus.entries import add, entry
from tests.corpus.honest import (
    GAMES,
    Honest,
    changed,
    holding,
    plain,
    resealed,
    restarted,
    rewritten,
    without,
)
from tests.factories import sealed

COUP, COINS = plain("coup"), plain("coins")
TOURNAMENT = holding("coup", "match_played", "tournament")
NEWER = b"koth-log/2"
NEXT_RULES = {game: f"{game}/2" for game in GAMES} | {"coup": "coup/3"}


def unsealed(data: bytes) -> bytes:
    """``data`` without its last line."""
    return b"".join(data.splitlines(keepends=True)[:-1])


# --- Formats

for game in GAMES:
    add(
        f"newer_format_of_{game}",
        "The log is of the next format, and sealed.",
        "unsupported",
        lambda game=game: restarted(plain(game), format="koth-log/2"),
    )


@entry("unsupported")
def newer_format_of_a_tournament() -> bytes:
    """A tournament's log is of the next format, and sealed."""
    return restarted(TOURNAMENT, format="koth-log/2")


@entry("unsupported")
def format_of_the_far_future() -> bytes:
    """The format has a number of nine digits."""
    return restarted(COUP, format="koth-log/999999999")


@entry("corrupt")
def newer_format_without_a_new_seal() -> bytes:
    """The format was edited to the next one, and the seal left as it was."""
    return changed(COUP.data, b"koth-log/1", NEWER)


@entry("unsupported")
def newer_format_not_sealed() -> bytes:
    """The log is of the next format and has no seal: what it lacks cannot be known."""
    return unsealed(restarted(COUP, format="koth-log/2"))


@entry("unsupported")
def newer_format_with_a_torn_tail() -> bytes:
    """The log is of the next format and breaks off in a line."""
    data = unsealed(restarted(COUP, format="koth-log/2"))
    return data + b'{"seq":%d,"type":"match_s' % data.count(b"\n")


@entry("unsupported")
def newer_format_with_unknown_events_and_fields() -> bytes:
    """The next format has events and fields of which nobody knows yet."""
    events: list[dict[str, Any]] = COUP.events
    events[0] |= {"format": "koth-log/2", "weather": {"sky": "grey"}}
    events.insert(2, {"type": "teleported", "to": [[1, 2], None, True]})
    return sealed(events, COUP.seed)


@entry("unsupported")
def newer_format_with_bad_settings() -> bytes:
    """The next format has settings, players and commitments that this one would refuse."""
    start = {
        "format": "koth-log/2",
        "settings": {"rounds": 0},
        "players": [],
        "seed_commitment": "",
    }
    return restarted(COUP, **start)


@entry("corrupt")
def newer_format_with_a_broken_line() -> bytes:
    """The log is of the next format, but a line is no JSON."""
    return rewritten(restarted(COUP, format="koth-log/2"), b'"ask"', b"ask")


@entry("corrupt")
def newer_format_with_white_space() -> bytes:
    """The log is of the next format, but a line is laid out otherwise."""
    return rewritten(restarted(COUP, format="koth-log/2"), b'"ask":', b'"ask": ')


@entry("corrupt")
def newer_format_with_two_seals() -> bytes:
    """The log is of the next format, but sealed twice."""
    data = restarted(COUP, format="koth-log/2")
    return data + data.splitlines(keepends=True)[-1]


@entry("corrupt")
def newer_format_with_a_wrong_seq() -> bytes:
    """The log is of the next format, but a number is missing."""
    data = restarted(COUP, format="koth-log/2")
    return rewritten(data, b'{"seq":2,', b'{"seq":3,')


FORMATS = {
    "format_with_a_leading_zero": ("The format is koth-log/01.", "koth-log/01"),
    "format_zero": ("The format is koth-log/0.", "koth-log/0"),
    "format_minus_one": ("The format is koth-log/-1.", "koth-log/-1"),
    "format_with_a_fraction": ("The format is koth-log/1.0.", "koth-log/1.0"),
    "format_with_a_space": ("The format ends in a space.", "koth-log/1 "),
    "format_with_a_line_feed": ("The format ends in an escaped LF.", "koth-log/1\n"),
    "format_in_capitals": ("The format is KOTH-LOG/1.", "KOTH-LOG/1"),
    "format_in_other_digits": ("The format is koth-log/2 with a full-width 2.", "koth-log/２"),
    "format_of_something_else": ("The format is koth-bundle/1.", "koth-bundle/1"),
    "format_that_is_empty": ("The format is an empty text.", ""),
    "format_that_is_a_number": ("The format is the number 1.", 1),
    "format_that_is_null": ("The format is null.", None),
    "format_that_is_a_list": ("The format is a list of formats.", ["koth-log/1"]),
}

for name, (attack, format) in FORMATS.items():
    add(name, attack, "corrupt", lambda format=format: restarted(COUP, format=format))


@entry("corrupt")
def format_missing() -> bytes:
    """The start names no format."""
    events = COUP.events
    return sealed([without(events[0], "format"), *events[1:]], COUP.seed)


# --- Games and rules


@entry("unsupported")
def unknown_game() -> bytes:
    """The game is not installed."""
    return restarted(COUP, game="poker", rules="poker/1")


@entry("unsupported")
def unknown_game_not_sealed() -> bytes:
    """The game is not installed, and there is no seal: unsupported comes before incomplete."""
    return unsealed(restarted(COUP, game="poker", rules="poker/1"))


@entry("unsupported")
def unknown_game_of_a_tournament() -> bytes:
    """A tournament's game is not installed."""
    return restarted(TOURNAMENT, game="poker", rules="poker/1")


@entry("corrupt")
def unknown_game_with_a_bad_start() -> bytes:
    """The game is not installed, and the start has a field that no start has."""
    return restarted(COUP, game="poker", rules="poker/1", stakes=1)


@entry("unsupported")
def game_in_capitals() -> bytes:
    """The game is called Coup instead of coup."""
    return restarted(COUP, game="Coup")


@entry("unsupported")
def game_that_is_a_path() -> bytes:
    """The game's name leads out of the folder of games."""
    return restarted(COUP, game="../games/coup")


@entry("unsupported")
def game_without_a_name() -> bytes:
    """The game's name is empty."""
    return restarted(COUP, game="")


for game in GAMES:
    add(
        f"unknown_rules_of_{game}",
        "The rules version is the next one, which is not installed.",
        "unsupported",
        lambda game=game: restarted(plain(game), rules=NEXT_RULES[game]),
    )


@entry("unsupported")
def unknown_rules_of_a_tournament() -> bytes:
    """A tournament's rules version is not installed."""
    return restarted(TOURNAMENT, rules=NEXT_RULES["coup"])


@entry("unsupported")
def rules_of_another_game() -> bytes:
    """A match of Coup names the rules of Coins."""
    return restarted(COUP, rules="coins/1")


@entry("unsupported")
def rules_with_a_leading_zero() -> bytes:
    """The rules version is coup/01."""
    return restarted(COUP, rules="coup/01")


@entry("corrupt")
def another_game_with_its_rules() -> bytes:
    """A match of Coup says that it is one of Coins."""
    return restarted(COUP, game="coins", rules="coins/1")


# --- Events that do not belong here


def with_event(log: Honest, event: dict[str, Any], sealed_again: bool = True) -> bytes:
    """``log`` with one more event in its middle, sealed again or not at all."""
    events = log.events
    events.insert(2, event)
    data = sealed(events, log.seed)
    return data if sealed_again else unsealed(data)


@entry("corrupt")
def unknown_event() -> bytes:
    """An event is of a type that no game has."""
    return with_event(COUP, {"type": "teleported"})


@entry("corrupt")
def unknown_event_not_sealed() -> bytes:
    """An event is of an unknown type, and there is no seal: corrupt comes before incomplete."""
    return with_event(COUP, {"type": "teleported"}, sealed_again=False)


@entry("corrupt")
def event_of_another_game() -> bytes:
    """A match of Coup holds an event of Coins."""
    return with_event(COUP, COINS.events[1])


@entry("corrupt")
def imported_event_of_another_game() -> bytes:
    """A match of Coins holds an event that only imported matches of Bank Heist have."""
    event = {"type": "heist_seen", "number": 0, "seat": 0, "succeeded": 1}
    return with_event(COINS, event)


@entry("corrupt")
def tournament_event_in_a_match() -> bytes:
    """A match holds an event of its tournament."""
    return with_event(COUP, TOURNAMENT.events[1])


@entry("corrupt")
def match_event_in_a_tournament() -> bytes:
    """A tournament's log holds an answer."""
    return with_event(TOURNAMENT, COUP.events[2])


@entry("corrupt")
def tournament_start_on_a_match() -> bytes:
    """A match begins as a tournament does."""
    data = sealed([TOURNAMENT.events[0], *COUP.events[1:]], COUP.seed)
    return resealed(data)


@entry("corrupt")
def type_that_is_empty() -> bytes:
    """An event's type is an empty text."""
    return with_event(COUP, {"type": ""})


@entry("corrupt")
def type_with_a_space() -> bytes:
    """An event's type ends in a space."""
    return rewritten(COUP.data, b'"type":"dealt"', b'"type":"dealt "')


@entry("corrupt")
def type_that_is_a_list() -> bytes:
    """An event has a list of types."""
    return rewritten(COUP.data, b'"type":"dealt"', b'"type":["dealt"]')


@entry("corrupt")
def type_missing() -> bytes:
    """An event has no type."""
    return rewritten(COUP.data, b'"type":"dealt",', b"")


@entry("corrupt")
def seq_missing() -> bytes:
    """An event has no number."""
    return rewritten(COUP.data, b'{"seq":1,', b"{")


@entry("corrupt")
def seq_as_text() -> bytes:
    """An event's number is a text."""
    return rewritten(COUP.data, b'{"seq":1,', b'{"seq":"1",')


@entry("corrupt")
def seq_as_true() -> bytes:
    """The event of number 1 has true for it."""
    return rewritten(COUP.data, b'{"seq":1,', b'{"seq":true,')


@entry("corrupt")
def seq_as_a_float() -> bytes:
    """An event's number is 1.0."""
    return rewritten(COUP.data, b'{"seq":1,', b'{"seq":1.0,')
