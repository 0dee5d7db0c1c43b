"""The events that every game shares: how a match and a tournament begin, go on and end.

An event is a plain dict, declared as a TypedDict in the order in which its keys are written; the
reader validates it with pydantic. Its ``seq`` is the line's number in the log, from 0, and is put
in front by the writer.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from schema.fields import Base64, Count, Hash, Int, MatchId, Name, Positive, Seat, event

FORMAT = "koth-log/1"

FaultKind = Annotated[
    Literal["crash", "timeout", "oversize", "tampered", "illegal"],
    Field(description="How the bot failed."),
]

Format = Annotated[str, Field(description="The log format, `koth-log/1`.")]
Rules = Annotated[str, Field(description="The rules version, such as `coup/1`.")]
TournamentId = Annotated[str, Field(min_length=1, description="The tournament's id.")]
Game = Annotated[str, Field(description="The game's name, such as `coup`.")]
Settings = Annotated[dict[str, int | str], Field(description="Every setting of the game.")]
Source = Annotated[Literal["imported"], Field(description="There if no referee of Koth wrote it.")]
Reason = Annotated[str, Field(description="How it ended; the game's rulebook has the reasons.")]
Commitment = Annotated[
    Hash, Field(description="SHA-256 of the seed's hex text; left out only if imported.")
]
BotHash = Annotated[
    Hash, Field(description="The hash of the bot: of its files, and of how they are run.")
]
AskName = Annotated[str, Field(description="What was asked; the game's rulebook has the names.")]
Output = Annotated[str, Field(description="Standard output, or what a class bot chose.")]
Appended = Annotated[str, Field(description="What it added to the file.")]
NotUtf8 = Annotated[Base64, Field(description="The same, if not UTF-8.")]
Cut = Annotated[list[str], Field(description="Channels of which only the first 64 KiB are here.")]
Scores = Annotated[list[Int], Field(description="By seat.")]
Above = Annotated[Count, Field(description="How many events stand above.")]
BytesHash = Annotated[Hash, Field(description="Of all bytes above this line.")]


@event
class Player(TypedDict):
    """One seat of a match."""

    seat: Seat
    name: Name
    bot: BotHash


@event
class Entrant(TypedDict):
    """One bot of a tournament."""

    entrant: Annotated[Seat, Field(description="The entrant's number, from 0.")]
    name: Name
    bot: BotHash


@event
class MatchStarted(TypedDict):
    """Always the first event of a match: everything that the rules start from, but the seed."""

    type: Literal["match_started"]
    format: Format
    game: Game
    rules: Rules
    tournament: TournamentId
    match: MatchId
    players: Annotated[list[Player], Field(description="By seat.")]
    settings: Settings
    source: NotRequired[Source]
    seed_commitment: NotRequired[Commitment]


@event
class Answered(TypedDict):
    """A bot's answer that the rules accepted, as it gave it."""

    type: Literal["answered"]
    seat: Seat
    ask: AskName
    output: NotRequired[Output]
    output_base64: NotRequired[NotUtf8]
    appended: NotRequired[Appended]
    appended_base64: NotRequired[NotUtf8]
    cut: NotRequired[Cut]


@event
class Fault(TypedDict):
    """A bot failed: what kind, under which clause, what it costs, and what the bot wrote."""

    type: Literal["fault"]
    seat: Seat
    kind: FaultKind
    clause: Annotated[str, Field(description="The clause of the rulebook that it broke.")]
    penalty: Annotated[str, Field(description="What it costs; the rulebook has the words.")]
    ask: AskName
    found: NotRequired[
        Annotated[str, Field(description="What lay where the file should be, if not a file.")]
    ]
    output: NotRequired[Output]
    output_base64: NotRequired[NotUtf8]
    appended: NotRequired[Appended]
    appended_base64: NotRequired[NotUtf8]
    file: NotRequired[Annotated[str, Field(description="The whole file, if its head was changed.")]]
    file_base64: NotRequired[NotUtf8]
    cut: NotRequired[Cut]


@event
class MatchFinished(TypedDict):
    """The result, by seat."""

    type: Literal["match_finished"]
    reason: Reason
    scores: Scores
    winners: Annotated[list[Seat], Field(description="The seats that won; none, one or several.")]


@event
class MatchSealed(TypedDict):
    """Always the last event of a match: the seed, and a hash of all bytes above this line."""

    type: Literal["match_sealed"]
    seed: NotRequired[
        Annotated[Hash, Field(description="The match's seed, revealed; left out only if imported.")]
    ]
    events: Above
    sha256: BytesHash


@event
class TournamentStarted(TypedDict):
    """Always the first event of a tournament's own log; written before its first match."""

    type: Literal["tournament_started"]
    format: Format
    game: Game
    rules: Rules
    tournament: TournamentId
    entrants: Annotated[list[Entrant], Field(description="In the order of their numbers.")]
    settings: Settings
    source: NotRequired[Source]
    seed_commitment: NotRequired[Commitment]


@event
class SeatFault(TypedDict):
    """A fault of a match, as its tournament knows it."""

    seat: Seat
    kind: FaultKind


@event
class MatchPlayed(TypedDict):
    """One match of the tournament: who sat where, how it ended, and the seal of its log."""

    type: Literal["match_played"]
    match: MatchId
    seats: Annotated[list[Seat], Field(description="Entrants' numbers, by seat.")]
    reason: Reason
    scores: Scores
    winners: Annotated[list[Seat], Field(description="The seats that won.")]
    faults: Annotated[list[SeatFault], Field(description="All faults of the match, in order.")]
    seal: Annotated[Hash, Field(description="The `sha256` of the match's seal.")]


@event
class Disqualified(TypedDict):
    """An entrant is out: it failed in this match."""

    type: Literal["disqualified"]
    entrant: Annotated[Seat, Field(description="The entrant's number.")]
    match: MatchId
    kind: FaultKind


@event
class Voided(TypedDict):
    """The matches of an attempt, played above, count for nothing; the tournament begins again."""

    type: Literal["voided"]
    attempt: Annotated[Positive, Field(description="From 1; match ids begin with it.")]
    matches: Annotated[Count, Field(description="How many were played.")]
    reason: Annotated[str, Field(description="Why; the game's rulebook has the reasons.")]


@event
class Standing(TypedDict):
    """One line of the final table."""

    rank: Annotated[Positive, Field(description="From 1; equal scores share it.")]
    entrant: Annotated[Seat, Field(description="The entrant's number.")]
    score: Annotated[Int, Field(description="What the game ranks by; its rulebook says.")]
    games: Annotated[Count, Field(description="Games played.")]


@event
class TournamentFinished(TypedDict):
    """The final table, best first."""

    type: Literal["tournament_finished"]
    standings: list[Standing]


@event
class TournamentSealed(TypedDict):
    """Always the last event of a tournament's log."""

    type: Literal["tournament_sealed"]
    seed: NotRequired[
        Annotated[Hash, Field(description="The seed, revealed; left out only if imported.")]
    ]
    events: Above
    sha256: BytesHash


MATCH_EVENTS = (MatchStarted, Answered, Fault, MatchFinished, MatchSealed)
TOURNAMENT_EVENTS = (
    TournamentStarted,
    MatchPlayed,
    Disqualified,
    Voided,
    TournamentFinished,
    TournamentSealed,
)
