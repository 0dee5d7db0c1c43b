"""``koth leaderboard``: each game's own scoring, with intervals."""

from __future__ import annotations

from koth.options import Format, Paths, TextOrJson


def leaderboard(paths: Paths, format: Format = TextOrJson.TEXT) -> None:
    """Rank the bots by all matches at hand, as each game scores, with 95 % intervals."""
    from audit import rows
    from audit.leaderboard import leaderboards
    from audit.tables import open_database

    with open_database(paths) as database:
        boards = leaderboards(database)
    if format is TextOrJson.JSON:
        print(rows.boards_json(boards), end="")
    else:
        for game, board in boards.items():
            print(f"{game}\n\n{rows.as_table(board)}", end="")
