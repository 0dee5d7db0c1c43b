"""A whole site: every link leads somewhere, hostile bots change nothing, rebuilds write little."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest

from audit import views
from games.table import Result
from replay.verify import verify_all
from report.page import FOLDER
from report.site import pages as lists
from report.site.build import Site, build
from report.site.context import TOOLS
from report.site.names import file_name
from report.site.output import MANIFEST
from report.site.pages import pairing_lead
from schema import files, registry
from schema.discovery import logs_at
from schema.errors import KothError, NothingToDo, UsageError
from schema.executor import serial
from tests.corpus.recipes import ENTRIES
from tests.factories import loads, tournament_events, write
from tests.report.matches import with_a_forged_fault
from tests.report.page_text import Page
from tests.report.site.sites import CORPUS, GAMES, NAMES, Links, built, linked, target
from tests.report.site.test_output import Killed, contents, dying
from tests.sampling import sampled

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; "
SITES = ("games", "contest", "hostile", "long")

each_site = pytest.mark.parametrize("name", SITES)


def pages(folder: Path) -> dict[Path, Links]:
    """All pages of a site."""
    return {path: Links(path.read_text()) for path in folder.rglob("*.html")}


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_a_clone_on_windows_has_the_bytes_of_the_site(sites: Path, tmp_path: Path) -> None:
    """Git, set as on Windows, changes no line of a site on its way to a clone."""
    site = sites / "hostile"
    work, clone = tmp_path / "work", tmp_path / "clone"
    shutil.copytree(site, work)
    git = ("git", "-c", "core.autocrlf=true", "-c", "user.name=x", "-c", "user.email=x@example.com")
    for words in (
        ("init", "-q", work),
        ("-C", work, "add", "--all"),
        ("-C", work, "commit", "-q", "-m", "Publish"),
        ("clone", "-q", work, clone),
    ):
        subprocess.run([*git, *map(str, words)], check=True, capture_output=True)
    files = [path.relative_to(site) for path in site.rglob("*") if path.is_file()]
    changed = [file for file in files if (clone / file).read_bytes() != (site / file).read_bytes()]
    assert changed == []


@each_site
def test_every_link_leads_somewhere(sites: Path, name: str) -> None:
    """Links are relative, stay on the site, and name files and anchors that exist."""
    every = pages(folder := sites / name)
    for page, found in every.items():
        for link in (*found.links, *(link for link in found.loaded if link != "data:,")):
            path, anchor = target(page, link)
            assert path.is_file(), f"{page}: {link}"
            assert path.is_relative_to(folder.resolve())
            if anchor and not anchor.startswith("seq="):
                assert anchor in every[page.parent / path.name if path == page else path].ids, link


@pytest.mark.parametrize("name", ["hostile", "long"])
def test_the_command_that_verifies_names_a_folder_of_the_site(sites: Path, name: str) -> None:
    """A visitor can type it in a copy of the folder, which has no other folder of logs."""
    page = (sites / name / "index.html").read_text()
    [folder] = re.findall(r"To check it yourself.*: <code>koth verify (\S+)</code>", page)
    assert (sites / name / folder / "tournament.jsonl").is_file()


def test_the_logs_of_a_contest_verify_in_a_copy_of_the_site(sites: Path) -> None:
    """A visitor needs one command, although the files of the bots are not there."""
    page = (sites / "contest" / "index.html").read_text()
    assert "<code>koth verify logs</code>" in page
    logs = sites / "contest" / "logs"
    assert {verdict.verdict for verdict in verify_all(logs_at(logs), given={logs})} == {"verified"}


@each_site
def test_every_page_is_reached_from_the_first(sites: Path, name: str) -> None:
    """Nobody needs to know an address but that of the site."""
    folder = (sites / name).resolve()
    every = pages(folder)
    reached, ahead = {folder / "index.html"}, [folder / "index.html"]
    while ahead:
        page = ahead.pop()
        linked = {target(page, link)[0] for link in every[page].links} & every.keys()
        ahead += linked - reached
        reached |= linked
    assert reached == every.keys()


@pytest.mark.parametrize(
    ("folder", "first", "name"),
    [("matches", "index", "list"), ("bots", "bot0", "bot0"), ("pairs", "bot0~bot1", "bot0~bot1")],
)
def test_each_page_of_a_list_has_its_part(sites: Path, folder: str, first: str, name: str) -> None:
    """It says which, leads to the others, and its trail to the first."""
    names = [f"{first}.html", f"{name}.2.html", f"{name}.3.html"]
    for number, page in enumerate(names, 1):
        text = (sites / "long" / folder / page).read_text()
        [turns] = re.findall('<nav class="turns".*?</nav>', text, re.DOTALL)
        assert Links(turns).links == [other for other in names if other != page]
        [table] = re.findall('<table class="matches">.*?</table>', text, re.DOTALL)
        assert {link for link in Links(table).links if "matches/" in link} == {
            f"../matches/1-00000{number - 1}.html"
        }
        if folder == "matches" or number > 1:
            lead = "3 matches: " if folder == "pairs" else f"{number}–{number} of 3 matches."
            assert f'<p class="lead">{lead}' in text
            [trail] = re.findall('<nav class="trail".*?</nav>', text, re.DOTALL)
            above = ["../index.html", f"../{folder}/{names[0]}"][: min(number, 2)]
            assert Links(trail).links == above
            assert (f"Page {number}" in trail) == (number > 1)
    bots = (sites / "long/bots/index.2.html").read_text()
    assert Links(bots.partition('<nav class="turns"')[2].partition("</nav>")[0]).links == [
        "index.html"
    ]
    assert "2 bots, by name." in bots


def test_each_page_of_a_stage_leads_to_the_others(
    sites: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first has the stage's standings and a part of its matches, the others have the rest."""
    monkeypatch.setattr(lists, "LISTED", 5)
    built([sites / "cup"], site := tmp_path / "site")
    names = ["index.html", "list.2.html"]
    found: list[str] = []
    for page in names:
        text = (site / "stages/0001" / page).read_text()
        [turns] = re.findall('<nav class="turns".*?</nav>', text, re.DOTALL)
        assert Links(turns).links == [other for other in names if other != page]
        [table] = re.findall('<table class="matches">.*?</table>', text, re.DOTALL)
        matches = (link.partition("#")[0] for link in Links(table).links if "matches/" in link)
        found += {Path(link).name for link in matches}
    logs = (sites / "cup/stages/0001/matches").iterdir()
    assert sorted(found) == sorted(f"{log.stem}.html" for log in logs)


