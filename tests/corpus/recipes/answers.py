"""Attacks on what bots said, and on their faults; all sealed again."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from schema.bot_output import CAP
from tests.corpus.entries import add, entry
from tests.corpus.honest import GAMES, Honest, holding, plain, refielded, without
from tests.factories import Events, sealed

COINS, COUP = plain("coins"), plain("coup")
FAULTY = holding("coup", "fault")
HEIST = holding("bank_heist", "cross_judged")


# --- Another answer

EDITED: dict[str, dict[str, Any]] = {
    "bank_heist": {"output": "2"},
    "coins": {"output": "3FF"},
    "coup": {"appended": "I\n"},
    "smallest_unique": {"choices": [1, 1, 1]},
}

for game in GAMES:
    carrier = "round" if game == "smallest_unique" else "answered"
    add(
        f"answer_edited_and_resealed_in_{game}",
        "The first answer is another legal one.",
        "diverged",
        lambda game=game, type=carrier: refielded(
            plain(game), plain(game).seq(type), lambda event: event.update(EDITED[game])
        ),
    )


def answer(log: Honest, change: dict[str, Any] | None = None, *dropped: str) -> bytes:
    """``log`` with another first answer."""
    events, seq = log.events, log.seq("answered")
    events[seq] = without(events[seq], *dropped) | (change or {})
    return sealed(events, log.seed)


@entry("diverged")
def answers_of_two_seats_swapped() -> bytes:
    """Two players changed their answers."""
    events = COINS.events
    one, other = (seq for seq, event in enumerate(events) if event["type"] == "answered")
    events[one]["output"], events[other]["output"] = events[other]["output"], events[one]["output"]
    return sealed(events, COINS.seed)


@entry("diverged")
def answer_of_another_seat() -> bytes:
    """An answer is said to be the other player's."""
    return refielded(
        COINS, COINS.seq("answered"), lambda event: event.update(seat=1 - event["seat"])
    )


@entry("diverged")
def answer_of_a_seat_that_is_not_there() -> bytes:
    """An answer is said to be that of seat 7."""
    return answer(COINS, {"seat": 7})


@entry("diverged")
def answer_to_another_question() -> bytes:
    """An answer is said to be to another question."""
    return answer(COINS, {"ask": "bet"})


@entry("diverged")
def illegal_answer_accepted() -> bytes:
    """An answer that the rules do not accept stands as one that they did."""
    return answer(COINS, {"output": "QQQ"})


@entry("diverged")
def answer_with_white_space() -> bytes:
    """An answer ends in a line feed that nobody wrote, and that makes it illegal."""
    return answer(COUP, {"appended": "F\n\n"})


@entry("diverged")
def answer_left_empty() -> bytes:
    """An answer is empty."""
    return answer(COINS, {"output": ""})


@entry("diverged")
def answer_without_its_text() -> bytes:
    """An answer lacks what was said."""
    return answer(COINS, None, "output")


@entry("diverged")
def round_with_a_choice_missing() -> bytes:
    """In a round of Smallest Unique Number a seat did not choose."""
    log = plain("smallest_unique")
    return refielded(log, 1, lambda event: event["choices"].pop())


@entry("diverged")
def choice_out_of_range() -> bytes:
    """A choice of Smallest Unique Number is 11."""
    log = plain("smallest_unique")
    return refielded(log, 1, lambda event: event["choices"].__setitem__(0, 11))


# --- One way to write what a bot wrote


@entry("diverged")
def text_as_base64() -> bytes:
    """An answer that is text stands as base64, which is for what is no UTF-8."""
    output = COINS.events[COINS.seq("answered")]["output"]
    return answer(COINS, {"output_base64": b64encode(output.encode()).decode()}, "output")


@entry("diverged")
def output_and_base64_both() -> bytes:
    """An answer stands as text and as base64."""
    seq = COINS.seq("answered")

    def change(event: dict[str, Any]) -> None:
        event["output_base64"] = b64encode(event["output"].encode()).decode()

    return refielded(COINS, seq, change)


@entry("diverged")
def output_and_another_base64() -> bytes:
    """An answer stands as text, and another one as base64."""
    seq = COINS.seq("answered")
    return refielded(COINS, seq, lambda event: event.update(output_base64="/w=="))


def illegal_bytes(base64: str) -> bytes:
    """A match in which an answer is no UTF-8, written like this."""
    log = bytes_answered()
    seq = next(n for n, event in enumerate(log.events) if "output_base64" in event)
    return refielded(log, seq, lambda event: event.update(output_base64=base64))


def bytes_answered() -> Honest:
    """A golden match of Coins in which an answer is no UTF-8."""
    log = holding("coins", "fault")
    assert b'"output_base64":"/zEy"' in log.data
    return log


@entry("diverged")
def base64_that_is_not_canonical() -> bytes:
    """The bits that base64 leaves over are not zero."""
    return illegal_bytes("/x==")


@entry("corrupt")
def base64_without_padding() -> bytes:
    """The padding of base64 is missing."""
    return illegal_bytes("/w")


@entry("corrupt")
def base64_for_addresses() -> bytes:
    """The base64 is of the kind for addresses, with an underline."""
    return illegal_bytes("_zEy")


@entry("corrupt")
def base64_with_a_line_feed() -> bytes:
    """The base64 is broken into lines."""
    return illegal_bytes("/zEy\n")


@entry("corrupt")
def base64_that_is_none() -> bytes:
    """What should be base64 is a sentence."""
    return illegal_bytes("nothing at all")


