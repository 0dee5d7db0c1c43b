"""Sections of logs and folders that are out of the ordinary."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from report.site.context import Context
from report.site.names import file_name
from report.site.section_links import SectionLinks
from report.site.sections import Section, find
from report.site.site_links import Targets
from schema.logs import Logs
from tests.factories import loads, sealed
from tests.report.site.sites import CORPUS, built, linked

TOURNAMENT = CORPUS / "honest_tournament_of_coins"


def copied(folder: Path) -> Path:
    """A copy of a small tournament."""
    return Path(shutil.copytree(TOURNAMENT, folder / "cup"))


def test_equal_names_get_numbers_that_no_other_has(tmp_path: Path) -> None:
    """Each tournament has a folder of its own, also if one is called as another with a number."""
    folders = ("a/s", "b/s", "c/s 1", "d/s 2", "e/s")
    sections = find([Path(shutil.copytree(TOURNAMENT, tmp_path / name)) for name in folders])
    assert [section.name for section in sections] == ["s 3", "s 4", "s 1", "s 2", "s 5"]
    assert len({section.prefix for section in sections}) == len(folders)


def test_the_name_of_a_section_does_not_depend_on_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament has the name of its folder, also if the path ends with dots."""
    inner = copied(tmp_path) / "other"
    inner.mkdir()
    for folder, path in ((inner, ".."), (inner.parent, "."), (tmp_path, "cup/other/..")):
        monkeypatch.chdir(folder)
        [section] = find([Path(path)])
        assert (section.name, section.prefix) == ("cup", "")


def test_a_stage_without_the_log_of_its_contest_is_a_tournament(tmp_path: Path) -> None:
    """Another contest beside it has its own stages only."""
    for name in ("a/stages/0001/tournament", "b/contest", "b/stages/0001/tournament"):
        log = tmp_path / f"{name}.jsonl"
        log.parent.mkdir(parents=True)
        log.write_text("{}\n")
    found = [(section.prefix, [log.name for log in section.logs]) for section in find([tmp_path])]
    assert found == [
        ("tournaments/0001/", ["tournament.jsonl"]),
        ("contests/b/", ["contest.jsonl", "tournament.jsonl"]),
    ]


def test_checkpoints_are_published(tmp_path: Path) -> None:
    """Those of a contest and those of its stages, each at its place; a folder is none."""
    names = ("contest.jsonl", "checkpoint", "checkpoints/3")
    stages = ("stages/0001/tournament.jsonl", "stages/0001/checkpoint")
    for name in (*names, *stages):
        path = tmp_path / "cup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
    (tmp_path / "cup" / "stages" / "0002" / "checkpoint").mkdir(parents=True)
    shutil.copy(TOURNAMENT / "tournament.jsonl", tmp_path / "cup" / "stages" / "0002")
    [section] = find([tmp_path / "cup"])
    targets = {file.target for file in section.files}
    assert targets == {*names, *stages, "stages/0002/tournament.jsonl"}


def published_evidence(home: Path) -> list[str]:
    """The paths of the evidence in the only section there."""
    [section] = find([home])
    return [file.target for file in section.files if "evidence" in file.target]


def test_evidence_behind_a_link_is_not_published(tmp_path: Path) -> None:
    """A tournament of a stranger cannot publish other files of this machine."""
    cup = copied(tmp_path)
    [log, *_] = sorted((cup / "matches").iterdir())
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / log.name).write_text("secret\n")
    (cup / "evidence").symlink_to(tmp_path / "other")
    assert not published_evidence(cup)
    (cup / "evidence").unlink()
    (cup / "evidence").mkdir()
    (cup / "evidence" / log.name).symlink_to(tmp_path / "other" / log.name)
    assert not published_evidence(cup)
    (cup / "evidence" / log.name).unlink()
    (cup / "evidence" / log.name).write_text("{}\n")
    assert published_evidence(cup) == [f"evidence/{log.name}"]


def inputs(home: Path) -> str:
    """The hash of the inputs of the only section there."""
    [section] = find([home])
    return section.inputs


