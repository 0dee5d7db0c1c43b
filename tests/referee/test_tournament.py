"""A tournament of real bots: its folder, its log, and the same bytes in each run."""

from __future__ import annotations

import errno
import stat
from pathlib import Path

import pytest

from koth.workers import workers
from referee import tournament
from referee.bot import Bot
from referee.errors import BotsError
from replay.verify import verify_all
from schema import discovery as layout
from schema import seal
from schema.errors import UsageError
from schema.executor import serial
from tests.factories import SEED, loads
from tests.failures import refuse
from tests.referee.bot_factory import CARD, FIRST, bot, contents, hold, honest
from tests.schema.samples import whole

LAST = 'f=$1; for last in "$@"; do :; done; printf %s "$last" >>"$f"'
TAXES = FIRST + 'for one in "$@"; do [ "$one" = T ] && legal=T; done; act'
RANDOM = """f=$1; printf %s "${4%??}"; shift 4
n=$(printf %d "0x$(printf %.4s "$KOTH_BOT_SEED")"); shift $((n % $#)); printf %s "$1" >>"$f\""""


@pytest.fixture
def three(tmp_path: Path) -> list[Bot]:
    """Three bots whose answers follow from the questions and from their seed."""
    folder = tmp_path / "bots"
    return [bot(folder, f"{n}.sh", body) for n, body in enumerate((LAST, TAXES, RANDOM))]


def test_the_same_bytes_every_time(three: list[Bot], tmp_path: Path) -> None:
    """Every log has the same bytes in a folder of another name, and with two workers."""
    hold(tmp_path / "spring", three, max_calls=12)
    hold(tmp_path / "a folder of another name", three, max_calls=12)
    with workers(2) as each:
        hold(tmp_path / "two" / "jobs", three, each, max_calls=12)
    once = contents(tmp_path / "spring")
    assert len(once) == 7
    assert contents(tmp_path / "a folder of another name") == once
    assert contents(tmp_path / "two" / "jobs") == once
    verdicts = list(verify_all(layout.logs([tmp_path / "spring"])))
    assert [one.verdict for one in verdicts] == ["verified"] * 7


def test_what_lies_in_the_folder(three: list[Bot], tmp_path: Path) -> None:
    """A tournament's folder holds its log, one log and one evidence per match, and no seed."""
    hold(tmp_path / "cup", three)
    assert sorted(path.name for path in (tmp_path / "cup").iterdir()) == [
        "evidence",
        "matches",
        "tournament.jsonl",
    ]
    names = [f"1-{number:06}.jsonl" for number in range(6)]
    for folder, others in ((layout.MATCHES, []), (layout.EVIDENCE, [layout.TOURNAMENT])):
        found = sorted(path.name for path in (tmp_path / "cup" / folder).iterdir())
        assert found == names + others


def test_the_log_of_a_tournament(three: list[Bot], tmp_path: Path) -> None:
    """The log has entrants with their hashes, every match with its seal, and the final table."""
    standings = hold(tmp_path / "cup", three)
    start, *played, finish, end = loads((tmp_path / "cup" / "tournament.jsonl").read_bytes())
    assert start["tournament"] == seal.commitment(SEED)[:16]
    assert [one["bot"] for one in start["entrants"]] == [one.hash for one in three]
    for one in played:
        log = loads((tmp_path / "cup" / "matches" / f"{one['match']}.jsonl").read_bytes())
        assert one["seal"] == log[-1]["sha256"]
        assert log[-1]["seed"] == seal.match_seed(SEED, one["match"])
        names = [player["name"] for player in log[0]["players"]]
        assert names == [three[seat].name for seat in one["seats"]]
    assert finish["standings"] == standings
    assert end["seed"] == SEED


def test_the_seed_is_kept_private_while_it_runs(three: list[Bot], tmp_path: Path) -> None:
    """During the tournament the seed is in a file that only its owner can read, and in no log."""
    folder, seen = tmp_path / "cup", []

    def look(done: int, total: int) -> None:
        private = folder / tournament.SEED_FILE
        assert stat.S_IMODE(private.stat().st_mode) == 0o600
        assert private.read_text() == f"{SEED}\n"
        logs = [path.read_bytes() for path in folder.rglob("*.jsonl")]
        assert not any(SEED.encode() in log for log in logs)
        assert seal.commitment(SEED).encode() in (folder / "tournament.jsonl").read_bytes()
        seen.append((done, total))

    settings = CARD.settings({"rounds": 1, "max_calls": 2})
    planned = tournament.plan(CARD, three, settings, SEED, "cup", folder, "process")
    tournament.play(planned, serial, look)
    assert seen == [(done, 6) for done in range(1, 7)]
    assert not (folder / tournament.SEED_FILE).exists()


def test_an_interrupted_tournament_keeps_what_it_has(three: list[Bot], tmp_path: Path) -> None:
    """After an interruption sealed matches and the seed are on disk; the log has no seal."""
    folder = tmp_path / "cup"

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    settings = CARD.settings({"rounds": 1, "max_calls": 2})
    planned = tournament.plan(CARD, three, settings, SEED, None, folder, "process")
    with pytest.raises(KeyboardInterrupt):
        tournament.play(planned, serial, stop)
    assert (folder / tournament.SEED_FILE).read_text() == f"{SEED}\n"
    verdicts = [one.verdict for one in verify_all(layout.logs([folder]))]
    assert verdicts == ["verified", "verified", "incomplete"]


