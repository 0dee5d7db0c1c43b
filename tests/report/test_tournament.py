"""The page of a tournament: what it says of honest, forged, unfinished and imported ones."""

from __future__ import annotations

import html
import math
import re
import shutil
from contextlib import nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any, cast
from unittest.mock import patch

import pytest

from audit import run_rules
from audit.leaderboard import FINAL_TABLES
from audit.rule import rules
from audit.run_rules import Finding, Report, Unread
from replay.signatures.signer import ExpectedSigner
from report import basis, data, listing, tournament
from report.contents import Match, Standings, Tournament
from report.links import Links
from report.standings import bars, places, table
from schema import discovery
from schema.errors import UsageError
from schema.executor import serial
from tests import contests
from tests.factories import loads, write
from tests.report.matches import page_of
from tests.report.page_text import Page
from tests.sampling import sampled

CORPUS = Path(__file__).parent.parent / "corpus"
HONEST = "honest_tournament_of_"
GAMES = ("coins", "coup", "smallest_unique")

HOSTILE = (
    "<script>alert(1)</script>",
    "</td></table><img src=x onerror=alert(1)>",
    "'\"><b onclick=alert(1)>",
    "$\\frac{1}{2}$&amp;{{7*7}}{%raw%}",
    "\u202etfel\uffff]]>-->",
)


def gathered(
    path: Path, pinned: ExpectedSigner | None = None, *, audited: bool = True
) -> Tournament:
    """Return the data of the page about the tournament at ``path``.

    Unless it is ``audited``, one rule of each game stands for all, which take long.
    """
    return _gathered(path, pinned, audited)


@cache
def _gathered(path: Path, pinned: ExpectedSigner | None, audited: bool) -> Tournament:
    some = patch.object(run_rules, "rules", lambda game: rules(game)[:1])
    with (
        nullcontext() if audited else some,
        data.checked(path, serial, lambda done, total: None, pinned) as checked,
    ):
        return checked.contents


