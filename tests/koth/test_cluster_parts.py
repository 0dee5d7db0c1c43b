"""``--cluster`` without a cluster: what is asked of workers, how work is cut, what goes wrong."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock, patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koth.cluster import client as cluster
from koth.cluster import remote_logs, remote_play, worker_check
from koth.cluster.batches import BATCH_BYTES, BATCH_ITEMS, BATCH_SECONDS, BatchSizer
from koth.cluster.worker_check import Needs, unavailable_reason
from koth.ordered_map import ordered_map
from koth.workers import workers
from referee.bot import Bot, BotFile
from referee.errors import RefereeError
from referee.roster.resolve import resolve
from referee.tournament import plan
from replay.verify import verify_all
from schema import discovery, registry
from schema.errors import CorruptLog, KothError, UsageError
from schema.writer import WriteError
from tests import contests
from tests.game_factory import install
from tests.koth.commands import Koth
from tests.koth.test_startup import loaded

BOT = Bot("fox", ("sh", "fox.sh"), (("fox.sh", BotFile(b"echo 1", False)),))


def needs(bot: Bot = BOT, **others: Any) -> Needs:
    """Return the needs of a client with the same environment, for one bot."""
    return replace(Needs("koth-1", worker_check.environment(), [bot], [bot.hash]), **others)


# --- without it ----------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_dask_is_not_loaded_without_it(jobs: int, log: Path) -> None:
    """A command without ``--cluster`` imports neither Dask nor Koth's modules for it."""
    parts = {
        f"koth.cluster.{name}"
        for name in ("batches", "client", "worker_check", "remote_play", "remote_logs")
    }
    assert (
        loaded("verify", log, "--jobs", jobs) & {"dask", "distributed", "tornado", *parts} == set()
    )


def test_dask_is_not_installed(koth: Koth, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the missing package, and how to install it."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    told = koth.complaint("verify", log, "--cluster", "local")
    assert told == (
        "--cluster: needs Dask, which is not installed (distributed is missing). Install it: "
        "pip install './koth[cluster]', where ./koth is the folder that you cloned."
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--cluster somewhere", "--cluster: expected tcp://HOST:PORT or 'local', found"),
        ("--cluster tcp://host", "--cluster: expected tcp://HOST:PORT or 'local', found"),
        ("--cluster tcp://host:1 --jobs 2", "--jobs: the cluster decides its number of workers."),
        ("--shared .", "--shared: expected with --cluster, found without."),
        ("--cluster local --shared nowhere", "--shared: expected a folder, found none at nowhere."),
    ],
)
def test_wrong_usage(words: str, told: str, koth: Koth, log: Path) -> None:
    """Options that mean nothing, or nothing together, are refused before anything is done."""
    assert koth.complaint("verify", log, *words.split()).startswith(told)


@pytest.mark.parametrize("command", ["verify PROOF --since CHECKPOINT", "contest run CUP"])
def test_wrong_usage_without_any_work(command: str, koth: Koth, tmp_path: Path) -> None:
    """Where no worker is needed, the same options are refused."""
    cup, proof, checkpoint = (tmp_path / name for name in ("cup", "proof", "checkpoint"))
    assert koth("contest", "new", cup, "coup", "--seed", 1).code == 0
    words = command.replace("CUP", str(cup)).replace("PROOF", str(proof))
    typed = words.replace("CHECKPOINT", str(checkpoint)).split()
    for options, told in (
        ("--cluster somewhere", "--cluster: expected tcp://HOST:PORT or 'local', found"),
        ("--shared .", "--shared: expected with --cluster, found without."),
        ("--jobs 5000", "jobs: expected a number from 1 to 512, found 5000."),
    ):
        assert koth.complaint(*typed, *options.split()).startswith(told)


