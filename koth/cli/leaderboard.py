"""``koth leaderboard``: rank the bots, rate them, or compare two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from koth.cli import inputs
from koth.cli.options import Format, FullHash, Paths, Rating, TextOrJson
from koth.cli.output import say
from schema.errors import UsageError

if TYPE_CHECKING:
    from audit.tables import Database


def leaderboard(
    paths: Paths,
    rating: Rating = False,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            help="Test whether bot A is better than bot B; each is NAME or NAME@HASH.",
            metavar="A B",
        ),
    ] = None,
    full_hash: FullHash = False,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Rank the bots by all their matches, with 95 % intervals."""
    from audit.tables import open_database

    if rating and compare is not None:
        raise UsageError("--rating and --compare: expected one of them, found both.")
    inputs.warn_without_logs(paths)
    with open_database(paths) as database:
        print_ranking(database, format, rating, full_hash, compare)


def print_ranking(
    database: Database,
    format: TextOrJson,
    rating: bool,
    full_hash: bool,
    compare: tuple[str, str] | None = None,
) -> None:
    """Print the leaderboards or the ratings of a database, or the comparison of two bots."""
    from audit.missing import missing_logs
    from koth.library.database import notes

    as_json = format is TextOrJson.JSON
    inputs.warn(notes(database, "`koth audit` lists them"))
    inputs.warn(missing_logs(database))
    if compare is not None:
        from audit import comparison

        result = comparison.compare(database, *compare)
        text = comparison.as_json(result) if as_json else comparison.as_text(result)
    elif rating:
        from audit.rating import as_json as rating_json
        from audit.rating import as_text as rating_text
        from audit.rating import ratings

        rated = ratings(database)
        text = rating_json(rated) if as_json else rating_text(rated, full_hash=full_hash)
    else:
        from koth.library.leaderboards import ranked

        board = ranked(database)
        text = board.json if as_json else board.as_text(full_hash=full_hash)
    say(text, end="")
