"""``--jobs``: work in several processes is the same work."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from koth import processes
from koth.ordered_map import WorkerError, ordered_map
from koth.workers import workers
from schema.errors import UsageError
from schema.executor import serial, with_progress
from schema.logs import Logs
from tests.koth.commands import script


@pytest.mark.parametrize("jobs", [1, 2])
def test_results_come_in_order(jobs: int) -> None:
    """However many processes work, results come in the order of the items."""
    with workers(jobs) as each:
        assert list(each(abs, range(-20, 0))) == list(range(20, 0, -1))


def test_what_a_worker_prints_is_no_output_of_the_command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Code of a package that prints in a process of its own writes to standard error."""
    monkeypatch.setattr(processes, "_context", lambda: multiprocessing.get_context("spawn"))
    with workers(2) as each:
        assert list(each(print, ["aside"])) == [None]
    assert capfd.readouterr() == ("", "aside\n")


@pytest.mark.parametrize("more", [0, 1])
def test_as_many_workers_as_processors_keep_to_one_each(
    more: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker keeps to one processor, unless there are more processors than workers."""
    ours = sorted(os.sched_getaffinity(0))
    monkeypatch.setattr(processes, "_processors", lambda: ours[:2] + ours[:1] * more)
    with workers(len(ours[:2])) as each:
        for used in each(os.sched_getaffinity, [0] * 4):
            assert used == set(ours) if more else len(used) == 1


def test_a_worker_that_dies_is_an_error() -> None:
    """The death of a process is an error, and nothing hangs."""
    with pytest.raises(WorkerError, match="a worker process died"), workers(2) as each:
        list(each(os._exit, [3]))


def test_an_error_in_a_worker_is_the_same_error_here() -> None:
    """An error in a worker process is raised where its result is taken."""
    with pytest.raises(ValueError, match="invalid literal"), workers(2) as each:
        list(each(int, ["1", "one"]))


@pytest.mark.parametrize("wrong", [0, 1, 200, 399])
def test_results_before_an_error_come_first(wrong: int) -> None:
    """All results before an error are yielded, although processes take many items at once."""
    words = [str(number) for number in range(400)]
    words[wrong] = "one"
    results: list[int] = []
    with pytest.raises(ValueError, match="invalid literal"), workers(2) as each:
        results.extend(each(int, words))
    assert results == list(range(wrong))


def test_many_logs_are_passed_in_batches() -> None:
    """A process gets many logs of a sequence at once, fewer towards the end; of an iterator one."""
    names = [f"{number}.jsonl" for number in range(3_200)]
    logs = Logs([(Path("cup"), names)])
    batches = [*processes._batches(logs, 2)]
    sizes = [len(batch) for batch in batches]
    assert [log for batch in batches for log in batch] == [*logs]
    assert sizes == sorted(sizes, reverse=True)
    assert (sizes[0], sizes[-1]) == (200, 1)
    assert [len(batch) for batch in processes._batches(iter(logs), 2)] == [1] * 3_200


def slow_at_first(number: int) -> int:
    """Work of which the first item takes longer than a batch may."""
    time.sleep(0.15 if number == 0 else 0)
    return number


def test_a_slow_item_does_not_disturb_the_order() -> None:
    """The results of a batch that is taken apart come in the order of the items, too."""
    with workers(2) as each:
        assert list(each(slow_at_first, [*range(200)])) == [*range(200)]


def test_progress_counts_results() -> None:
    """Progress hears of every result, of how many."""
    heard: list[tuple[int, int]] = []
    each = with_progress(serial, lambda done, total: heard.append((done, total)))
    assert list(each(abs, [-1, -2])) == [1, 2]
    assert heard == [(1, 2), (2, 2)]


def note(path: Path) -> Path:
    """Work that takes a moment, and leaves files that say when it began and ended."""
    path.with_suffix(".begun").touch()
    time.sleep(0.05)
    path.with_suffix(".done").touch()
    return path


def noted(folder: Path) -> tuple[set[str], set[str]]:
    """The work that began, and the work that ended."""
    begun, done = ({p.stem for p in folder.glob(f"*.{end}")} for end in ("begun", "done"))
    return begun, done


@pytest.mark.parametrize("jobs", [1, 2])
def test_closing_early_ends_the_work(jobs: int, tmp_path: Path) -> None:
    """Closed before its end, it waits for what runs; nothing more is begun, and it is usable."""
    items = (tmp_path / str(number) for number in count())
    with workers(jobs) as each:
        with closing(each(note, items)) as results:
            assert [next(results), next(results)] == [tmp_path / "0", tmp_path / "1"]
        begun, done = noted(tmp_path)
        assert begun == done >= {"0", "1"}
        assert len(done) <= 2 + 4 * jobs
        assert list(each(abs, [-1])) == [1]
        time.sleep(0.1)
    assert noted(tmp_path) == (begun, done)


@pytest.mark.parametrize("jobs", [1, 2])
def test_items_are_taken_as_they_are_needed(jobs: int) -> None:
    """Only a few of infinitely many items are taken ahead of the results."""
    taken = count()
    with workers(jobs) as each, closing(each(abs, taken)) as results:
        assert [next(results) for _ in range(20)] == list(range(20))
        assert next(taken) <= 20 + 4 * jobs


@pytest.mark.parametrize("jobs", [1, 2])
def test_closing_before_the_first_result(jobs: int) -> None:
    """A mapper that is closed before its first result has taken no item."""
    taken = count()
    with workers(jobs) as each:
        each(abs, taken).close()
        assert next(taken) == 0


def test_no_item_is_left_out_while_there_are_no_workers() -> None:
    """If all workers are away, and all results are there, the next item waits for a worker."""
    workers = [2]

    def check() -> None:
        workers[0] = 0

    def submit(item: int) -> Future[int]:
        future = Future[int]()
        future.set_result(item)
        return future

    results = ordered_map(submit, range(9), lambda: workers[0], check=check)
    assert [*results] == [*range(9)]


def test_no_item_is_left_out_if_the_end_of_another_is_reported_late() -> None:
    """A result that is taken before its worker is known to be free ends no work."""

    class Late(Future[int]):
        def add_done_callback(self, fn: Callable[[Future[int]], object]) -> None:
            reports.append(partial(fn, self))

    reports: list[Callable[[], object]] = []

    def submit(item: int) -> Future[int]:
        future = Late()
        future.set_result(item)
        return future

    def max_running() -> int:
        while reports:
            reports.pop()()
        return 1

    assert [*ordered_map(submit, range(5), max_running)] == [*range(5)]


def test_closing_does_not_wait_for_work_that_never_began() -> None:
    """Nobody waits for cancelled work, since an executor that is busy may never confirm it."""
    submitted: list[Future[int]] = []

    def submit(item: int) -> Future[int]:
        submitted.append(Future())
        if item == 0:
            submitted[0].set_result(0)
        return submitted[-1]

    with closing(ordered_map(submit, range(9), lambda: 3)) as results:
        assert next(results) == 0
    assert submitted[1:]
    assert all(future.cancelled() for future in submitted[1:])


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_in_the_items(jobs: int, tmp_path: Path) -> None:
    """An error in the iterable of items is raised to the caller that takes the results."""
    with pytest.raises(ZeroDivisionError), workers(jobs) as each:
        list(each(abs, (1 // (3 - number) for number in range(9))))


def test_an_error_ends_no_process_of_the_caller() -> None:
    """A process that the caller of a function started goes on after an error in the work."""
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(600,))
    other.start()
    try:
        with pytest.raises(ZeroDivisionError), workers(2):
            raise ZeroDivisionError
        assert other.is_alive()
    finally:
        other.kill()
        other.join()


def started(jobs: int) -> None:
    """Start workers and end them."""
    with workers(jobs):
        pass


def test_a_daemonic_process_has_no_workers() -> None:
    """A worker of multiprocessing.Pool, which can have no children, is told to use one job."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.apply(started, (1,))
        with pytest.raises(UsageError, match=r"^jobs: a daemonic process .* Use one job in it\."):
            pool.apply(started, (2,))


def complaint(path: Path, code: str) -> bytes:
    """Run a script with this code at ``path``; return what it prints on standard error."""
    path.write_text(code)
    process = script(path, subprocess.PIPE)
    try:
        return process.communicate(timeout=20)[1]
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


STARTING = """
import signal
import time
from koth import processes
from koth.workers import workers

def interrupt(number, frame):
    raise KeyboardInterrupt

def slow(*settings, set_up=processes._set_up_worker):
    time.sleep(0.2)
    set_up(*settings)

signal.signal(signal.SIGTERM, interrupt)  # as the command does
processes._set_up_worker = slow
with workers(2):
    raise SystemExit
"""


def test_an_error_before_the_workers_are_set_up(tmp_path: Path) -> None:
    """Workers that are ended while they start print nothing."""
    assert complaint(tmp_path / "starting.py", STARTING) == b""


def test_a_worker_without_work_ends_at_once() -> None:
    """SIGTERM raises no exception in the pool's queue, which would lose a part of an item."""
    others = {*multiprocessing.active_children()}
    with suppress(WorkerError), workers(2) as each:
        list(each(abs, range(9)))
        ours = {*multiprocessing.active_children()} - others
        for worker in ours:
            worker.terminate()
        for worker in ours:
            worker.join()
    assert {worker.exitcode for worker in ours} == {-signal.SIGTERM}


ENDING = """
import os
import signal
import time
from contextlib import suppress
from koth.ordered_map import WorkerError
from koth.workers import workers

class Held:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.1)

def work(number):
    held = Held()
    del held
    time.sleep(60)

if __name__ == "__main__":
    with suppress(WorkerError), workers(2) as each:
        list(each(work, range(1)))
"""


def test_a_worker_that_is_ended_in_a_destructor(tmp_path: Path) -> None:
    """It ends a little later, and prints nothing."""
    assert complaint(tmp_path / "ending.py", ENDING) == b""


CLEANING = """
import signal
import time
from contextlib import suppress
from pathlib import Path
from koth.workers import workers

folder = Path(__file__).parent

def work(number):
    try:
        (folder / f"began-{number}").touch()
        time.sleep(60)
    finally:
        for _ in range(30 * number):
            time.sleep(0.01)
        (folder / f"cleaned-{number}").touch()

def interrupt_when_both_work(number, frame):
    if len([*folder.glob("began-*")]) == 2:
        signal.setitimer(signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt

if __name__ == "__main__":
    signal.signal(signal.SIGALRM, interrupt_when_both_work)
    signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
    with suppress(KeyboardInterrupt), workers(2) as each:
        list(each(work, range(2)))
"""


def test_a_worker_is_not_interrupted_while_it_cleans_up(tmp_path: Path) -> None:
    """A worker has its time to clean up also if another one, after whose end all end, is faster."""
    assert complaint(tmp_path / "cleaning.py", CLEANING) == b""
    assert {path.name for path in tmp_path.glob("cleaned-*")} == {"cleaned-0", "cleaned-1"}


FEW_FILES = """
import resource
from koth.workers import workers
resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20))
with workers(20):
    pass
"""


def test_more_workers_than_open_files_allow(tmp_path: Path) -> None:
    """Too many workers are an error that says so, and those that were started end."""
    told = b"jobs: 20 processes cannot be started: Too many open files. Use fewer jobs.\n"
    assert complaint(tmp_path / "few.py", FEW_FILES).endswith(b"WorkerError: " + told)


NO_PIPE = """
import errno
import os
from koth.workers import workers

pipe, left = os.pipe, LEFT

def refused():
    global left
    left -= 1
    if left < 0:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    return pipe()

os.pipe = refused
with workers(2):
    pass
"""


@pytest.mark.parametrize("left", [0, 1])
def test_no_pipe_is_left_for_the_queues_of_workers(left: int, tmp_path: Path) -> None:
    """A limit on open files that is reached before the first worker is the same error."""
    told = b"WorkerError: jobs: 2 processes cannot be started: Too many open files. Use fewer jobs."
    source = NO_PIPE.replace("LEFT", str(left))
    assert complaint(tmp_path / "no_pipe.py", source).endswith(told + b"\n")


NOT_STARTED = "jobs: 2 processes cannot be started: can't start new thread. Use fewer jobs."
NO_THREAD = """
import os
import threading
from koth.workers import workers

start, own = threading.Thread.start, os.getpid()

def refused(thread):
    if WHERE:
        raise RuntimeError("can't start new thread")
    start(thread)

threading.Thread.start = refused
with workers(2) as each:
    list(each(abs, range(2)))
"""


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("True", NOT_STARTED),
        ("thread.name == 'QueueFeederThread'", NOT_STARTED),
        (
            "os.getpid() != own",
            "a worker process died, perhaps for lack of memory or of processes; finished work is "
            "kept. Use fewer jobs.",
        ),
    ],
    ids=["everywhere", "after the first", "in workers"],
)
def test_no_thread_can_be_started(where: str, told: str, tmp_path: Path) -> None:
    """A limit on processes, which threads count to, is one error, and no worker prints its own."""
    complained = complaint(tmp_path / "no_thread.py", NO_THREAD.replace("WHERE", where)).decode()
    assert complained.endswith(f"WorkerError: {told}\n")
    assert complained.count("Traceback") == 1  # the script's own


SLEEPING = """
import time
from koth.workers import workers
if __name__ == "__main__":
    with workers(2) as each:
        for _ in each(time.sleep, [0, *[600] * 9]):
            print("one", flush=True)
"""


@pytest.mark.parametrize("interrupts", [1, 2])
def test_an_interrupt_ends_all_work(interrupts: int, tmp_path: Path) -> None:
    """After one or two interrupts no process is left, however long its work would take."""
    (tmp_path / "sleeping.py").write_text(SLEEPING)
    process = script(tmp_path / "sleeping.py")
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"one\n"
        for _ in range(interrupts):
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
        assert process.wait(10) != 0
        assert process.stdout.read() == b""  # nobody holds it any more
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