def read(path: Path, *, audited: bool = True) -> Page:
    """The page of the tournament at ``path``."""
    return Page(tournament.page(gathered(path, audited=audited)))


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest of two stages."""
    return contests.two_stages(tmp_path_factory.mktemp("stages"))


def test_the_result_of_a_match_is_in_words() -> None:
    """A list of matches says it as the page of a match does, without underscores."""
    matches = Page(tournament.page(gathered(CORPUS / f"{HONEST}coins"))).table("matches")
    assert {row[2] for row in matches} == {"rounds played"}


@pytest.mark.parametrize("game", GAMES)
def test_an_honest_tournament(game: str) -> None:
    """The page has standings, plot, checks, an audit without findings, and every match."""
    found = gathered(CORPUS / f"{HONEST}{game}")
    page = Page(tournament.page(found))
    assert found.log is not None
    entrants = {one["name"] for one in found.log.start["entrants"]}
    assert "✓ verified" in page.words("")
    assert f"{len(entrants)} bots played {len(found.matches)} match" in page.words("")
    lead, provenance = page.words("").split("Provenance", 2)[1:]
    for hash in (found.log.start["seed_commitment"], found.log.seal["seed"]):
        assert hash in provenance
        assert hash not in lead
    assert {row[1] for row in page.table("standings")} == entrants
    assert f"{len(found.verdicts)} logs verified" in page.words("basis")
    logs = (CORPUS / f"{HONEST}{game}").rglob("*.jsonl")
    events = sum(len(log.read_bytes().splitlines()) for log in logs)
    assert f"and all {events:,} events equal the recorded ones" in page.words("basis")
    assert "No log can show that a bot really gave an answer" in page.words("basis")
    assert "every event is equal, byte for byte" in page.words("")
    assert "the seed is the one that was committed to" in page.words("basis")
    assert "no rule is broken" in page.words("audit")
    matches = page.table("matches")
    assert [row[0] for row in matches] == [one.match for one in found.matches]
    assert {row[4] for row in matches} == {"✓ verified"}
    drawn = [tag for tag, given in page.tags if (given.get("class") or "").startswith("plot ")]
    assert len(drawn) == (0 if game == "coup" else 2)


@pytest.mark.parametrize("game", GAMES)
def test_the_page_stands_alone(game: str) -> None:
    """Nothing is loaded: no address is in it but the names of formats, and no id is there twice."""
    text = tournament.page(gathered(CORPUS / f"{HONEST}{game}"))
    page = Page(text)
    assert re.findall(r"https?://[^\s\"'<]+", text) == []
    links = [given.get("href", given.get("src")) for _, given in page.tags]
    ids = [given["id"] for _, given in page.tags if "id" in given]
    assert {str(link)[:1] for link in links if link} <= {"#", "d"}  # within, or data:
    assert len(ids) == len(set(ids))
    assert {str(link)[1:] for link in links if link and link[0] == "#"} <= set(ids)


def test_equal_contents_make_equal_bytes() -> None:
    """A page has no time and no random number."""
    path = CORPUS / f"{HONEST}smallest_unique"
    assert tournament.page(gathered(path)) == tournament.page(gathered(path))


def test_where_it_lies_is_not_told() -> None:
    """Paths begin with the tournament's folder: nobody else has the folders above it."""
    text = tournament.page(gathered(CORPUS / f"{HONEST}coins"))
    assert str(CORPUS) not in text
    assert f"koth verify {HONEST}coins" in text
    assert f"koth report {HONEST}coins/matches/1-000000.jsonl" in text


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("stage_added", "stage_added/stages/0003: expected no such stage"),
        ("extra_match_in_coins", "extra_match_in_coins/matches/1-000099.jsonl: added"),
        ("extra_match_in_coins", "coins/matches/1-000001.jsonl and extra_match_in_coins/matches/"),
    ],
)
def test_reasons_and_findings_do_not_tell_it_either(folder: str, words: str) -> None:
    """Paths in them begin with the tournament's folder, and so do the keys of two equal matches."""
    found = gathered(CORPUS / folder)
    text = tournament.page(found)
    assert str(CORPUS) not in text
    assert words in html.unescape(text)
    assert not any(str(CORPUS) in row["key"] for row in listing.rows(found))


def test_the_list_gives_the_reason_of_each_finding() -> None:
    """A match that does not verify has its reason in the list; one that does needs none."""
    found = gathered(CORPUS / "match_with_an_edited_result")
    assert [row["why"] for row in listing.rows(found)] == [found.verdicts[0].reason, None, None]
    assert found.verdicts[0].reason
    honest = gathered(CORPUS / f"{HONEST}coins")
    assert {row["why"] for row in listing.rows(honest)} == {None}


def test_a_table_of_pairs() -> None:
    """A cell says how often its line won against its column, and of how many games."""
    rows = read(CORPUS / f"{HONEST}coup").table("story")
    found = gathered(CORPUS / f"{HONEST}coup")
    points = {row[1]: row[3] for row in found.standings[0].rows}
    assert {
        row[0]: sum(int(c.split("/")[0]) for c in row[1:] if c != "·") for row in rows
    } == points
    assert sum(int(c.split("/")[1]) for row in rows for c in row[1:] if c != "·") == 2 * len(
        found.matches
    )


def test_a_corrupt_match_and_a_missing_one(tmp_path: Path) -> None:
    """Both are named, and their results come from the tournament's own log."""
    shutil.copytree(CORPUS / f"{HONEST}coup", tmp_path / "cup")
    log = tmp_path / "cup" / "matches" / "1-000001.jsonl"
    log.write_bytes(log.read_bytes().replace(b"1", b"2"))
    log.with_name("1-000003.jsonl").unlink()
    page = read(tmp_path / "cup", audited=False)
    assert "✕ corrupt" in page.words("")
    assert "Made from 2 of 4 matches" in page.words("standings")
    assert "✕ 1 log corrupt✕ 1 log forged" in page.words("basis")
    assert page.table("basis")[0][0].startswith("cup/matches/1-000001.jsonl:")
    matches, honest = page.table("matches"), read(CORPUS / f"{HONEST}coup").table("matches")
    assert [row[4] for row in matches] == [*("✓ verified", "✕ corrupt", "✓ verified", "✕ missing")]
    assert [row[:3] for row in matches] == [row[:3] for row in honest]
    assert "1 file could not be read" in page.words("audit")


