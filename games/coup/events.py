"""The events and settings of Coup for two. A card is written as its show symbol."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from schema.fields import Count, Int, Seat, Switch, event

Cards = Annotated[str, Field(pattern=r"^[~^*!$]*$", description="Show symbols, in order.")]
Card = Annotated[str, Field(pattern=r"^[~^*!$]$", description="A show symbol.")]

Cause = Annotated[
    Literal["income", "foreign_aid", "tax", "steal", "coup", "assassination"],
    Field(description="Why coins move."),
]

Loss = Annotated[
    Literal["coup", "assassination", "false_claim", "wrong_challenge"],
    Field(description="Why a card is lost."),
]


class Settings1(BaseModel):
    """The settings of ``coup/1``: rounds of a tournament, seconds of a call, calls of a match."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rounds: int = Field(10, ge=1, le=10_000, description="Rounds of a tournament (CP-19).")
    time_limit_s: int = Field(10, ge=1, le=3_600, description="Seconds a call may take (CP-17).")
    max_calls: int = Field(200, ge=1, le=100_000, description="Calls until a draw (CP-3).")


class Settings(Settings1):
    """The settings of ``coup/2``, which adds mirrored pairs."""

    mirrored: Switch = Field(
        0, description="1, or `true`: both games of a pair have the same dice (CP-21)."
    )


@event
class Dealt(TypedDict):
    """The deck was shuffled and both hands were dealt (CP-1)."""

    type: Literal["dealt"]
    hands: Annotated[list[Cards], Field(description="By seat.")]
    coins: Annotated[list[Count], Field(description="By seat.")]
    deck: Annotated[Cards, Field(description="The rest of the deck, the next card first.")]


@event
class CoinsMoved(TypedDict):
    """Coins moved between the players, or from or to the treasury (CP-8 to CP-11)."""

    type: Literal["coins_moved"]
    cause: Cause
    change: Annotated[list[Int], Field(description="By seat.")]
    coins: Annotated[list[Count], Field(description="By seat, afterwards.")]


@event
class CardLost(TypedDict):
    """A card left the game for good (CP-14)."""

    type: Literal["card_lost"]
    seat: Seat
    cause: Loss
    card: Card
    hand: Annotated[Cards, Field(description="The seat's hand afterwards.")]


@event
class CardReplaced(TypedDict):
    """A shown card went back, the deck was shuffled, and its owner drew one (CP-13)."""

    type: Literal["card_replaced"]
    seat: Seat
    card: Annotated[Card, Field(description="The card shown.")]
    drawn: Annotated[Cards, Field(description="The card drawn for it.")]
    hand: Annotated[Cards, Field(description="The seat's hand afterwards.")]
    deck: Annotated[Cards, Field(description="The deck afterwards, the next card first.")]


@event
class CardsOffered(TypedDict):
    """Two cards were drawn for an Exchange; the owner sees them before its own (CP-15)."""

    type: Literal["cards_offered"]
    seat: Seat
    drawn: Annotated[Cards, Field(description="The two cards, in the order drawn.")]
    deck: Annotated[Cards, Field(description="The deck afterwards, the next card first.")]


@event
class CardsExchanged(TypedDict):
    """The owner chose its cards, the two others went back, and the deck was shuffled (CP-15)."""

    type: Literal["cards_exchanged"]
    seat: Seat
    returned: Annotated[Cards, Field(description="The cards that went back.")]
    hand: Annotated[Cards, Field(description="The seat's hand afterwards, in the order written.")]
    deck: Annotated[Cards, Field(description="The deck afterwards, the next card first.")]


EVENTS = (Dealt, CoinsMoved, CardLost, CardReplaced, CardsOffered, CardsExchanged)
