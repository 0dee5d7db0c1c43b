"""The links of a page on a site."""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import pytest

from report.site.names import pair_name
from report.site.site_links import SiteLinks, Targets, bot_path, pair_path, stage_path

ODD = "a#b?c%20d"
LINKS = SiteLinks(
    home="../",
    root="../../",
    targets=Targets(
        matches={"1-0": "matches/1-0.html", ODD: f"matches/{ODD}.html", "1-1": "logs/1-1.jsonl"},
        logs={ODD: f"logs/{ODD}.jsonl"},
        keys={"cup/matches/1-0.jsonl": "1-0"},
        bots=frozenset({"anna"}),
        pairings=frozenset({pair_name("anna", "ben")}),
        stages=frozenset({1}),
    ),
)


def test_pages_that_are_there_are_linked() -> None:
    """A bot, its faults, all bots, a stage, a pairing in any order, and a match by its log."""
    assert LINKS.bot("anna") == f"../{bot_path('anna')}"
    assert LINKS.faults("anna") == f"../{bot_path('anna')}#faults"
    assert LINKS.faults("anna", "crash") == "../faults/anna.crash.html"
    assert LINKS.bots() == "../bots/index.html"
    assert LINKS.stage(1) == f"../{stage_path(1)}"
    for pair in (("anna", "ben"), ("ben", "anna")):
        assert LINKS.pairing(*pair) == f"../{pair_path(pair_name('anna', 'ben'))}"
    assert LINKS.at("cup/matches/1-0.jsonl", 3) == "../matches/1-0.html#seq=3"


@pytest.mark.parametrize("links", [LINKS, SiteLinks("", "")], ids=["other pages", "no pages"])
def test_pages_that_are_not_there_are_not_linked(links: SiteLinks) -> None:
    """A site may have no page of a bot, stage, pairing or match that a log names."""
    assert (links.bot("zoe"), links.faults("zoe"), links.faults("zoe", "crash")) == (None,) * 3
    assert (links.stage(2), links.pairing("anna", "zoe")) == (None, None)
    assert (links.at("elsewhere.jsonl"), links.match("9-9"), links.log("9-9")) == (None,) * 3
    assert (links.bots() is None) == (not links.targets.bots)


def test_a_match_without_a_page_leads_to_its_log() -> None:
    """A raw log has no events to jump to."""
    assert LINKS.match("1-1", 3) == "../logs/1-1.jsonl"
    assert LINKS.match("1-0", 3) == "../matches/1-0.html#seq=3"
    assert LINKS.match("1-0") == "../matches/1-0.html"


def test_characters_that_mean_something_in_a_link() -> None:
    """The path of an odd name arrives as it is, also before the number of an event."""
    parts = urlsplit(LINKS.match(ODD, 3) or "")
    assert (unquote(parts.path), parts.query, parts.fragment) == (
        f"../matches/{ODD}.html",
        "",
        "seq=3",
    )
    parts = urlsplit(LINKS.log(ODD) or "")
    assert (unquote(parts.path), parts.query, parts.fragment) == (f"../logs/{ODD}.jsonl", "", "")


def test_very_long_names_are_cut() -> None:
    """A name of 48 characters is whole, and a longer one has as many with its mark."""
    assert LINKS.shown("x" * 48) == "x" * 48
    assert LINKS.shown("x" * 49) == "x" * 47 + "…"
