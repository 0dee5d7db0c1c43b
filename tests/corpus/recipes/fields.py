"""Attacks on the fields of events: unknown, missing, out of bounds; on players and settings."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.corpus.entries import add, entry
from tests.corpus.honest import (
    GAMES,
    Honest,
    holding,
    plain,
    refielded,
    resealed,
    restarted,
    rewritten,
    without,
)
from tests.factories import BOT, sealed

COUP, COINS = plain("coup"), plain("coins")
UNIQUE, HEIST = plain("smallest_unique"), plain("bank_heist")
TOURNAMENT = holding("coup", "match_played", "tournament")


# --- Unknown, missing, null

for game in GAMES:
    add(
        f"unknown_field_in_{game}",
        "An event has a field that its model has not.",
        "corrupt",
        lambda game=game: refielded(plain(game), 1, lambda event: event.update(note="x")),
    )
    add(
        f"missing_field_in_{game}",
        "An event lacks its first field.",
        "corrupt",
        lambda game=game: refielded(plain(game), 1, lambda event: event.pop(list(event)[1])),
    )
    add(
        f"null_field_in_{game}",
        "The last field of an event is null.",
        "corrupt",
        lambda game=game: refielded(
            plain(game), 1, lambda event: event.update({list(event)[-1]: None})
        ),
    )


@entry("corrupt")
def unknown_field_in_a_player() -> bytes:
    """A player has a field that its model has not."""
    return refielded(COUP, 0, lambda start: start["players"][0].update(rating=1500))


@entry("corrupt")
def missing_field_in_a_player() -> bytes:
    """A player has no bot."""
    return refielded(COUP, 0, lambda start: start["players"][0].pop("bot"))


@entry("corrupt")
def unknown_field_in_an_unsealed_log() -> bytes:
    """A field is unknown, and there is no seal: corrupt comes before incomplete."""
    data = refielded(COUP, 1, lambda event: event.update(note="x"))
    return b"".join(data.splitlines(keepends=True)[:-1])


@entry("corrupt")
def optional_field_that_is_null() -> bytes:
    """A round without a winner has null for it instead of no field."""
    log = holding("smallest_unique", "round")
    return refielded(log, 1, lambda event: event.update(winner=None))


@entry("corrupt")
def source_that_is_unknown() -> bytes:
    """A match that was played says that it comes from elsewhere than an import."""
    events = COUP.events
    start: dict[str, Any] = {}
    for key, value in events[0].items():
        start |= {"source": "hearsay"} if key == "seed_commitment" else {key: value}
    return sealed([start, *events[1:]], COUP.seed)


# --- Players


def people(*who: tuple[int, str]) -> list[dict[str, Any]]:
    """Players by seat and name."""
    return [{"seat": seat, "name": name, "bot": BOT} for seat, name in who]


PLAYERS = {
    "players_swapped": ("The players stand in the wrong order.", people((1, "a"), (0, "b"))),
    "players_numbered_from_one": ("The seats count from 1.", people((1, "a"), (2, "b"))),
    "seat_taken_twice": ("Two players have seat 0.", people((0, "a"), (0, "b"))),
    "same_name_twice": ("Two players have the same name.", people((0, "a"), (1, "a"))),
    "too_many_players": (
        "Three players sit at a table for two.",
        people((0, "a"), (1, "b"), (2, "c")),
    ),
    "too_few_players": ("One player sits alone.", people((0, "a"))),
    "no_players": ("Nobody plays.", []),
    "name_that_is_empty": ("A player has an empty name.", people((0, ""), (1, "b"))),
    "name_with_a_space": ("A name holds a space.", people((0, "a b"), (1, "b"))),
    "name_with_a_wide_space": ("A name holds U+3000.", people((0, "a\u3000b"), (1, "b"))),
    "name_that_leads_elsewhere": ("A name is a path.", people((0, "../../a"), (1, "b"))),
    "name_with_a_backslash": ("A name holds a backslash.", people((0, "a\\b"), (1, "b"))),
    "name_that_moves_the_cursor": ("A name holds ESC.", people((0, "\x1b[2Jall"), (1, "b"))),
    "name_that_is_too_long": ("A name has 65 letters.", people((0, "a" * 65), (1, "b"))),
}

for name, (attack, players) in PLAYERS.items():
    add(name, attack, "corrupt", lambda players=players: restarted(COUP, players=players))


@entry("corrupt")
def bot_hash_in_capitals() -> bytes:
    """The hash of a bot's files is written in capitals."""
    return refielded(COUP, 0, lambda start: start["players"][0].update(bot=BOT.upper()))


@entry("corrupt")
def bot_hash_cut_short() -> bytes:
    """The hash of a bot's files lacks a digit."""
    return refielded(COUP, 0, lambda start: start["players"][0].update(bot=BOT[:-1]))


@entry("corrupt")
def bot_hash_with_a_line_feed() -> bytes:
    """The hash of a bot's files ends in an escaped LF."""
    return refielded(COUP, 0, lambda start: start["players"][0].update(bot=BOT + "\n"))


@entry("corrupt")
def sixty_one_players_of_coins() -> bytes:
    """One more sits at the table than Coins has seats."""
    return restarted(COINS, players=people(*((n, f"p{n}") for n in range(61))))


@entry("corrupt")
def more_players_than_the_setting_says() -> bytes:
    """Smallest Unique Number has a setting for its seats, and a player more."""
    start = UNIQUE.events[0]
    more = [*start["players"], {"seat": len(start["players"]), "name": "late", "bot": BOT}]
    return restarted(UNIQUE, players=more)


