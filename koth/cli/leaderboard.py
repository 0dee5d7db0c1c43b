"""``koth leaderboard``: each game's own scoring with intervals, ratings, and comparisons of two."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import typer

from koth.cli.options import Format, Paths, TextOrJson
from report.unfinished import ranking_note, unfinished
from schema.errors import UsageError


def leaderboard(
    paths: Paths,
    rating: Annotated[
        bool, typer.Option("--rating", help="Rate them by the strength of their opponents instead.")
    ] = False,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Is bot A better than bot B? NAME or NAME@HASH each.", metavar="A B"),
    ] = None,
    full_hash: Annotated[
        bool, typer.Option("--full-hash", help="Show all 64 digits of each bot's hash.")
    ] = False,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Rank the bots by all their matches, with intervals."""
    from audit.tables import open_database

    if rating and compare is not None:
        raise UsageError("--rating and --compare are two questions; ask one at a time.")
    as_json = format is TextOrJson.JSON
    with open_database(paths) as database:
        if database.unread_summary:
            print(f"koth: {database.unread_summary}; `koth audit` lists them.", file=sys.stderr)
        sys.stderr.write(database.rejected_lines)
        if compare is not None:
            from audit import comparison

            met = comparison.compare(database, *compare)
            text = comparison.as_json(met) if as_json else comparison.as_text(met)
        elif rating:
            from audit import rating as rated

            strengths = rated.ratings(database)
            text = (
                rated.as_json(strengths)
                if as_json
                else rated.as_text(strengths, full_hash=full_hash)
            )
        else:
            from audit import leaderboard as board

            boards = board.leaderboards(database)
            open_ = unfinished(database)
            if as_json:
                text = board.as_json(boards, [*map(asdict, open_)])
            else:
                text = board.as_text(boards, full_hash=full_hash)
                text += f"\n{ranking_note(open_)}\n" if open_ else ""
    print(text, end="")
