"""Which isolation a command plays in, and what it says of that."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import orjson
import pytest

from referee import tournament
from referee.bot import Bot
from referee.pools import pool
from referee.roster.resolve import resolve
from referee.sandbox import bwrap, sandbox
from schema import discovery as layout
from schema import registry
from schema.executor import serial
from tests import contests
from tests.factories import SEED
from tests.koth.commands import COMMAND, ROOT, Koth, typed
from tests.referee.bot_factory import contents

BOTS = ["examples/thief", "examples/planner"]
PLAYED = ["play", "coins", *BOTS, "--seed", SEED, "--set", "rounds=1"]
HELD = ["tournament", "coins", *BOTS, "--seed", SEED, "--set", "rounds=2", "--set", "games=3"]

OLD = """#!/bin/sh
for word; do
    [ "$word" != --size ] || { echo "bwrap: Unknown option $word" >&2; exit 1; }
done
exec BWRAP "$@"
"""

PLAIN_SANDBOX = (
    *("bwrap", "--unshare-user", "--unshare-pid", "--dev-bind", "/", "/", "--proc", "/proc"),
    *("--size", "4096", "--tmpfs", "/tmp", "true"),
)
AS_NOBODY = (
    *("bwrap", "--unshare-net", "--dev-bind", "/", "/"),
    *("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"),
)


@pytest.fixture(autouse=True)
def _tried_out_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("KOTH_ISOLATION")
    sandbox.unavailable_reason.cache_clear()
    yield
    sandbox.unavailable_reason.cache_clear()
    pool.close()


@pytest.fixture
def no_bwrap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no bwrap on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))


def conditions(log: Path) -> dict[str, object]:
    """The first line of a log's evidence."""
    told: dict[str, object] = orjson.loads(layout.evidence(log).read_bytes().splitlines()[0])
    return told


def test_a_sandbox_starts_where_bubblewrap_does() -> None:
    """Koth makes a sandbox where bubblewrap does: else all tests of sandboxes would be skipped."""
    if not all(map(shutil.which, ("bwrap", "setpriv"))):
        pytest.skip("there is no bwrap, or no setpriv")
    command = [*(() if os.geteuid() else AS_NOBODY), *PLAIN_SANDBOX]
    probe = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    if probe.returncode:
        pytest.skip(f"bubblewrap makes no sandbox here: {probe.stderr}")
    assert sandbox.unavailable_reason() == ""


@pytest.mark.usefixtures("sandboxes")
def test_the_strongest_is_the_default(koth: Koth, tmp_path: Path) -> None:
    """By default bots play in sandboxes; koth prints the level once and records it."""
    played = koth(*PLAYED, "-o", tmp_path / "log.jsonl")
    assert played.code == 0
    assert played.err.splitlines()[0] == "koth: each bot plays in a sandbox."
    assert played.err.count("sandbox") == 1
    assert conditions(tmp_path / "log.jsonl")["isolation"] == "sandbox"