def test_findings_of_the_audit() -> None:
    """A broken rule is there with clause, severity, sentence, how often, and where first."""
    page = read(CORPUS / "match_with_an_edited_result")
    assert "✕ diverged" in page.words("")
    told = page.table("audit")
    assert told[0][1] == "error"
    assert re.search(r"match_with_an_edited_result/\S+jsonl(:\d+)? expected .+, found ", told[0][2])
    assert "3 rules are broken, of 66" in page.words("audit")
    assert "not verified" in page.words("standings")


def test_an_unfinished_tournament(tmp_path: Path) -> None:
    """The page shows the finished matches, no seed and no seal, and the command to resume."""
    shutil.copytree(CORPUS / f"{HONEST}coup", tmp_path / "cup")
    own = tmp_path / "cup" / "tournament.jsonl"
    own.write_bytes(b"".join(own.read_bytes().splitlines(keepends=True)[:3]))
    for match in ("1-000002", "1-000003"):
        (tmp_path / "cup" / "matches" / f"{match}.jsonl").unlink()
    page = read(tmp_path / "cup", audited=False)
    assert "… incomplete" in page.words("")
    assert "not revealed yet" in page.words("")
    assert "The tournament has not ended." in page.words("standings")
    assert "2 of 4 matches played" in page.words("standings")
    assert " so far. " in page.words("")
    assert "koth resume" in page.words("basis")
    assert len(page.table("matches")) == 2


def test_a_final_table_alone() -> None:
    """An imported one has standings, no plot, no verified log, and matches nobody has logs of."""
    page = read(CORPUS / "imported_tournament", audited=False)
    assert "○ imported" in page.words("")
    assert [row[1] for row in page.table("standings")] == ["passive", "rotator", "saboteur"]
    assert "story" not in page.sections
    assert "nothing to re-run" in page.words("basis")
    assert {row[4] for row in page.table("matches")} == {"✕ missing"}


def test_the_log_of_a_tournament_alone() -> None:
    """If only the tournament's log was given, the page says that it alone reports the results."""
    page = read(CORPUS / f"{HONEST}coins" / "tournament.jsonl", audited=False)
    assert "✓ verified" in page.words("")
    assert "3 matches were not checked" in page.words("basis")
    assert {row[4] for row in page.table("matches")} == {"✕ missing"}


def test_what_is_said_of_a_signature() -> None:
    """A page without a key says that the checkpoint was not checked; else it names the signer.

    That matches alone are not signed is not said: their tournament may be.
    """
    path = CORPUS / "signed_tournament"
    expected = (path / "expected.toml").read_text()
    key, origin = re.findall(r'^(?:key|origin) = "(.+)"$', expected, re.M)
    checked = gathered(path, ExpectedSigner.of(key, origin), audited=False)
    told = Page(tournament.page(checked)).words("basis")
    assert f"the key {key} signed for {origin}" in told
    told = Page(tournament.page(replace(checked, signer=None))).words("basis")
    assert "was not checked, because no key was given" in told
    assert "These files are not signed" in read(CORPUS / f"{HONEST}coins").words("basis")
    matches = read(path / "matches", audited=False)
    assert "No signature was looked for" in matches.words("basis")


def test_the_signature_of_another_is_a_finding() -> None:
    """A key that did not sign makes the verdicts of a page forged."""
    path = CORPUS / "signed_tournament" / "tournament.jsonl"
    key = re.search(r'^key = "(.+)"$', (path.parent / "expected.toml").read_text(), re.M)
    assert key
    signer = ExpectedSigner.of(key[1], "other.example")
    verdicts = data._verdicts(
        path, discovery.logs([path]), serial, lambda done, total: None, signer
    )
    assert {verdict.verdict for verdict in verdicts} == {"forged"}


