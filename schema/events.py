"""The events that all games share: the start and the end of a log, answers, faults and results.

An event is a plain dict. Its TypedDict declares the keys in the order in which they are written;
the reader validates it with pydantic. The writer adds ``seq``, the number of the line from 0.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from schema.fields import Base64, Count, Hash, Int, MatchId, Name, Positive, Seat, event

FORMAT = "koth-log/1"

FaultKind = Annotated[
    Literal["crash", "timeout", "oversize", "tampered", "illegal"],
    Field(description="The kind of the fault."),
]

Format = Annotated[str, Field(description="The log format, `koth-log/1`.")]
Rules = Annotated[str, Field(description="The rules version, such as `coup/1`.")]
TournamentId = Annotated[str, Field(min_length=1, description="The tournament's id.")]
Game = Annotated[str, Field(description="The game's name, such as `coup`.")]
Settings = Annotated[dict[str, int | str], Field(description="Every setting of the game.")]
Source = Annotated[
    Literal["imported"], Field(description="Present if the log was imported, not refereed by Koth.")
]
Reason = Annotated[str, Field(description="Why it ended; the game's rulebook lists the reasons.")]
Commitment = Annotated[
    Hash, Field(description="SHA-256 of the seed's hex text; absent only if imported.")
]
BotHash = Annotated[Hash, Field(description="Hash of the bot's files and of its command.")]
AskName = Annotated[
    str, Field(description="Name of the question; the game's rulebook lists the names.")
]
Output = Annotated[str, Field(description="Standard output, or the choice of a class bot.")]
Appended = Annotated[str, Field(description="Text that the bot added to the history file.")]
NotUtf8 = Annotated[Base64, Field(description="The same bytes, if they are not UTF-8.")]
Cut = Annotated[list[str], Field(description="Channels that were cut after 64 KiB.")]
Scores = Annotated[list[Int], Field(description="By seat.")]
Pairings = Annotated[
    list[Annotated[list[Seat], Field(min_length=2, max_length=2)]],
    Field(
        min_length=1,
        description="The pairs of entrants that play each other, ascending; absent if all do.",
    ),
]
Above = Annotated[Count, Field(description="Number of events above.")]
BytesHash = Annotated[Hash, Field(description="SHA-256 of all bytes above this line.")]


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
    """The first event of every match log: everything that the rules start from, except the seed."""

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
    """An answer that the rules accepted, byte for byte."""

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
    """A fault of a bot: its kind, clause and penalty, and the bytes that the bot wrote."""

    type: Literal["fault"]
    seat: Seat
    kind: FaultKind
    clause: Annotated[str, Field(description="The clause of the rulebook that it broke.")]
    penalty: Annotated[str, Field(description="The penalty, in the words of the rulebook.")]
    ask: AskName
    found: NotRequired[
        Annotated[str, Field(description="What replaced the history file, if not a regular file.")]
    ]
    output: NotRequired[Output]
    output_base64: NotRequired[NotUtf8]
    appended: NotRequired[Appended]
    appended_base64: NotRequired[NotUtf8]
    file: NotRequired[
        Annotated[str, Field(description="The whole history file, if its old text was changed.")]
    ]
    file_base64: NotRequired[NotUtf8]
    cut: NotRequired[Cut]


@event
class MatchFinished(TypedDict):
    """The result of the match, by seat."""

    type: Literal["match_finished"]
    reason: Reason
    scores: Scores
    winners: Annotated[list[Seat], Field(description="The seats that won; none, one or several.")]


@event
class MatchSealed(TypedDict):
    """The last event of every match log: the seed, and the hash of all bytes above this line."""

    type: Literal["match_sealed"]
    seed: NotRequired[
        Annotated[Hash, Field(description="The match's seed, revealed; absent only if imported.")]
    ]
    events: Above
    sha256: BytesHash


@event
class TournamentStarted(TypedDict):
    """The first event of every tournament log, written before the first match."""

    type: Literal["tournament_started"]
    format: Format
    game: Game
    rules: Rules
    tournament: TournamentId
    entrants: Annotated[list[Entrant], Field(description="In the order of their numbers.")]
    settings: Settings
    pairings: NotRequired[Pairings]
    source: NotRequired[Source]
    seed_commitment: NotRequired[Commitment]


@event
class SeatFault(TypedDict):
    """A fault of a match, in the log of its tournament."""

    seat: Seat
    kind: FaultKind


@event
class MatchPlayed(TypedDict):
    """One match of the tournament: its seats, its result, and the seal of its log."""

    type: Literal["match_played"]
    match: MatchId
    dice: NotRequired[
        Annotated[MatchId, Field(description="The earlier match whose seed, and dice, it shares.")]
    ]
    seats: Annotated[list[Seat], Field(description="The entrants' numbers, by seat.")]
    reason: Reason
    scores: Scores
    winners: Annotated[list[Seat], Field(description="The seats that won.")]
    faults: Annotated[list[SeatFault], Field(description="All faults of the match, in order.")]
    seal: Annotated[Hash, Field(description="The `sha256` of the match's seal.")]


@event
class Disqualified(TypedDict):
    """An entrant is out of the tournament, for a fault in this match."""

    type: Literal["disqualified"]
    entrant: Annotated[Seat, Field(description="The entrant's number.")]
    match: MatchId
    kind: FaultKind


@event
class Voided(TypedDict):
    """The matches of an attempt do not count; the tournament begins again."""

    type: Literal["voided"]
    attempt: Annotated[Positive, Field(description="From 1; match ids begin with it.")]
    matches: Annotated[Count, Field(description="Number of matches played in the attempt.")]
    reason: Annotated[str, Field(description="The reason; the game's rulebook lists the reasons.")]


@event
class Standing(TypedDict):
    """One line of the final table."""

    rank: Annotated[Positive, Field(description="From 1; ties share it.")]
    entrant: Annotated[Seat, Field(description="The entrant's number.")]
    score: Annotated[Int, Field(description="The score, as the game's rulebook defines it.")]
    games: Annotated[Count, Field(description="Games played.")]


@event
class TournamentFinished(TypedDict):
    """The final table, best first."""

    type: Literal["tournament_finished"]
    standings: list[Standing]


@event
class TournamentSealed(TypedDict):
    """The last event of every tournament log: the seed, and the hash of all bytes above."""

    type: Literal["tournament_sealed"]
    seed: NotRequired[
        Annotated[Hash, Field(description="The seed, revealed; absent only if imported.")]
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
