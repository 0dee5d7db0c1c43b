"""A contest verifies as it was held, and every attack on it is found and named."""

from __future__ import annotations

import errno
import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from games.contest import chain_seed, stage_seed
from referee import tournament
from referee.contest import stages
from referee.contest.folder import opened
from replay import contest
from replay.log_verdict import LogVerdict
from replay.parts import parts
from replay.verify import verify_all
from schema import discovery, merkle, seal, tournament_tree
from schema.bundle import write
from schema.executor import serial
from schema.reader import read
from tests import contests
from tests.contests import Events
from tests.factories import SEED
from tests.failures import lack_descriptor, refuse
from tests.referee.interruptions import unheard


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest of two stages, the second with a beacon: late, revised and withdrawn bots."""
    folder = tmp_path_factory.mktemp("contests")
    cup = contests.two_stages(folder)
    contests.enter(cup, [contests.bot(folder / "bots", "emil")])
    return cup


@pytest.fixture
def cup(played: Path, tmp_path: Path) -> Path:
    """A copy of the contest, to be changed."""
    shutil.copytree(played, tmp_path / "cup")
    return tmp_path / "cup"


def verdicts(folder: Path, *given: Path) -> list[LogVerdict]:
    """The verdicts on all logs, that on the contest last."""
    paths = given or (folder,)
    return [*verify_all(discovery.logs(paths), serial, {*map(discovery.resolve, paths)})]


def verdict(folder: Path, *given: Path) -> LogVerdict:
    """The verdict on the contest."""
    return verdicts(folder, *given)[-1]


def checked(folder: Path, stages: Mapping[str, str]) -> LogVerdict:
    """The verdict on a contest whose stages have these verdicts."""
    return contest.check(folder / discovery.CONTEST, stages, {discovery.absolute(folder)})


def change(folder: Path, edit: Callable[[Events], object]) -> None:
    """Edit the events of the contest's log, and number them again."""
    events = contests.events(folder)
    edit(events)
    contests.rewrite(folder, events)


def position(events: Events, **fields: Any) -> int:
    """The position of the first event with these fields."""
    return next(n for n, event in enumerate(events) if event | fields == event)


def test_an_open_contest_verifies_so_far(cup: Path) -> None:
    """Every log of an open contest verifies, and the contest so far."""
    assert {log.verdict for log in verdicts(cup)} == {"verified"}
    assert verdict(cup).reason == "2 stages so far by 7 versions of 6 bots"
    assert (verdict(cup).line, verdict(cup).events) == (None, len(contests.events(cup)))


def test_a_tournament_of_some_pairs_says_so(cup: Path) -> None:
    """Nobody leaves out pairings that a bot would lose without a word in the verdict."""
    logs = [log for log in verdicts(cup) if log.path.endswith(discovery.TOURNAMENT)]
    first, second = (log.reason.removeprefix(f"{log.events} events ") for log in logs)
    assert first == "follow from seed and answers"
    start = read(cup / "stages/0002" / discovery.TOURNAMENT).start
    every, played = len([*combinations(start["entrants"], 2)]), len(start["pairings"])
    assert 0 < played < every
    assert second == f"{first}; {played} of {every} pairs of entrants play"


def test_a_closed_contest_verifies(cup: Path) -> None:
    """A closed contest has a seal, verifies, and has no secret left."""
    with opened(cup) as held:
        held.close()
    assert verdict(cup).reason == "2 stages by 7 versions of 6 bots"
    assert not (cup / discovery.SEEDS).exists()


def test_the_parts_of_a_contest_have_its_verdicts(cup: Path) -> None:
    """Each log has one verdict, also if paths lead into the contest, beside it, or to it twice.

    Each stage is a part, the rest of the contest, and all other logs.
    """
    stage = cup / "stages/0001"
    (stage / "evidence").mkdir(exist_ok=True)
    evidence = stage / "evidence/other.jsonl"
    evidence.write_bytes(b"{}\n")
    write([("log.jsonl", (stage / "tournament.jsonl").read_bytes())], stage / "old.jsonl.zst")
    link = cup.parent / "link"
    link.symlink_to(cup)
    other = cup.parent / "other.jsonl"
    other.write_bytes((stage / "tournament.jsonl").read_bytes())
    for paths, number in (
        ([cup], 3),
        ([evidence, cup], 1),
        ([link, cup], 3),
        ([cup, cup / "stages/.."], 3),
        ([cup, stage], 1),
        ([other, cup], 4),
        ([cup.parent, cup], 1),
        ([link, cup.parent], 1),
    ):
        taken = [[*part] for _, part in parts(paths, serial)]
        assert len(taken) == number
        in_parts = [each for part in taken for each in part]
        whole = verdicts(cup, *paths)
        assert Counter((each.path, each.verdict) for each in in_parts) == Counter(
            (each.path, each.verdict) for each in whole
        )