@each_site
def test_tables_that_the_audit_computes_are_not_published(sites: Path, name: str) -> None:
    """They follow from the others; ``sql.html`` computes them."""
    computed = {view for game in registry.names() for view in views.files(registry.card(game))}
    tables = {table.stem for table in (sites / name).rglob("data/*.parquet")}
    assert tables
    assert not tables & computed


def test_a_match_leads_to_the_list_of_all_matches(sites: Path) -> None:
    """That list is on the first page, or on a page of its own."""
    for name, link in (("hostile", "../index.html#matches"), ("long", "../matches/index.html")):
        page = sites / name / "matches/1-000000.html"
        assert link in Links(page.read_text()).links
    assert "matches/index.html" in Links((sites / "long/index.html").read_text()).links


def test_refused_logs_leave_no_site(tmp_path: Path) -> None:
    """The folder is not made, or keeps what it had: matches of two games have no page together."""
    logs, folder = tmp_path / "logs", tmp_path / "site"
    logs.mkdir()
    for game in ("coup", "coins"):
        match = CORPUS / f"honest_tournament_of_{game}/matches/1-000000.jsonl"
        shutil.copy(match, logs / f"{game}.jsonl")
    with pytest.raises(UsageError, match="expected matches of one game"):
        built([logs], folder, tools=lambda folder, _: (folder / "sql.html").touch())
    assert not folder.exists()
    folder.mkdir()
    with pytest.raises(UsageError, match="expected matches of one game"):
        built([logs], folder)
    assert [*folder.iterdir()] == []


@pytest.mark.parametrize("games", [["coup"], ["coup", "coins"]])
def test_the_first_page_leads_to_the_tools(games: list[str], tmp_path: Path) -> None:
    """The first page of a site with one part, or with several, links to each browser tool."""

    def tools(folder: Path, published: object) -> None:
        for name in TOOLS:
            (folder / name).touch()

    built([CORPUS / f"honest_tournament_of_{game}" for game in games], tmp_path, tools=tools)
    links = Links((tmp_path / "index.html").read_text()).links
    assert {*TOOLS} <= {*links}


