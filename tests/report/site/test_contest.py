"""A contest on a site: one section with its stages, and the faults of its bots."""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import orjson
import pytest

from audit.contest import count_until
from audit.leaderboard import leaderboard
from audit.tables import open_database
from replay.signatures import signing
from report.site.names import file_name
from report.site.sections import find
from report.site.versions import Version, participants, versions, withdrawn
from schema.signed_note import PrivateKey
from tests import contests
from tests.report.site.sites import Links, built, linked, links_of
from tests.report.site.test_output import contents


def events(log: Path, *types: str) -> list[dict[str, Any]]:
    """The events of these types in a log."""
    every = map(orjson.loads, log.read_bytes().splitlines())
    return [event for event in every if event["type"] in types]


def test_a_match_is_two_clicks_from_the_standings(sites: Path) -> None:
    """The page of a bot has its matches of all stages; that of a stage has all of its own."""
    home = (sites / "contest").resolve()
    first = linked(home / "index.html")
    for log in sites.glob("cup/stages/*/tournament.jsonl"):
        [start] = events(log, "tournament_started")
        stage = home / "stages" / log.parent.name
        assert stage / "index.html" in first
        own = set()
        for event in events(log, "match_played"):
            match = stage / "matches" / f"{event['match']}.html"
            own.add(match)
            for seat in event["seats"]:
                bot = home / "bots" / f"{file_name(start['entrants'][seat]['name'])}.html"
                assert bot in first
                assert match in linked(bot)
        found = {page for page in linked(stage / "index.html") if page.parent.name == "matches"}
        assert found == own


@pytest.mark.parametrize(
    ("stage", "page"),
    [(1, "stages/0001/index.html"), (2, "stages/0002/index.html"), (None, "index.html")],
)
def test_standings_are_those_of_the_command(sites: Path, stage: int | None, page: str) -> None:
    """A stage has those of ``koth contest standings --at``, and the first page the last."""
    with open_database([sites / "cup"]) as database:
        count_until(database, stage)
        names = [str(row[1]) for row in leaderboard(database, "coup").rows]
    text = (sites / "contest" / page).read_text()
    table = text.partition('<table class="standings">')[2].partition("</table>")[0]
    bots = [link.rpartition("/")[2] for link in Links(table).links if "#" not in link]
    assert bots == [f"{file_name(name)}.html" for name in names]


def test_a_bots_page_has_its_versions(sites: Path) -> None:
    """A revision, a late entry and a withdrawal are on the pages of the bots."""
    bandit, taxman, dora = (
        (sites / "contest" / "bots" / f"{name}.html").read_text()
        for name in ("bandit", "taxman", "dora")
    )
    assert "in since stage 2" in bandit
    assert "stage 1, then revised" in bandit
    assert "stage 1, then withdrawn" in taxman
    assert "in no standings any more" in taxman
    assert "in since stage 2" in dora
    assert "from the matches that count in the standings" in bandit
    assert "from the matches that count in the standings" not in taxman


def test_a_stage_has_the_bots_that_played_it(sites: Path) -> None:
    """They are the entrants of its tournament; new, revised and withdrawn bots are named so."""
    with open_database([sites / "cup"]) as database:
        entered = versions(database)
    before: dict[str, str] = {}
    for number, log in enumerate(sorted(sites.glob("cup/stages/*/tournament.jsonl")), 1):
        [start] = events(log, "tournament_started")
        entrants = {entrant["name"]: entrant["bot"] for entrant in start["entrants"]}
        shown = [*participants(entered, number)]
        assert {bot.name: bot.version.bot for bot in shown} == entrants
        for bot in shown:
            change = "revised" if bot.name in before else "entered"
            assert bot.change == ("" if before.get(bot.name) == bot.version.bot else change)
        assert {*withdrawn(entered, number)} == before.keys() - entrants.keys()
        before = entrants


def test_the_version_of_the_stage_before_is_not_new() -> None:
    """A bot that was changed and changed back between two stages is the same in both."""
    first, second = "1" * 64, "2" * 64
    own = {
        "back": [
            Version(1, first, 1, 1, "revised"),
            Version(2, second, 2, 1, "revised"),
            Version(1, first, 2, None, None),
        ],
        "late": [Version(1, first, 2, 1, "revised"), Version(2, second, 2, None, None)],
    }
    assert [(bot.name, bot.version.number, bot.change) for bot in participants(own, 2)] == [
        ("back", 1, ""),
        ("late", 2, "entered"),
    ]


def test_a_version_that_never_played_says_so() -> None:
    """Two versions may be entered before one stage."""
    versions = (Version(1, "1" * 64, 2, 1, "revised"), Version(1, "1" * 64, 2, 3, "withdrawn"))
    assert [version.time for version in versions] == [
        *("revised before it played", "stages 2–3, then withdrawn"),
    ]


def test_an_open_contest_is_called_open(sites: Path) -> None:
    """The first sentence of the page says that the ranks may change, while the log has no seal."""
    lead = (
        (sites / "contest" / "index.html")
        .read_text()
        .partition('<p class="lead">')[2]
        .partition("</p>")[0]
    )
    assert "so far. The contest is still open. " in lead


