"""The events and settings of Bank Heist.

Bets and accounts are in credits, probabilities and odds in billionths. Banks are numbered from 0
(Municipal) to 4 (Federal Reserve). The rabble's decisions follow from the dice; the log keeps them
as two strings per game, with one character per member.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from schema.fields import Count, Seat, event

Number = Annotated[Count, Field(description="The game, from 0.")]
Bank = Annotated[Count, Field(le=4, description="The bank, from 0.")]
Fates = Annotated[str, Field(pattern=r"^[.osf]*$")]

Action = Literal[
    "carry on",
    "back out",
    "all in",
    "change jobs",
    "acquire intel",
    "buy guard",
    "deposit",
    "withdraw",
    "double cross",
    "finger",
]
"""The actions of a heister in round 2 (BH-8)."""

What = Literal[
    "credits", "winnings", "salary", "employed", "account", "guards", "probability", "odds"
]
"""The possessions of a player; it has the last four at each bank."""

Why = Literal[
    "all_in",
    "bet",
    "heist",
    "change_jobs",
    "intel",
    "guard",
    "deposit",
    "withdraw",
    "exposed",
    "finger",
    "false_finger",
    "share",
    "cross_failed",
    "hired",
    "paycheck",
    "bribe",
    "guard_left",
    "interest",
]
"""The causes of a change, in the order of settlement (BH-13)."""


class Settings(BaseModel):
    """The settings of Bank Heist: games of a match, rabble, time limit, matches of a series."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    games_min: int = Field(1_000, ge=1, le=100_000, description="Fewest games of a match (BH-1).")
    games_max: int = Field(1_100, ge=1, le=100_000, description="Most games of a match (BH-1).")
    rabble: int = Field(500, ge=0, le=5_000, description="Members of the rabble (BH-3).")
    rabble_draw: Literal["subset", "size"] = Field(
        "subset", description="How the members that join a game are drawn (BH-3)."
    )
    time_limit_s: int = Field(10, ge=1, le=3_600, description="Seconds a call may take (BH-30).")
    matches: int = Field(1, ge=1, le=9_000, description="Matches of a series (BH-5, BH-31).")

    @model_validator(mode="after")
    def _in_order(self) -> Settings:
        if self.games_max < self.games_min:
            raise ValueError(
                f"games_max: expected at least games_min, {self.games_min}, found {self.games_max}"
            )
        return self


@event
class GamesDrawn(TypedDict):
    """The number of games of the match was drawn (BH-1)."""

    type: Literal["games_drawn"]
    games: Annotated[Count, Field(description="Games of the match.")]


@event
class GameStarted(TypedDict):
    """The rabble was drawn (BH-3)."""

    type: Literal["game_started"]
    number: Number
    participants: Annotated[Count, Field(description="Players and the rabble drawn.")]


@event
class Bet(TypedDict):
    """The bet of a player as it counts (BH-6)."""

    type: Literal["bet"]
    number: Number
    seat: Seat
    bet: Annotated[Count, Field(description="Credits.")]


@event
class BetsClosed(TypedDict):
    """Round 1 is over, and the bank is chosen (BH-7, BH-28)."""

    type: Literal["bets_closed"]
    number: Number
    heisters: Annotated[Count, Field(description="Participants with a bet of at least 1.")]
    total: Annotated[Count, Field(description="The sum of all bets.")]
    bank: Bank
    rabble_bets: Annotated[
        str,
        Field(
            pattern=r"^[.01234]*$",
            description="A character for each of the rabble: `.` not drawn, `0` nothing bet, "
            "`1` 69, `2` 420, `3` 6,969, `4` 80,085 credits.",
        ),
    ]


@event
class Acted(TypedDict):
    """The action of a player in round 2 as it counts (BH-8)."""

    type: Literal["acted"]
    number: Number
    seat: Seat
    action: Annotated[
        Action, Field(description="`carry on` for any other answer, and for a fault.")
    ]