def test_the_first_page_of_several_tournaments(sites: Path) -> None:
    """It names itself once, and begins with the tournaments, each beside its first bot."""
    body = (sites / "games/index.html").read_text().partition("<body>")[2]
    assert body.count("Results") == 1
    assert body.index('id="tournaments"') < body.index('id="standings"')
    assert body.index(">ranks first<") < body.index(">game<")


def test_many_bots_that_share_the_first_rank_are_counted(tmp_path: Path) -> None:
    """The first page and the feed name no part of the bots that rank first as if they were all."""
    names = [f"bot{number}" for number in range(6)]
    for name in ("spring", "autumn"):
        events = tournament_events(
            lambda match: Result("rounds_played", (0,) * 6, (*range(6),), (), "0" * 64),
            names,
            game="coins",
            games=1,
        )
        write(tmp_path / "cups" / name / "tournament.jsonl", events)
    built([tmp_path / "cups"], tmp_path / "site")
    first = (tmp_path / "site" / "index.html").read_text()
    assert first.count("<td>6 bots</td>") == 2
    feed = json.loads((tmp_path / "site" / "feed.json").read_text())
    titles = [item["title"] for item in feed["items"]]
    assert titles == [
        "Coins, spring: 6 bots share the first rank",
        "Coins, autumn: 6 bots share the first rank",
    ]


@pytest.mark.parametrize("sections", [1, 2])
def test_the_title_of_a_site(sections: int, tmp_path: Path) -> None:
    """The given title is that of the first page and of the feed."""
    for name in ("spring", "autumn")[:sections]:
        shutil.copytree(CORPUS / "signed_tournament", tmp_path / "cups" / name)
    built([tmp_path / "cups"], tmp_path / "site", title="The Cups")
    assert "<title>The Cups</title>" in (tmp_path / "site/index.html").read_text()
    assert json.loads((tmp_path / "site/feed.json").read_text())["title"] == "The Cups"


@each_site
def test_no_two_pages_have_one_title(sites: Path, name: str) -> None:
    """A tab or a bookmark names the page, and its tournament if a site has several."""
    pages = (sites / name).rglob("*.html")
    titles = [page.read_text().partition("<title>")[2].partition("</title>")[0] for page in pages]
    assert sorted(titles) == sorted(set(titles))


def test_the_progress_has_one_scale(tmp_path: Path) -> None:
    """Each step of the work on each log counts once, in all tournaments of a site together."""
    for name in ("coins", "coup"):
        copied(name, tmp_path / name)
    paths = [tmp_path / "coins", tmp_path / "coup"]
    shown: list[tuple[int, int]] = []
    build(Site(paths), tmp_path / "site", serial, lambda *step: shown.append(step))
    logs = len(list(tmp_path.glob("*/cup/**/*.jsonl"))) - len(list(tmp_path.rglob("evidence/*")))
    assert {total for _, total in shown} == {3 * logs}
    assert [done for done, _ in shown] == sorted({done for done, _ in shown})


def test_hosts_serve_the_files_as_they_are(tmp_path: Path) -> None:
    """GitHub Pages does not run Jekyll on a site, and Git does not change its line ends."""
    built([CORPUS / "signed_tournament"], tmp_path / "site")
    assert (tmp_path / "site/.nojekyll").read_bytes() == b""
    assert (tmp_path / "site/.gitattributes").read_bytes() == b"* -text\n"


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_two_clicks_from_the_standings(sites: Path, game: str) -> None:
    """The standings link to each bot, and the page of a bot to each of its matches."""
    home = (sites / "games" / "tournaments" / f"honest_tournament_of_{game}").resolve()
    log = [json.loads(line) for line in (home / "logs/tournament.jsonl").read_text().splitlines()]
    names = [entrant["name"] for entrant in log[0]["entrants"]]
    first = linked(home / "index.html")
    matches = {
        home / "matches" / f"{event['match']}.html": event["seats"]
        for event in log
        if event["type"] == "match_played"
    }
    for match, seats in matches.items():
        for seat in seats:
            bot = home / "bots" / f"{names[seat]}.html"
            assert bot in first
            assert match in linked(bot)


@each_site
def test_the_first_link_skips_to_the_content(sites: Path, name: str) -> None:
    """A reader with a keyboard skips the head of every page, and of the tools."""
    for folder in (sites / name, FOLDER / "site/pages"):
        for page, found in pages(folder).items():
            assert found.links[0] == "#main", page
            assert "main" in found.ids, page


