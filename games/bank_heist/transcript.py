"""The transcript of a match in the form used before Koth, made from its events.

The log of an imported transcript gives this transcript again, except blank lines, leading zeros of
numbers, and a ``Results`` without lines below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from schema.bot_output import from_fields
from schema.reader import Log

CUSTOMARY = "!guncheck"
"""Printed for an answer that cannot be printed itself (BH-8)."""

GAINS = ("heist", "intel", "deposit", "withdraw")
"""The causes of a change of winnings before BH-19 (BH-10, BH-15, BH-17, BH-18)."""


@dataclass
class Page:
    """One game: its first line, and the seats of each part in the order of their lines."""

    head: str
    bets: list[tuple[int, int]] = field(default_factory=list)
    actions: list[tuple[int, str]] = field(default_factory=list)
    fates: dict[int, str] | None = None
    """``s`` or ``f`` by staying seat; None if the game has no results of a heist."""
    winnings: dict[int, int] = field(default_factory=dict)
    table: list[tuple[int, int]] | None = None
    """Seats and credits, best first; None if an imported transcript breaks off."""


def of_match(log: Log) -> str:
    """Return the transcript of a match."""
    names = [player["name"] for player in log.start["players"]]
    return "".join(f"{line}\n" for page in pages(log) for line in printed(page, names))


def pages(log: Log) -> list[Page]:
    """Return the games of a match."""
    games: list[Page] = []
    ranking = list(range(len(log.start["players"])))
    page = Page("")
    said = ""
    for event in cast(Sequence[dict[str, Any]], log.events):
        match event["type"]:
            case "game_started":
                head = f"#####GAME {event['number']}: {event['participants']} players######"
                games.append(page := Page(head))
            case "answered" | "fault":
                said = quoted(event) if log.imported else spoken(event)
            case "bet":
                page.bets.append((event["seat"], event["bet"]))
            case "acted":
                page.actions.append((event["seat"], said))
            case "heist_rolled":
                fates = event["player_fates"]
                page.fates = {seat: fates[seat] for seat, _ in page.bets if fates[seat] in "sf"}
            case "heist_seen":
                page.fates = (page.fates or {}) | {event["seat"]: "fs"[event["succeeded"]]}
                page.winnings[event["seat"]] = event.get("winnings", 0)
            case "moved" if event["what"] == "winnings" and event["why"] in GAINS:
                page.winnings[event["seat"]] = event["after"]
            case "game_finished":
                ranking.sort(key=lambda seat: -event["credits"][seat])
                page.table = [(seat, event["credits"][seat]) for seat in ranking]
            case "credits_seen":
                page.table = [(seat, event["credits"][seat]) for seat in event["ranking"]]
    return games


def spoken(event: dict[str, Any]) -> str:
    """Return an answer if it is one printable line, else ``!guncheck``, as after a fault."""
    try:
        text = from_fields(event).get("output", b"").strip().decode()
    except UnicodeDecodeError:
        return CUSTOMARY
    return text if event["type"] == "answered" and text and text.isprintable() else CUSTOMARY


def quoted(event: dict[str, Any]) -> str:
    """Return an imported answer as it was printed; ``!guncheck`` if it is not printable."""
    text: str = event.get("output", "\n")
    return text if text.isprintable() else CUSTOMARY


def printed(page: Page, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a game."""
    yield page.head
    yield "Round 1:"
    for seat, bet in page.bets:
        yield f"{names[seat]} bet {bet}."
    yield "Round 2"
    for seat, said in page.actions:
        yield f"{names[seat]} decided to {said}."
    if page.fates is not None:
        yield "Results"
        for seat, fate in page.fates.items():
            if fate == "s":
                won = page.winnings.get(seat, 0)
                yield f"{names[seat]} was successful, and may gain ¥{won}"
            else:
                yield f"{names[seat]} failed. :("
    if page.table is not None:
        yield "Results:"
        for rank, (seat, credits) in enumerate(page.table):
            yield f"{rank}. {names[seat]}: {credits}"