@event
class HeistRolled(TypedDict):
    """Round 2 is over, and all staying heisters have rolled (BH-9, BH-12, BH-29)."""

    type: Literal["heist_rolled"]
    number: Number
    staying: Annotated[Count, Field(description="Heisters that did not back out.")]
    player_fates: Annotated[
        Fates,
        Field(
            description="A character by seat: `.` no heister, `o` backed out, `s` succeeded, "
            "`f` failed."
        ),
    ]
    rabble_fates: Annotated[
        Fates, Field(description="The same characters, by the rabble's numbers.")
    ]


@event
class Moved(TypedDict):
    """A possession of a player changed; winnings become 0 in the share-out without an event."""

    type: Literal["moved"]
    number: Number
    seat: Seat
    why: Annotated[Why, Field(description="The cause, in the order of settlement (BH-13).")]
    what: Annotated[What, Field(description="The last four exist at each bank.")]
    bank: NotRequired[Bank]
    before: Annotated[Count, Field(description="Credits, billionths, guards, or 1 if employed.")]
    after: Annotated[Count, Field(description="The same, afterwards.")]


@event
class CrossJudged(TypedDict):
    """A double cross was tried, and succeeded or failed (BH-19)."""

    type: Literal["cross_judged"]
    number: Number
    crossers: Annotated[Count, Field(description="Number of crossers, D.")]
    staying_players: Annotated[Count, Field(description="Staying players without the rabble, N.")]
    succeeded: Annotated[int, Field(ge=0, le=1, description="1 if it did.")]


@event
class Fingered(TypedDict):
    """A fingerer whose heist succeeded drew eight of the staying players (BH-20)."""

    type: Literal["fingered"]
    number: Number
    seat: Seat
    drawn: Annotated[list[Seat], Field(description="The seats, in the order drawn.")]
    exposed: Annotated[list[Seat], Field(description="The crossers exposed, in the order drawn.")]


@event
class SharedOut(TypedDict):
    """The amounts to share out, and the share of each besides its own (BH-22 to BH-24)."""

    type: Literal["shared_out"]
    number: Number
    straights: Annotated[Count, Field(description="Number of straights, with the rabble.")]
    straights_sum: Annotated[Count, Field(description="Their winnings, P.")]
    crossers_sum: Annotated[Count, Field(description="The crossers' winnings, Q.")]
    pot: Annotated[Count, Field(description="The losses of false fingers, L.")]
    straight_share: Annotated[Count, Field(description="Share of each straight besides its own.")]
    crosser_share: Annotated[
        Count, Field(description="Share of each unexposed crosser besides its own.")
    ]


@event
class GameFinished(TypedDict):
    """The credits at the end of a game."""

    type: Literal["game_finished"]
    number: Number
    credits: Annotated[list[Count], Field(description="By seat.")]
    rabble_credits: Annotated[Count, Field(description="The sum of the rabble's credits.")]


@event
class HeistSeen(TypedDict):
    """Only in imported logs: the result of the heist for a staying player, as printed."""

    type: Literal["heist_seen"]
    number: Number
    seat: Seat
    succeeded: Annotated[int, Field(ge=0, le=1, description="1 if it did.")]
    winnings: NotRequired[Annotated[Count, Field(description="Its winnings, as printed.")]]


@event
class CreditsSeen(TypedDict):
    """Only in imported logs: the table at the end of a game in a transcript."""

    type: Literal["credits_seen"]
    number: Number
    ranking: Annotated[list[Seat], Field(description="The seats, best first, as printed.")]
    credits: Annotated[list[Count], Field(description="By seat.")]


EVENTS = (
    GamesDrawn,
    GameStarted,
    Bet,
    BetsClosed,
    Acted,
    HeistRolled,
    Moved,
    CrossJudged,
    Fingered,
    SharedOut,
    GameFinished,
    HeistSeen,
    CreditsSeen,
)