@each_site
def test_pages_hold_no_code_and_are_small(sites: Path, name: str) -> None:
    """The policy allows only files of the site; a page has less than 300 KB, a match 60."""
    for page, found in pages(sites / name).items():
        text = page.read_text()
        assert POLICY in text.replace("&#39;", "'")
        assert "unsafe-inline" not in text
        assert found.inline == [], page
        assert len(text.encode()) < (60_000 if page.parent.name == "matches" else 300_000)


@each_site
def test_ids_roles_and_labels_are_valid(sites: Path, name: str) -> None:
    """Ids are unique, downloads have addresses, and labels are where HTML allows them."""
    wrong = re.compile(
        r"<figure[^>]* role=|<pre(?![^>]* role=)[^>]* aria-label=|<a(?![^>]* href=)[^>]* download"
    )
    for page in (*(sites / name).rglob("*.html"), *(FOLDER / "site/pages").glob("*.html")):
        text = page.read_text()
        ids = re.findall(r'<[^>]* id="([^"]+)"', text)
        assert len(ids) == len({*ids}), page
        assert not wrong.search(text), page


@each_site
def test_names_of_bots_are_only_words(sites: Path, name: str) -> None:
    """A hostile name or beacon is escaped wherever it is."""
    for page in (sites / name).rglob("*.html"):
        text = page.read_text()
        assert "<img" not in text
        assert "<b>" not in text
        assert "<script>console" not in text


@pytest.mark.parametrize("folder", ["hostile", "games/contests/forged"])
def test_each_name_has_a_page(sites: Path, folder: str) -> None:
    """Hostile names have pages of their own, with file names that are safe everywhere."""
    home = sites / folder
    every = {path.name for path in (home / "bots").iterdir()}
    assert {f"{file_name(name)}.html" for name in NAMES} <= every
    lower = [path.name.lower() for path in home.rglob("*")]
    assert not {"..", "con"} & {name.partition(".")[0] for name in lower if name[0] != "."}


def test_each_match_leads_to_its_raw_log(sites: Path) -> None:
    """The first line of a match's page has a link to the log, also without the two tools."""
    pages = sorted((sites / "contest").glob("stages/*/matches/*.html"))
    assert pages
    for page in pages:
        [href] = re.findall(r'class="beside" href="([^"]*)">Raw log<', page.read_text())
        log = (page.parent / href).resolve()
        assert log.is_relative_to((sites / "contest" / "logs").resolve())
        assert (log.name, log.exists()) == (f"{page.stem}.jsonl", True)


def test_a_bots_page_has_its_faults(sites: Path) -> None:
    """Each fault is a link to its event, beside the lines of the bot's standard error."""
    page = (sites / "hostile" / "bots" / "ducal.html").read_text()
    assert "#seq=" in page
    assert "crash" in page
    assert "&lt;script&gt;console.error(2)&lt;/script&gt;\n  at<span" in page


def test_raw_files_are_those_of_the_source(sites: Path) -> None:
    """Logs and evidence keep their paths and bytes, and nothing private is published."""
    assert contents(sites / "hostile" / "logs") == contents(sites / "hostile-cup")
    cup = contents(sites / "cup")
    private = [path for path in cup if path.endswith(".private") or path.startswith("bots/")]
    assert private
    public = {path: content for path, content in cup.items() if path not in private}
    assert contents(sites / "contest" / "logs") == public


@each_site
def test_tables_are_parquet_with_paths_on_the_site(sites: Path, name: str) -> None:
    """Every path in the tables is a raw log of the site."""
    for table in (sites / name).rglob("data/logs.parquet"):
        rows = duckdb.execute(f"SELECT path FROM '{table}'").fetchall()
        assert rows
        assert all((table.parent.parent / path).is_file() for (path,) in rows)


