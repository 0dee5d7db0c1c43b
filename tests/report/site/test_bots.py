"""The results on the page of a bot."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from audit.tables import open_database
from report.links import SEATS
from report.listing import Row
from report.site import pages
from report.site.bots import BotPage, Opponent, StageResult, head_to_head, result, stage_results
from report.site.fault_lists import ShownFault
from report.site.site_links import SiteLinks
from report.site.versions import Version
from tests.audit import outcomes
from tests.audit.unique_games import NAMES, tournament
from tests.report.site.sites import CORPUS, Links, built


@pytest.mark.parametrize(
    ("pairs", "ahead", "behind"),
    [(True, 1, 0), (False, 0, 2)],
)
def test_head_to_head(pairs: bool, ahead: int, behind: int, tmp_path: Path) -> None:
    """Ahead is the only winner in games for two, and otherwise the bot with more points."""
    outcomes.match(tmp_path / "won.jsonl", {"fox": 1, "owl": 3}, number=1, winners=["fox"])
    outcomes.match(tmp_path / "both.jsonl", {"fox": 1, "owl": 2}, number=2, winners=["fox", "owl"])
    outcomes.match(tmp_path / "even.jsonl", {"fox": 2, "owl": 2}, number=3)
    outcomes.match(tmp_path / "other.jsonl", {"fox": 2, "elk": 1}, number=4)
    with open_database([tmp_path]) as database:
        opponents = head_to_head(database, pairs, ["fox", "owl"])
    assert opponents["fox"] == [Opponent("owl", 3, ahead, behind), Opponent("elk", 1, 1, 0)]
    assert opponents["owl"] == [Opponent("fox", 3, behind, ahead)]
    assert opponents["fox"][0].level == 3 - ahead - behind
    assert set(opponents) == {"fox", "owl"}


def test_head_to_head_leaves_out_void_matches(tmp_path: Path) -> None:
    """Only the last attempt of a tournament that was begun again has opponents."""
    logs = tournament()
    logs.write(tmp_path)
    last = [match for match in logs.matches if match.startswith("3-")]
    with open_database([tmp_path]) as database:
        opponents = head_to_head(database, pairs=False, names=NAMES)
    pairs = sum(opponent.matches for met in opponents.values() for opponent in met)
    assert pairs == 6 * len(last)


def test_the_page_of_a_void_match_says_so(tmp_path: Path) -> None:
    """A match of an attempt that was given up counts for nothing, whatever its log says."""
    logs = tournament()
    logs.write(tmp_path / "logs")
    built([tmp_path / "logs"], tmp_path / "site")
    said = {
        match: "This match is void" in (tmp_path / f"site/matches/{match}.html").read_text()
        for match in logs.matches
    }
    assert said == {match: not match.startswith("3-") for match in logs.matches}


@pytest.mark.parametrize(
    ("winners", "word"),
    [(None, "open"), ([], "drawn"), ([0], "won"), ([0, 1], "won"), ([1], "lost")],
)
def test_the_result_of_a_match(winners: list[int] | None, word: str) -> None:
    """Without winners a match is drawn, and without a result it is open."""
    assert result({"names": ["fox", "owl"], "winners": winners}, "fox") == word


CRASH = ShownFault("log.jsonl", "1-000000", 7, "fox", "fox crashes.", "CN-7", "NNN", {}, "")


@pytest.mark.parametrize("is_contest", [True, False])
def test_a_page_says_how_many_items_it_leaves_out(is_contest: bool) -> None:
    """Each of its lists has a maximum, and none ends without a word."""
    most = pages.VERSIONS + 1
    page = BotPage(
        name="fox",
        ranks=[],
        namesakes=1,
        hashes=["0" * 64] * most,
        form=[],
        opponents=[Opponent("owl", 1, 1, 0)] * (pages.OPPONENTS + 1),
        kinds=[],
        rows=[],
        versions=[Version(1, "0" * 64, 1, 1, "revised")] * most if is_contest else [],
        stages=[StageResult(1, 1, Counter())] * most if is_contest else [],
    )
    elsewhere = [("cup", "cup.html", "0" * 64)] * most
    links, pairs = SiteLinks("../", "../"), not is_contest
    faults = [("crash", 10, [CRASH] * (pages.FAULTS + 1))]
    paths = ["bots/fox.html", "bots/fox.2.html"]
    html = pages.bot_page(page, links, [], paths, elsewhere, faults, pairs)
    assert html.count("… and 1 more") == (4 if is_contest else 3)
    assert html.count("fox crashes.") == pages.FAULTS
    assert ("Ahead is the bot with more points" in html) == (not pairs)
    assert 'href="fox.2.html">2</a>' in html


def test_a_bot_in_other_tournaments_of_the_game(tmp_path: Path) -> None:
    """Its page leads to those of the bot of its name in them, but not to bots of other games."""
    cups = [shutil.copytree(CORPUS / "honest_tournament_of_coins", tmp_path / n) for n in "ab"]
    built([*cups, CORPUS / "honest_tournament_of_coup"], site := tmp_path / "site")
    also = {}
    for page in site.glob("tournaments/*/bots/bot0.html"):
        text = page.read_text().partition("also plays in")[2].partition("</p>")[0]
        also[page] = [(page.parent / link).resolve() for link in Links(text).links]
    first, second = (site / f"tournaments/{name}/bots/bot0.html" for name in "ab")
    [coup] = also.keys() - {first, second}
    assert also == {first: [second], second: [first], coup: []}


def test_a_list_of_faults_says_how_many_it_leaves_out() -> None:
    """It counts all of them; its title has the kind, and the beginning of the bot's name."""
    for count, words in ((1_000, "1,000 faults of this kind, of which 200 are"), (200, "200 fa")):
        html = pages.fault_page("x" * 99, "crash", count, 200, SiteLinks("", ""), [CRASH], [])
        assert f'<p class="lead">{words}' in html
        assert ("are listed" in html) == (count > 200)
        assert f"<title>crash, \u2068{'x' * 60}\u2069</title>" in html


