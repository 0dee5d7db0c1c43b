"""``--cluster``: on a real scheduler with real workers, the same work gives the same bytes."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import orjson
import pytest

from audit.query import query
from audit.tables import open_database
from koth.cli.main import status
from koth.cli.tournament import resume_hint
from koth.cluster import client as cluster
from koth.cluster import remote_logs, worker_check
from koth.workers import workers
from referee import tournament
from referee.roster.resolve import absolute, resolve
from referee.tournament import Tournament
from replay.verify import verify
from schema import discovery as layout
from schema import registry
from schema.errors import LogError
from schema.executor import serial
from tests import contests
from tests.audit.imported_logs import TRANSCRIPT
from tests.factories import SEED
from tests.koth.commands import COMMAND, ROOT, Koth, started
from tests.referee.bot_factory import contents, script
from tests.sampling import sampled

distributed: Any = pytest.importorskip("distributed", reason="needs koth[cluster]")
psutil = import_module("psutil")

HURRY = 60.0
"""Seconds that nothing here takes, unless it hangs."""

TOURNAMENTS: Mapping[str, tuple[Sequence[str], Mapping[str, Any]]] = {
    "bank_heist": (
        ["snitch", "saver", "gambler"],
        {"games_min": 1, "games_max": 1, "rabble": 5, "matches": 12},
    ),
    "coins": (["thief", "planner", "passive"], {"games": 8, "rounds": 5}),
    "coup": (["bandit", "taxman", "lawyer"], {"rounds": 2, "max_calls": 12}),
    "smallest_unique": (
        ["uniform", "cycler", "saboteur", "bayes", "gap_finder"],
        {"seats": 3, "rounds": 20, "games_per_entrant": 80, "min_games_per_entrant": 0},
    ),
}
"""A tournament of each game: its bots, of the examples, and its settings."""


def planned(game: str, folder: Path) -> Tournament:
    """That tournament, to be played into a folder."""
    names, settings = TOURNAMENTS[game]
    card = registry.card(game)
    words = [f"examples/{name}" for name in names]
    bots = resolve(words, card)
    return tournament.plan(
        card, bots, card.settings(settings), SEED, None, folder, "process", words=absolute(words)
    )


def nothing(done: int, total: int) -> None:
    """Progress that nobody follows."""


@dataclass
class Cluster:
    """A scheduler and its workers, in processes of their own."""

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, *words: object, path: Path = ROOT) -> None:
        """Start ``dask`` with these words."""
        log = (self.folder / f"{len(self.processes)}.log").open("wb")
        command = [sys.executable, "-m", "dask", *map(str, words), "--no-dashboard"]
        self.processes.append(
            subprocess.Popen(
                command,
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(path)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        )
        log.close()

    def begin(self, *how: object) -> None:
        """Start a scheduler, and workers with these options."""
        file = self.folder / "scheduler.json"
        self.start("scheduler", "--host", "127.0.0.1", "--port", 0, "--scheduler-file", file)
        self.work(*how)

    def work(self, *how: object, path: Path = ROOT) -> None:
        """Start workers."""
        self.start("worker", self.address, *how, path=path)

    @property
    def address(self) -> str:
        """Return the address of the scheduler, as soon as it runs."""
        file = self.folder / "scheduler.json"
        within(HURRY, lambda: file.exists() and file.read_bytes().endswith(b"}"))
        return str(orjson.loads(file.read_bytes())["address"])

    @contextmanager
    def client(self) -> Iterator[Any]:
        """A client of the tests' own."""
        with distributed.Client(self.address, set_as_default=False, timeout=HURRY) as client:
            yield client

    def workers(self) -> dict[str, int]:
        """The processes of the workers, by address."""
        with self.client() as client:
            found: dict[str, int] = client.run(os.getpid, on_error="ignore")
            return found

    def end(self) -> None:
        """End scheduler and workers, and all processes that they have started."""
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def within(seconds: float, found: Callable[[], object]) -> None:
    """Wait until something is found."""
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with two workers; each would run three things at a time."""
    one = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        one.begin("--nworkers", 2, "--nthreads", 3)
        within(HURRY, lambda: len(one.workers()) == 2)
        yield one
    finally:
        one.end()


@pytest.fixture(autouse=True)
def hurry() -> Iterator[None]:
    """No test hangs."""

    def give_up(number: int, frame: object) -> None:
        raise AssertionError("it hangs")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(int(HURRY))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


# --- tournaments ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sampled({game: game for game in TOURNAMENTS}, ["coins"]))
def test_a_tournament_whose_workers_are_killed(game: str, two: Cluster, tmp_path: Path) -> None:
    """Two workers are killed on the way; the logs are those of a serial run.

    In the suite a game whose matches are played one by one; in the long run also those that play
    them in blocks.
    """
    tournament.play(planned(game, tmp_path / "serial"), serial, nothing)
    killed: list[int] = []

    def kill(done: int, total: int) -> None:
        if len(killed) < 2 and done > len(killed) * 2:
            running = [pid for pid in two.workers().values() if pid not in killed]
            killed.append(running[0])
            os.kill(running[0], signal.SIGKILL)

    one = planned(game, tmp_path / "away")
    with workers(None, two.address, tournament=one) as each:
        tournament.play(one, each, kill)
    assert len(killed) == 2
    assert contents(tmp_path / "away") == contents(tmp_path / "serial")
    names = {path.name for path in (tmp_path / "away").iterdir()}
    assert names == {"tournament.jsonl", "matches", "evidence"}
    within(HURRY, lambda: len(two.workers()) == 2)


def test_nothing_is_left_of_bots(two: Cluster, tmp_path: Path) -> None:
    """After a tournament the workers have no processes of bots, though they had some in it."""
    seen: set[int] = set()

    def started() -> set[int]:
        pids = two.workers().values()
        return {child.pid for pid in pids for child in psutil.Process(pid).children(True)}

    def watch(done: int, total: int) -> None:
        seen.update(started())

    one = planned("coins", tmp_path / "away")
    with workers(None, two.address, tournament=one) as each:
        tournament.play(one, each, watch)
    assert seen
    within(HURRY, lambda: not started())


def test_a_scheduler_that_is_gone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """After the scheduler stops, koth names the command to resume; resumed logs are identical."""
    tournament.play(planned("coins", tmp_path / "serial"), serial, nothing)
    cluster_folder, folder = tmp_path / "cluster", tmp_path / "away"
    cluster_folder.mkdir()
    own = Cluster(cluster_folder)

    def kill(done: int, total: int) -> None:
        own.processes[0].kill()

    one = planned("coins", folder)
    try:
        own.begin("--nworkers", 1, "--nthreads", 1)
        with (
            pytest.raises(cluster.ClusterError, match="the scheduler has stopped"),
            resume_hint(one),
            workers(None, own.address, tournament=one) as each,
        ):
            tournament.play(one, each, kill)
    finally:
        own.end()
    assert f"koth: stopped; `koth resume {folder}` goes on.\n" in capsys.readouterr().err
    assert status(["resume", str(folder), "--jobs", "2"]) == 0
    assert contents(folder) == contents(tmp_path / "serial")


@pytest.mark.parametrize("shared", [False, True])
def test_a_tournament_goes_on_elsewhere(
    shared: bool, two: Cluster, koth: Koth, tmp_path: Path
) -> None:
    """Sealed matches stay, one that is torn is taken up, others are played: the same bytes."""
    folder = tmp_path / "cup"
    tournament.play(planned("coup", folder), serial, nothing)
    whole = contents(folder)
    (folder / layout.SEED).write_text(f"{SEED}\n")
    log = folder / layout.TOURNAMENT
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:3])[:-5])
    first, torn, empty, *others = sorted((folder / layout.MATCHES).iterdir())
    before = first.stat().st_mtime_ns
    torn.write_bytes(torn.read_bytes()[:-400])
    evidence = layout.evidence(torn).read_bytes()
    empty.write_bytes(b"")
    for other in others:
        other.unlink()
    more = ["--shared", tmp_path] if shared else []
    typed = koth("resume", folder, "--cluster", two.address, *more)
    assert (typed.code, contents(folder)) == (0, whole)
    assert f"koth: workers at {two.address}: 2.\n" in typed.err
    assert f"{torn}:" in typed.err
    assert first.stat().st_mtime_ns == before
    assert layout.evidence(torn).read_bytes().startswith(evidence)
    assert {path.name for path in folder.iterdir()} == {"tournament.jsonl", "matches", "evidence"}


def test_a_cluster_here(koth: Koth, tmp_path: Path) -> None:
    """``--cluster local`` plays in processes on this machine, and prints only the result."""
    tournament.play(planned("coins", tmp_path / "serial"), serial, nothing)
    names, settings = TOURNAMENTS["coins"]
    words = [f"examples/{name}" for name in names]
    given = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    how = ["--seed", SEED, "--jobs", 1, "--cluster", "local"]
    typed = koth("tournament", "coins", *words, "-o", tmp_path / "here", *given, *how)
    assert typed.code == 0
    assert all(line.startswith("koth: ") for line in typed.err.splitlines())
    assert "koth: workers: 1.\n" in typed.err
    assert contents(tmp_path / "here") == contents(tmp_path / "serial")


def test_an_interrupt_while_the_workers_start(log: Path) -> None:
    """Ctrl-C reaches the workers of ``--cluster local`` too, and leaves one line and no process."""
    process = started("verify", log, "--cluster", "local", "--jobs", 1)

    def spawned() -> list[Any]:
        children = psutil.Process(process.pid).children(recursive=True)
        return [child for child in children if "spawn_main" in " ".join(child.cmdline())]

    try:
        within(HURRY, spawned)
        found = spawned()
        os.killpg(process.pid, signal.SIGINT)
        assert process.communicate() == ("", "koth: interrupted.\n")
        assert process.returncode == 130
        assert psutil.wait_procs(found, HURRY)[1] == []
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_a_bot_is_no_module_of_a_worker(log: Path, tmp_path: Path) -> None:
    """Workers of ``--cluster local`` import no file of the working folder, and leave none."""
    folder = script(tmp_path / "bots", "threading.py", "raise SystemExit").parent
    words = ["verify", str(log), "--cluster", "local", "--jobs", "1"]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    there = os.environ | {"TMPDIR": str(temporary)}
    assert subprocess.run([*COMMAND, *words], cwd=folder, env=there, check=False).returncode == 0
    assert [*temporary.iterdir()] == []


@pytest.mark.parametrize("shared", [False, True])
def test_a_contest(shared: bool, two: Cluster, koth: Koth, tmp_path: Path) -> None:
    """The stages of a contest are played on a cluster, whether the folder is shared or not.

    All files have the permissions that the client gives.
    """
    cup = contests.new(tmp_path / "cup")
    contests.simulated(lambda: contests.enter(cup, ["examples/bandit", "examples/taxman"]))
    alone = shutil.copytree(cup, tmp_path / "alone")
    assert koth("contest", "run", alone).code == 0
    (cup / "stages/0001/matches").mkdir(parents=True)  # left by a run that was killed
    more = ["--shared", tmp_path] if shared else []
    before = os.umask(0o027)  # not that of the workers
    try:
        assert koth("contest", "run", cup, "--cluster", two.address, *more).code == 0
    finally:
        os.umask(before)
    files = [*cup.glob("stages/0001/matches/*"), *cup.glob("stages/0001/evidence/*")]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o640}
    assert contents(cup / "stages/0001") == contents(alone / "stages/0001")
    logs = [folder / layout.CONTEST for folder in (cup, alone)]
    assert logs[0].read_bytes() == logs[1].read_bytes()


# --- logs ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament, its archive, logs that are not in order, and imported ones."""
    folder = tmp_path_factory.mktemp("logs")
    cup = folder / "cup"
    tournament.play(planned("coup", cup), serial, nothing)
    assert status(["pack", str(cup), "-o", str(folder / "archive")]) == 0
    first, second, *_ = sorted((cup / layout.MATCHES).iterdir())
    first.write_bytes(first.read_bytes()[:-1])
    second.write_bytes(second.read_bytes().replace(b"income", b"outcom", 1))
    old = folder / "old"
    assert status(["import", "bank-heist-transcript", str(TRANSCRIPT), "-o", str(old)]) == 0
    shutil.copytree(old, folder / "claimed")
    shutil.copy(cup / layout.TOURNAMENT, folder / "claimed")
    damaged = (folder / "archive" / "cup.jsonl.zst").read_bytes()[:-1]
    (folder / "damaged.jsonl.zst").write_bytes(damaged)
    (folder / "dangling.jsonl").symlink_to(folder / "nowhere.jsonl")
    return folder