def test_tables_name_logs_of_the_working_folder_and_of_odd_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path in the tables is that of the raw log, whatever its source is called."""
    cup = copied("coins", tmp_path)
    shutil.copy(cup / "matches" / "1-000000.jsonl", cup / "Finals #1.jsonl")
    monkeypatch.chdir(cup)
    built([Path()], tmp_path / "site")
    table = tmp_path / "site" / "data" / "logs.parquet"
    paths = {path for (path,) in duckdb.execute(f"SELECT path FROM '{table}'").fetchall()}
    logs = (tmp_path / "site" / "logs").rglob("*.jsonl")
    raw = {log.relative_to(tmp_path / "site").as_posix() for log in logs}
    assert paths == {path for path in raw if not path.startswith("logs/evidence/")}


def test_the_feed_names_the_results(sites: Path) -> None:
    """The feed is one of version 1.1, with an item per tournament, and no address of its own."""
    feed = json.loads((sites / "games" / "feed.json").read_text())
    assert feed["version"] == "https://jsonfeed.org/version/1.1"
    assert len(feed["items"]) == len({item["id"] for item in feed["items"]}) == len(GAMES) + 1
    assert "url" not in feed["items"][0]


def copied(game: str, folder: Path) -> Path:
    """A copy of a small tournament."""
    return Path(shutil.copytree(CORPUS / f"honest_tournament_of_{game}", folder / "cup"))


def test_a_second_run_writes_what_changed(tmp_path: Path) -> None:
    """Equal inputs write nothing; a match less removes its page, and leaves those of others."""
    cup, site = copied("coins", tmp_path), tmp_path / "site"
    assert built([cup], site, base_url="https://example.com/cup").changed
    item = json.loads((site / "feed.json").read_text())["items"][0]
    assert item["url"] == "https://example.com/cup/index.html"
    stamps = {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    assert not built([cup], site, base_url="https://example.com/cup").changed
    assert stamps == {path: path.stat().st_mtime_ns for path in site.rglob("*")}
    *others, last = sorted((cup / "matches").iterdir())
    last.unlink()
    result = built([cup], site)
    assert result.changed
    assert not (site / "matches" / f"{last.stem}.html").exists()
    assert not (site / "logs" / "matches" / last.name).exists()
    assert all((site / "matches" / f"{log.stem}.html").exists() for log in others)
    fresh = tmp_path / "fresh"
    built([cup], fresh)
    assert contents(site) == contents(fresh)


def test_a_result_of_another_shape_is_not_believed(tmp_path: Path) -> None:
    """A list whose header has equal inputs, but no result of a build, makes a new build."""
    cup, site = copied("coins", tmp_path), tmp_path / "site"
    built([cup], site)
    manifest = site / MANIFEST
    manifest.write_bytes(manifest.read_bytes().replace(b'"matches":', b'"games":', 1))
    assert built([cup], site).changed
    assert not built([cup], site).changed


@pytest.mark.parametrize("step", sampled({"9": 9, "40": 40}, ["40"]))
def test_a_killed_build_is_completed_by_the_next(
    sites: Path, tmp_path: Path, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed at a write and run again, the site has the bytes of an undisturbed build."""
    cup = sites / "hostile-cup"
    site = tmp_path / "site"
    with pytest.raises(Killed), dying(step):
        built([cup], site)
    with monkeypatch.context() as patched:
        patched.setattr(files, "token_hex", lambda size: "0" * 2 * size)
        built([cup], site)
    assert contents(site) == contents(sites / "hostile")


def test_a_forged_seat_does_not_prevent_the_site(tmp_path: Path) -> None:
    """A match with a fault of a seat that nobody has is published with its verdict."""
    log = loads((CORPUS / "honest_match_of_coins_with_a_fault" / "log.jsonl").read_bytes())
    site = tmp_path / "site"
    write(tmp_path / "cup" / "log.jsonl", with_a_forged_fault(log, seat=9))
    assert not built([tmp_path / "cup"], site).clean
    [row] = Page((site / "index.html").read_text()).table("matches")
    assert row[-1] == "✕ forged"
    assert "seat 9" in (site / "matches" / "1-000000.html").read_text()


@pytest.mark.parametrize("is_empty", [False, True])
def test_a_log_that_cannot_be_read_is_linked_raw(is_empty: bool, tmp_path: Path) -> None:
    """A corrupt or empty log has no page: its match links to the log, the build has a finding."""
    cup, site = copied("coup", tmp_path), tmp_path / "site"
    log = min((cup / "matches").iterdir())
    changed = log.read_bytes().replace(b'"seq":1,', b'"seq":7,', 1)
    log.write_bytes(b"" if is_empty else changed)
    assert not built([cup], site).clean
    assert not (site / "matches" / f"{log.stem}.html").exists()
    assert f'href="logs/matches/{log.name}"' in (site / "index.html").read_text()