def test_inputs_change_with_what_is_published(tmp_path: Path) -> None:
    """A log that cannot be read, and each file that gets another name, make the site anew."""
    cup = copied(tmp_path)
    first, second, *_ = [log.name for log in sorted((cup / "matches").iterdir())]
    evidence, checkpoints = cup / "evidence", cup / "checkpoints"
    for folder in (evidence, checkpoints):
        folder.mkdir()
    known = [inputs(cup)]
    for change in (
        lambda: (cup / "matches" / "9-000000.jsonl").write_bytes(bytes(100)),
        lambda: (evidence / first).write_text("{}\n"),
        lambda: (evidence / first).rename(evidence / second),
        lambda: (checkpoints / "1").write_text("checkpoint\n"),
        lambda: (checkpoints / "1").rename(checkpoints / "2"),
    ):
        change()
        known.append(inputs(cup))
    assert len({*known, inputs(cup)}) == len(known)


def test_inputs_change_with_the_files_of_bots(tmp_path: Path) -> None:
    """Those of a contest are checked against its log, unless the whole folder is left out."""
    cup, bots = tmp_path / "cup", tmp_path / "cup" / "bots"
    cup.mkdir()
    (cup / "contest.jsonl").write_text("{}\n")
    known = [inputs(cup)]
    for change in (
        bots.mkdir,
        (bots / "a.py").touch,
        lambda: (bots / "a.py").write_text("pass\n"),
        lambda: (bots / "a.py").rename(bots / "b.py"),
        lambda: (bots / "c.py").symlink_to("nowhere"),
    ):
        change()
        known.append(inputs(cup))
    assert len({*known, inputs(cup)}) == len(known)


def test_a_log_with_a_torn_end_of_zero_bytes_is_not_published(tmp_path: Path) -> None:
    """A power failure may leave zero bytes: the match is listed, without log and page."""
    cup, site = copied(tmp_path), tmp_path / "site"
    log = min((cup / "matches").iterdir())
    size = log.stat().st_size
    os.truncate(log, size - 100)
    os.truncate(log, size)
    assert not built([cup], site).clean
    assert not (site / "logs" / "matches" / log.name).exists()
    assert not (site / "matches" / f"{log.stem}.html").exists()
    assert log.stem in (site / "index.html").read_text()
    assert all(path.exists() for page in site.rglob("*.html") for path in linked(page))


def test_numbers_of_any_length_have_pages(tmp_path: Path) -> None:
    """A match with an id of 5,000 digits is listed and has a page, as others have."""
    cup, site = copied(tmp_path), tmp_path / "site"
    number = f"1-{'9' * 5_000}"
    for path in (cup / "tournament.jsonl", cup / "matches" / "1-000001.jsonl"):
        events = loads(path.read_bytes())
        for event in events:
            if event.get("match") == "1-000001":
                event["match"] = number
        path.write_bytes(sealed(events))
    assert not built([cup], site).clean
    assert (site / "matches" / f"{file_name(number)}.html").exists()
    listed = (site / "index.html").read_text()
    places = [listed.index(f'["{match}",') for match in ("1-000000", "1-000002", number)]
    assert places == sorted(places)
    assert all(path.exists() for page in site.rglob("*.html") for path in linked(page))


@pytest.mark.parametrize("title", [None, "May"])
def test_a_trail_leads_to_all_pages_above(title: str | None) -> None:
    """It begins with the first page of the site, names no page twice, and cuts long names."""
    cup = Section(Path("cup"), "cup", "tournaments/cup/", Logs.of([]), [])
    context = Context(title, [cup], "", [], None)
    steps = [("Bots", "bots/index.html"), ("x" * 60, None), ("y" * 61, None)]
    links = SectionLinks(cup, context, Targets()).page("bots/a.html", steps)
    assert links.trail == [
        (title or "Results", "../../../index.html"),
        ("cup", "../index.html"),
        ("Bots", "../bots/index.html"),
        ("x" * 60, None),
        (f"{'y' * 59}…", None),
    ]
    assert links.section == "cup"
    alone = SectionLinks(replace(cup, prefix=""), context, Targets()).page("index.html", [])
    assert (alone.trail, alone.section) == ([("Standings", None)], "")