@entry("corrupt")
def entrants_misnumbered() -> bytes:
    """The entrants of a tournament stand in the wrong order."""
    return refielded(TOURNAMENT, 0, lambda start: start["entrants"].reverse())


@entry("corrupt")
def entrant_twice() -> bytes:
    """One name stands for two entrants."""
    first = TOURNAMENT.events[0]["entrants"][0]["name"]
    return refielded(TOURNAMENT, 0, lambda start: start["entrants"][1].update(name=first))


# --- Match and tournament

IDS = {
    "match_without_an_attempt": ("The match is called 000000.", "000000"),
    "match_of_attempt_zero": ("The match is of attempt 0.", "0-000000"),
    "match_with_a_short_number": ("The match is called 1-0.", "1-0"),
    "match_that_is_a_path": ("The match is called ../1-000000.", "../1-000000"),
    "match_with_a_line_feed": ("The match's id ends in an escaped LF.", "1-000000\n"),
    "match_in_other_digits": ("The match's number is in Arabic digits.", "1-٠٠٠٠٠٠"),
}

for name, (attack, match) in IDS.items():
    add(name, attack, "corrupt", lambda match=match: restarted(COUP, match=match))


@entry("corrupt")
def tournament_without_an_id() -> bytes:
    """The tournament's id is empty."""
    return restarted(COUP, tournament="")


# --- Settings


def settings(name: str, attack: str, log: Honest, change: Callable[[dict[str, Any]], Any]) -> None:
    """An entry: the settings of a log are changed."""
    add(name, attack, "corrupt", lambda: refielded(log, 0, lambda start: change(start["settings"])))


def reversed_in_place(found: dict[str, Any]) -> None:
    """The other order."""
    for key in list(found)[-2::-1]:
        found[key] = found.pop(key)


def set_to(key: str, value: int | str, found: dict[str, Any]) -> None:
    """Another value."""
    found[key] = value


OUT_OF_BOUNDS: dict[str, tuple[str, int | str]] = {
    "bank_heist": ("games_min", 0),
    "coins": ("rounds", 10_001),
    "coup": ("max_calls", 0),
    "smallest_unique": ("rounds", 1_000_001),
}

for game in GAMES:
    key, value = OUT_OF_BOUNDS[game]
    settings(
        f"setting_out_of_bounds_in_{game}",
        f"The setting {key} is {value}.",
        plain(game),
        partial(set_to, key, value),
    )
    settings(
        f"unknown_setting_in_{game}",
        "There is a setting that the game has not.",
        plain(game),
        lambda found: found.update(luck=1),
    )
    settings(
        f"missing_setting_in_{game}",
        "The last setting is not there.",
        plain(game),
        lambda found: found.popitem(),
    )
    settings(
        f"settings_in_another_order_in_{game}",
        "The settings stand in the other order.",
        plain(game),
        reversed_in_place,
    )

settings("setting_as_text", "A number is a text.", COUP, lambda found: found.update(rounds="10"))
settings("setting_that_is_true", "A number is true.", COUP, lambda found: found.update(rounds=True))
settings("setting_as_a_float", "A number is 10.0.", COUP, lambda found: found.update(rounds=10.0))
settings(
    "setting_that_is_null", "A setting is null.", COUP, lambda found: found.update(rounds=None)
)
settings(
    "setting_that_is_huge", "A setting is 2^63.", COUP, lambda found: found.update(rounds=2**63)
)
settings("no_settings", "There are no settings.", COUP, lambda found: found.clear())
settings(
    "settings_that_contradict",
    "The most games are fewer than the fewest.",
    HEIST,
    lambda found: found.update(games_min=2, games_max=1),
)
settings(
    "setting_that_nobody_can_reach",
    "More games are demanded of everybody than are played.",
    UNIQUE,
    lambda found: found.update(games_per_entrant=1, min_games_per_entrant=100),
)
settings(
    "choice_that_is_none",
    "A setting of two words has a third one.",
    HEIST,
    lambda found: found.update(rabble_draw="all"),
)

# --- Values that a game forbids


@entry("corrupt")
def negative_coins() -> bytes:
    """Somebody has -1 coins."""
    return rewritten(COUP.data, b'"coins":[1,1]', b'"coins":[-1,1]')


@entry("corrupt")
def card_that_is_none() -> bytes:
    """A card is an x."""
    return rewritten(COUP.data, b'"deck":"', b'"deck":"x')


@entry("corrupt")
def action_that_is_none() -> bytes:
    """An action is a letter that no action has."""
    return rewritten(COINS.data, b'"actions":"', b'"actions":"Q')


@entry("corrupt")
def sixth_bank() -> bytes:
    """The bank is number 5, which is not there."""
    log = holding("bank_heist", "bets_closed")
    return refielded(log, log.seq("bets_closed"), lambda event: event.update(bank=5))


@entry("corrupt")
def round_zero() -> bytes:
    """Rounds count from 0."""
    return refielded(UNIQUE, 1, lambda event: event.update(round=0))


@entry("corrupt")
def fault_of_an_unknown_kind() -> bytes:
    """A fault is of a kind that there is not."""
    log = holding("coup", "fault")
    return refielded(log, log.seq("fault"), lambda event: event.update(kind="rude"))


@entry("corrupt")
def fault_without_a_clause() -> bytes:
    """A fault names no clause."""
    log = holding("coup", "fault")
    events = log.events
    seq = log.seq("fault")
    events[seq] = without(events[seq], "clause")
    return sealed(events, log.seed)


@entry("corrupt")
def pattern_met_only_up_to_a_line_feed() -> bytes:
    """A hand ends in an escaped LF, which a careless pattern lets through."""
    return resealed(COUP.data.replace(b'"deck":"', b'"deck":"\\n', 1))