def test_texts_of_an_audit_do_not_tell_where_it_was() -> None:
    """Paths in what a rule expected and found, and why a file is unread, begin with the folder."""
    finding = Finding(cast(Any, None), "", None, None, "as /a/b/x", "not /a/b: /a/bc")
    report = Report(1, [], [finding], [Unread("", "corrupt", "/a/b/y:1: empty")])
    moved = data._movable(Path("/a/b"), report)
    assert (moved.findings[0].expected, moved.findings[0].found) == ("as b/x", "not b: /a/bc")
    assert moved.unread[0].reason == "b/y:1: empty"


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        ("a/b", "a/b/x differs from /a/b/x", "b/x differs from /a/b/x"),
        (r"a/\1", r"a/\1/x: added", r"\1/x: added"),
        (".", "matches/x: added, not ./x", "matches/x: added, not ./x"),
    ],
)
def test_a_folder_in_a_text_loses_its_parents(path: str, text: str, told: str) -> None:
    """Where a text names the whole path, whatever its characters; the working folder has none."""
    assert data._named(Path(path), text) == told


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names(name: str) -> None:
    """The name of a bot is text everywhere in the page, and adds no element or attribute."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    old = honest.standings[0].rows[0][1]

    def renamed(value: object) -> object:
        return name if value == old else value

    hostile = replace(
        honest,
        standings=[
            replace(table, rows=[[renamed(value) for value in row] for row in table.rows])
            for table in honest.standings
        ],
        plots=[
            replace(plot, rows=[[renamed(value) for value in row] for row in plot.rows])
            for plot in honest.plots
        ],
        matches=[
            replace(one, names=[str(renamed(value)) for value in one.names])
            for one in honest.matches
        ],
    )
    expected, found = Page(tournament.page(honest)), Page(tournament.page(hostile))
    squeezed = {"textlength", "lengthadjust"}  # broad letters beside the lines of a plot
    tags, honest_tags = (
        sorted((tag, sorted({*given} - squeezed)) for tag, given in page.tags)
        for page in (found, expected)
    )
    assert tags == honest_tags
    assert name in found.bots
    assert {bot for bot in found.bots if bot != name} == {
        bot for bot in expected.bots if bot != old
    }
    # What the page's script is given ends where it should.
    [data] = re.findall(r'id="data">(.*?)</script>', tournament.page(hostile), re.S)
    assert "<" not in data


def test_a_forged_log_reorders_no_words(tmp_path: Path) -> None:
    """Characters that change the direction of text are signs: in reasons and in findings."""
    log = loads((CORPUS / "honest_match_of_coins" / "log.jsonl").read_bytes())
    for event in log:
        event |= {"output": "\u202eN"} if event["type"] == "answered" else {}
        event |= {"reason": "\u202edrawn"} if event["type"] == "match_finished" else {}
    path = write(tmp_path / "log.jsonl", log)
    text = tournament.page(gathered(tmp_path))
    assert "\u202e" not in text + page_of(path)
    page = Page(text)
    assert "U+202EN" in page.words("audit")
    assert page.table("matches")[0][2] == r"\u202edrawn"


def test_matches_of_several_games_are_refused(tmp_path: Path) -> None:
    """A page without the log of a tournament is about one game, whose title it has."""
    for game in GAMES:
        shutil.copy(CORPUS / f"{HONEST}{game}/matches/1-000000.jsonl", tmp_path / f"{game}.jsonl")
    with pytest.raises(UsageError, match=r"expected matches of one game, found coins, coup, small"):
        gathered(tmp_path)


@pytest.mark.parametrize("path", ["spring", "a/b/spring", "/spring", "/a/spring"])
@pytest.mark.parametrize("system", [PurePosixPath, PureWindowsPath])
def test_paths_on_a_page_begin_with_the_folder(
    system: type[PurePath], path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page does not say where its tournament was, also for a folder at the top of the disk."""
    monkeypatch.setattr(basis, "PurePath", system)
    spring = replace(gathered(CORPUS / f"{HONEST}coins"), path=path)
    assert basis.relative(spring, f"{path}/matches/1-000000.jsonl").startswith("spring/matches/")


