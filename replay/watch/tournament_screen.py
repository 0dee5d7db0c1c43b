"""The lines that the terminal viewer shows of a running tournament."""

from __future__ import annotations

from collections.abc import Sequence

from games.narration import Narrator, versus
from replay.timeline import is_fault
from replay.watch.lines import Line, event_line
from replay.watch.running import Row, RunningTournament
from schema.canonical import Event
from schema.reader import Log
from schema.words import counted

BELOW = 8
"""Lines below the standings for the matches in progress and the last results, if there is room."""

SHOWN_MATCHES = 3
"""Maximum matches in progress that are shown with their events."""


def screen(tournament: RunningTournament, recent: Sequence[Event], height: int) -> list[Line]:
    """Return the standings, the matches being played, and ``recent`` events in ``height`` lines."""
    log = tournament.log
    if log is None:
        return [Line(f"{tournament.folder}: reading the logs …")]
    rows = tournament.standings()
    title = [_title(tournament, log), _status(tournament, rows), Line("")]
    left = height - len(title)
    table = _table(tournament, rows, max(5, left - (0 if tournament.over else BELOW)))
    left -= len(table)
    results = min(left // 2, len(recent) + 1)
    playing = [] if tournament.over else _playing(tournament, max(2, left - results))
    left -= len(playing)
    return [*title, *table, *playing, *_recent(log, recent, left)][:height]


def _title(tournament: RunningTournament, log: Log) -> Line:
    start = log.start
    return Line(
        f"{start['rules']}  tournament {start['tournament']}  {tournament.folder}",
        "head",
    )


def _status(tournament: RunningTournament, rows: Sequence[Row]) -> Line:
    played, planned = len(tournament.played), tournament.planned
    of = f"{played:,} of {counted(planned, 'match')}" if planned else counted(played, "match")
    faults = counted(sum(row.faults for row in rows), "fault")
    end = "the tournament is over" if tournament.over else ""
    return Line(" · ".join(filter(None, [f"{of} played", faults, end])))


def _table(tournament: RunningTournament, rows: Sequence[Row], height: int) -> list[Line]:
    """Return the standings in ``height`` lines; the best, if there are more."""
    title = "final table" if tournament.over else "standings so far, by score per match"
    size = max([len("score"), *(len(f"{row.score:,}") for row in rows)])
    lines = [Line(title, "head"), Line(f"rank  {'score':>{size}}  matches  faults  name", "faint")]
    shown = len(rows) if len(rows) + 3 <= height else max(1, height - 4)
    for row in rows[:shown]:
        numbers = f"{row.rank:4}  {row.score:>{size},}  {row.matches:7,}  {row.faults:6,}"
        lines.append(Line(f"{numbers}  {row.name}"))
    if shown < len(rows):
        lines.append(Line(f"      … and {len(rows) - shown:,} others", "faint"))
    return [*lines, Line("")]


def _playing(tournament: RunningTournament, height: int) -> list[Line]:
    """Return the matches in progress, each with its last events, in ``height`` lines."""
    matches = sorted(tournament.playing.items())
    shown = [(match, tail.log) for match, tail in matches if tail.log is not None][:SHOWN_MATCHES]
    if not shown:
        return []
    lines = [Line(f"being played: {counted(len(matches), 'match')}", "head")]
    each = max(1, (height - 2) // len(shown))
    for match, log in shown:
        narrate = Narrator(log.card, log.start)
        lines.append(Line(f"{match}: {versus(narrate.players)}"))
        last = len(log.events)
        for seq in range(max(0, last - each + 1), last):
            event = log.events[seq]
            line = event_line(seq, event, narrate(event), 6)
            lines.append(Line(line.text, "fault" if is_fault(event) else "faint"))
    return [*lines, Line("")]


def _recent(log: Log, events: Sequence[Event], height: int) -> list[Line]:
    """Return the last results, the newest first, in ``height`` lines."""
    if height < 2 or not events:
        return []
    narrate = Narrator(log.card, log.start)
    newest = list(reversed(events))[: height - 1]
    return [
        Line("last results", "head"),
        *(Line(narrate(event), "fault" if is_fault(event) else "plain") for event in newest),
    ]
