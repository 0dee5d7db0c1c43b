"""Control groups: the kernel limits the memory and the number of processes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from referee.sandbox import cgroup

MIB = 1 << 20
ROOM, TASKS = 64 * MIB, 12
"""The maximum bytes and processes of the groups in these tests."""

TAKING = "import sys; taken = b'x' * (int(sys.argv[1]) << 20); print('taken', flush=True); input()"
FORKING = """
import os, time
made = 0
try:
    while made < 200:
        if os.fork() == 0:
            time.sleep(600)
        made += 1
except BlockingIOError:
    pass
print(made, flush=True)
"""


@pytest.fixture
def group() -> Iterator[cgroup.Group]:
    """Return a group, or skip the test if this machine allows none."""
    if not cgroup.has_cgroup():
        pytest.skip("no cgroups with limits on memory and processes can be made here")
    made = cgroup.Group(ROOM, TASKS)
    yield made
    for folder in made._folders:
        with suppress(FileNotFoundError):
            for pid in (folder / "cgroup.procs").read_text().split():
                os.kill(int(pid), signal.SIGKILL)
    made.end()
    assert not any(folder.exists() for folder in made._folders)


def out_of_memory(group: cgroup.Group) -> bool:
    """Return whether the kernel has killed a process of the group (Linux 4.13 and later)."""
    names = ("memory.events", "memory.oom_control")
    files = [folder / name for folder in group._folders for name in names]
    texts = [file.read_text() for file in files if file.exists()]
    return any(re.search(r"^oom_kill [1-9]", text, re.MULTILINE) for text in texts)


def python(group: cgroup.Group, code: str, *words: str) -> subprocess.Popen[bytes]:
    """Start Python in a group, and in a new session."""
    return subprocess.Popen(
        group.entering([sys.executable, "-I", "-S", "-c", code, *words]),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def taken(process: subprocess.Popen[bytes]) -> bool:
    """Wait for a process to allocate its memory or to die; return whether it allocated it."""
    assert process.stdout is not None
    return process.stdout.readline() == b"taken\n"


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and its session; wait for the first process only."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def test_a_command_enters_and_is_itself(group: cgroup.Group) -> None:
    """A started process is in the group in every hierarchy, with its arguments and descriptors."""
    reading, writing = os.pipe()
    told = 'cat /proc/self/cgroup >"/proc/self/fd/$1"; printf "%s|" "$@"; exit 7'
    command = group.entering(["sh", "-c", told, "sh", str(writing), "--", "two words", "$x*"])
    ended = subprocess.run(command, stdout=subprocess.PIPE, pass_fds=[writing], check=False)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        own = pipe.read().split()
    assert (ended.returncode, ended.stdout) == (7, f"{writing}|--|two words|$x*|".encode())
    for folder in group._folders:
        assert any(line.endswith("/" + folder.name) for line in own)
    assert len([line for line in own if "/koth-" in line]) == len(group._folders)


def test_a_command_that_cannot_enter_is_not_run(group: cgroup.Group) -> None:
    """A process that cannot enter its group exits with status 125 before it runs."""
    group.end()
    ended = subprocess.run(group.entering(["echo", "free"]), capture_output=True, check=False)
    assert (ended.returncode, ended.stdout) == (125, b"")


def test_a_process_that_takes_too_much_is_killed(group: cgroup.Group) -> None:
    """A process may use the memory of the group, and is killed above it."""
    modest, greedy = python(group, TAKING, "8"), python(group, TAKING, "100")
    assert taken(modest)
    output, _ = greedy.communicate()
    assert (greedy.returncode, output) == (-signal.SIGKILL, b"")
    assert out_of_memory(group)
    modest.communicate(b"\n")
    assert modest.returncode == 0


def test_many_processes_share_the_memory(group: cgroup.Group) -> None:
    """Processes share the limit: together they exceed it, and the others survive."""
    first = python(group, TAKING, "16")
    first.communicate(b"\n")
    assert (first.returncode, out_of_memory(group)) == (0, False)
    many = [python(group, TAKING, "16") for _ in range(6)]
    for process in many:
        taken(process)
    assert out_of_memory(group)
    for process in many:
        process.communicate(b"\n")
    assert {process.returncode for process in many} == {0, -signal.SIGKILL}


def test_a_fork_bomb_stops_at_the_number(group: cgroup.Group) -> None:
    """The number of processes is bounded, and all of them can be killed."""
    bomb = python(group, FORKING)
    assert bomb.stdout is not None
    assert int(bomb.stdout.readline()) == TASKS - 1
    assert not out_of_memory(group)
    kill(bomb)
    group.end()
    assert not any(folder.exists() for folder in group._folders)


def test_the_end_of_a_group_in_which_something_lives(
    group: cgroup.Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ending a group kills its processes if the kernel can; otherwise the group remains."""
    kills = any((folder / "cgroup.kill").exists() for folder in group._folders)
    if not kills:
        monkeypatch.setattr(cgroup, "REMOVAL_TIMEOUT", 0.05)
    process = python(group, TAKING, "1")
    assert taken(process)
    group.end()
    assert all(folder.exists() != kills for folder in group._folders)
    assert kills or process.poll() is None
    monkeypatch.undo()
    kill(process)