def test_the_log_alone_verifies(cup: Path, tmp_path: Path) -> None:
    """The log of a contest without its folder verifies, and says what was not looked at."""
    alone = tmp_path / "alone.jsonl"
    for reason in ("2 stages so far by", "2 stages by"):
        shutil.copy(cup / discovery.CONTEST, alone)
        assert verdict(alone).verdict == "verified"
        assert verdict(alone).reason.startswith(reason)
        assert "2 stages not looked at" in verdict(alone).reason
        with opened(cup) as held:
            held.close()


def test_a_stage_of_a_contest_that_is_not_given(cup: Path, tmp_path: Path) -> None:
    """A stage of a contest that is not verified itself keeps its verdict beside another contest."""
    other = tmp_path / "other/stages/0001"
    shutil.copytree(cup / "stages/0001", other)
    paths = [log.path for log in verdicts(cup, cup, other) if log.verdict == "verified"]
    assert len(paths) == len([*discovery.logs([cup, other])])


def test_a_bundle_of_a_contest_verifies(cup: Path, tmp_path: Path) -> None:
    """A contest in one compressed file has the same verdicts."""
    bundle = tmp_path / "cup.jsonl.zst"
    names = sorted(path.relative_to(cup).as_posix() for path in cup.rglob("*") if path.is_file())
    kept = [name for name in names if name != discovery.SEEDS]
    write(((name, (cup / name).read_bytes()) for name in kept), bundle)
    assert [log.verdict for log in verdicts(bundle)] == [log.verdict for log in verdicts(cup)]


# --- attacks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "expected"),
    [("contest.jsonl", "forged"), ("bots", "forged"), ("stages", "verified")],
)
def test_a_bundle_lacks_what_its_folder_would(
    kept: str, expected: str, cup: Path, tmp_path: Path
) -> None:
    """Without its stages, a bundle is as forged as the folder; its log alone is not."""
    files = [
        (name, path.read_bytes())
        for name, path in discovery.tournament_files(cup)
        if name == "contest.jsonl" or name.startswith(f"{kept}/")
    ]
    bundle = tmp_path / "in" / "cup.jsonl.zst"
    bundle.parent.mkdir()
    write(files, bundle)
    assert verdict(bundle).verdict == verdict(bundle.parent).verdict == expected
    assert verdict(bundle, bundle / "contest.jsonl").verdict == "verified"


def test_stage_dropped(cup: Path) -> None:
    """A stage that is missing on disk, or in the log too, is found by its number."""
    shutil.rmtree(cup / "stages/0002")
    assert verdict(cup).verdict == "forged"
    assert "stage 2: missing" in verdict(cup).reason


def test_the_log_of_a_stage_dropped(cup: Path) -> None:
    """A stage whose matches are there, and not its own log, is incomplete."""
    (cup / "stages/0001/tournament.jsonl").unlink()
    assert verdict(cup).verdict == "incomplete"
    assert verdict(cup).reason == "stage 1: its tournament is incomplete"


def test_stage_dropped_from_the_log(cup: Path) -> None:
    """The stage after one that was dropped does not follow in the chain of seeds."""
    shutil.rmtree(cup / "stages/0001")
    (cup / "stages/0002").rename(cup / "stages/0001")

    def drop(events: Events) -> None:
        first = position(events, type="stage_started", stage=1)
        del events[first : first + 2]
        for event in events[first:]:
            if "stage" in event:
                event["stage"] = 1

    change(cup, drop)
    assert verdict(cup).verdict == "forged"
    assert "stage 1: expected the chain seed whose SHA-256 is" in verdict(cup).reason


def test_stages_swapped(cup: Path) -> None:
    """Stages in each other's folders are found by their ids."""
    for old, new in (("0001", "x"), ("0002", "0001"), ("x", "0002")):
        (cup / "stages" / old).rename(cup / "stages" / new)
    assert verdict(cup).verdict == "forged"
    assert "stage 1: tournament: expected 'cup/0001', found 'cup/0002'" in verdict(cup).reason