@pytest.mark.parametrize(
    ("path", "title"), [(".", "Coins"), ("..", "Coins"), ("a/spring", "Coins, spring")]
)
def test_the_title_of_matches_without_their_tournament(path: str, title: str) -> None:
    """It has the name of the folder, if the path has one."""
    matches = replace(gathered(CORPUS / f"{HONEST}coins"), log=None, log_path=None, path=path)
    assert f"<title>{title}</title>" in tournament.page(matches)


def test_several_tournaments_are_refused(tmp_path: Path) -> None:
    """A page is about one; the message says which to name."""
    for name in ("spring", "summer"):
        shutil.copytree(CORPUS / f"{HONEST}coins", tmp_path / name)
    with pytest.raises(UsageError, match=r"expected one tournament, found 2.*spring"):
        gathered(tmp_path)


def test_several_contests_are_refused(tmp_path: Path) -> None:
    """A page is about one; the message says which to name."""
    for name in ("spring", "summer"):
        contests.new(tmp_path / name)
    with pytest.raises(UsageError, match=r"expected one contest, found 2.*spring"):
        gathered(tmp_path)


def test_a_folder_with_one_match(tmp_path: Path) -> None:
    """Its only log is that of a match, and of no tournament."""
    match = CORPUS / f"{HONEST}smallest_unique/matches/1-000001.jsonl"
    shutil.copy(match, tmp_path / "dispute.jsonl")
    contents = gathered(tmp_path, audited=False)
    assert (contents.log, contents.log_path) == (None, None)
    assert contents.game == "smallest_unique"
    assert [match.match for match in contents.matches] == ["1-000001"]


def test_a_match_beside_a_tournament_is_refused(tmp_path: Path) -> None:
    """It would count in the standings, as if it was one of the tournament's matches."""
    spring = shutil.copytree(CORPUS / f"{HONEST}coins", tmp_path / "spring")
    log = shutil.copy(spring / "matches/1-000001.jsonl", tmp_path / "dispute.jsonl")
    expected = f"expected one tournament, found another log beside it, {log}.*{spring}"
    with pytest.raises(UsageError, match=expected):
        gathered(tmp_path)


def test_the_stages_of_a_contest(cup: Path) -> None:
    """Each stage has the bots that were in, also late, revised and withdrawn ones, in order."""
    stages = gathered(cup, audited=False).stages
    assert [(one.number, one.beacon, one.bots, one.matches) for one in stages] == [
        (1, None, 4, 12),
        (2, "drand 4711", 4, 10),
    ]


def test_a_contest_beside_a_tournament_is_refused(cup: Path, tmp_path: Path) -> None:
    """A page is about a contest with its stages, and about no other tournament."""
    both = shutil.copytree(cup, tmp_path / "cup")
    shutil.copytree(CORPUS / f"{HONEST}coins", tmp_path / "spring")
    with pytest.raises(UsageError, match=f"expected one contest or tournament, found 2.*{both}"):
        gathered(tmp_path)


def test_a_copy_of_a_contests_log_is_refused(tmp_path: Path) -> None:
    """A page would list each stage twice; the message names both logs."""
    cup = contests.new(tmp_path / "cup")
    copy = shutil.copy(cup / "contest.jsonl", cup / "backup.jsonl")
    with pytest.raises(UsageError, match=f"expected one contest, found 2: {copy}, {cup}/contest"):
        gathered(cup)


def test_void_attempts_and_disqualified_bots() -> None:
    """The page names disqualified bots, and says that a void attempt does not count."""
    page = read(CORPUS / "honest_tournament_begun_again", audited=False)
    assert "is disqualified: " in page.words("faults")
    assert "Attempt 1 of the tournament is void" in page.words("faults")


