"""A match that was played again, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace

from replay import render
from replay.again import Again
from replay.questions import seat_text
from schema.words import counted


def again_json(result: Again) -> str:
    """Return ``koth-again/1``: the source of each seat's answers, and the first difference."""
    return render.json(
        "koth-again/1",
        seat=result.seat,
        player=result.player,
        asked=result.asked,
        recorded_until=[
            {"seat": seat, "seq": result.departed.get(seat)} for seat in result.other_seats
        ],
        answered_otherwise=[
            {"seat": seat, "answers": number} for seat, number in result.otherwise.items()
        ],
        missing=result.missing,
        difference=asdict(result.difference),
    )


def again_text(result: Again) -> str:
    """Return the source of each seat's answers, and the first difference."""
    name, hash = result.player["name"], result.player["bot"]
    asked = counted(result.asked, "question")
    lines = [f"{name} ({hash[:16]}…) at seat {result.seat} had {asked} to answer"]
    lines += _sources(result)
    if result.same:
        return render.text([*lines, "the same match as recorded, event by event"])
    # The bot's name and hash are in the first line.
    difference = replace(result.difference, header=())
    return f"{render.text(lines)}\n{render.difference_text(difference)}"


def _sources(result: Again) -> Iterator[str]:
    """Yield a line about each other seat whose recorded answers do not all count."""
    for seat in result.other_seats:
        name = seat_text(result.log, seat)
        if (number := result.otherwise.get(seat)) is not None:
            yield (
                f"{name} answers {counted(number, 'recorded question')} otherwise now: it is not "
                "reproducible, or other files; what follows may have another cause"
            )
        if (seq := result.departed.get(seat)) is not None:
            until = f"{name}: its recorded answers count before event {seq}, where it is asked"
            if seat == result.missing:
                yield f"{until} another question; its bot is missing, so the match stops there"
            else:
                yield f"{until} another question; from there its bot answers"
