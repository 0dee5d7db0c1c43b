"""Renders the pages of a site that are not match pages or a tournament's own page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from report import page as frame
from report import standings as tables
from report.contents import Standings
from report.links import SEATS
from report.listing import Row
from report.match import SCRIPTS
from report.site.bots import BotPage, Listed, result
from report.site.context import Context, Summary
from report.site.fault_lists import ShownFault
from report.site.site_links import SiteLinks
from schema import registry, rulebook
from schema.errors import UsageError
from schema.words import counted

LISTED = 200
"""Maximum matches on a page with a list, of matches between two to four."""

CROWDED = 80
"""The same for matches of more players."""

BOTS = 400
"""Maximum bots on a page of the list of all bots."""

OPPONENTS = 400
"""Maximum opponents on the page of a bot."""

Item = TypeVar("Item")

VERSIONS = 100
"""Maximum versions, stages and other tournaments on the page of a bot."""

FAULTS = 3
"""Maximum faults of each kind on the page of a bot; a list has the others."""

STYLES = ("tournament.css",)
FILTER = ("site/filter.js",)


def listed(rows: Sequence[Row]) -> int:
    """Return the number of matches for a page, so that it stays small."""
    return LISTED if all(len(row["names"]) <= 4 for row in rows) else CROWDED


def fits_on_index(rows: Sequence[Row]) -> bool:
    """Return whether the first page can list all matches itself."""
    return len(rows) <= listed(rows) and all(len(row["names"]) <= SEATS for row in rows)


def parts(rows: Sequence[Row]) -> list[Sequence[Row]]:
    """Return the rows in pages; the first may be empty."""
    return cut(rows, listed(rows))


def cut(rows: Sequence[Item], size: int) -> list[Sequence[Item]]:
    """Return the rows in pages of this size; the first may be empty."""
    return [rows[at : at + size] for at in range(0, max(1, len(rows)), size)]


def turns(paths: Sequence[str], current: int) -> list[tuple[str, str | None]]:
    """Return the links between the pages of a list, which share a folder, as (text, link)."""
    return [
        (str(number), None if number == current else path.rpartition("/")[2])
        for number, path in enumerate(paths, 1)
    ]


def bot_page(
    page: BotPage,
    links: SiteLinks,
    rows: Sequence[Row],
    paths: Sequence[str],
    elsewhere: Sequence[tuple[str, str, str]],
    faults: Sequence[tuple[str, int, Sequence[ShownFault]]],
    pairs: bool,
) -> str:
    """Return the page of a bot with the first ``rows`` of its matches.

    ``elsewhere`` are further sections: name, link to the bot, and hash of its files. ``faults`` are
    kind, number, and the first of them.
    """
    return frame.render(
        "site/bot.html",
        isolated(page.name, 60),
        styles=STYLES,
        links=links,
        kind="Bot",
        page=page,
        rows=rows,
        turns=turns(paths, 1),
        elsewhere=elsewhere,
        pairs=pairs,
        opponents_listed=OPPONENTS,
        versions_listed=VERSIONS,
        faults=faults,
        faults_shown=FAULTS,
        FAULT_COLUMNS=tables.FAULTS,
    )


def bot_list(
    bots: Sequence[Listed],
    total: int,
    links: SiteLinks,
    page_turns: Sequence[tuple[str, str | None]],
) -> str:
    """Return one page of the list of all bots, of which there are ``total``."""
    return frame.render(
        "site/bots.html",
        "Bots",
        styles=STYLES,
        scripts=FILTER,
        links=links,
        kind="Results",
        bots=bots,
        total=total,
        turns=page_turns,
    )


def fault_page(
    name: str,
    kind: str,
    count: int,
    listed: int,
    links: SiteLinks,
    faults: Sequence[ShownFault],
    page_turns: Sequence[tuple[str, str | None]],
) -> str:
    """Return one page of the list of a bot's faults of one kind; ``listed`` of ``count``."""
    return frame.render(
        "site/faults.html",
        f"{kind}, {isolated(name, 60)}",
        styles=STYLES,
        links=links,
        kind="Faults",
        name=name,
        fault_kind=kind,
        count=count,
        listed=listed,
        faults=faults,
        turns=page_turns,
    )