def test_an_empty_final_table() -> None:
    """The page says why nobody has a rank if too many bots were disqualified."""
    found = gathered(CORPUS / f"{HONEST}smallest_unique")
    assert found.log
    events = [
        {**event, "standings": []} if event["type"] == "tournament_finished" else event
        for event in found.log.events
    ]
    page = Page(tournament.page(replace(found, log=replace(found.log, events=events))))
    assert "There is no final table" in page.words("standings")
    assert "There is no final table" not in Page(tournament.page(found)).words("standings")


def test_an_interval_is_drawn_to_scale() -> None:
    """Bar and whisker are drawn to scale, between the smallest and the largest number."""
    first, second, third = bars([(30, 20.0, 40.0, "f"), (-10, None, None), (None, None, None)])
    assert first == {"zero": 20, "left": 20, "width": 60, "low": 60, "high": 100}
    assert second == {"zero": 20, "left": 0, "width": 20}
    assert third is None


@pytest.mark.parametrize("names", [("ada", "bob"), ("ada", "ada")])
def test_hashes_tell_bots_of_one_name_apart(names: tuple[str, str]) -> None:
    """A table leaves hashes out only if no two bots share a name; each bar is that of its row."""
    columns = ("rank", "name", "bot", "points", "low", "high")
    rows = [[n, name, str(n) * 64, 3 - n, 0, 3] for n, name in enumerate(names, 1)]
    shown: dict[str, Any] = table(Standings(columns, rows, ""))
    is_shared = names[0] == names[1]
    assert shown["columns"] == [name for name in columns if is_shared or name != "bot"]
    assert shown["measure"] == "points"
    assert [(row, bar["width"]) for row, bar in shown["rows"]] == [
        ([value for value in row if is_shared or value != row[2]], width)
        for row, width in zip(rows, (66.67, 33.33), strict=True)
    ]


@pytest.mark.parametrize(
    ("columns", "row", "drawn"),
    [
        ("name rate low high", ("a", "0.5", "0.25", "1.0"), True),
        ("name rate low high", ("a", 0.5, "n/a", "inf"), True),
        ("name rate low high", ("a", "n/a", 0.25, [1]), False),
        ("name rate low", ("a", 0.5, 0.25), False),
        ("low high name", (0.25, 0.5, "a"), False),
        ("name rate high low", ("a", 0.5, 1.0, 0.25), False),
    ],
)
def test_any_leaderboard_of_a_package_has_its_place(
    columns: str, row: tuple[object, ...], drawn: bool
) -> None:
    """A bar is drawn if a number comes before the columns low and high."""
    standings = Standings(columns.split(), [row], "")
    honest = gathered(CORPUS / f"{HONEST}coins")
    assert Page(tournament.page(replace(honest, standings=[standings]))).table("standings")
    rows: Any = table(standings)["rows"]
    assert (rows[0][1] is not None) == drawn


def test_a_leaderboard_shows_what_a_text_hides() -> None:
    """A column of texts has signs for what reorders or hides words, and stands to the left."""
    rows = [("ada", 3, "a\u202eb\x1b[2J<b>"), ("bob", 1, None)]
    standings = Standings(["name", "points", "last_text"], rows, "")
    honest = gathered(CORPUS / f"{HONEST}coins")
    page = tournament.page(replace(honest, standings=[standings]))
    assert "\u202e" not in page
    assert "\x1b" not in page
    [cell] = re.findall(r'<td class="text"><bdi>(.*?)</bdi></td>', page)
    assert re.sub(r"<.*?>", "", cell) == "aU+202Eb" + "ESC" + "[2J&lt;b&gt;"
    assert '<th scope="col">last text</th>' in page


class FaultLinks(Links):
    """Links to the faults of each bot, and to nothing else."""

    def faults(self, name: str, kind: str | None = None) -> str | None:
        """Return a link that holds the name."""
        return f"faults-of-{name}"