def test_void_matches_are_no_results_of_a_stage() -> None:
    """A bot's results in a stage leave out void matches, also if all of its matches are void."""
    stages = {1: (True, False, False), 2: (True,)}
    rows: list[Row] = [
        {"stage": stage, "names": ["fox", "owl"], "winners": [0], "void": void}
        for stage, attempts in stages.items()
        for void in attempts
    ]
    results = {one.stage: one.results for one in stage_results("fox", rows, [])}
    assert results == {2: {"won": 0}, 1: {"won": 2}}


def test_the_results_of_a_pairing_count_each_match_once() -> None:
    """A match that both or neither won is drawn; one without a result, or a void one, is apart."""
    won = [*[[0]] * 4, *[[1]] * 3, [], [0, 1], None]
    rows: list[Row] = [{"names": ["fox", "owl"], "winners": seats, "void": False} for seats in won]
    rows.append({"names": ["owl", "fox"], "winners": [0], "void": True})
    fox, owl = (pages.isolated(name, 40) for name in ("fox", "owl"))
    assert pages.pairing_lead("fox", "owl", rows) == (
        f"11 matches: {fox} won 4, {owl} won 3, 2 drawn, 2 without a result that counts."
    )
    assert pages.pairing_lead("owl", "fox", rows[:1]) == f"1 match: {owl} won 0, {fox} won 1."


def test_a_page_of_a_list_has_a_maximum() -> None:
    """It is smaller for matches of many players, which the first page does not list if they crowd.

    A list without an item has one page.
    """
    four, five, crowd = ({"names": ["fox"] * number} for number in (4, 5, SEATS + 1))
    assert [pages.listed(rows) for rows in ([four], [four, five])] == [pages.LISTED, pages.CROWDED]
    full: list[Row] = [four] * pages.LISTED
    assert [len(part) for part in pages.parts([*full, *full])] == [len(full)] * 2
    assert [*map(len, pages.parts([*full, four]))] == [len(full), 1]
    assert pages.parts([]) == [[]]
    assert [pages.fits_on_index(rows) for rows in (full, [*full, four], [crowd])] == [
        *(True, False, False)
    ]
    assert pages.turns(["bots/a.html", "bots/b.html"], 1) == [("1", None), ("2", "b.html")]


def test_further_pages_of_a_list_say_so_in_their_title() -> None:
    """The first page of a list has its title, and each further page the number, too."""
    paths, links = ["lists/1.html", "lists/2.html", "lists/3.html"], SiteLinks("../", "../")
    titles = []
    for number in (1, 2, 3):
        html = pages.match_list("Matches", "No matches.", links, [], pages.turns(paths, number), [])
        titles += re.findall("<title>(.*)</title>", html)
    assert titles == ["Matches", "Matches, page 2", "Matches, page 3"]
