"""The events and settings of Coins. Lists are by seat, not in turn order, unless they say so."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from schema.fields import Count, Int, Positive, Seat, event

Actions = Annotated[
    str, Field(pattern=r"^[N123ABCXYZFURT]{3}$", description="Three actions, in order.")
]
Centre = Annotated[Count, Field(description="Coins in the centre now.")]
Piles = Annotated[list[Count], Field(description="By seat, afterwards.")]
Points = Annotated[list[Int], Field(description="By seat, afterwards.")]


class Settings(BaseModel):
    """The settings of Coins: games of a tournament, rounds of a game, seconds of a turn."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    games: int = Field(100, ge=1, le=100_000, description="Games of a tournament (CN-10).")
    rounds: int = Field(50, ge=1, le=10_000, description="Rounds of a game (CN-3).")
    time_limit_s: int = Field(1, ge=1, le=3_600, description="Seconds a turn may take (CN-8).")


@event
class LaidOut(TypedDict):
    """The turn order was drawn and the centre was filled (CN-1, CN-2)."""

    type: Literal["laid_out"]
    order: Annotated[list[Seat], Field(description="The seats in turn order.")]
    centre: Centre


@event
class Acted(TypedDict):
    """A player carried out three actions (CN-4); after a fault they are `NNN`."""

    type: Literal["acted"]
    round: Annotated[Positive, Field(description="From 1.")]
    seat: Seat
    actions: Actions
    centre: Centre
    unflipped: Piles
    flipped: Piles
    points: Points


@event
class Counted(TypedDict):
    """Each coin counted again at the end (CN-5)."""

    type: Literal["counted"]
    points: Points


EVENTS = (LaidOut, Acted, Counted)
