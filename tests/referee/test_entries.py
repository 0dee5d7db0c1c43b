"""Bots that cannot run are found before the first match, and leave no trace in any log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee import entry_checks, single_match
from referee.errors import BotsError, RefereeError
from referee.match import MatchJob
from referee.pools import pool
from referee.processes import limits
from referee.processes.fork_client import ForkServer
from referee.roster.resolve import resolve
from referee.sandbox import sandbox
from schema.card import Card
from tests.factories import SEED
from tests.referee.bot_factory import CARD, COINS, HEIST, UNIQUE, class_source, script

LEVELS = ["process", "sandbox"]


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> str:
    """Return a level of isolation that this machine has."""
    if request.param == "sandbox" and (unavailable_reason := sandbox.unavailable_reason()):
        pytest.skip(unavailable_reason)
    return str(request.param)


def planned(
    folder: Path, card: Card, *words: object, level: str = "process", **settings: Any
) -> MatchJob:
    """Return a match that is not begun."""
    bots = resolve([str(word) for word in words], card)
    return single_match.plan(card, bots, card.settings(settings), SEED, folder / "log.jsonl", level)


def listed(folder: Path, command: str) -> Path:
    """Return a list of one bot with this command."""
    return script(folder, "bots.toml", f"[[bots]]\nname = 'odd'\ncommand = '''{command}'''")


BROKEN = {
    "a program that is not there": ("nosuchprogram fox.py", "no program nosuchprogram on this"),
    "an interpreter at a path": ("/opt/none/python3 fox.py", "no program /opt/none/python3 on"),
    "no files": ("true", "expected files, found none: its command is `true`"),
    "a relative program": ("./gone fox.py", "no program ./gone among its files"),
    "a file without rights": ("./plain", "its program ./plain may not be executed (chmod +x)"),
    "no interpreter": ("./strange", "names the interpreter /opt/none/lang, which is not on this"),
    "Python that is none": ("python3 wrong.py", "ends at once, with exit status 1: SyntaxError"),
    "an import": ("python3 lonely.py", "ModuleNotFoundError: No module named 'nosuchmodule'"),
    "shell that is none": ("sh wrong.sh", "yntax error"),
    "a command in shell": ("sh lost.sh", "with exit status 127: "),
    "Perl that is none": ("perl wrong.pl", "ends at once, with exit status"),
    "a Perl string without an end": ("perl open.pl", "status 255: Can't find string terminator"),
    "awk that is none": ("awk -f wrong.awk", "ends at once, with exit status"),
    "a program for a newer system": ("sh newer.sh", "version `GLIBC_2.99' not found"),
    "a data file": ("python3 data.py", "No such file or directory: 'weights.json'"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_broken_entries(what: str, level: str, tmp_path: Path) -> None:
    """A bot that cannot run is refused by name, with the reason, at each level."""
    for name, body in {
        "fox.py": "print('NNN')",
        "plain": "#!/bin/sh",
        "strange": "#!/opt/none/lang",
        "wrong.py": "print('NNN'",
        "lonely.py": "import nosuchmodule",
        "wrong.sh": "if then fi",
        "lost.sh": "nosuchcommand",
        "wrong.pl": "my $x = ;",
        "open.pl": "print 'NNN",
        "wrong.awk": 'BEGIN { print "NNN"',
        "newer.sh": 'echo "bot: version \\`GLIBC_2.99\' not found (required by bot)" >&2; exit 1',
        "data.py": "open('weights.json')",
    }.items():
        script(tmp_path, name, body)
    (tmp_path / "strange").chmod(0o755)
    command, reason = BROKEN[what]
    job = planned(tmp_path, COINS, listed(tmp_path, command), "examples/thief", level=level)
    with pytest.raises(BotsError) as told:
        entry_checks.check_match(job)
    assert str(told.value).startswith("odd: ")
    assert reason in str(told.value)
    assert str(told.value).endswith("Mend it, or play all the same with --allow-broken.")
    assert any(reason in warning for warning in entry_checks.check_match(job, allow_broken=True))
    assert not job.log.exists()


UNREADABLE = {
    "#!/usr/bin/env sh\r\necho NNN\r\n": "the interpreter sh in a line that ends with CR LF",
    "\ufeff#!/bin/sh\necho NNN\n": "./fox begins with a byte order mark (BOM)",
    "#!sh\necho NNN\n": "which is not among its files; '#!/usr/bin/env sh' takes it",
    "#!./lang\necho NNN\n": "names the interpreter ./lang, which is not among its files",
    "echo NNN\n": "'./fox'; a script needs a first line such as #!/usr/bin/env node.",
}


@pytest.mark.parametrize("source", UNREADABLE)
def test_scripts_that_the_system_cannot_run(source: str, level: str, tmp_path: Path) -> None:
    """A script whose first line names no interpreter is refused, with what is wrong in it."""
    (tmp_path / "fox").write_bytes(source.encode())
    (tmp_path / "fox").chmod(0o755)
    with pytest.raises(BotsError) as refused:
        entry_checks.check_match(
            planned(tmp_path, COINS, tmp_path / "fox", "examples/thief", level=level)
        )
    assert UNREADABLE[source] in str(refused.value)


def test_a_carriage_return_that_env_drops(level: str, tmp_path: Path) -> None:
    """With the option -S, env splits the line at white space, so that the script can run."""
    (tmp_path / "fox").write_bytes(b"#!/usr/bin/env -S sh\r\necho NNN\n")
    (tmp_path / "fox").chmod(0o755)
    job = planned(tmp_path, COINS, tmp_path / "fox", "examples/thief", level=level)
    assert entry_checks.check_match(job) == []


def test_an_interpreter_that_a_sandbox_does_not_show(tmp_path: Path) -> None:
    """A script whose interpreter is not in a sandbox is refused there, and not without one."""
    (tmp_path / "lang").symlink_to("/bin/sh")
    path = script(tmp_path, "fox", f"#!{tmp_path}/lang\necho NNN")
    path.chmod(0o755)
    words = COINS, path, "examples/thief"
    assert entry_checks.check_match(planned(tmp_path, *words)) == []
    if unavailable_reason := sandbox.unavailable_reason():
        pytest.skip(unavailable_reason)
    with pytest.raises(BotsError, match=f"its interpreter {tmp_path}/lang is not at this isol"):
        entry_checks.check_match(planned(tmp_path, *words, level="sandbox"))


@pytest.mark.parametrize("line", ["./lang", "lang", "/usr/bin/env ./lang"])
def test_an_interpreter_among_the_files(line: str, level: str, tmp_path: Path) -> None:
    """A program in the bot's folder may interpret its script."""
    for name, body in (("main", f"#!{line}\nNNN"), ("lang", "#!/bin/sh\ntail -n 1 $1")):
        script(tmp_path / "fox", name, body).chmod(0o755)
    job = planned(tmp_path, COINS, tmp_path / "fox", "examples/thief", level=level)
    assert entry_checks.check_match(job) == []