def test_a_bot_that_always_forfeits_stops_nothing(three: list[Bot], tmp_path: Path) -> None:
    """A bot that fails in every match loses them all, and the others play on."""
    broken = bot(tmp_path / "bots", "broken.sh", "exit 1")
    standings = hold(tmp_path / "cup", [*three, broken])
    last = standings[-1]
    assert (last["entrant"], last["score"], last["games"]) == (3, 0, 6)
    events = loads((tmp_path / "cup" / "tournament.jsonl").read_bytes())
    faults = [event for event in events if event.get("faults")]
    assert len(faults) == 6
    assert all(
        [(fault["kind"], event["seats"][fault["seat"]]) for fault in event["faults"]]
        == [("crash", 3)]
        for event in faults
    )
    assert all(one.fine for one in verify_all(layout.logs([tmp_path / "cup"])))


def test_a_name_of_its_own(three: list[Bot], tmp_path: Path) -> None:
    """A tournament may have a name; the name of its folder is in no log."""
    settings = CARD.settings({"rounds": 1, "max_calls": 1})
    planned = tournament.plan(CARD, three, settings, SEED, "Spring", tmp_path / "autumn", "process")
    tournament.play(planned, serial, lambda done, total: None)
    for data in contents(tmp_path / "autumn").values():
        assert loads(data)[0]["tournament"] == "Spring"
        assert b"autumn" not in data


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    """A tournament needs a new or an empty folder; other folders are not changed."""
    bots = [honest(tmp_path / "bots"), honest(tmp_path / "bots", "other.sh")]
    (tmp_path / "cup").mkdir()
    (tmp_path / "cup" / "notes.txt").write_text("mine")
    for used in (tmp_path / "cup", tmp_path / "cup" / "notes.txt"):
        with pytest.raises(UsageError, match="expected a new or an empty folder"):
            hold(used, bots)
    assert [path.name for path in (tmp_path / "cup").iterdir()] == ["notes.txt"]
    (tmp_path / "empty").mkdir()
    assert len(hold(tmp_path / "empty", bots, max_calls=1)) == 2


@pytest.mark.parametrize("count", [0, 1])
def test_too_few_bots(count: int, tmp_path: Path) -> None:
    """A tournament of one bot is refused, and no folder is made for it."""
    with pytest.raises(UsageError, match=f"expected 2 to 1000 bots, found {count}"):
        hold(tmp_path / "cup", [honest(tmp_path)] * count)
    assert not (tmp_path / "cup").exists()


def test_two_bots_of_one_name(tmp_path: Path) -> None:
    """Bots of the same name are refused in a tournament."""
    with pytest.raises(BotsError, match="two bots are called 'honest'"):
        hold(tmp_path / "cup", [honest(tmp_path), honest(tmp_path)])


def test_the_ending_is_that_of_the_events() -> None:
    """It has the final table and each entrant's faults, whatever its seat."""
    standings = [{"rank": 1, "entrant": 1, "score": 2, "games": 2}]
    ending = tournament.Ending()
    for event in (
        {"type": "tournament_started", "entrants": []},
        {"type": "match_played", "seats": [2, 0], "faults": [{"seat": 0, "kind": "crash"}]},
        {"type": "match_played", "seats": [0, 2], "faults": []},
        {
            "type": "match_played",
            "seats": [0, 2],
            "faults": [{"seat": 1, "kind": kind} for kind in ("crash", "timeout")]
            + [{"seat": 0, "kind": "illegal"}],
        },
        {"type": "disqualified", "entrant": 2, "match": "1-000001"},
        {"type": "tournament_finished", "standings": standings},
    ):
        ending.add(event)
    assert ending.standings == standings
    assert ending.faults == {2: {"crash": 2, "timeout": 1}, 0: {"illegal": 1}}


def test_only_matches_with_a_seal_were_played_to_their_end(tmp_path: Path) -> None:
    """Neither a torn log nor an empty one is counted, and no folder has none."""
    assert tournament.sealed_matches(tmp_path) == 0
    matches = tmp_path / layout.MATCHES
    matches.mkdir()
    for name, data in {"a": whole(), "b": whole(), "c": whole()[:-400], "d": b""}.items():
        (matches / f"{name}.jsonl").write_bytes(data)
    assert tournament.sealed_matches(tmp_path) == 2


def test_a_match_that_the_disk_does_not_give_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error of a failing disk says which match could not be looked at."""
    log = tmp_path / layout.MATCHES / "1-000001.jsonl"
    log.parent.mkdir()
    log.write_bytes(whole())
    refuse(log, errno.EIO, monkeypatch)
    with pytest.raises(OSError, match="Input/output error") as told:
        tournament.sealed_matches(tmp_path)
    assert told.value.filename == str(log)


def test_only_what_workers_left_is_removed(tmp_path: Path) -> None:
    """The folders that a killed cluster left go, and all others stay."""
    cup = tmp_path / "cup"
    for name in (".away-1", ".away-2/matches", "matches", "away"):
        (cup / name).mkdir(parents=True)
    (cup / ".away-2/matches/log.jsonl").touch()
    tournament.remove_staging(cup)
    assert sorted(path.name for path in cup.iterdir()) == ["away", "matches"]


def test_a_tournament_is_begun_with_its_first_line(tmp_path: Path) -> None:
    """A folder without a log, and a log with a part of its first line, bind nothing to a seed."""
    assert not tournament.was_begun(tmp_path)
    for data, begun in (b"", False), (b'{"seq":0', False), (b"{}\n", True), (b"{}\n{", True):
        (tmp_path / layout.TOURNAMENT).write_bytes(data)
        assert tournament.was_begun(tmp_path) == begun