def match_list(
    title: str,
    lead: str,
    links: SiteLinks,
    rows: Sequence[Row],
    page_turns: Sequence[tuple[str, str | None]],
    names: Sequence[str],
) -> str:
    """Return one page of a list of matches."""
    return frame.render(
        "site/matches.html",
        title,
        styles=STYLES,
        links=links,
        kind="Matches",
        lead=lead,
        rows=rows,
        turns=page_turns,
        names=names,
    )


def isolated(name: str, letters: int) -> str:
    """Return the first letters of a name, whose direction reorders no text around it."""
    return f"\u2068{name[:letters]}\u2069"


def pairing_lead(name: str, other: str, rows: Sequence[Row]) -> str:
    """Return the results of two bots against each other in a sentence."""
    results = Counter((result(row, name), result(row, other)) for row in rows if not row["void"])
    won, lost = results["won", "lost"], results["lost", "won"]
    drawn = results["drawn", "drawn"] + results["won", "won"]
    parts = [f"{isolated(name, 40)} won {won:,}", f"{isolated(other, 40)} won {lost:,}"]
    if drawn:
        parts.append(f"{drawn:,} drawn")
    if others := len(rows) - won - lost - drawn:
        parts.append(f"{others:,} without a result that counts")
    return f"{counted(len(rows), 'match')}: {', '.join(parts)}."


def overview(
    title: str,
    summaries: Sequence[Summary],
    standings: Mapping[str, Sequence[Standings]],
    context: Context,
) -> str:
    """Return the first page of a site with several sections; ``standings`` are by game."""
    return frame.render(
        "site/overview.html",
        title,
        styles=STYLES,
        links=SiteLinks("", "", beside=context.beside("")),
        kind="Contents",
        sections=summaries,
        size=sizes(
            sum(not summary.is_contest for summary in summaries),
            sum(summary.is_contest for summary in summaries),
            sum(summary.matches for summary in summaries),
        ),
        standings=[
            (
                next((summary.game for summary in summaries if game in summary.games), game),
                [tables.table(table, LISTED) for table in results],
                _GameLinks("", "", pages=_last_pages(summaries, game)),
            )
            for game, results in standings.items()
            if results
        ],
    )


def sizes(tournaments: int, contests: int, matches: int) -> str:
    """Return the numbers of tournaments, contests and matches in words, but zero."""
    numbers = {"tournament": tournaments, "contest": contests, "match": matches}
    return ", ".join(counted(number, noun) for noun, number in numbers.items() if number)


def _last_pages(summaries: Sequence[Summary], game: str) -> dict[str, str]:
    """Return the page of each bot in the last tournament of a game that it played."""
    pages = (summary.bots for summary in summaries if game in summary.games)
    return {name: path for bots in pages for name, path in bots.items()}


@dataclass(frozen=True)
class _GameLinks(SiteLinks):
    """Links from the standings over several tournaments."""

    pages: Mapping[str, str] = field(default_factory=dict)

    def bot(self, name: str) -> str | None:
        """Return the link to the page of a bot."""
        return self.pages.get(name)


def shared_files(games: Iterable[str]) -> list[frame.Asset]:
    """Return the files that the pages share, each once."""
    sets = [frame.assets(STYLES, scripts) for scripts in ((), FILTER, ("tournament.js",))]
    for game in games:
        try:
            card = registry.card(game)
        except UsageError:  # a game that is not installed here has no match pages
            continue
        clauses = frame.rulebook_asset(game, rulebook.clauses(card))
        sets.append(frame.assets(("match.css",), SCRIPTS, card.board_module(), clauses))
    every = {asset.path: asset for shared in sets for asset in (shared.style, *shared.scripts)}
    return [every[path] for path in sorted(every)]