@pytest.mark.parametrize("name", ["matches/1-000000.jsonl", "tournament.jsonl"])
def test_a_log_with_a_hole_is_not_published(name: str, tmp_path: Path) -> None:
    """A log with a terabyte of zero bytes has a verdict, is not copied, and no link leads to it."""
    cup, site = copied("coup", tmp_path), tmp_path / "site"
    os.truncate(cup / name, 1 << 40)
    assert not built([cup], site).clean
    assert not (site / "logs" / name).exists()
    assert f'href="logs/{name}"' not in (site / "index.html").read_text()
    assert all(path.exists() for page in site.rglob("*.html") for path in linked(page))


def test_a_pipe_in_the_place_of_evidence_is_not_published(tmp_path: Path) -> None:
    """A match whose evidence is no file has its page, as without evidence."""
    cup, site = copied("coup", tmp_path), tmp_path / "site"
    log = min((cup / "matches").iterdir())
    (cup / "evidence").mkdir()
    os.mkfifo(cup / "evidence" / log.name)
    assert built([cup], site).clean
    assert (site / "matches" / f"{log.stem}.html").exists()
    assert not (site / "logs/evidence").exists()


@pytest.mark.parametrize("is_sealed", [True, False])
def test_a_tournaments_log_in_the_place_of_a_matchs_has_no_page(
    is_sealed: bool, tmp_path: Path
) -> None:
    """The list has the match, without the page of a match."""
    cup = shutil.copytree(CORPUS / "match_replaced_by_a_tournament", tmp_path / "cup")
    log, site = cup / "matches/1-000001.jsonl", tmp_path / "site"
    lines = log.read_bytes().splitlines(keepends=True)
    assert b"tournament_started" in lines[0]
    log.write_bytes(b"".join(lines if is_sealed else lines[:-1]))
    assert not built([cup], site).clean
    assert [path.stem for path in sorted((site / "matches").glob("*.html"))] == [
        "1-000000",
        "1-000002",
    ]
    assert "1-000001" in (site / "index.html").read_text()


ATTACKS = {name: CORPUS / name for name in ENTRIES}


@pytest.mark.parametrize(
    "folder", sampled(ATTACKS, ["contest_in_the_place_of_the_tournament_of_a_stage"])
)
def test_each_attack_has_a_site_or_is_refused(folder: Path, tmp_path: Path) -> None:
    """Forged and damaged logs never end a run with anything but a site or a sentence."""
    with suppress(KothError):
        built([folder], tmp_path / "site")


def test_an_archive_is_a_site(tmp_path: Path) -> None:
    """A bundle gives the pages of the folder that it was packed from."""
    from audit.archive import pack

    cup = copied("coup", tmp_path)
    pack([cup], tmp_path / "archive")
    built([cup], tmp_path / "folder")
    built([tmp_path / "archive"], tmp_path / "packed")
    folder, packed = contents(tmp_path / "folder"), contents(tmp_path / "packed")
    assert packed.keys() == folder.keys()
    for path in folder.keys() - {MANIFEST}:
        if path.startswith(("logs/", "assets/", "matches/", "bots/")):
            assert packed[path] == folder[path], path
    [bundle] = (tmp_path / "archive").glob("*.zst")
    assert not built([bundle], tmp_path / "packed").changed


