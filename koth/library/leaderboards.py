"""Rank bots: ``koth.leaderboard``."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass

from audit import leaderboard as boards_of
from audit.leaderboard import Board
from audit.missing import missing_logs
from audit.result_format import cell
from audit.tables import Database, open_database
from koth.library import html
from koth.library.database import notes
from koth.library.paths import AnyPaths, as_paths, raises_koth_errors
from report.unfinished import Unfinished, ranking_note, unfinished

__all__ = ["Board", "Leaderboard", "leaderboard", "ranked"]


@dataclass(frozen=True)
class Leaderboard:
    """The leaderboards of all games in the logs; ``str()`` is the text of ``koth leaderboard``.

    A pandas frame of the first: ``pandas.DataFrame(leaderboard.boards[0].rows)``.
    """

    boards: tuple[Board, ...]
    """One per game with matches that count, then those from final tables alone."""
    unfinished: tuple[Unfinished, ...] = ()
    """Tournaments that are not over; until then ranks are by score per game."""
    notes: tuple[str, ...] = ()
    """Sentences about files that could not be read, and about logs that are not there."""

    def as_text(self, *, full_hash: bool = False) -> str:
        """Return one table per board, with all 64 digits of each bot's hash if ``full_hash``."""
        text = boards_of.as_text(self.boards, full_hash=full_hash)
        if not self.unfinished:
            return text
        return f"{text}\n{boards_of.wrapped(ranking_note(self.unfinished))}\n"

    @property
    def json(self) -> str:
        """The leaderboards as ``koth-leaderboard/1``."""
        return boards_of.as_json(self.boards, [*map(asdict, self.unfinished)])

    def __str__(self) -> str:
        return self.as_text()

    def _repr_html_(self) -> str:
        shown = boards_of.shortened([board.result for board in self.boards])
        parts: list[str] = []
        for board, result in zip(self.boards, shown, strict=True):
            rows = [[html.text(cell(value)) for value in row] for row in result.rows]
            title = f"{board.game}{', final tables' if board.final_tables else ''}"
            parts += [html.strong(title), html.table(result.columns, rows), html.text(board.note)]
        if self.unfinished:
            parts.append(html.text(ranking_note(self.unfinished)))
        return html.block(*parts, *map(html.text, self.notes))


@raises_koth_errors
def leaderboard(paths: AnyPaths) -> Leaderboard:
    """Rank the bots by all their matches, with 95 % intervals.

    ``paths`` is a log, a folder, a bundle, an archive, or several of them. Files that cannot be
    read, and logs that are not there, are a warning each. Raises KothError if there is no log, or
    if no match counts.
    """
    with open_database(as_paths(paths)) as database:
        sentences = (*notes(database, "`koth.audit` says why"), *missing_logs(database))
        for sentence in sentences:
            warnings.warn(sentence, stacklevel=3)
        return ranked(database, sentences)


def ranked(database: Database, notes: tuple[str, ...] = ()) -> Leaderboard:
    """Return the leaderboards of an open database. Raises NothingToDo if no match counts."""
    boards = tuple(boards_of.leaderboards(database))
    return Leaderboard(boards, tuple(unfinished(database)), notes)