def test_a_folder_that_was_there_stays(tmp_path: Path) -> None:
    """A tournament on a cluster that does not begin leaves an empty folder as it was, or none."""
    card = registry.card("coup")
    bots = resolve(["examples/taxman", "examples/bandit"], card)
    for folder in (tmp_path / "there", tmp_path / "new"):
        planned = plan(card, bots, card.settings({}), "1" * 64, None, folder, "none")
        (tmp_path / "there").mkdir(exist_ok=True)
        with remote_play.staging_folder(planned, Path("/")):
            assert folder.is_dir()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    (tmp_path / "file").touch()
    planned = replace(planned, folder=tmp_path / "file" / "new")
    with (
        pytest.raises(UsageError, match="new: cannot be made: Not a directory"),
        remote_play.staging_folder(planned, Path("/")),
    ):
        pass


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--durable --cluster local", "--durable: not with --cluster, where a match is on the"),
        ("--cluster tcp://host:1 --shared SHARED", "--shared: expected the tournament in "),
    ],
)
def test_wrong_usage_of_a_tournament(words: str, told: str, koth: Koth, tmp_path: Path) -> None:
    """A tournament is not begun where it could not be kept as it was wanted."""
    shared = tmp_path / "shared"
    shared.mkdir()
    typed = words.replace("SHARED", str(shared)).split()
    found = koth.complaint("tournament", "coins", "examples", "-o", tmp_path / "cup", *typed)
    assert found.startswith(told)
    assert not (tmp_path / "cup").exists()