def test_stage_added(cup: Path) -> None:
    """A stage that the log does not know is found: a folder, a bundle, or a damaged bundle."""
    shutil.copytree(cup / "stages/0001", cup / "stages/0003")
    assert "stages/0003: expected no such stage in the contest" in verdict(cup).reason
    shutil.rmtree(cup / "stages/0003")
    files = [*discovery.tournament_files(cup / "stages/0001")]
    write(((name, path.read_bytes()) for name, path in files), cup / "stages/0003.jsonl.zst")
    for data in ((cup / "stages/0003.jsonl.zst").read_bytes(), b"damaged"):
        (cup / "stages/0003.jsonl.zst").write_bytes(data)
        assert "stages/0003.jsonl.zst: expected no such stage in the" in verdict(cup).reason
        assert [one for _, part in parts([cup], serial) for one in part][-1] == verdict(cup)


def test_match_added_to_a_stage_in_a_bundle(cup: Path) -> None:
    """A stage with a bundle among its matches is forged, and so is its contest, also in parts."""
    matches = cup / "stages/0001/matches"
    write([("log.jsonl", (matches / "1-000000.jsonl").read_bytes())], matches / "x.jsonl.zst")
    expected = verdicts(cup)
    forged = [one.path for one in expected if one.verdict == "forged"]
    assert forged == [str(cup / "stages/0001/tournament.jsonl"), str(cup / "contest.jsonl")]
    assert [one for _, part in parts([cup], serial) for one in part] == expected