@pytest.mark.usefixtures("sandboxes")
@pytest.mark.parametrize("limit", ["processes", "files"])
def test_no_weaker_level_because_processes_are_short(
    limit: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit on processes or files never makes Koth play strangers' bots without a sandbox."""
    sandbox.unavailable_reason.cache_clear()
    if limit == "files":
        refused = OSError(errno.EMFILE, "Too many open files")
        monkeypatch.setattr(subprocess, "Popen", Mock(side_effect=refused))
    else:
        words = ["sh", "-c", "echo 'bwrap: Resource temporarily unavailable' >&2; exit 1"]
        monkeypatch.setattr(sandbox.Sandbox, "command", lambda *given: words)
    played = koth(*PLAYED, "-o", tmp_path / "log.jsonl")
    assert played.code == 4
    assert played.err.startswith("koth: no bot can be started: ")
    assert not (tmp_path / "log.jsonl").exists()
    monkeypatch.undo()
    assert sandbox.unavailable_reason() == ""


@pytest.mark.usefixtures("no_bwrap")
def test_without_bwrap_the_default_is_processes(koth: Koth, tmp_path: Path) -> None:
    """Without bwrap koth takes the next level, prints the reason, and records the level."""
    played = koth(*PLAYED, "-o", tmp_path / "log.jsonl")
    assert played.code == 0
    first, _ = played.err.splitlines()
    assert first.startswith("koth: no sandbox for the bots: there is no bwrap; ")
    told = conditions(tmp_path / "log.jsonl")
    assert told["isolation"] == "process"
    assert "processes" not in str(told["limits"])


@pytest.mark.usefixtures("no_bwrap")
@pytest.mark.parametrize("by", ["--isolation", "KOTH_ISOLATION"])
def test_a_sandbox_that_is_not_to_be_had_is_refused(
    by: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sandbox that is requested but unavailable is refused, and no log is written."""
    words = [by, "sandbox"]
    if by == "KOTH_ISOLATION":
        monkeypatch.setenv(*words)
        words = []
    told = koth.complaint(*PLAYED, *words, "-o", tmp_path / "log.jsonl")
    assert told.startswith(f"{by.strip('-')} sandbox: there is no bwrap; Debian has it in the pack")
    assert not (tmp_path / "log.jsonl").exists()


def test_a_bwrap_that_is_too_old(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that does not know all that is asked of it is none, and its own words are the reason."""
    (tmp_path / "bwrap").write_text(OLD.replace("BWRAP", shutil.which("bwrap") or "false"))
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    told = koth.complaint(*PLAYED, "--isolation", "sandbox", "-o", tmp_path / "log.jsonl")
    assert "bwrap: Unknown option --size" in told
    assert f"{sandbox.ADVICE}. Without a sandbox: process, none." in told


def test_the_setting_that_forbids_a_sandbox_is_named(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If bwrap fails, the message names the setting of the kernel that forbids it, as on Ubuntu."""
    (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: Permission denied' >&2\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "kernel").mkdir()
    (tmp_path / "kernel/apparmor_restrict_unprivileged_userns").write_text("1\n")
    monkeypatch.setattr(sandbox, "SETTINGS", tmp_path)
    played = koth(*PLAYED, "-o", tmp_path / "log.jsonl")
    named = "bwrap: Permission denied (kernel.apparmor_restrict_unprivileged_userns is 1). "
    assert named + sandbox.ADVICE in played.err
    assert sandbox.ADVICE.split('"')[1] in (ROOT / "docs/isolation.md").read_text()


@pytest.mark.parametrize("level", ["process", "none"])
def test_others_are_taken_at_their_word(
    level: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Option or environment set the level without a message; the option comes first."""
    other = {"process": "none", "none": "process"}[level]
    for number, (variable, words) in enumerate([(level, []), (other, ["--isolation", level])]):
        monkeypatch.setenv("KOTH_ISOLATION", variable)
        played = koth(*PLAYED, *words, "-o", tmp_path / f"{number}.jsonl")
        assert (played.code, played.err.count("\n")) == (0, 1)
        assert conditions(tmp_path / f"{number}.jsonl")["isolation"] == level


def test_no_such_isolation(koth: Koth, monkeypatch: pytest.MonkeyPatch) -> None:
    """A word in the environment that is none of the three is named."""
    monkeypatch.setenv("KOTH_ISOLATION", "jail")
    told = koth.complaint(*PLAYED, "-o", "log.jsonl")
    assert told == "KOTH_ISOLATION: expected one of sandbox, process, none, found 'jail'."


# --- tournaments ---------------------------------------------------------------------------------


def play_two(planned: tournament.Tournament, *_: object, play: Any = tournament.play) -> None:
    """Play two matches of a tournament, and interrupt it."""

    def stop(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    play(planned, serial, stop)


def interrupted(folder: Path, level: str, bots: list[str] = BOTS) -> None:
    """A tournament of which two matches were played."""
    card = registry.card("coins")
    settings = card.settings({"rounds": 2, "games": 3})
    planned = tournament.plan(
        card, resolve(bots, card), settings, SEED, None, folder, level, words=bots
    )
    with pytest.raises(KeyboardInterrupt):
        play_two(planned)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The logs of the tournament, played in processes."""
    folder = tmp_path_factory.mktemp("whole") / "cup"
    assert typed(*HELD, "--isolation", "process", "-o", folder).code == 0
    return contents(folder)


@pytest.mark.usefixtures("sandboxes")
def test_two_jobs(whole: dict[str, bytes], tmp_path: Path) -> None:
    """With two jobs the level is printed once, and the logs are the same."""
    held = typed(*HELD, "--jobs", "2", "-o", tmp_path / "cup")
    assert held.code == 0
    assert held.err.count("sandbox") == 1
    assert contents(tmp_path / "cup") == whole


@pytest.mark.usefixtures("sandboxes")
def test_resumed_in_sandboxes(koth: Koth, whole: dict[str, bytes], tmp_path: Path) -> None:
    """A tournament that began in sandboxes goes on in sandboxes."""
    interrupted(tmp_path / "cup", "sandbox")
    assert koth("resume", tmp_path / "cup").code == 0
    assert contents(tmp_path / "cup") == whole
    last = sorted((tmp_path / "cup/matches").iterdir())[-1]
    assert conditions(last)["isolation"] == "sandbox"


@pytest.mark.usefixtures("sandboxes")
def test_resumed_where_there_is_no_sandbox(
    koth: Koth, whole: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that began in sandboxes is refused where there are none, unless --isolation allows it."""
    interrupted(tmp_path / "cup", "sandbox")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    sandbox.unavailable_reason.cache_clear()
    pool.close()
    for variable in ("", "process", "none"):
        monkeypatch.setenv("KOTH_ISOLATION", variable)
        told = koth.complaint("resume", tmp_path / "cup")
        assert told.startswith("the tournament was begun at sandbox: there is no bwrap; ")
        assert told.endswith("Without a sandbox: --isolation process, --isolation none.")
    resumed = koth("resume", tmp_path / "cup", "--isolation", "process")
    assert resumed.code == 0, resumed.err
    assert contents(tmp_path / "cup") == whole
    last = sorted((tmp_path / "cup/matches").iterdir())[-1]
    assert conditions(last)["isolation"] == "process"
    runs = (tmp_path / "cup/evidence/tournament.jsonl").read_bytes().splitlines()
    assert [orjson.loads(run)["isolation"] for run in runs] == ["sandbox", "process"]


@pytest.mark.parametrize("level", ["none", "process"])
def test_evidence_never_weakens(
    level: str, koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lower level in the evidence of a folder does not lower the level of a resumed match."""
    interrupted(tmp_path / "cup", "none")
    record = tmp_path / "cup/evidence/tournament.jsonl"
    record.write_text(record.read_text().replace('"isolation":"none"', f'"isolation":"{level}"'))
    strongest = "process" if sandbox.unavailable_reason() else "sandbox"
    resumed = koth("resume", tmp_path / "cup")
    assert resumed.code == 0, resumed.err
    last = sorted((tmp_path / "cup/matches").iterdir())[-1]
    assert conditions(last)["isolation"] == strongest
    if level != strongest:
        assert f"was begun at {level}, and goes on at {strongest}" in resumed.err


def test_bots_with_the_hash_of_earlier_logs(koth: Koth, tmp_path: Path) -> None:
    """A tournament with the hashes of earlier logs can be resumed, verified and asked again."""
    toml = tmp_path / "bots.toml"
    (tmp_path / "kit").mkdir()
    for name in ("one", "two"):
        (tmp_path / f"kit/{name}.py").write_text("print('NNN')")
    entries = [f'[[bots]]\nname="{n}"\nfolder="kit"\npython="{n}.py"\n' for n in ("one", "two")]
    toml.write_text("".join(entries))
    with patch.object(Bot, "hash", Bot.files_hash):
        interrupted(tmp_path / "cup", "process", [str(toml)])
    assert koth("resume", tmp_path / "cup", "--isolation", "process").code == 0
    logs = sorted((tmp_path / "cup/matches").iterdir())
    starts = [orjson.loads(log.read_bytes().partition(b"\n")[0]) for log in logs]
    assert len({player["bot"] for start in starts for player in start["players"]}) == 1
    assert koth("verify", tmp_path / "cup").code == 0
    assert koth("reask", logs[-1], toml).code == 0


def test_the_environment_does_not_weaken_a_tournament(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """KOTH_ISOLATION raises the level on record, and lowers none."""
    interrupted(tmp_path / "cup", "process")
    monkeypatch.setenv("KOTH_ISOLATION", "none")
    assert koth("resume", tmp_path / "cup").code == 0
    last = sorted((tmp_path / "cup/matches").iterdir())[-1]
    assert conditions(last)["isolation"] == "process"


def test_the_environment_does_not_weaken_a_stage(
    koth: Koth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage of a contest goes on at the level of its beginning, as a tournament does."""
    cup = contests.new(tmp_path / "cup", "coins", rounds=2, games=3)
    contests.enter(cup, BOTS)
    with patch.object(tournament, "play", play_two):
        assert koth("contest", "run", cup, "--isolation", "process").code == 130
    monkeypatch.setenv("KOTH_ISOLATION", "none")
    assert koth("contest", "run", cup).code == 0
    runs = (cup / "stages/0001/evidence/tournament.jsonl").read_bytes().splitlines()
    assert [orjson.loads(run)["isolation"] for run in runs] == ["process", "process"]


@pytest.mark.parametrize("level", ["process", "sandbox"])
def test_programs_of_a_folder_that_was_sent(level: str, koth: Koth, tmp_path: Path) -> None:
    """Koth runs no program named in the evidence of a copied folder, unless the user names it."""
    bots = [tmp_path / "a.py", tmp_path / "b.py"]
    for bot in bots:
        bot.write_text("print('NNN')")
    interrupted(tmp_path / "cup", "process", list(map(str, bots)))
    shutil.copytree(tmp_path / "cup", tmp_path / "copy")
    told = koth.complaint("resume", tmp_path / "copy", "--isolation", level)
    assert "was not begun here" in told
    assert told.endswith(f"koth resume {tmp_path}/copy {bots[0]} {bots[1]}")
    here = koth("resume", tmp_path / "cup", "--isolation", "process")
    named = koth("resume", tmp_path / "copy", *bots, "--isolation", "process")
    assert (here.code, named.code) == (0, 0), here.err + named.err
    assert contents(tmp_path / "copy") == contents(tmp_path / "cup")


@pytest.mark.parametrize("name", ["seed.private", "evidence/tournament.jsonl"])
def test_a_pipe_in_a_folder_that_was_sent(name: str, koth: Koth, tmp_path: Path) -> None:
    """Koth refuses a pipe or a link in place of the seed or the evidence, and does not wait."""
    interrupted(tmp_path / "cup", "process")
    path = tmp_path / "cup" / name
    path.unlink()
    os.mkfifo(path)
    koth.complaint("resume", tmp_path / "cup")
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").write_text(SEED)
    koth.complaint("resume", tmp_path / "cup")


def test_a_folder_of_examples_may_be_copied(koth: Koth, tmp_path: Path) -> None:
    """Koth finds its own bots, regardless of the tournament's folder."""
    interrupted(tmp_path / "cup", "process")
    shutil.copytree(tmp_path / "cup", tmp_path / "copy")
    assert koth("resume", tmp_path / "copy", "--isolation", "process").code == 0


# --- an ordinary user ----------------------------------------------------------------------------


SOMEBODY = 64321
"""The id of a user without an account."""


def as_somebody(*words: object) -> list[str]:
    """Return a command for root that drops all rights and lets all users read Koth's files."""
    parts = [Path(sys.base_prefix), ROOT, Path(sys.prefix)]
    closed = {up for part in parts for up in part.parents if up.stat().st_mode & 0o005 != 0o005}
    view = [word for up in sorted(closed) for word in ("--perms", "0755", "--tmpfs", str(up))]
    for part in parts if closed else []:
        view += [*bwrap.parents(Path(part)), "--ro-bind", str(part), str(part)]
    drop = ["--reuid", str(SOMEBODY), "--regid", str(SOMEBODY), "--clear-groups"]
    user = ["setpriv", *drop, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    return ["bwrap", "--dev-bind", "/", "/", *view, "--", *user, *map(str, words)]


@pytest.mark.usefixtures("sandboxes")
def test_an_ordinary_user(whole: dict[str, bytes], tmp_path: Path) -> None:
    """A user without rights, name or home has the same sandboxes as root, and the same logs."""
    if os.geteuid() != 0:
        pytest.skip("all other tests are of an ordinary user already")
    if Path(sys.prefix).is_relative_to("/tmp"):
        pytest.skip("an interpreter below /tmp is none for an ordinary user's bots")
    place = Path("/var/tmp") / f"koth-{os.getpid()}"
    homeless = {name: value for name, value in os.environ.items() if name != "HOME"}
    homeless["PYTHONPATH"] = str(ROOT)
    place.mkdir()
    try:
        os.chown(place, SOMEBODY, SOMEBODY)
        held = subprocess.run(
            as_somebody(*COMMAND, *HELD, "-o", place / "cup"),
            env=homeless,
            cwd="/",
            capture_output=True,
            text=True,
            check=False,
        )
        if held.returncode == 1 and "bwrap: " in held.stderr:
            pytest.skip(f"root cannot be somebody else here: {held.stderr.strip()}")
        assert held.returncode == 0, held.stderr
        assert held.stderr.startswith("koth: each bot plays in a sandbox.\n")
        assert (place / "cup/tournament.jsonl").stat().st_uid == SOMEBODY
        assert contents(place / "cup") == whole
    finally:
        shutil.rmtree(place)