def test_what_killed_referees_left_is_removed(group: cgroup.Group) -> None:
    """A group is removed only if it is empty and its referee has ended."""
    bot = python(group, TAKING, "1")
    assert taken(bot)
    for folder in group._folders:
        referee = subprocess.Popen(["sleep", "600"])
        names = f"koth-{referee.pid}-1", f"koth-{referee.pid}-2", f"koth-{referee.pid}"
        empty, full, other = left = [folder.with_name(name) for name in names]
        for made in left:
            made.mkdir()
        try:
            (full / "cgroup.procs").write_text(str(bot.pid))
            cgroup.Group(ROOM, TASKS).end()
            assert all(made.exists() for made in left)
            referee.kill()
            referee.wait()
            cgroup.Group(ROOM, TASKS).end()
            assert not empty.exists()
            assert full.exists()
            assert other.exists()
        finally:
            (folder / "cgroup.procs").write_text(str(bot.pid))
            referee.kill()
            referee.wait()
            for made in left:
                with suppress(FileNotFoundError):
                    made.rmdir()
    kill(bot)


def test_a_group_of_the_same_name_is_no_hindrance(
    group: cgroup.Group, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group left by an earlier process with the same id is removed."""
    name = f"koth-{os.getpid()}-{10**9}"
    for folder in group._folders:
        (folder.parent / name).mkdir()
    monkeypatch.setattr(cgroup, "_numbers", iter([10**9]))
    again = cgroup.Group(ROOM, TASKS)
    assert {folder.name for folder in again._folders} == {name}
    again.end()


def test_folders_without_limits_are_refused(tmp_path: Path) -> None:
    """A folder without limits is refused, and no group is left in it."""
    (tmp_path / "place").mkdir()
    with pytest.raises(OSError, match="expected limits on memory and pids"):
        cgroup.Group(ROOM, TASKS, [tmp_path / "place"])
    assert list((tmp_path / "place").iterdir()) == []


def test_places_that_can_be_written_are_used() -> None:
    """In writable folders of cgroup version 1, groups are made."""
    mounted, own = (Path("/proc/self", name).read_text() for name in ("mountinfo", "cgroup"))
    for places in cgroup._choices(mounted, own):
        if all(os.access(p, os.W_OK) and not (p / "cgroup.controllers").exists() for p in places):
            assert cgroup.has_cgroup()


def test_a_machine_without_cgroups(monkeypatch: pytest.MonkeyPatch) -> None:
    """In these folders no group can be used or made."""
    monkeypatch.setattr(cgroup, "_choices", lambda mounts, own: [])
    cgroup._parents.cache_clear()
    try:
        assert not cgroup.has_cgroup()
        with pytest.raises(OSError, match="expected cgroups"):
            cgroup.Group(ROOM, TASKS)
    finally:
        cgroup._parents.cache_clear()


def mounts(*lines: str) -> str:
    """Return a mountinfo with these mounts, each given as "root point type options"."""
    told = ["22 1 0:20 / /proc rw,relatime shared:5 - proc proc rw"]
    for line in lines:
        root, point, kind, options = line.split()
        told.append(f"31 22 0:28 {root} {point} rw shared:9 master:1 - {kind} none {options}")
    return "\n".join(told) + "\n"


MEMORY, PIDS = "/ /cg/memory cgroup rw,memory", "/ /cg/pids cgroup rw,pids"
UNIFIED = "/ /cg cgroup2 rw,nsdelegate"


@pytest.mark.parametrize(
    ("mounted", "own", "expected"),
    [
        pytest.param(
            mounts(MEMORY, PIDS, "/ /cg/unified cgroup2 rw"),
            "8:pids:/\n4:memory:/a/b\n0::/\n",
            [("/cg/memory/a/b", "/cg/pids")],
            id="version 1, version 2 beside it without controllers",
        ),
        pytest.param(
            mounts("/ /cg/both cgroup rw,pids,memory"),
            "4:pids,memory:/a\n",
            [("/cg/both/a",)],
            id="version 1, one hierarchy for both",
        ),
        pytest.param(
            mounts("/docker/x /cg/memory cgroup rw,memory", "/docker/x /cg/pids cgroup rw,pids"),
            "8:pids:/docker/x\n4:memory:/docker/x/y\n",
            [("/cg/memory/y", "/cg/pids")],
            id="version 1, a container that sees its part of the hierarchies",
        ),
        pytest.param(
            mounts("/other /cg/memory cgroup rw,memory", PIDS),
            "8:pids:/\n4:memory:/a\n",
            [],
            id="version 1, another part is mounted",
        ),
        pytest.param(
            mounts(UNIFIED),
            "0::/user.slice/me/run.scope\n",
            [("/cg/user.slice/me/run.scope",), ("/cg/user.slice/me",), ("/cg",)],
            id="version 2",
        ),
        pytest.param(mounts(UNIFIED), "0::/\n", [("/cg",)], id="version 2, at its root"),
        pytest.param(mounts(UNIFIED), "0::/../x\n", [], id="version 2, outside of the namespace"),
        pytest.param(
            mounts(MEMORY, UNIFIED.replace("/cg", "/cg/unified")),
            "4:memory:/a\n0::/b\n",
            [("/cg/memory/a", "/cg/unified/b"), ("/cg/memory/a", "/cg/unified")],
            id="memory of version 1, the number of version 2",
        ),
        pytest.param(mounts(MEMORY), "4:memory:/\n", [], id="no number of processes"),
        pytest.param(mounts(), "0::/\n", [], id="nothing mounted"),
    ],
)
def test_where_groups_may_be_made(mounted: str, own: str, expected: list[tuple[str, ...]]) -> None:
    """Candidate folders are read from the mounts and this process's groups, best first."""
    assert cgroup._choices(mounted, own) == [tuple(map(Path, places)) for places in expected]


def test_folders_that_cannot_be_used_are_passed_over(
    group: cgroup.Group, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Groups are created in the first folders in which a process can enter one."""
    usable = tuple(folder.parent for folder in group._folders)
    monkeypatch.setattr(cgroup, "_choices", lambda mounts, own: [(tmp_path,), usable])
    assert cgroup._parents.__wrapped__() == usable


def test_a_group_of_another_referee_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group of the same name that is in use, as of another container, is not killed."""
    monkeypatch.setattr(cgroup, "_numbers", iter([0]))
    other = tmp_path / f"koth-{os.getpid()}-0"
    other.mkdir()
    (other / "cgroup.kill").touch()
    with pytest.raises(FileExistsError):
        cgroup.Group(ROOM, TASKS, [tmp_path])
    assert (other / "cgroup.kill").read_bytes() == b""


FILES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "version 2": {"both": ("memory.max", "memory.swap.max", "pids.max", "cgroup.kill")},
    "version 1": {
        "memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
        "pids": ("pids.max",),
    },
    "swap is not counted": {"both": ("memory.limit_in_bytes", "pids.max")},
    "mixed": {"memory": ("memory.limit_in_bytes",), "unified": ("pids.max", "cgroup.kill")},
}
LIMITS = {
    "memory.max": str(ROOM),
    "memory.swap.max": "0",
    "memory.limit_in_bytes": str(ROOM),
    "memory.memsw.limit_in_bytes": str(ROOM),
    "pids.max": str(TASKS),
    "cgroup.kill": "1",
}


def simulated(
    files: Mapping[str, Sequence[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> list[Path]:
    """Return hierarchies in which each new folder has the given files, as in the kernel's."""
    parents = [folder / name for name in files]
    for parent in parents:
        parent.mkdir()
    make = Path.mkdir

    def mkdir(path: Path) -> None:
        make(path)
        for name in files[path.parent.name]:
            (path / name).touch()

    monkeypatch.setattr(Path, "mkdir", mkdir)
    return parents


@pytest.mark.parametrize("version", FILES)
def test_the_limits_of_both_versions(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file that the kernel offers gets its limit, and at the end all are killed."""
    parents = simulated(FILES[version], tmp_path, monkeypatch)
    group = cgroup.Group(ROOM, TASKS, parents)
    group.end()
    for folder in group._folders:
        for file in folder.iterdir():
            assert file.read_text() == LIMITS[file.name], file.name


@pytest.mark.parametrize("name", ["memory.max", "memory.limit_in_bytes", "pids.max"])
def test_both_limits_are_needed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A group without one of the limits is an error."""
    with pytest.raises(OSError, match="expected limits on memory and pids"):
        cgroup.Group(ROOM, TASKS, simulated({"only": (name,)}, tmp_path, monkeypatch))


def test_the_end_waits_for_processes_that_are_still_ending(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A group that is busy at first is removed as soon as it is empty, and then no more."""
    group = cgroup.Group(ROOM, TASKS, simulated(FILES["mixed"], tmp_path, monkeypatch))
    tries = {folder: iter([False, False, True]) for folder in group._folders}
    monkeypatch.setattr(cgroup, "_removed", lambda folder: next(tries[folder]))
    group.end()
    assert [*map(list, tries.values())] == [[], []]