def test_bundles_added_to_a_folder_that_is_named_from_another(
    cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundle among matches or stages is found, however the path of the contest is written."""
    log = (cup / "stages/0001/matches/1-000000.jsonl").read_bytes()
    for bundle in ("stages/0001/matches/x.jsonl.zst", "stages/0003.jsonl.zst"):
        copy = cup.parent / f"copy-{Path(bundle).name}"
        shutil.copytree(cup, copy)
        write([("log.jsonl", log)], copy / bundle)
        expected = [one.verdict for one in verdicts(copy)]
        assert expected[-1] == "forged"
        monkeypatch.chdir(copy.parent)
        assert [one.verdict for one in verdicts(Path(copy.name))] == expected
        in_parts = [one for _, part in parts([Path(copy.name)], serial) for one in part]
        assert Counter(one.verdict for one in in_parts) == Counter(expected)
        monkeypatch.chdir(copy)
        assert [one.verdict for one in verdicts(Path())] == expected


def test_stage_replayed_with_another_seed(cup: Path) -> None:
    """A stage that was played again with another seed is found, even with a root that fits."""
    folder = cup / "stages/0002"
    shutil.rmtree(folder)
    cut = position(contests.events(cup), type="stage_finished", stage=2)
    later = contests.events(cup)[cut:]
    change(cup, lambda events: events.__delitem__(slice(cut, None)))

    def play() -> None:
        with opened(cup) as held:
            stage = stages.next_stage(held, None)
            assert stage is not None
            bots = stages.bots(held, stage)
            planned = stages.tournament(held, stage, bots, "process")
            other = replace(planned, seed=stage_seed(chain_seed(SEED, 20, 2), "luckier"))
            tournament.play(other, serial, unheard)

    contests.simulated(play)
    hashes = list(tournament_tree.entries(folder).values())
    later[0] |= {"files": len(hashes), "root": merkle.root(hashes).hex()}
    change(cup, lambda events: events.extend(later))
    assert verdict(cup).verdict == "forged"
    reason = "stage 2: expected the seed that follows from the chain and the beacon 'drand 4711'"
    assert reason in verdict(cup).reason
    assert {log.verdict for log in verdicts(cup)[:-1]} == {"verified"}


def test_files_exchanged_after_entering(cup: Path) -> None:
    """A bot whose files were changed after it was entered is found by its name."""
    for file in (cup / "bots").glob("*/*/*.py"):
        was = file.read_bytes()
        file.write_text("# stronger\n")
        for given in (cup, cup / discovery.CONTEST):
            assert verdict(cup, given).verdict == "forged"
            reason = f"expected the files of {file.stem} as they were entered, with the hash"
            assert reason in verdict(cup, given).reason
        file.write_bytes(was)
    pipe = file.with_name("pipe")
    os.mkfifo(pipe)
    assert f"the files of {file.stem} cannot be read: {pipe}: " in verdict(cup).reason


@pytest.mark.parametrize(
    "place", ["stages/0001/tournament.jsonl", "bots/*/*/*.py", "contest.jsonl"]
)
def test_a_system_that_fails_is_no_forgery(
    place: str, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of a contest that no descriptor is left for is an error, and no finding."""
    file = min(cup.glob(place))
    verified = dict.fromkeys((stage.name for stage in (cup / "stages").iterdir()), "verified")
    lack_descriptor(file, monkeypatch)
    with pytest.raises(OSError, match=f"Too many open files: '{file}'"):
        checked(cup, verified)


@pytest.mark.parametrize("number", [errno.EIO, errno.EACCES, errno.ESTALE])
@pytest.mark.parametrize(
    "place", ["stages/0001/tournament.jsonl", "stages/0001/matches/*.jsonl", "bots/*/*/*.py"]
)
def test_a_file_that_the_disk_does_not_give_is_no_forgery(
    place: str, number: int, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A contest with a file that cannot be read is corrupt, and the reason names the file."""
    file = min(cup.glob(place))
    verified = dict.fromkeys((stage.name for stage in (cup / "stages").iterdir()), "verified")
    refuse(file, number, monkeypatch)
    outcome = checked(cup, verified)
    assert outcome.verdict == "corrupt"
    assert outcome.reason.endswith(f"{file}: {os.strerror(number)}")


def test_a_file_beside_those_of_a_bot(cup: Path) -> None:
    """The reason names the files, so that one which a system has added can be found."""
    [file] = (cup / "bots/anna").glob("*/*.py")
    file.with_name(".DS_Store").touch()
    assert verdict(cup).verdict == "forged"
    assert verdict(cup).reason.endswith(" of .DS_Store and anna.py")


@pytest.mark.parametrize("part", [{"command": ["anna.py"]}, {"class_name": "Anna"}])
def test_bot_started_otherwise(part: dict[str, Any], cup: Path) -> None:
    """The command and the class of a bot belong to its hash."""
    change(cup, lambda events: events[position(events, name="anna")].update(part))
    assert verdict(cup).verdict == "forged"
    assert "expected the files of anna as they were entered" in verdict(cup).reason


def test_files_missing(cup: Path) -> None:
    """A version whose files were removed is found, and its folder is named."""
    shutil.rmtree(cup / "bots/dora")
    assert verdict(cup).verdict == "forged"
    assert verdict(cup).reason.startswith("missing: expected the files of dora as they were")


def test_files_larger_than_any_bot(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of a bot are read up to the maximum that may be entered; a byte more is a forgery."""
    largest = max(path.stat().st_size for path in (cup / "bots").rglob("*.py"))
    monkeypatch.setattr(seal, "MAX_BOT_BYTES", largest)
    assert verdict(cup).verdict == "verified"
    monkeypatch.setattr(seal, "MAX_BOT_BYTES", largest - 1)
    assert verdict(cup).verdict == "forged"
    assert "expected files of up to 0 MiB together, found more" in verdict(cup).reason


def test_folder_of_bots_missing(cup: Path) -> None:
    """A contest without the folder of bots, as on a site, is verified and says what is left out."""
    unchecked = "; the files of the bots are not here, so they were not compared with their hashes"
    for given in (cup, cup / discovery.CONTEST):
        assert unchecked not in verdict(cup, given).reason
    shutil.rmtree(cup / "bots")
    for given in (cup, cup / discovery.CONTEST):
        assert verdict(cup, given).verdict == "verified"
        assert verdict(cup, given).reason.endswith(unchecked)
    assert {log.verdict for log in verdicts(cup)} == {"verified"}


def test_no_bots_no_files(cup: Path) -> None:
    """The folder of bots is not missed before a bot is entered."""
    shutil.rmtree(cup / "stages")
    shutil.rmtree(cup / "bots")
    contests.rewrite(cup, contests.events(cup)[:1])
    assert verdict(cup).reason == "0 stages so far by 0 versions of 0 bots"


def test_stage_missing_without_bots(cup: Path) -> None:
    """Without the folder of bots, as on a site, everything else is still checked."""
    shutil.rmtree(cup / "bots")
    shutil.rmtree(cup / "stages/0002")
    assert verdict(cup).verdict == "forged"
    assert verdict(cup).reason.startswith("stage 2: missing: expected its tournament")


def test_stage_that_came_after_the_search(cup: Path) -> None:
    """A stage that ends while the contest is verified is not looked at; it is not forged."""
    later = cup.parent / "later"
    shutil.move(cup / "stages/0002", later)
    logs = discovery.logs([cup])
    assert "stage 2: missing" in [*verify_all(logs, given={cup})][-1].reason
    (cup / "stages/0002").symlink_to(later)
    assert "stage 2: missing" in [*verify_all(logs, given={cup})][-1].reason
    (cup / "stages/0002").unlink()
    shutil.move(later, cup / "stages/0002")
    found = [*verify_all(logs, given={cup})][-1]
    assert (found.verdict, found.reason[-23:]) == ("verified", "; 1 stage not looked at")


def test_some_of_the_stages(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of a contest and some of its stages are verified; the others are not looked at."""
    monkeypatch.chdir(cup / "stages")
    inside = {Path("..") / discovery.CONTEST, Path("0001")}
    for given in (inside, {cup / discovery.CONTEST, cup / "stages/0001"}):
        found = [*verify_all(discovery.logs(given), given=given)][-1]
        assert (found.verdict, found.reason[-23:]) == ("verified", "; 1 stage not looked at")
    shutil.rmtree(cup / "stages/0002")
    assert [*verify_all(discovery.logs(given), given=given)][-1].verdict == "forged"


def test_a_tournament_beside_the_working_folder(cup: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log of a tournament is verified by itself, also if a folder beside it is given, too."""
    (cup / "stages/0001/beside").mkdir()
    monkeypatch.chdir(cup / "stages/0001/beside")
    given = [Path("../tournament.jsonl"), Path()]
    [found] = verify_all(discovery.logs(given), given=given)
    assert found.verdict == "verified", found.reason


def test_withdrawn_bot_played(cup: Path) -> None:
    """A stage in which a withdrawn bot plays is found."""
    withdrawn = {"type": "withdrawn", "name": "dora"}
    change(cup, lambda events: events.insert(position(events, stage=2), withdrawn))
    assert verdict(cup).verdict == "forged"
    assert "stage 2: dora plays, and is not in" in verdict(cup).reason


def test_entry_dated_back(cup: Path) -> None:
    """An entry that is moved above an earlier stage is found: that stage was played without it."""

    def move(events: Events) -> None:
        entry = events.pop(position(events, name="dora"))
        events.insert(position(events, stage=1), entry)

    change(cup, move)
    assert verdict(cup).verdict == "forged"
    assert "stage 1: dora is in, and does not play" in verdict(cup).reason


def test_revision_dated_back(cup: Path) -> None:
    """A revision that is moved above an earlier stage is found by the version that played."""

    def move(events: Events) -> None:
        entry = events.pop(position(events, type="revised", name="bert"))
        events.insert(position(events, stage=1), entry)

    change(cup, move)
    assert "stage 1: expected the version" in verdict(cup).reason


def test_entries_swapped(cup: Path) -> None:
    """Entries in another order are found: the bots of the first stage have other numbers."""

    def swap(events: Events) -> None:
        events[1:3] = events[2:0:-1]

    change(cup, swap)
    assert "stage 1: expected the bots in the order of their entries" in verdict(cup).reason


def test_wrong_seed_in_the_chain(cup: Path) -> None:
    """A chain seed that does not lead to the head is found."""

    events = contests.events(cup)
    end = position(events, type="stage_finished", stage=1)
    change(cup, lambda events: events[end].update(seed="ab" * 32))
    assert "stage 1: expected the chain seed whose SHA-256 is" in verdict(cup).reason
    assert (verdict(cup).line, verdict(cup).events) == (end + 1, len(events))


def test_beacon_changed(cup: Path) -> None:
    """A beacon that was changed after the stage is found: the seed does not follow from it."""

    def exchange(events: Events) -> None:
        events[position(events, type="stage_started", stage=2)]["beacon"] = "drand 4712"

    change(cup, exchange)
    assert verdict(cup).verdict == "forged"
    assert "and the beacon 'drand 4712'" in verdict(cup).reason


def test_pairings_changed(cup: Path) -> None:
    """A contest that says that all play all does not fit a stage that played less."""
    change(cup, lambda events: events[0].update(plays="tournaments"))
    assert "stage 2: pairings: expected exactly those that are missing" in verdict(cup).reason


@pytest.mark.parametrize(("game", "other"), [("coup", "tournaments"), ("coins", "pairings")])
def test_other_matches_than_those_of_the_game(game: str, other: str, tmp_path: Path) -> None:
    """A contest that says it plays other matches than its game does is forged.

    Its first stage would fit, and a later one of Coup would play and count all matches again.
    """
    cup = tmp_path / "cup"

    def hold() -> None:
        contests.new(cup, game, rounds=1)
        contests.enter(cup, [contests.bot(tmp_path, name) for name in ("anna", "bert")])
        contests.run(cup)

    contests.simulated(hold)
    assert verdict(cup).verdict == "verified"
    change(cup, lambda events: events[0].update(plays=other))
    assert (verdict(cup).verdict, verdict(cup).line) == ("forged", 1)
    assert verdict(cup).reason.startswith("plays: expected ")


def test_files_of_a_stage_changed(cup: Path) -> None:
    """A match that was changed breaks its own seal, and the root of its stage."""
    match = cup / "stages/0001/matches/1-000003.jsonl"
    match.write_bytes(match.read_bytes().replace(b'"seat":1', b'"seat":0', 1))
    assert verdict(cup).verdict in ("forged", "corrupt")
    assert "stage 1: " in verdict(cup).reason


@pytest.mark.parametrize(
    "bad", ["corrupt", "unsupported", "incomplete", "forged", "diverged", "imported"]
)
def test_the_first_bad_stage_gives_the_verdict(bad: str, played: Path) -> None:
    """A contest has the verdict on its first stage that is not verified, and names its end."""
    events = contests.events(played)
    line = 1 + position(events, type="stage_finished", stage=1)
    path = str(played / discovery.CONTEST)
    reason = f"stage 1: its tournament is {bad}"
    expected = LogVerdict(path, bad, reason, line, len(events))
    assert checked(played, {"0001": bad, "0002": "diverged"}) == expected


def test_a_stage_that_changes_while_it_is_verified(cup: Path) -> None:
    """A stage whose files are damaged or gone after its own verdict makes the contest forged."""
    stages = {"0001": "verified", "0002": "verified"}
    log = cup / "stages/0001/tournament.jsonl"
    was = log.read_bytes()
    first = was[: was.index(b"\n") + 1]
    for data in (b"", b"damaged\n", first, first + b"[]\n", first + b"damaged\n"):
        log.write_bytes(data)
        assert checked(cup, stages).verdict == "forged"
    log.unlink()
    assert "stage 1: expected to read its log" in checked(cup, stages).reason
    log.write_bytes(was)
    (cup / "stages/0001/matches/1-000003.jsonl").unlink()
    assert "stage 1: expected to read its files" in checked(cup, stages).reason


def test_another_log_in_the_place_of_a_contests(cup: Path) -> None:
    """A log of a match in the place of a contest's is forged if it is whole."""
    path = cup / discovery.CONTEST
    lines = (cup / "stages/0001/matches/1-000003.jsonl").read_bytes().splitlines(keepends=True)
    for kept, expected, line in (
        (lines, "forged", 1),
        (lines[:-1], "incomplete", len(lines)),
        ([], "incomplete", 1),
        ([b"damaged\n"], "corrupt", 1),
    ):
        path.write_bytes(b"".join(kept))
        assert (checked(cup, {}).verdict, checked(cup, {}).line) == (expected, line)
    path.unlink()
    assert checked(cup, {}).verdict == "corrupt"


# --- what is not finished ------------------------------------------------------------------------


def test_a_match_in_the_place_of_the_tournament_of_a_stage(cup: Path) -> None:
    """A stage is a tournament: one of its own matches in its place is forged."""
    stage = cup / "stages/0001"
    shutil.copy(stage / "matches/1-000000.jsonl", stage / discovery.TOURNAMENT)
    found = verdict(cup)
    assert (found.verdict, found.reason) == (
        "forged",
        "stage 1: expected the log of a tournament, found match_started",
    )


def test_cut_off_stage_is_incomplete(cup: Path) -> None:
    """A contest whose stage was cut off is incomplete, and says which stage."""

    def begin() -> None:
        with opened(cup) as held:
            stage = stages.next_stage(held, None)
            assert stage is not None
            stages.begin(held, stage)

    contests.simulated(begin)
    assert verdict(cup).verdict == "incomplete"
    assert verdict(cup).reason.startswith("stage 3 is not finished")
    assert verdict(cup).line == verdict(cup).events == len(contests.events(cup))


def test_torn_line_is_incomplete(cup: Path) -> None:
    """A partial last line makes a contest incomplete, and the lines above are checked."""
    events = len(contests.events(cup))
    with (cup / discovery.CONTEST).open("ab") as file:
        file.write(b'{"seq":13,"ty')
    assert verdict(cup).verdict == "incomplete"
    assert "torn after 13 bytes" in verdict(cup).reason
    assert (verdict(cup).line, verdict(cup).events) == (events + 1, events)