@pytest.mark.parametrize(
    ("words", "how"),
    sampled(
        {
            f"{words.partition(' -')[0]}-{how}": (words, how)
            for words in (
                "verify . --format json",
                "audit . --format json --rule bank_heist/failed_cross_unpunished",
            )
            for how in ("bytes", "shared")
        },
        ["verify .-bytes", "audit .-shared"],
    ),
)
def test_logs_are_judged_elsewhere(
    words: str, how: str, two: Cluster, logs: Path, koth: Koth, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts on logs in folders and bundles are the same on a cluster as on this machine."""
    monkeypatch.chdir(logs)
    here = koth(*words.split())
    away = ["--cluster", two.address, *(["--shared", "."] if how == "shared" else [])]
    there = koth(*words.split(), *away)
    assert (there.code, there.out) == (here.code, here.out)
    assert here.code == 1
    assert there.err == f"koth: workers at {two.address}: 2.\n{here.err}"


def test_queries_see_the_same_folders(two: Cluster, logs: Path, monkeypatch: Any) -> None:
    """Queries name the folder of a log as the client knows it, also for a relative path."""
    monkeypatch.chdir(logs)
    rows = []
    for address in (None, two.address):
        with workers(None, address) as each, open_database([Path("cup")], mapper=each) as database:
            rows.append(query(database, "SELECT folder FROM raw.logs ORDER BY _log").rows)
    assert rows[0] == rows[1]
    assert set(rows[0]) == {(str(logs / "cup"),)}


def test_an_archive_is_made_elsewhere(two: Cluster, koth: Koth, tmp_path: Path) -> None:
    """Bundles and tables are the same, byte for byte."""
    tournament.play(planned("coins", tmp_path / "cup"), serial, nothing)
    assert koth("pack", tmp_path / "cup", "-o", tmp_path / "here").code == 0
    done = koth("pack", tmp_path / "cup", "-o", tmp_path / "there", "--cluster", two.address)
    assert done.code == 0
    here, there = (
        {str(path.relative_to(at)): path.read_bytes() for path in at.rglob("*") if path.is_file()}
        for at in (tmp_path / "here", tmp_path / "there")
    )
    assert here == there


def test_a_folder_that_is_not_shared(two: Cluster, tmp_path: Path) -> None:
    """A worker that sees another file by the same name says so, and makes no verdict of it."""
    (tmp_path / "log.jsonl").write_text("{}\n")
    lying = remote_logs.Sender(tmp_path).remote_log(tmp_path / "log.jsonl")
    (tmp_path / "log.jsonl").write_text("{ }\n")
    with pytest.raises(remote_logs.NotShared, match="does not see this file as it is"):
        verify(lying)


# --- workers -------------------------------------------------------------------------------------


def test_a_worker_does_one_thing_at_a_time(two: Cluster) -> None:
    """Although it has three threads: all is done by one, of which there is one in each process."""
    with workers(None, two.address) as each:
        seen = list(each(busy, map(Log, range(40))))
    assert len({process for process, _ in seen}) == 2
    assert len(set(seen)) == 2


@dataclass(frozen=True)
class Log:
    """Work that is no log."""

    number: int
    path: Path = Path("nowhere")


def busy(log: Log) -> tuple[int, int]:
    """In which process and which thread this is done."""
    time.sleep(0.02)
    return os.getpid(), threading.get_ident()


def test_a_slow_worker_does_not_stop_the_other(two: Cluster) -> None:
    """While one is at the first item, the other does many, and results still come in order."""
    with workers(None, two.address) as each:
        done = list(each(slow, map(Log, range(30))))
    assert [number for number, _, _ in done] == list(range(30))
    first = done[0]
    assert sum(one[2] < first[2] and one[1] != first[1] for one in done) >= 5


def slow(log: Log) -> tuple[int, int, float]:
    """Its number, the process, and when it was done, which takes longer for the first."""
    time.sleep(0.05 if log.number else 1.0)
    return log.number, os.getpid(), time.time()


def test_a_result_whose_worker_dies_just_after_sending_it(
    two: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result counts, although Dask calls the task lost afterwards."""
    gather = distributed.Client._gather

    async def lost_after_it(self: Any, futures: Any, *args: Any, **words: Any) -> Any:
        results = await gather(self, futures, *args, **words)
        for future in futures:
            future._state.lose()
        return results

    monkeypatch.setattr(distributed.Client, "_gather", lost_after_it)
    with workers(None, two.address) as each:
        assert len(list(each(busy, map(Log, range(3))))) == 3


def test_an_error_elsewhere_is_the_same_error_here(two: Cluster) -> None:
    """Earlier results come first; then the worker's error is raised with its line and exit code."""
    with workers(None, two.address) as each:
        results = each(refuse, map(Log, range(9)))
        assert [next(results) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(LogError, match=r"log\.jsonl:7: bad") as raised:
            next(results)
    assert (raised.value.line, raised.value.exit_code) == (7, 1)


def refuse(log: Log) -> int:
    """Fails from the third item on."""
    if log.number > 2:
        raise LogError(Path("log.jsonl"), 7, "bad")
    return log.number


def test_closing_early(two: Cluster) -> None:
    """Only a few of infinitely many items are drawn, and the cluster can still do other work."""
    drawn = count()
    with workers(None, two.address) as each:
        with closing(each(busy, map(Log, drawn))) as results:
            next(results)
        assert next(drawn) < 200
        assert len(list(each(busy, map(Log, range(3))))) == 3


def test_another_version_is_refused(two: Cluster, koth: Koth, logs: Path, tmp_path: Path) -> None:
    """A worker with other sources is named, and gets no work; the others do it all."""
    for part in worker_check.PARTS:
        here = Path(str(files(part)))
        shutil.copytree(here, tmp_path / part, ignore=shutil.ignore_patterns("__pycache__"))
    rules = tmp_path / "games" / "coup" / "rules.py"
    rules.write_text(rules.read_text() + "# changed\n")
    before = set(two.workers())
    two.work("--nthreads", 1, "--no-nanny", path=tmp_path)
    try:
        within(HURRY, lambda: len(two.workers()) == 3)
        [other] = set(two.workers()) - before
        typed = koth("verify", logs / "archive", "--cluster", two.address)
        assert typed.code == 0
        refusal, summary = typed.err.splitlines()
        assert refusal.startswith(f"koth: worker {other} is refused: expected koth ")
        assert refusal.endswith(f" ({platform.node()})")
        assert summary == f"koth: workers at {two.address}: 2; 1 refused."
        with workers(None, two.address) as each:
            at_work = {process for process, _ in each(busy, map(Log, range(40)))}
        assert at_work == {two.workers()[one] for one in before}
    finally:
        two.processes.pop().kill()
    within(HURRY, lambda: len(two.workers()) == 2)


def test_bots_that_workers_cannot_run(two: Cluster, koth: Koth, tmp_path: Path) -> None:
    """Without the program of a bot no worker is fit; each is named, and nothing is begun."""
    script(tmp_path / "bin", "coinlang", "#!/bin/sh\necho 1").chmod(0o755)
    script(tmp_path / "bots", "bot.coin", "1")
    toml = "".join(
        f'[[bots]]\nname = "{name}"\ncommand = "coinlang bot.coin"\n' for name in ("one", "two")
    )
    script(tmp_path / "bots", "bots.toml", toml)
    with patch.dict(os.environ, PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}"):
        words = ["coins", tmp_path / "bots", "-o", tmp_path / "cup", "--cluster", two.address]
        typed = koth("tournament", *words)
    assert (typed.code, typed.out) == (4, "")
    assert not (tmp_path / "cup").exists()
    *refusals, last = typed.err.splitlines()
    missing = "; ".join(
        f"expected coinlang for the bot {bot}, found none" for bot in ("one", "two")
    )
    assert sorted(refusals) == [
        f"koth: worker {address} is refused: {missing} ({platform.node()})"
        for address in sorted(two.workers())
    ]
    assert last == f"koth: {two.address}: all workers are refused, for the reasons above."


def test_a_client_that_does_something_else_for_long(
    two: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that was silent for longer than the limit still reaches the scheduler."""
    with workers(None, two.address) as each:
        assert len(list(each(busy, map(Log, range(3))))) == 3
        monkeypatch.setattr(cluster, "GRACE_SECONDS", 1.0)
        time.sleep(1.5)
        assert len(list(each(busy, map(Log, range(3))))) == 3