def test_line_ends_of_windows(tmp_path: Path) -> None:
    """The message about a shell script that fails says that its lines end with CR LF."""
    (tmp_path / "fox.sh").write_bytes(b"if true; then\r\necho NNN\r\nfi\r\n")
    with pytest.raises(BotsError, match=r"\(fox\.sh has lines that end with CR LF\)"):
        entry_checks.check_match(planned(tmp_path, COINS, tmp_path / "fox.sh", "examples/thief"))


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("exit 3", ["with exit status 3"]),
        ("echo no >&2; exit 1", ["with exit status 1: no"]),
        ("echo hello", [r"illegal (CN-7): 'hello\n'"]),
        ("kill -9 $$", ["with exit status -9 (SIGKILL)"]),
        ("echo NNN", []),
        ("sleep 60", []),
    ],
)
def test_bots_that_are_merely_bad(
    body: str, told: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that runs but fails at a first question gets a warning, and plays."""
    if body.startswith("sleep"):
        monkeypatch.setattr(entry_checks, "DRY_START_LIMIT", 0.5)
    job = planned(
        tmp_path, COINS, script(tmp_path, "bad.sh", body), "examples/thief", time_limit_s=1
    )
    warnings = entry_checks.check_match(job)
    assert len(warnings) == len(told)
    assert all(part in warning for part, warning in zip(told, warnings, strict=True))
    assert all(warning.startswith("bad: ") for warning in warnings)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (r"printf 'no\n'", r": 'no\n'"),
        (r"printf '1\377F\n'", ': output_base64 "Mf9GCg=="'),
        (r"printf '\377%30s'", f': output_base64 "/y{"AgIC" * 7}A…"'),
        ("printf 'x%.0s' $(seq 500)", f": '{'x' * 31}…'"),
    ],
)
def test_the_answer_in_a_warning(body: str, told: str, tmp_path: Path) -> None:
    """A warning shows an illegal answer as text, or its bytes in Base64, and that it cut them."""
    job = planned(tmp_path, COINS, script(tmp_path, "bad.sh", body), "examples/thief")
    assert entry_checks.check_match(job) == [
        f"bad: its answer to a first question is illegal (CN-7){told}."
    ]


def test_an_answer_in_the_wrong_place(tmp_path: Path) -> None:
    """A warning says of a bot of Coup that it prints its action and appends nothing."""
    job = planned(tmp_path, CARD, script(tmp_path, "bad.sh", "echo F"), "examples/taxman")
    assert entry_checks.check_match(job) == [
        "bad: its answer to a first question is illegal (CP-17): "
        "nothing appended, and printed 'F\\n'."
    ]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("class Bot(", r"SyntaxError: .+ \(bot\.py, line 1\)"),
        (f"import nosuchmodule\n{class_source()}", r"ModuleNotFoundError: .+ \(bot\.py, line 1\)"),
        (class_source(init="raise ValueError('no')"), r"ValueError: no \(bot\.py, line \d\)"),
    ],
)
def test_classes_that_cannot_be_loaded(source: str, told: str, level: str, tmp_path: Path) -> None:
    """A class that cannot be loaded or constructed is refused as broken, with its last line."""
    path = script(tmp_path, "bot.py", source)
    job = planned(tmp_path, UNIQUE, path, "examples/uniform", level=level, seats=2)
    with pytest.raises(BotsError, match=f"bot: ends at once.*: .*{told}"):
        entry_checks.check_match(job)


def test_a_class_that_is_merely_bad(tmp_path: Path) -> None:
    """A class that fails when it is asked, or chooses an illegal number, gets a warning."""
    bots = [
        script(tmp_path, "a.py", class_source(select="raise ValueError")),
        script(tmp_path, "b.py", class_source(select="return 99")),
        script(tmp_path, "c.py", class_source()),
    ]
    a, b = entry_checks.check_match(planned(tmp_path, UNIQUE, *bots, seats=3))
    assert a.startswith("a: fails at a first question")
    assert b.startswith("b: its answer to a first question is illegal")


@pytest.mark.parametrize("card", [CARD, COINS, HEIST, UNIQUE], ids=lambda card: card.name)
def test_the_examples_are_fine(card: Card, tmp_path: Path) -> None:
    """No example bot of any game gets a warning."""
    words = ["examples"] if card is not CARD else ["examples/taxman", "examples/miser"]
    bots = resolve(words, card)
    seats: dict[str, Any] = {"seats": len(bots)} if card is UNIQUE else {}
    assert entry_checks.check_match(planned(tmp_path, card, *words, **seats)) == []


def test_a_dry_start_leaves_nothing(tmp_path: Path) -> None:
    """A file that a bot writes in the dry start does not exist in the match."""
    body = "[ -e seen.txt ] && echo 3NN || echo NNN; touch seen.txt"
    one = planned(tmp_path, COINS, script(tmp_path, "seen.sh", body), "examples/thief", rounds=1)
    entry_checks.check_match(one)
    single_match.play(one)
    assert b'"output":"3NN' not in one.log.read_bytes()


def test_a_bot_is_not_broken_because_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too little space for the files of bots is an error of the referee, as in the match."""
    monkeypatch.setattr(limits, "SCRATCH", 1 << 60)
    with pytest.raises(RefereeError, match=r"expected room for .* TMPDIR"):
        entry_checks.check_match(planned(tmp_path, COINS, "examples/thief", "examples/passive"))


def test_a_bot_is_not_broken_because_processes_are_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A limit on processes that only the server of a bot meets is an error of the referee, too."""
    pool.close()
    words = ["sh", "-c", "echo 'OSError: Resource temporarily unavailable' >&2; exit 1"]
    monkeypatch.setattr(ForkServer, "command", lambda *given: words)
    path = script(tmp_path, "fox.sh", "echo NNN")
    with pytest.raises(RefereeError, match=r"no bot can be started: Resource .* Raise the limits"):
        entry_checks.check_match(planned(tmp_path, COINS, path, path))


def test_a_bot_is_started_once(tmp_path: Path) -> None:
    """A bot that is given several times is started once."""
    path = script(tmp_path, "count.sh", f"echo x >> {tmp_path}/starts; echo NNN")
    entry_checks.check_match(planned(tmp_path, COINS, path, path, path))
    assert (tmp_path / "starts").read_text() == "x\n"


def test_broken_twins(tmp_path: Path) -> None:
    """Of several bots with the same files, each is named."""
    path = script(tmp_path, "twin.py", "print(")
    with pytest.raises(BotsError, match=r"(?s)2 problems.*  twin: ends.*  twin-2: ends"):
        entry_checks.check_match(planned(tmp_path, COINS, path, path))


def test_a_class_that_does_not_travel(tmp_path: Path) -> None:
    """A bot that names a class outside of its own files is refused, with the class's name."""
    script(tmp_path, "Foo.class", "x")
    path = script(tmp_path, "competitors.txt", "Foo sh Foo")
    with pytest.raises(BotsError, match=r"Foo: its command names 'Foo', but Foo\.class does not"):
        entry_checks.check_match(planned(tmp_path, COINS, path, "examples/thief"))