@pytest.mark.parametrize(
    ("columns", "row", "is_linked"),
    [
        ("name matches faults", ("ada", 20, 3), True),
        ("faults points name", (3, 7, "ada"), True),
        ("rank name faults", (1, "ada", 3), True),
        ("bot_name matches faults", ("ada", 20, 3), False),
    ],
)
def test_a_number_of_faults_leads_to_those_of_its_bot(
    columns: str, row: tuple[object, ...], is_linked: bool
) -> None:
    """The name of a bot may be in any column of a leaderboard."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    one = replace(honest, standings=[Standings(columns.split(), [row], "")], faults=[])
    links = re.findall("faults-of-[a-z0-9]+", tournament.page(one, FaultLinks()))
    assert links == ["faults-of-ada"] * is_linked


def test_large_scores_stay_exact() -> None:
    """Beyond 2^53 a script's numbers have gaps: such a score is handed to it as text."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    large = replace(honest.matches[0], scores=[2**60 + 1, -5, 7])
    text = tournament.page(replace(honest, matches=[large, *honest.matches[1:]]))
    assert '"1,152,921,504,606,846,977"' in text


def test_many_matches_are_handed_to_the_script() -> None:
    """The page itself has only the first of many matches, and says how to see the others."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    many = [replace(honest.matches[0], match=f"1-{n:06}") for n in range(1000)]
    page = Page(tournament.page(replace(honest, matches=many)))
    assert len(page.table("matches")) == 50
    assert "The first 50 of 1,000 matches: koth sql" in page.words("matches")


def test_a_match_without_a_result() -> None:
    """A match without scores and winners is listed too."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    ended = honest.matches[0]
    begun = Match(ended.path, "1-000007", ended.names, None, None, None, False, ended.seal)
    page = Page(tournament.page(replace(honest, matches=[*honest.matches, begun])))
    assert page.table("matches")[-1][:3] == ["1-000007", " ".join(ended.names), "–"]


def test_a_contest_before_its_first_match(tmp_path: Path) -> None:
    """Its page counts the bots that are in; its log was checked, but not by rules of a game."""
    cup = contests.new(tmp_path / "cup")
    page, empty = read(cup, audited=False), gathered(cup, audited=False)
    assert "0 bots are in, and no match is played yet." in page.words("")
    assert "The contest’s own log was checked, and no other." in page.words("")
    assert "Each event of the contest’s own log can follow those above it." in page.words("basis")
    assert "re-run from seed" not in page.words("")

    def words() -> str:
        later = replace(empty, log=data._tournament_log(cup / "contest.jsonl"))
        return Page(tournament.page(later)).words("")

    contests.enter(cup, ["examples/taxman", "examples/mask"])
    assert "2 bots are in, and no match is played yet." in words()
    contests.withdraw(cup, "mask")
    assert "1 bot is in, and no match is played yet." in words()


@pytest.mark.parametrize("more", sampled({f"{n}": n for n in (0, 1, 1_000)}, ["0", "1000"]))
def test_a_page_says_how_many_stages_it_leaves_out(more: int, cup: Path) -> None:
    """A contest of many stages lists the last ones, and counts the others."""
    contest = gathered(cup, audited=False)
    stages = [
        replace(contest.stages[0], number=number)
        for number in range(1, tournament.STAGES_LISTED + more + 1)
    ]
    page = Page(tournament.page(replace(contest, stages=stages)))
    rows = page.table("stages")
    assert (rows[0][0], len(rows)) == (f"Stage {len(stages)}", tournament.STAGES_LISTED)
    words = {0: "", 1: "… and 1 earlier stage.", 1_000: "… and 1,000 earlier stages."}
    assert words[more] in page.words("stages")
    assert ("earlier" in page.words("stages")) == bool(more)


