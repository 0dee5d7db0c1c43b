"""The events of a contest's log: entries, and the stages that its bots play.

A contest lasts for weeks. Its log grows while bots are entered, revised and withdrawn; each of its
stages is a tournament with a log of its own.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from schema.events import Above, BotHash, BytesHash, Format, Game, Rules, Settings
from schema.fields import Count, Hash, Name, Positive, event

Stage = Annotated[Positive, Field(description="The stage's number, from 1.")]
Command = Annotated[
    list[str],
    Field(min_length=1, description="The bot's command; absent if its only file implies it."),
]
ClassName = Annotated[str, Field(min_length=1, description="The Python class that plays.")]


@event
class ContestStarted(TypedDict):
    """The first event of every contest's log."""

    type: Literal["contest_started"]
    format: Format
    game: Game
    rules: Rules
    contest: Annotated[str, Field(min_length=1, description="The contest's id.")]
    settings: Settings
    plays: Annotated[
        Literal["pairings", "tournaments"],
        Field(description="Whether a stage plays the missing pairings, or a whole tournament."),
    ]
    stages: Annotated[Positive, Field(description="Number of seeds in the chain.")]
    seed_commitment: Annotated[
        Hash, Field(description="The head of the chain: SHA-256 of the first stage's chain seed.")
    ]


@event
class Entered(TypedDict):
    """A new name is in, or a withdrawn one is in again."""

    type: Literal["entered"]
    name: Name
    bot: BotHash
    command: NotRequired[Command]
    class_name: NotRequired[ClassName]


@event
class Revised(TypedDict):
    """A bot that is in has other files, or another command, from the next stage on."""

    type: Literal["revised"]
    name: Name
    bot: BotHash
    command: NotRequired[Command]
    class_name: NotRequired[ClassName]


@event
class Withdrawn(TypedDict):
    """A bot is out from the next stage on."""

    type: Literal["withdrawn"]
    name: Name


@event
class StageStarted(TypedDict):
    """Entries for a stage are closed; all bots that are in play it."""

    type: Literal["stage_started"]
    stage: Stage
    beacon: NotRequired[
        Annotated[
            str,
            Field(
                min_length=1,
                max_length=1_000,
                description="A public value that was not known before; part of the stage's seed.",
            ),
        ]
    ]


@event
class StageFinished(TypedDict):
    """A stage is over: its chain seed, and the Merkle root over its files."""

    type: Literal["stage_finished"]
    stage: Stage
    seed: Annotated[
        Hash,
        Field(description="The chain seed; its SHA-256 is that of the stage before."),
    ]
    files: Annotated[Count, Field(description="Number of logs in the stage's folder.")]
    root: Annotated[
        Hash, Field(description="RFC 6962 Merkle root over these logs, as in a checkpoint.")
    ]


@event
class ContestSealed(TypedDict):
    """The last event of a closed contest: the hash of all bytes above this line."""

    type: Literal["contest_sealed"]
    events: Above
    sha256: BytesHash


CONTEST_EVENTS = (
    ContestStarted,
    Entered,
    Revised,
    Withdrawn,
    StageStarted,
    StageFinished,
    ContestSealed,
)
