"""The transcript of a match, as it was printed before Koth; from nothing but its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from schema.raw import from_fields
from schema.reader import Log

CUSTOMARY = "!guncheck"
"""What is printed for an answer that cannot be."""

GAINS = ("heist", "intel", "deposit", "withdraw")
"""What moves winnings before crossers and fingers do (BH-10, BH-15, BH-17, BH-18)."""


@dataclass
class Page:
    """What the transcript needs of one game."""

    head: str
    bets: list[tuple[int, int]] = field(default_factory=list)
    actions: list[tuple[int, str]] = field(default_factory=list)
    fates: str | None = None
    winnings: dict[int, int] = field(default_factory=dict)


def of_match(log: Log) -> str:
    """The transcript of a match, game by game."""
    names = [player["name"] for player in log.start["players"]]
    ranking = list(range(len(names)))
    lines: list[str] = []
    page = Page("")
    said = ""
    for event in cast(Sequence[dict[str, Any]], log.events):
        match event["type"]:
            case "game_started":
                head = f"#####GAME {event['number']}: {event['participants']} players######"
                page = Page(head)
            case "answered" | "fault":
                said = spoken(event)
            case "bet":
                page.bets.append((event["seat"], event["bet"]))
            case "acted":
                page.actions.append((event["seat"], said))
            case "heist_rolled":
                page.fates = event["player_fates"]
            case "moved" if event["what"] == "winnings" and event["why"] in GAINS:
                page.winnings[event["seat"]] = event["after"]
            case "game_finished":
                ranking.sort(key=lambda seat: -event["credits"][seat])
                lines += body(page, names)
                lines += standing(ranking, event["credits"], names)
    return "".join(f"{line}\n" for line in lines)


def spoken(event: dict[str, Any]) -> str:
    """An answer as one printable line; ``!guncheck`` for any other, and where a bot failed."""
    try:
        text = from_fields(event).get("output", b"").strip().decode()
    except UnicodeDecodeError:
        return CUSTOMARY
    return text if event["type"] == "answered" and text and text.isprintable() else CUSTOMARY


def body(page: Page, names: Sequence[str]) -> Iterator[str]:
    """The parts of a game before its final table."""
    yield page.head
    yield "Round 1:"
    for seat, bet in page.bets:
        yield f"{names[seat]} bet {bet}."
    yield "Round 2"
    for seat, said in page.actions:
        yield f"{names[seat]} decided to {said}."
    if page.fates is None:
        return
    yield "Results"
    for seat, _ in page.bets:
        if page.fates[seat] == "s":
            won = page.winnings.get(seat, 0)
            yield f"{names[seat]} was successful, and may gain ¥{won}"
        elif page.fates[seat] == "f":
            yield f"{names[seat]} failed. :("


def standing(ranking: Sequence[int], credits: Sequence[int], names: Sequence[str]) -> Iterator[str]:
    """The final table of a game, best first."""
    yield "Results:"
    for rank, seat in enumerate(ranking):
        yield f"{rank}. {names[seat]}: {credits[seat]}"