def test_nobody_is_there(koth: Koth, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a scheduler at the address it is over within the patience there is."""
    pytest.importorskip("distributed", reason="needs koth[cluster]")
    monkeypatch.setattr(cluster, "REPLY_SECONDS", 0.3)
    told = koth.complaint("verify", log, "--cluster", "tcp://127.0.0.1:9", code=4)
    assert told.startswith("tcp://127.0.0.1:9: no scheduler of Dask answers: ")


def test_workers_that_do_not_start(koth: Koth, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker on this machine that dies while it starts is an error in words."""
    pytest.importorskip("distributed", reason="needs koth[cluster]")

    def killed(**_: object) -> None:
        raise RuntimeError("Nanny failed to start.")

    monkeypatch.setattr("distributed.LocalCluster", killed)
    told = koth.complaint("verify", log, "--cluster", "local", code=4)
    assert told == "local: the workers do not start: Nanny failed to start."


def test_a_shared_folder_without_hard_links(tmp_path: Path) -> None:
    """There a log takes its name by renaming it, and still replaces no other."""
    staged, log = tmp_path / "staged", tmp_path / "matches" / "1-000000.jsonl"
    log.parent.mkdir()
    done = remote_play.RemoteResult(
        [], [remote_play.FileDelta(log, staged, remote_play.CREATE)], None
    )
    with patch.object(os, "link", side_effect=PermissionError(1, "no links here")):
        staged.write_bytes(b"played\n")
        remote_play.store([done])
        staged.write_bytes(b"played again\n")
        with pytest.raises(RefereeError, match="there is a log already"):
            remote_play.store([done])
    assert log.read_bytes() == b"played\n"


# --- fitness -------------------------------------------------------------------------------------


def test_a_worker_that_lacks_nothing() -> None:
    """The client's own machine is fit for its bots."""
    assert list(unavailable_reason(needs())) == []


@pytest.mark.parametrize("what", ["koth", "games", "Python", "system"])
def test_a_worker_of_another_kind(what: str) -> None:
    """A worker with another version of koth, a game, Python or the system is refused."""
    about = worker_check.environment()
    [told] = unavailable_reason(needs(environment={**about, what: "another"}))
    assert told == f"expected {what} another, found {about[what]}"


def test_a_game_with_other_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker whose package has other rules for a game is refused for this game, not for Koth."""
    game = install(tmp_path, monkeypatch, {})
    ours = worker_check.environment.__wrapped__()
    rules = tmp_path / game / "rules.py"
    rules.write_text(f"{rules.read_text()}\n# changed\n")
    theirs = worker_check.environment.__wrapped__()
    assert [name for name in ours if ours[name] != theirs[name]] == ["games"]
    assert f", {game} (sources " in theirs["games"]


def test_a_game_with_other_code_beside_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker is refused, too, if code differs that several games of one package share."""
    game = install(tmp_path, monkeypatch, {})
    (tmp_path / "bundled").mkdir()
    (tmp_path / "bundled" / "__init__.py").touch()
    (tmp_path / game).rename(tmp_path / "bundled" / game)
    (tmp_path / f"{game}-1.dist-info" / "entry_points.txt").write_text(
        f"[koth.games]\n{game} = bundled.{game}\n"
    )
    for path in (tmp_path / "bundled").rglob("*.[pt]*"):
        path.write_text(re.sub(rf"\b{game}([.:])", rf"bundled.{game}\1", path.read_text()))
    ours = worker_check.environment.__wrapped__()
    assert f", {game} (sources " in ours["games"]
    (tmp_path / "bundled" / "shared.py").touch()
    assert worker_check.environment.__wrapped__()["games"] != ours["games"]


def test_a_bot_with_other_files() -> None:
    """The files that arrive are hashed; a hash that comes with them counts for nothing."""
    changed = replace(BOT, files=(("fox.sh", BotFile(b"echo 2", False)),))
    vars(changed)["hash"] = BOT.hash
    [told] = unavailable_reason(needs(changed, hashes=[BOT.hash]))
    assert told.startswith(f"expected the bot fox with the hash {BOT.hash[:16]}…, found ")


@pytest.mark.parametrize(
    ("command", "first", "missing"),
    [
        ("coinlang fox.sh", "", "coinlang"),
        ("/opt/coinlang fox.sh", "", "/opt/coinlang"),
        ("./fox.sh", "#!/opt/coinlang -O", None),  # its bot's own word, unless it is in PATH
        ("./fox.sh", "#!/usr/bin/env -S coinlang -O", "coinlang"),
        ("./fox.sh", "#!/bin/sh", None),
        ("./fox.sh", "\x7fELF", None),
        ("sh fox.sh", "#!/opt/coinlang", None),
        (sys.executable + " fox.sh", "", None),
    ],
)
def test_programs_of_bots(command: str, first: str, missing: str | None) -> None:
    """A bot's program must be there: that of its command, or that which its own file names."""
    files = (("fox.sh", BotFile(f"{first}\nexit\n".encode(), True)),)
    told = list(unavailable_reason(needs(Bot("fox", tuple(command.split()), files))))
    assert told == ([f"expected {missing} for the bot fox, found none"] if missing else [])


def test_a_path_for_bots_that_is_not_there(tmp_path: Path) -> None:
    """A worker without a file that bots may read, by --bind, is refused."""
    path = tmp_path / "shared"
    bot = replace(BOT, binds=(str(path),))
    assert [*unavailable_reason(needs(bot))] == [
        f"expected {path} for the bot fox (--bind), found nothing"
    ]
    path.mkdir()
    assert [*unavailable_reason(needs(bot))] == []


def test_a_worker_runs_the_clients_python_as_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot for the client's interpreter gets that of the worker; other programs stay."""
    for_client = replace(BOT, command=("/client/python", "fox.py"))
    monkeypatch.setattr(worker_check, "unavailable_reason", lambda needs: iter(()))
    status = SimpleNamespace(name="closing")
    worker = SimpleNamespace(set_resources=AsyncMock(), status=status)
    asked = replace(needs(), bots=[BOT, for_client], python="/client/python")
    assert asyncio.run(worker_check.accept(asked, worker)) == ""  # type: ignore[arg-type]
    commands = [bot.command for bot in worker_check.session_bots.pop(asked.session)]
    assert commands == [BOT.command, (sys.executable, "fox.py")]


def test_a_worker_without_a_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker without sandboxes is refused, if bots must play in sandboxes."""
    monkeypatch.setattr("referee.sandbox.sandbox.unavailable_reason", lambda: "bwrap is missing")
    told = list(unavailable_reason(needs(isolation="sandbox")))
    assert told == ["expected a sandbox for bots, found none: bwrap is missing"]
    assert list(unavailable_reason(needs(isolation="process"))) == []


def test_a_worker_that_can_start_no_sandbox_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that meets a limit on processes is refused, and the session goes on without it."""
    short = Mock(side_effect=RefereeError("no bot can be started: Too many open files."))
    monkeypatch.setattr("referee.sandbox.sandbox.unavailable_reason", short)
    [told] = unavailable_reason(needs(isolation="sandbox"))
    assert told.endswith("found none: no bot can be started: Too many open files")


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    """A shared folder has to be there."""
    found = list(unavailable_reason(needs(folder=tmp_path / "cup")))
    assert found == [f"expected the folder {tmp_path / 'cup'}, found none"]


# --- batches -------------------------------------------------------------------------------------


def test_batches_grow_to_what_a_worker_does_in_the_time_of_one() -> None:
    """One item each until the first is measured, then as many as take the time of a batch."""
    sizer, drawn = BatchSizer(lambda: 3), count()
    batches = sizer.batches(b"%d" % number for number in drawn)
    assert [len(next(batches)) for _ in range(3)] == [1, 1, 1]
    sizer.add(1, BATCH_SECONDS / 50)
    assert [len(next(batches)) for _ in range(6)] == [50] * 6
    assert next(drawn) == 303
    for _ in range(20):
        sizer.add(1, 2 * BATCH_SECONDS)
    assert len(next(batches)) == 1


@given(items=st.integers(0, 3000), workers=st.integers(1, 9), per_batch=st.integers(1, 60))
def test_workers_come_to_the_end_together(items: int, workers: int, per_batch: int) -> None:
    """A round of matches is divided evenly, in order; no batch takes longer than planned."""
    sizer = BatchSizer(lambda: workers)
    sizer.add(1, BATCH_SECONDS / (per_batch + 0.5))
    batches = [*sizer.batches(b"%d" % number for number in range(items))]
    assert [int(item) for batch in batches for item in batch] == [*range(items)]
    sizes = [len(batch) for batch in batches]
    assert max(sizes, default=0) <= per_batch
    if items <= 2 * workers * per_batch:
        each = [sum(sizes[worker::workers]) for worker in range(workers)]
        assert max(each) <= items / workers + 2


def test_many_workers_get_longer_batches() -> None:
    """A thousand workers take no more batches in a second than one scheduler passes on."""
    few, many = BatchSizer(lambda: 2), BatchSizer(lambda: 1000)
    assert few.seconds == BATCH_SECONDS
    assert many.seconds == 4.0


def test_batches_are_bounded() -> None:
    """However fast items are done, a batch has only so many, and so many bytes."""
    sizer = BatchSizer(lambda: 1)
    sizer.add(1000, 0.0)
    assert len(next(sizer.batches(b"" for _ in count()))) == BATCH_ITEMS
    assert len(next(sizer.batches(bytes(BATCH_BYTES // 3) for _ in count()))) == 4
    assert [len(batch) for batch in sizer.batches([b"1", b"2"])] == [2]


def test_what_is_left_over_comes_next() -> None:
    """Items that a worker returns undone are submitted again; results keep the items' order."""

    def submit(batch: list[int]) -> Future[list[int]]:
        done: Future[list[int]] = Future()
        done.set_result(batch[:2])
        return done

    def requeue(batch: list[int], done: list[int]) -> Iterator[list[int]]:
        rest = batch[len(done) :]
        yield from ([one] for one in rest)

    found = ordered_map(submit, [[1, 2, 3, 4], [5], [6, 7, 8]], lambda: 1, 8, requeue)
    assert list(found) == [[1, 2], [3], [4], [5], [6, 7], [8]]


def test_others_go_on_while_one_is_waited_for() -> None:
    """Behind a piece of work that takes long others are done, but not without bound."""
    begun: list[int] = []
    enough = threading.Event()

    def work(number: int) -> int:
        begun.append(number)
        if number == 9:
            enough.set()
        if number == 0:
            assert enough.wait(30)
            time.sleep(0.1)
            begun.append(-1)
        return number

    with ThreadPoolExecutor(2) as pool:
        results = ordered_map(lambda number: pool.submit(work, number), count(), lambda: 2, 5)
        assert list(islice(results, 20)) == list(range(20))
        results.close()
    assert begun[begun.index(-1) - 1] == 9


def test_no_more_items_run_than_there_is_room_for() -> None:
    """However many results may wait for an earlier one, only so many items run at a time."""
    running: list[int] = []
    most: list[int] = []

    def work(number: int) -> int:
        running.append(number)
        most.append(len(running))
        time.sleep(0.001)
        running.remove(number)
        return number

    with ThreadPoolExecutor(8) as pool:
        results = ordered_map(lambda number: pool.submit(work, number), range(40), lambda: 2, 5)
        assert list(results) == list(range(40))
    assert max(most) <= 2


@pytest.mark.parametrize("kind", ["killed", "cancelled", "closed"])
def test_errors_of_dask_in_words(kind: str) -> None:
    """An error of Dask becomes one sentence, and is raised after the finished results."""
    dask = pytest.importorskip("distributed", reason="needs koth[cluster]")
    error: Exception = dask.comm.CommClosedError() if kind == "closed" else CancelledError()
    told = "tcp://a:1: the scheduler has stopped; finished work is kept."
    if kind == "killed":
        error = dask.KilledWorker("work", SimpleNamespace(address="tcp://b:2"), 3)
        told = (
            "tcp://a:1: 4 workers died one after the other at the same task, the last of them "
            "tcp://b:2; their own logs may show the reason. Finished work is kept."
        )

    def results() -> Iterator[int]:
        yield 1
        raise error

    found = cluster.translate_errors(results(), "tcp://a:1")
    assert next(found) == 1
    with pytest.raises(cluster.ClusterError) as raised:
        next(found)
    assert (str(raised.value), raised.value.exit_code) == (told, 4)


@pytest.mark.parametrize(
    "error",
    [
        CorruptLog(Path("log.jsonl"), 7, "torn"),
        WriteError(Path("log.jsonl"), OSError(28, "No space left on device")),
        RefereeError("it cannot go on."),
    ],
)
@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_come_whole_out_of_other_processes(jobs: int, error: KothError) -> None:
    """An error in a worker says here what it said there, and ends with the same exit code."""
    with pytest.raises(type(error)) as raised, workers(jobs) as each:
        list(each(fail, [error]))
    assert str(raised.value) == str(error)
    assert vars(raised.value) == vars(error)


def fail(error: KothError) -> None:
    """Raise it."""
    raise error


def test_workers_on_this_machine_have_a_processor_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work of a worker of ``--cluster local``, and so its bots, keep to one processor."""
    ours = os.sched_getaffinity(0)
    monkeypatch.setattr(signal, "signal", lambda number, handler: None)
    work = ThreadPoolExecutor(1)
    monkeypatch.setattr(worker_check, "WORK_THREAD", work)
    used = set()
    for name in range(len(ours) + 1):
        worker_check.dask_setup(SimpleNamespace(name=name))  # type: ignore[arg-type]
        found = work.submit(os.sched_getaffinity, 0).result()
        assert len(found) == 1
        used |= found
        work.submit(os.sched_setaffinity, 0, ours).result()
    assert used == ours == os.sched_getaffinity(0)


def test_a_contest_under_another_name_is_checked_beside_its_bots(tmp_path: Path) -> None:
    """A worker gets the log alone, so the client compares the bots with their hashes itself."""

    def batches(
        function: Callable[[Any], Any], items: Iterable[Any], /
    ) -> Generator[list[Any], None, None]:
        yield from ([function(item)] for item in items)

    cup = contests.two_stages(tmp_path)
    (cup / "contest.jsonl").rename(cup / "backup.jsonl")
    mapper = remote_logs.mapper(batches, None)
    assert [*verify_all(discovery.logs([cup]), mapper)] == [*verify_all(discovery.logs([cup]))]
    next((cup / "bots" / "anna").rglob("*.py")).write_text("print()\n")
    [*_, verdict] = verify_all([cup / "backup.jsonl"], mapper)
    assert verdict.verdict == "forged"
    assert "expected the files of anna as they were entered" in verdict.reason