def test_wrong_paths_are_errors(tmp_path: Path) -> None:
    """A log, also in a bundle, a folder without logs, and a site inside its source are refused."""
    from audit.archive import pack

    cup = copied("coup", tmp_path)
    pack([cup], tmp_path / "archive")
    log = min((cup / "matches").iterdir())
    [bundle] = (tmp_path / "archive").glob("*.zst")
    for path in (log, bundle / log.relative_to(cup), bundle / "tournament.jsonl"):
        with pytest.raises(UsageError, match="koth report"):
            built([path], tmp_path / "site")
    with pytest.raises(UsageError, match="expected a folder outside"):
        built([cup], cup / "site")
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingToDo):
        built([tmp_path / "empty"], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_tournaments_of_one_game_have_headings_of_their_own(tmp_path: Path) -> None:
    """Among several, the heading and the title of a page name its tournament."""
    names = ("spring", "autumn")
    source = CORPUS / "honest_tournament_of_coins"
    built([Path(shutil.copytree(source, tmp_path / name)) for name in names], tmp_path / "site")
    for name in names:
        text = (tmp_path / "site" / "tournaments" / name / "index.html").read_text()
        assert f"<h1>Coins, {name}</h1>" in text
        assert f"<title>Coins, {name}</title>" in text


def test_a_page_of_bots_with_one_name_says_whose_numbers_it_has(tmp_path: Path) -> None:
    """Bots with one name and other files have ranks of their own, but one page."""
    log = loads((CORPUS / "honest_match_of_coins" / "log.jsonl").read_bytes())
    for number, hash in enumerate(("a" * 64, "b" * 64)):
        log[0]["players"][0]["bot"] = hash
        log[0]["match"] = f"1-00000{number}"
        write(tmp_path / "cup" / f"{number}.jsonl", log)
    built([tmp_path / "cup"], tmp_path / "site")
    pages = [(tmp_path / "site" / "bots" / f"player{seat}.html").read_text() for seat in (0, 1)]
    said = ["best of 2 bots with this name" in page for page in pages]
    assert said == [True, False]


def test_directions_of_names_reorder_nothing() -> None:
    """A sentence isolates the names of bots, which may be written from right to left."""
    lead = pairing_lead("שלום", "ada", [])
    assert lead == "0 matches: \u2068שלום\u2069 won 0, \u2068ada\u2069 won 0."


def test_matches_of_a_pairing_add_up() -> None:
    """A match that both bots won is drawn, and a void one or one without a result counts not."""
    ended = [([0], False), ([0, 1], False), ([], False), ([1], True), (None, False)]
    rows = [{"names": ["ada", "bob"], "winners": winners, "void": void} for winners, void in ended]
    assert pairing_lead("ada", "bob", rows) == (
        "5 matches: \u2068ada\u2069 won 1, \u2068bob\u2069 won 0, 2 drawn, "
        "2 without a result that counts."
    )


@each_site
def test_the_path_of_a_page_runs_from_left_to_right(sites: Path, name: str) -> None:
    """A name from right to left does not reverse a path such as "NAME against NAME"."""
    for page in (sites / name).rglob("*.html"):
        [*trails] = re.findall(r'<nav class="trail".*?</nav>', page.read_text(), re.DOTALL)
        assert "<bdi>" not in "".join(trails), page


TRAILS = {
    "index.html": ["Standings"],
    "bots/index.html": ["Standings", "Bots"],
    "bots/*.html": ["Standings", "Bots", "{0}"],
    "faults/*.html": ["Standings", "{0}", "Faults: {1}"],
    "pairs/*.html": ["Standings", "{0} against {1}"],
    "stages/*/index.html": ["Standings", "Stages", "Stage {stage}"],
    "stages/*/matches/*.html": ["Standings", "Stage {stage}", "{stage}/{0}"],
}
"""The steps above the pages of a contest; {0} and {1} are the parts of a page's name."""


def test_the_path_above_a_page_leads_to_the_pages_above_it(sites: Path) -> None:
    """Each step but the last leads to the page that it names; the last is the page itself."""
    home = sites / "contest"
    [log] = sites.glob("cup/contest.jsonl")
    names = {event["name"] for event in loads(log.read_bytes()) if event["type"] == "entered"}
    written = {file_name(name): name for name in names}
    steps: dict[Path, list[str]] = {}
    for pattern, expected in TRAILS.items():
        for page in {*home.glob(pattern)} - steps.keys():
            name, _, kind = (
                page.stem.rpartition(".") if "faults" in pattern else (page.stem, "", "")
            )
            parts = [written.get(part, part) for part in name.split("~")] + [kind]
            stage = page.relative_to(home).parts[1].lstrip("0") if "stages" in pattern else ""
            steps[page] = [step.format(*parts, stage=stage) for step in expected]
    assert steps.keys() == {*home.rglob("*.html")}
    for page, expected in steps.items():
        [trail] = re.findall('<nav class="trail".*?</nav>', page.read_text(), re.DOTALL)
        found = re.findall('<bdi dir="ltr">(.*?)</bdi>', trail)
        assert [re.sub("[\u2068\u2069]", "", html.unescape(step)) for step in found] == expected
        for number, link in enumerate(Links(trail).links[: len(found) - 1], 1):
            path, _, part = link.partition("#")
            above = (page.parent / path).resolve()
            assert above in steps, page
            assert part or steps[above][-1] == expected[number - 1], page