@pytest.mark.parametrize(
    ("name", "logs"), [("contest", "cup/stages/*/matches"), ("hostile", "hostile-cup/matches")]
)
def test_a_fault_count_leads_to_these_faults(sites: Path, name: str, logs: str) -> None:
    """Each number of faults leads to as many faults, each with a link to its event in its match."""
    recorded: dict[str, set[str]] = defaultdict(set)
    for log in sites.glob(f"{logs}/*.jsonl"):
        [start] = events(log, "match_started")
        for event in events(log, "fault"):
            bot = file_name(start["players"][event["seat"]]["name"])
            folder = log.parent.parent.name if name == "contest" else name
            place = f"{folder}/{log.stem}.html#seq={event['seq']}"
            recorded[f"{bot}.{event['kind']}"].add(place)
    assert recorded
    home = (sites / name).resolve()
    for list_of_faults, faults in recorded.items():
        page = home / "faults" / f"{list_of_faults}.html"
        assert page in linked(home / "index.html")
        links = {(path, anchor) for path, anchor in links_of(page) if anchor.startswith("seq=")}
        assert {f"{path.parent.parent.name}/{path.name}#{seq}" for path, seq in links} == faults
    assert len([*(home / "faults").iterdir()]) == len(recorded)


@pytest.mark.parametrize("paths", [["cup"], ["cup/stages/0002", "cup", "cup/stages/0001"]])
def test_an_equal_contest_writes_nothing(sites: Path, tmp_path: Path, paths: list[str]) -> None:
    """A second run has nothing to do, and the order of the stages does not matter."""
    site = Path(shutil.copytree(sites / "contest", tmp_path / "site"))
    assert not built([sites / path for path in paths], site).changed


def test_changed_files_of_a_bot_are_seen(sites: Path, tmp_path: Path) -> None:
    """The files of the bots are not published, but the verdict depends on them."""
    cup, site = Path(shutil.copytree(sites / "cup", tmp_path / "cup")), tmp_path / "site"
    assert built([cup], site).clean
    file = next(path for path in sorted((cup / "bots").rglob("*")) if path.is_file())
    content = file.read_bytes()
    file.write_bytes(content + b"# other\n")
    changed = built([cup], site)
    assert (changed.changed, changed.clean) == (True, False)
    file.write_bytes(content)
    assert built([cup], site).clean


def test_a_renamed_contest_is_renamed_on_each_page(sites: Path, tmp_path: Path) -> None:
    """The bytes are those of a new site."""
    old, new = tmp_path / "old", tmp_path / "new"
    shutil.copytree(sites / "cup", old)
    built([old], tmp_path / "site")
    old.rename(new)
    built([new], tmp_path / "site")
    built([new], tmp_path / "fresh")
    assert contents(tmp_path / "site") == contents(tmp_path / "fresh")


@pytest.mark.parametrize("forged", ["missing", "twice"])
def test_forged_stages_have_a_site(sites: Path, tmp_path: Path, forged: str) -> None:
    """A log whose stages do not follow each other has pages, which say that it is forged."""
    cup, site = Path(shutil.copytree(sites / "cup", tmp_path / "cup")), tmp_path / "site"
    log = contests.events(cup)
    if forged == "missing":
        log.remove(next(event for event in log if event["type"] == "stage_finished"))
    else:
        log.append({"type": "stage_started", "stage": 1})
    contests.rewrite(cup, log)
    assert not built([cup], site).clean
    pages = [page.read_text() for page in site.glob("stages/*/index.html")]
    assert len(pages) == 2
    assert not [page for page in pages if 'href="None"' in page]


def test_a_half_played_match_counts_nowhere(sites: Path, tmp_path: Path) -> None:
    """With one log cut off, the first page and the page of its stage count the other matches."""
    cup, site = Path(shutil.copytree(sites / "cup", tmp_path / "cup")), tmp_path / "site"
    log, *others = sorted((cup / "stages" / "0001" / "matches").iterdir())
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))
    built([cup], site)
    first, stage = ((site / page).read_text() for page in ("index.html", "stages/0001/index.html"))
    total = len([*cup.glob("stages/*/matches/*")]) - 1
    assert f"bots played {total} matches" in first
    assert f"bots played {len(others)} matches" in stage
    row = first.partition(">Stage 1</a>")[2].partition("</tr>")[0]
    assert f'<td class="number">{len(others)}</td>' in row


def test_stages_alone_are_tournaments(sites: Path) -> None:
    """Without the log of their contest, stages are sections of their own."""
    stages = find([sites / "cup" / "stages"])
    assert [stage.prefix for stage in stages] == ["tournaments/0001/", "tournaments/0002/"]


def test_a_signature_of_the_contest_renews_the_site_of_a_stage(tmp_path: Path) -> None:
    """When a contest is signed, the site of a stage alone gets its proofs, and says that it is."""
    cup = contests.two_stages(tmp_path)
    stage, site = cup / "stages/0001", tmp_path / "site"
    assert built([stage], site).changed
    assert "These files are not signed" in (site / "index.html").read_text()
    key = PrivateKey("example.com/cup", b"\x07" * 32)
    signing.sign(cup, key, key.name)
    assert built([stage], site).changed
    assert len([*(site / "proofs").iterdir()]) == len([*(stage / "matches").iterdir()]) + 1
    assert "The signed checkpoint was not checked" in (site / "index.html").read_text()
    assert not built([stage], site).changed
