"""The events and settings of Bank Heist.

Credits, bets and accounts are in credits, probabilities and odds in billionths. Banks are numbered
from 0 (Municipal) to 4 (Federal Reserve). The rabble's decisions follow from the dice; the log
keeps two strings a game for them, one character a member.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from schema.fields import Count, Seat, event

Number = Annotated[Count, Field(description="The game, from 0.")]
Bank = Annotated[Count, Field(le=4, description="The bank, from 0.")]
Fates = Annotated[
    str,
    Field(
        pattern=r"^[.osf]*$",
        description="A character each: `.` no heister, `o` backed out, `s` succeeded, `f` failed.",
    ),
]

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
"""What a heister does in round 2 (BH-8)."""

What = Literal[
    "credits", "winnings", "salary", "employed", "account", "guards", "probability", "odds"
]
"""What can move: the last four are kept for each bank."""

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
"""Why something moves, in the order of settlement (BH-13)."""


class Settings(BaseModel):
    """What a contest may set: games of a match, the rabble, the time limit, matches of a series."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    games_min: int = Field(1_000, ge=1, le=100_000, description="Fewest games of a match (BH-1).")
    games_max: int = Field(1_100, ge=1, le=100_000, description="Most games of a match (BH-1).")
    rabble: int = Field(500, ge=0, le=5_000, description="Members of the rabble (BH-3).")
    rabble_draw: Literal["subset", "size"] = Field(
        "subset", description="How those are drawn who take part in a game (BH-3)."
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
    """How many games the match lasts (BH-1)."""

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
    """What a player's bet counts as (BH-6)."""

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
    """What a player's answer counts as in round 2 (BH-8)."""

    type: Literal["acted"]
    number: Number
    seat: Seat
    action: Annotated[
        Action, Field(description="`carry on` for any other answer, and for a fault.")
    ]


@event
class HeistRolled(TypedDict):
    """Round 2 is over, and everybody who stayed has rolled (BH-9, BH-12, BH-29)."""

    type: Literal["heist_rolled"]
    number: Number
    staying: Annotated[Count, Field(description="Heisters that did not back out.")]
    player_fates: Annotated[Fates, Field(description="By seat.")]
    rabble_fates: Annotated[Fates, Field(description="By the rabble's numbers.")]


@event
class Moved(TypedDict):
    """Something that a player has became more or less; what is left of winnings goes unsaid."""

    type: Literal["moved"]
    number: Number
    seat: Seat
    why: Annotated[Why, Field(description="In the order of settlement (BH-13).")]
    what: Annotated[What, Field(description="The last four are kept for each bank.")]
    bank: NotRequired[Bank]
    before: Annotated[Count, Field(description="Credits, billionths, guards, or 1 if employed.")]
    after: Annotated[Count, Field(description="The same, afterwards.")]


@event
class CrossJudged(TypedDict):
    """Somebody tried to double cross: whether it succeeds (BH-19)."""

    type: Literal["cross_judged"]
    number: Number
    crossers: Annotated[Count, Field(description="Those who played it, D.")]
    staying_players: Annotated[Count, Field(description="Without the rabble, N.")]
    succeeded: Annotated[int, Field(ge=0, le=1, description="1 if it did.")]


@event
class Fingered(TypedDict):
    """A fingerer whose heist succeeded drew eight of the staying players (BH-20)."""

    type: Literal["fingered"]
    number: Number
    seat: Seat
    drawn: Annotated[list[Seat], Field(description="The seats, in the order drawn.")]
    exposed: Annotated[list[Seat], Field(description="Those it exposed, in the order drawn.")]


@event
class SharedOut(TypedDict):
    """What the share-out has to share, and what each gets besides its own (BH-22 to BH-24)."""

    type: Literal["shared_out"]
    number: Number
    straights: Annotated[Count, Field(description="How many, rabble included.")]
    straights_sum: Annotated[Count, Field(description="Their winnings, P.")]
    crossers_sum: Annotated[Count, Field(description="The crossers' winnings, Q.")]
    pot: Annotated[Count, Field(description="What wrong fingers lost, L.")]
    straight_share: Annotated[Count, Field(description="What each straight gets besides its own.")]
    crosser_share: Annotated[
        Count, Field(description="What each unexposed crosser gets besides its own.")
    ]


@event
class GameFinished(TypedDict):
    """What everybody has at the end of a game."""

    type: Literal["game_finished"]
    number: Number
    credits: Annotated[list[Count], Field(description="By seat.")]
    rabble_credits: Annotated[Count, Field(description="The sum of the rabble's credits.")]


@event
class HeistSeen(TypedDict):
    """In an imported log: how a transcript says that the heist went for a staying player."""

    type: Literal["heist_seen"]
    number: Number
    seat: Seat
    succeeded: Annotated[int, Field(ge=0, le=1, description="1 if it did.")]
    winnings: NotRequired[Annotated[Count, Field(description="What it may gain, as printed.")]]


@event
class CreditsSeen(TypedDict):
    """In an imported log: the table with which a transcript ends a game."""

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
