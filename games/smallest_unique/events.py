"""The events and settings of Smallest Unique Number."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

from schema.fields import Int, Positive, Seat, event


class Settings(BaseModel):
    """The settings of Smallest Unique Number: size of a game and a tournament, time limit."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seats: int = Field(10, ge=2, le=1_000, description="Bots of a game (SU-1).")
    rounds: int = Field(1_000, ge=1, le=1_000_000, description="Rounds of a game (SU-1).")
    games_per_entrant: int = Field(
        200, ge=1, le=100_000, description="Games of a tournament, per entrant (SU-6)."
    )
    min_games_per_entrant: int = Field(
        100,
        ge=0,
        le=100_000,
        description="Minimum games of every entrant; by default half of games_per_entrant (SU-7).",
    )
    time_limit_s: int = Field(1, ge=1, le=3_600, description="Seconds a call may take (SU-9).")

    @model_validator(mode="before")
    @classmethod
    def _default_minimum(cls, values: object) -> object:
        """SU-7: the default of the minimum is half the games per entrant, rounded up."""
        if not isinstance(values, dict) or "min_games_per_entrant" in values:
            return values
        games = cls.model_validate(values | {"min_games_per_entrant": 0}).games_per_entrant
        return values | {"min_games_per_entrant": -(-games // 2)}

    @model_validator(mode="after")
    def _reachable(self) -> Settings:
        most = self.games_per_entrant * self.seats
        if self.min_games_per_entrant > most:
            raise ValueError(
                f"min_games_per_entrant: expected at most {most}, the mean of games played "
                f"(games_per_entrant × seats), found {self.min_games_per_entrant}"
            )
        return self


@event
class Round(TypedDict):
    """All bots chose at once (SU-2, SU-3); the choices are the answers of all seats."""

    type: Literal["round"]
    round: Annotated[Positive, Field(description="From 1.")]
    choices: Annotated[list[Int], Field(description="By seat.")]
    winner: NotRequired[
        Annotated[Seat, Field(description="The seat that scored; absent if no number was unique.")]
    ]


EVENTS = (Round,)