def test_a_page_says_how_many_hashes_it_leaves_out() -> None:
    """A page of a site has the hashes of some bots, and counts the others; a page alone has all."""
    number = tournament.BOTS_LISTED + 1
    rows = [(rank, f"bot {rank:03}", f"{rank:064}") for rank in range(1, number + 1)]
    many = Standings(["rank", "name", "bot"], rows, "")
    crowded = replace(gathered(CORPUS / f"{HONEST}coins"), standings=[many])
    alone, on_site = (
        tournament.page(crowded, links).rpartition('id="provenance"')[2]
        for links in (None, Links())
    )
    assert (f"{number:064}" in alone, f"{number:064}" in on_site) == (True, False)
    assert ("… and 1 more." in alone, "… and 1 more." in on_site) == (False, True)


def test_the_command_that_lists_all_matches_finds_them() -> None:
    """The schedule is in the log of a tournament that is over; else only logs have matches."""
    honest = gathered(CORPUS / f"{HONEST}coins")
    many = [replace(honest.matches[0], match=f"1-{number:06}") for number in range(60)]
    ended = replace(honest, matches=many)
    verdicts = [
        replace(each, verdict="incomplete") if each.path == ended.log_path else each
        for each in ended.verdicts
    ]
    running, alone = replace(ended, verdicts=verdicts), replace(ended, log=None, log_path=None)
    for found, table_name in ((ended, "schedule"), (running, "matches"), (alone, "matches")):
        command = f'"FROM {table_name}" lists them all.'
        assert command in Page(tournament.page(found)).words("matches")


def test_a_page_says_which_stages_were_checked(cup: Path) -> None:
    """Stages whose logs were not read are not said to be checked; of others, what they played."""
    whole, alone = (gathered(path, audited=False) for path in (cup, cup / "contest.jsonl"))
    [rerun, _, stages] = basis.checked(whole)
    assert rerun.startswith(f"{len(whole.verdicts) - 1} logs were re-run from seed and answers, ")
    assert stages.startswith("Every stage was played by the bots that were in, with exactly the ")
    assert not any("stages were not" in sentence for sentence in basis.unchecked(whole))
    assert not any("stage was" in sentence for sentence in basis.checked(alone))
    assert "no match is played yet" not in Page(tournament.page(alone)).words("")
    assert "2 stages were not checked, because their logs were not read." in basis.unchecked(alone)
    assert whole.log is not None
    first, *others = whole.log.events
    log = replace(whole.log, events=[{**first, "plays": "tournaments"}, *others])
    first_stage, second = whole.stages
    some = replace(whole, log=log, stages=[replace(first_stage, verdict=None), second])
    assert (
        "Every stage that is here was played by the bots that were in, each as a whole tournament; "
        in basis.checked(some)[-1]
    )
    assert "1 stage was not checked, because its logs were not read." in basis.unchecked(some)


@pytest.mark.parametrize(
    ("column", "expected"),
    [([1234.5, 0.05], 3), ([1234.5, 0.0], 1), ([21.7, 8.5], 2), ([70e6], 1), ([0.5], 4), ([3], 4)],
)
def test_decimal_places(column: list[object], expected: int) -> None:
    """A small number in a column of large ones is not rounded to one digit."""
    assert places(column) == expected
    assert places([math.nan, *column, math.inf, -math.inf]) == expected


def test_an_interval_is_as_exact_as_its_mean() -> None:
    """A bound that is nearly 0 gives its column no further decimal places."""
    rows = [(1, "anna", -39.0, -191.5, 0.09), (2, "bob", -47.5, -1396.9, 301.921)]
    columns = ["rank", "name", "per_game", "low", "high"]
    assert table(Standings(columns, rows, ""))["places"] == [4, 4, 2, 2, 2]


def test_standings_without_a_finite_number() -> None:
    """A package's leaderboard may divide by zero; its page shows what it found."""
    rows = [(1, "anna", math.nan, math.inf)]
    strange = Standings(["rank", "name", "share", "odds"], rows, "")
    page = Page(tournament.page(replace(gathered(CORPUS / f"{HONEST}coins"), standings=[strange])))
    assert page.table("standings") == [["1", "anna", "nan", "inf"]]


def test_the_note_of_a_final_table() -> None:
    """Each sentence of a note begins with a capital letter."""
    assert all(sentence[0].isupper() for sentence in FINAL_TABLES.split(". "))