@entry("diverged")
def cut_that_is_not_true() -> bytes:
    """An answer of three letters is said to be cut."""
    return answer(COINS, {"cut": ["output"]})


@entry("diverged")
def cut_of_an_unknown_channel() -> bytes:
    """A channel that there is not is said to be cut."""
    return answer(COINS, {"cut": ["telephone"]})


@entry("diverged")
def cut_of_nothing() -> bytes:
    """It is said that no channel was cut, which goes without saying."""
    return answer(COINS, {"cut": []})


@entry("diverged")
def answer_longer_than_the_cap() -> bytes:
    """An illegal answer is a byte longer than a log keeps, and not cut."""
    log = holding("coins", "fault")
    long = "x" * (CAP + 1)
    return refielded(log, log.seq("fault"), lambda event: event.update(output=long))


@entry("diverged")
def answer_in_a_channel_that_its_protocol_has_not() -> bytes:
    """A bot of Coins is said to have added to a history, which only bots of Coup can."""
    return answer(COINS, {"appended": "I"})


@entry("diverged")
def fault_in_a_channel_that_its_protocol_has_not() -> bytes:
    """A bot of Coins is said to have changed a history, which only bots of Coup can."""
    log = holding("coins", "fault")
    return refielded(log, log.seq("fault"), lambda event: event.update(file="I"))


# --- Faults


def told_as(log: Honest, seq: int, event: dict[str, Any]) -> Events:
    """The events of ``log`` with another one in a place."""
    events = log.events
    events[seq] = event
    return events


@entry("diverged")
def legal_answer_told_as_illegal() -> bytes:
    """A legal answer stands as an illegal one, and all the rest as it was."""
    seq = COINS.seq("answered")
    found = COINS.events[seq]
    fault = {"type": "fault", "seat": found["seat"], "kind": "illegal", "clause": "CN-7"}
    fault |= {"penalty": "NNN", "ask": "turn", "output": found["output"]}
    return sealed(told_as(COINS, seq, fault), COINS.seed)


@entry("diverged")
def timeout_invented() -> bytes:
    """A player is said to have been too slow, but its action was carried out."""
    seq = COINS.seq("answered")
    fault = {"type": "fault", "seat": COINS.events[seq]["seat"], "kind": "timeout"}
    fault |= {"clause": "CN-8", "penalty": "NNN", "ask": "turn"}
    acted = COINS.events[seq + 1]
    assert acted["actions"] != "NNN"
    return sealed(told_as(COINS, seq, fault), COINS.seed)


@entry("diverged")
def fault_turned_into_an_answer() -> bytes:
    """What was a fault stands as an answer."""
    log = holding("coins", "fault")
    seq = log.seq("fault")
    found = log.events[seq]
    answered = {"type": "answered", "seat": found["seat"], "ask": "turn", "output": found["output"]}
    return sealed(told_as(log, seq, answered), log.seed)


@entry("diverged")
def fault_left_out() -> bytes:
    """A fault is left out."""
    events = FAULTY.events
    del events[FAULTY.seq("fault")]
    return sealed(events, FAULTY.seed)


@entry("diverged")
def fault_of_the_other_seat() -> bytes:
    """The fault is said to be the other player's."""
    return refielded(
        FAULTY, FAULTY.seq("fault"), lambda event: event.update(seat=1 - event["seat"])
    )


@entry("diverged")
def clause_edited() -> bytes:
    """A fault names another clause."""
    return refielded(FAULTY, FAULTY.seq("fault"), lambda event: event.update(clause="CP-1"))


@entry("diverged")
def penalty_edited() -> bytes:
    """A fault costs nothing."""
    return refielded(FAULTY, FAULTY.seq("fault"), lambda event: event.update(penalty="none"))


@entry("diverged")
def tampering_told_as_an_illegal_answer() -> bytes:
    """A history that was tampered with stands as an illegal answer, and keeps the file."""
    return refielded(FAULTY, FAULTY.seq("fault"), lambda event: event.update(kind="illegal"))


@entry("diverged")
def heist_answer_edited() -> bytes:
    """A heister is said to have backed out, and got its winnings all the same."""
    events = HEIST.events
    seq = next(n for n, event in enumerate(events) if event.get("ask") == "action")
    return refielded(HEIST, seq, lambda event: event.update(output="back out"))


# --- What no log can show by itself


@entry("verified")
def output_that_nobody_reads_edited() -> bytes:
    """What a bot of Coup printed beside its answer is edited: it decides nothing, and only the
    tournament's seal of the match, or the bot asked again, can tell."""
    seq = COUP.seq("answered")
    return refielded(COUP, seq, lambda event: event.update(output="hello"))


@entry("verified")
def answer_edited_and_all_that_follows() -> bytes:
    """A choice is another one and everything that follows from it is recomputed: only the
    tournament's seal of the match, or the bot asked again, can tell."""
    log = plain("smallest_unique")
    events = log.events
    choices, winner = events[1]["choices"], events[1]["winner"]
    events[1] |= {"choices": choices[::-1], "winner": len(choices) - 1 - winner}
    scores = events[-1]["scores"]
    scores[winner] -= 1
    scores[len(choices) - 1 - winner] += 1
    events[-1]["winners"] = [n for n, score in enumerate(scores) if score == max(scores)]
    return sealed(events, log.seed)


@entry("verified")
def names_and_bots_edited() -> bytes:
    """Players and bots of a lone match are called otherwise: only its tournament can tell."""
    events = COUP.events
    for player in events[0]["players"]:
        player |= {"name": f"other{player['seat']}", "bot": "0" * 64}
    return sealed(events, COUP.seed)
