"""Pages about many bots stay small."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from report import data, tournament
from report.contents import FaultCount
from report.links import Links
from report.site.names import pair_name
from report.site.site_links import bot_path, fault_path, pair_path
from schema.executor import serial
from tests.report.page_text import Page
from tests.report.site.sites import CORPUS


class SiteLinks(Links):
    """Links to the pages of all bots, faults and pairings."""

    def bot(self, name: str) -> str:
        """Return the link to the page of a bot."""
        return bot_path(name)

    def faults(self, name: str, kind: str | None = None) -> str:
        """Return the link to the faults of a bot."""
        return fault_path(name, kind) if kind else f"{bot_path(name)}#faults"

    def pairing(self, name: str, other: str) -> str:
        """Return the link to the matches of two bots."""
        return pair_path(pair_name(name, other))


@pytest.mark.parametrize("length", [8, 64])
def test_the_first_page_of_many_bots(length: int) -> None:
    """It has less than 300 KB with 200 bots, all with faults, and a table of the best pairs."""
    path = CORPUS / "honest_tournament_of_coup"
    with data.checked(path, serial, lambda done, total: None, None) as checked:
        few = checked.contents
    names = [f"Bot{number:_>{length - 3}}" for number in range(200)]
    [rank, _, *values] = few.standings[0].rows[0]
    many = replace(
        few,
        standings=[replace(few.standings[0], rows=[(rank, name, *values) for name in names])],
        faults=[FaultCount(name, "illegal", "CP-17", 9) for name in names],
        plots=[replace(few.plots[0], rows=[(*pair, 1, 2) for pair in permutations(names, 2)])],
    )
    text = tournament.page(many, SiteLinks(), all_matches="matches/index.html")
    assert len(text.encode()) < 300_000
    cells = Page(text).table("story")
    assert len(cells) == len(cells[0]) - 1 >= 20
