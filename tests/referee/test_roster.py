"""Bots from files, folders, ``bots.toml``, ``competitors.txt`` and the examples."""

from __future__ import annotations

import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bot import Bot, check_names, number_names
from referee.errors import BotsError
from referee.roster import bot_files
from referee.roster.resolve import character, examples, resolve
from tests.referee.bot_factory import CARD, FIRST, bot, honest, play, script


def roster(*given: Path | str) -> list[Bot]:
    """Return the bots that these words of a command name."""
    return resolve([str(word) for word in given], CARD)


def test_a_python_file(tmp_path: Path) -> None:
    """A .py file runs with this Python, and its bot has the file's name."""
    [bot] = roster(script(tmp_path, "taxman.py", "print('hello')"))
    assert (bot.name, bot.command) == ("taxman", (sys.executable, "taxman.py"))
    assert [(name, file.content) for name, file in bot.files] == [
        ("taxman.py", b"print('hello')\n")
    ]


def test_a_shell_file(tmp_path: Path) -> None:
    """A .sh file runs with sh, executable or not."""
    [bot] = roster(script(tmp_path, "miser.sh", "exit"))
    assert (bot.name, bot.command) == ("miser", ("sh", "miser.sh"))


@pytest.mark.parametrize(
    ("first", "command"),
    [
        ("#!/bin/bash", "bash fox.sh"),
        ("#!/usr/bin/env bash", "bash fox.sh"),
        ("#!/home/mine/shell -e", "shell -e fox.sh"),
        ("#!/usr/bin/env -S perl -w\r", "perl -w fox.sh"),
        ("#!/bin/sh", "sh fox.sh"),
        ("#!/bin/sh -e", "sh fox.sh"),
        ("#!/", "sh fox.sh"),
        ("#!", "sh fox.sh"),
        ("# bash", "sh fox.sh"),
    ],
)
def test_a_shell_file_for_another_shell(first: str, command: str, tmp_path: Path) -> None:
    """A .sh file runs with the program of PATH that its first line names, which its hash covers."""
    [bot] = roster(script(tmp_path, "fox.sh", f"{first}\necho"))
    [listed] = roster(script(tmp_path, "competitors.txt", f"fox {command}"))
    assert " ".join(bot.command) == command
    assert (bot.hash == bot.files_hash) == (command == "sh fox.sh")
    assert bot.hash == listed.hash


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("-h.py", "import sys\nopen(sys.argv[1], 'a').write(sys.argv[5])"),
        ("-h.sh", f"{FIRST}act"),
        ("-c.sh", f"#!/bin/bash\n{FIRST}act"),
    ],
)
def test_a_file_named_like_an_option(name: str, body: str, tmp_path: Path) -> None:
    """Its interpreter runs it; it is not taken for an option."""
    fox, owl = bot(tmp_path, name, body), honest(tmp_path)
    played = play(tmp_path / "played", fox, owl)
    assert fox.name == name[:2]
    assert not any(event["type"] == "fault" for event in played.events)


def test_an_executable_file(tmp_path: Path) -> None:
    """Any other executable file runs as it is, and stays executable in its scratch folder."""
    path = script(tmp_path / "bots", "mine.pl", "#!/usr/bin/perl")
    path.chmod(0o755)
    [bot] = roster(path)
    assert (bot.name, bot.command) == ("mine", ("./mine.pl",))
    bot.install(tmp_path)
    assert (tmp_path / "mine.pl").stat().st_mode & 0o777 == 0o755


def test_a_folder(tmp_path: Path) -> None:
    """A folder holds a bot in each file that can run; hidden and text files are ignored."""
    for name in ("b.sh", "a.py", "readme.md", ".hidden.py", "_part.py"):
        script(tmp_path, name, "#")
    assert [bot.name for bot in roster(tmp_path)] == ["a", "b"]


def test_a_folder_with_a_toml(tmp_path: Path) -> None:
    """If a folder has a ``bots.toml``, only its bots count."""
    for name in ("a.py", "b.py"):
        script(tmp_path, name, "#")
    script(tmp_path, "bots.toml", '[[bots]]\nname = "only"\npython = "b.py"')
    assert [bot.name for bot in roster(tmp_path)] == ["only"]
    assert roster(tmp_path) == roster(tmp_path / "bots.toml")


@pytest.mark.parametrize(
    ("entry", "command", "files"),
    [
        ('python = "a.py"', (sys.executable, "a.py"), ["a.py"]),
        ('command = "perl -w a.pl"', ("perl", "-w", "a.pl"), ["a.pl"]),
        ('command = ["perl", "a.pl", "two words"]', ("perl", "a.pl", "two words"), ["a.pl"]),
        ('command = "./run fast"', ("./run", "fast"), ["run"]),
        ('command = "run"', ("./run",), ["run"]),
        ('command = "true"', ("true",), []),
        ('command = "sub/tool"', ("./sub/tool",), ["sub/tool"]),
        ('command = "tool data.txt"\nfolder = "sub"', ("tool", "data.txt"), ["data.txt", "tool"]),
        ('python = "x/main.py"\nfolder = "deep"', (sys.executable, "x/main.py"), ["x/main.py"]),
    ],
)
def test_an_entry_of_a_toml(
    entry: str, command: tuple[str, ...], files: list[str], tmp_path: Path
) -> None:
    """A bot's Python file, command or folder gives this command and these files."""
    for name in ("a.py", "a.pl", "run", "sub/tool", "sub/data.txt", "deep/x/main.py"):
        script((tmp_path / name).parent, Path(name).name, name)
    [bot] = roster(script(tmp_path, "bots.toml", f'[[bots]]\nname = "one"\n{entry}'))
    assert (bot.name, bot.command) == ("one", command)
    assert [name for name, _ in bot.files] == files


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bots.toml", "\ufeff[[bots]]\r\nname = 'fox'\r\ncommand = 'sh fox.sh'\r\n"),
        ("competitors.txt", "\ufefffox sh fox.sh\r\n"),
        ("competitors.txt", "fox\tsh fox.sh\n"),
    ],
)
def test_a_list_of_another_editor(name: str, text: str, tmp_path: Path) -> None:
    """A list may begin with a byte order mark, end its lines with CR LF, and have tabs."""
    script(tmp_path, "fox.sh", "echo NNN")
    [bot] = roster(script(tmp_path, name, text))
    assert (bot.name, bot.command) == ("fox", ("sh", "fox.sh"))


def test_a_competitors_file(tmp_path: Path) -> None:
    """A line is a name and a command; comments and empty lines are ignored."""
    script(tmp_path, "a.py", "#")
    text = "# who plays\nMask  python3 a.py\n\n  Quoter perl -e 'print 1'\n"
    mask, quoter = roster(script(tmp_path, "competitors.txt", text))
    assert (mask.name, mask.command) == ("Mask", ("python3", "a.py"))
    assert [name for name, _ in mask.files] == ["a.py"]
    assert (quoter.name, quoter.command) == ("Quoter", ("perl", "-e", "print 1"))


def test_the_examples() -> None:
    """``examples`` names all bots of the game, and ``examples/NAME`` names one of them."""
    every = roster("examples")
    assert roster("examples/") == every
    assert len(every) >= 11
    assert [bot.name for bot in every] == [path.stem for path in examples(CARD)]
    assert roster("examples/miser") == roster("examples/miser.sh")
    assert roster("examples/taxman", "examples/miser") == [
        bot for name in ("taxman", "miser") for bot in every if bot.name == name
    ]


def test_examples_say_who_they_are() -> None:
    """Each example bot has a character, described in one sentence."""
    told = [character(path) for path in examples(CARD)]
    assert all(line.endswith(".") and len(line) < 100 for line in told)
    assert len(set(told)) == len(told)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"#!/usr/bin/env node\n// Waits.\nwait();\n", "Waits."),
        (b"\x7fELF\x02\xff\xfe\x00", ""),
        (b'\xef\xbb\xbf"""Waits."""\n', "Waits."),
        (b'"""\nWaits.\n"""\n', "Waits."),
        (b"/* Waits. */\nint main(void) {}\n", "Waits."),
        (b"#!/usr/bin/env python3\nimport time\n\n# Waits.\n", ""),
    ],
)
def test_the_character_of_a_bot_in_another_language(
    content: bytes, told: str, tmp_path: Path
) -> None:
    """The sign of a comment is left out; a compiled program, and bare code, have no sentence."""
    (tmp_path / "bot").write_bytes(content)
    assert character(tmp_path / "bot") == told


def test_an_example_bot_that_is_too_large(tmp_path: Path) -> None:
    """Its file is refused as that of any other bot, and not read into memory."""
    with (tmp_path / "bot.py").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BotsError, match=r"bot\.py: expected at most 16 MiB, found more"):
        character(tmp_path / "bot.py")


def test_bots_come_in_the_order_given(tmp_path: Path) -> None:
    """Bots of several words come in the order of the words."""
    path = script(tmp_path, "a.py", "#")
    assert [bot.name for bot in roster("examples/taxman", path, "examples/miser")] == [
        "taxman",
        "a",
        "miser",
    ]


def printed_hash(folder: Path, files: str, *lines: str) -> str:
    """Return the hash by coreutils: of the lines of ``sha256sum``, and of ``lines`` after them."""
    more = " ".join(shlex.quote(line) for line in lines)
    text = f"{{ sha256sum {files}; printf '%s\\n' {more}; }}" if lines else f"sha256sum {files}"
    told = subprocess.run(
        ["sh", "-c", f"{text} | sha256sum"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.split()[0]


def test_the_hash_is_that_of_coreutils(tmp_path: Path) -> None:
    """The hash is ``sha256sum FILES | sha256sum``, with a line of the command if one is given."""
    for name in ("b.py", "a.txt", "sub/c.txt"):
        script((tmp_path / "bot" / name).parent, Path(name).name, name)
    toml = '[[bots]]\nname = "x"\npython = "b.py"\nfolder = "bot"'
    [bot] = roster(script(tmp_path, "bots.toml", toml))
    [single] = roster(tmp_path / "bot" / "b.py")
    line = 'command ["python3","b.py"]'
    assert bot.hash == printed_hash(tmp_path / "bot", "a.txt b.py sub/c.txt", line)
    assert bot.files_hash == printed_hash(tmp_path / "bot", "a.txt b.py sub/c.txt")
    assert single.hash == single.files_hash == printed_hash(tmp_path / "bot", "b.py")


@pytest.mark.parametrize("name", ["fox.py", "fox.sh", "fox", "-h.py", "-h.sh"])
def test_a_lone_file_has_the_hash_of_the_file(name: str, tmp_path: Path) -> None:
    """The implied command of a single file is not part of its hash."""
    path = script(tmp_path, name, "#!/bin/sh")
    path.chmod(0o755)
    program = {".py": "python3.12 ", ".sh": "/bin/sh ", "": ""}[path.suffix]
    command = f"{program}{name if program and name[0] != '-' else f'./{name}'}"
    [given] = roster(path)
    [listed] = roster(script(tmp_path, "competitors.txt", f"Fox {command}"))
    assert given.hash == listed.hash == given.files_hash


def test_bots_that_share_a_folder(tmp_path: Path) -> None:
    """Different programs of a folder are different bots, wherever their interpreters are."""
    for name in ("one.py", "two.py"):
        script(tmp_path / "kit", name, "#")
    commands = [
        "python3 one.py",
        "python3 two.py",
        "python3 one.py two.py",
        "python3 'one.py two.py'",
        "/opt/x/bin/python3.11 one.py",
        "perl one.py",
    ]
    entries = [
        f'[[bots]]\nname = "b{n}"\nfolder = "kit"\ncommand = "{command}"'
        for n, command in enumerate(commands)
    ]
    hashes = [bot.hash for bot in roster(script(tmp_path, "bots.toml", "\n".join(entries)))]
    assert hashes[4] == hashes[0]
    assert len({*hashes}) == 5


def test_the_hash_of_earlier_logs(tmp_path: Path) -> None:
    """A bot is also recognized by the hash of its files alone, as in earlier logs."""
    for name in ("one.py", "two.py"):
        script(tmp_path / "kit", name, "#")
    toml = '[[bots]]\nname = "x"\npython = "one.py"\nfolder = "kit"'
    [bot] = roster(script(tmp_path, "bots.toml", toml))
    assert bot.hash != bot.files_hash
    assert all(map(bot.is_recorded_as, [bot.hash, bot.files_hash]))
    assert not bot.is_recorded_as("0" * 64)
    assert replace(bot, files_only=True).hash == bot.files_hash


def test_the_hash_depends_on_names_and_contents(tmp_path: Path) -> None:
    """Other content or another file name gives another hash; another folder does not."""
    hashes = [
        roster(script(tmp_path / str(place), name, body))[0].hash
        for place, (name, body) in enumerate(
            [("a.py", "#"), ("a.py", "##"), ("b.py", "#"), ("a.py", "#")]
        )
    ]
    assert hashes[0] == hashes[3]
    assert len(set(hashes)) == 3


def complaint(*given: Path | str) -> str:
    """Return the message that refuses these bots."""
    with pytest.raises(BotsError) as found:
        roster(*given)
    assert found.value.exit_code == 2
    assert "\n" not in str(found.value).rstrip()
    return str(found.value)


def test_no_such_bot(tmp_path: Path) -> None:
    """A path that does not exist is named."""
    assert complaint(tmp_path / "gone.py").startswith(f"{tmp_path}/gone.py: there is no such bot")


def test_an_empty_folder(tmp_path: Path) -> None:
    """A folder without bots is refused, and the message says what it may hold."""
    script(tmp_path, "readme.md", "#")
    assert "expected bots (*.py, *.sh, executable files)" in complaint(tmp_path)


def test_a_file_that_cannot_be_run(tmp_path: Path) -> None:
    """A file of unknown kind is refused, and the message says how to make it a bot."""
    told = complaint(script(tmp_path, "bot.pl", "#"))
    assert str(tmp_path / "bot.pl") in told
    assert "chmod +x" in told


def test_an_unknown_example() -> None:
    """An unknown example is reported with the name that was probably meant."""
    assert complaint("examples/taxmn").endswith("Did you mean 'taxman'?")


@pytest.mark.parametrize("code", ["ufe0f", "u034f", "u3164", "u2800", "U000e0100"])
def test_a_name_with_an_invisible_character(code: str, tmp_path: Path) -> None:
    """A name that looks like another one is refused, and the message shows what the eye cannot."""
    toml = f'[[bots]]\nname = "lawyer\\{code}"\ncommand = "x"'
    told = complaint(script(tmp_path, "bots.toml", toml))
    assert f"U+{int(code[1:], 16):04X} in 'lawyer\\{code}'" in told


@pytest.mark.parametrize(
    ("toml", "told"),
    [
        ("[[bots]\n", "expected TOML"),
        ("", "expected one or more [[bots]]"),
        ("bots = 3", "expected one or more [[bots]]"),
        ("bots = [3]", "[[bots]] number 1: expected a table, found 3"),
        ('[[bots]]\nname = "a"', "expected 'name' and either 'python' or 'command'"),
        ('[[bots]]\npython = "a.py"', "expected 'name' and either"),
        ('[[bots]]\nname = "a"\npython = "a.py"\ncommand = "x"', "expected 'name' and either"),
        ('[[bots]]\nname = "a"\npyton = "a.py"', "unknown key 'pyton'. Did you mean 'python'?"),
        ('[[bots]]\nname = "a"\npython = 3', "expected text as 'python', found 3"),
        ('[[bots]]\nname = "a"\npython = ["a.py"]', "expected text as 'python'"),
        ('[[bots]]\nname = "a"\ncommand = []', "expected text as 'command', found []"),
        ('[[bots]]\nname = "a"\ncommand = "   "', "'command'"),
        ('[[bots]]\nname = "a"\ncommand = "x \'"', "expected a command"),
        ('[[bots]]\nname = "a b"\ncommand = "x"', "without white space"),
        ('[[bots]]\nname = "a/b"\ncommand = "x"', "without white space and slashes"),
        ('[[bots]]\nname = ".."\ncommand = "x"', "other than . and .., found '..'"),
        (f'[[bots]]\nname = "{"x" * 65}"\ncommand = "x"', "1 to 64 printable characters"),
        (f'[[bots]]\nname = "{"🦊" * 64}"\ncommand = "x"', "(200 bytes)"),
        ('[[bots]]\nname = "a\\u202e"\ncommand = "x"', "1 to 64 printable characters"),
        ('[[bots]]\nname = "a"\ncommand = ["x\\u0000"]', "without NUL"),
        ('[[bots]]\nname = "a"\ncommand = "x"\nfolder = "gone"', "there is no folder"),
        ('[[bots]]\nname = "a"\npython = "gone.py"', "there is no file"),
        ('[[bots]]\nname = "a"\ncommand = "python3 gone.py"', "there is no file"),
        ('[[bots]]\nname = "a"\npython = "gone.py"\nfolder = "sub"', "there is no file"),
        (
            '[[bots]]\nname = "a"\ncommand = "x"\n[[bots]]\nname = ""\ncommand = "x"',
            "[[bots]] number 2",
        ),
    ],
)
def test_a_broken_toml(toml: str, told: str, tmp_path: Path) -> None:
    """An error in ``bots.toml`` is reported with the file and the expected value."""
    (tmp_path / "sub").mkdir()
    complained = complaint(script(tmp_path, "bots.toml", toml))
    assert complained.startswith(f"{tmp_path}/bots.toml: ")
    assert told in complained


def test_a_toml_that_is_no_text(tmp_path: Path) -> None:
    """A ``bots.toml`` that is not UTF-8 is refused like broken TOML."""
    (tmp_path / "bots.toml").write_bytes(b"\xff\xfe")
    assert "expected TOML" in complaint(tmp_path / "bots.toml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected lines of NAME and a command"),
        ("# nobody", "expected lines of NAME and a command"),
        ("Mask", "competitors.txt:1: expected NAME and a command, found only 'Mask'"),
        ("# head\nMask 'x", "competitors.txt:2: expected a command"),
        ("A/B x", "expected a name"),
        ("Mask python3 gone.py", "competitors.txt:1: there is no file"),
    ],
)
def test_a_broken_competitors_file(text: str, told: str, tmp_path: Path) -> None:
    """An error in ``competitors.txt`` is reported with file and line."""
    assert told in complaint(script(tmp_path, "competitors.txt", text))


def test_a_file_called_as_a_folder(tmp_path: Path) -> None:
    """A command cannot name a file that would take the place of the folder of another one."""
    script(tmp_path, "a", "1")
    script(tmp_path / "in/a", "b.py", "#")
    text = '[[bots]]\nname = "one"\ncommand = "python3 a/b.py ../a"'
    told = complaint(script(tmp_path / "in", "bots.toml", text))
    assert "expected no file called as a folder, found both as 'a'" in told


def test_a_file_name_that_is_no_name(tmp_path: Path) -> None:
    """A bot's file with white space in its name is refused."""
    assert "without white space" in complaint(script(tmp_path, "my bot.py", "#"))


@pytest.mark.parametrize("file", ["my bot.py", "my bot/main.py"])
def test_a_name_that_is_none_in_a_folder(file: str, tmp_path: Path) -> None:
    """The error names the file, and not only the folder that was given."""
    script(tmp_path, "fox.py", "print()")
    (tmp_path / file).parent.mkdir(exist_ok=True)
    script((tmp_path / file).parent, Path(file).name, "print()")
    with pytest.raises(BotsError) as told:
        roster(tmp_path)
    assert str(told.value).startswith(f"{tmp_path / file}: expected a name of 1 to 64 ")


def test_a_file_name_that_is_no_text(tmp_path: Path) -> None:
    """A bot's file whose name is not UTF-8 is refused, because a log cannot hold the name."""
    assert "expected a name" in complaint(script(tmp_path, "\udcff.sh", "#"))


def test_the_same_name_twice(tmp_path: Path) -> None:
    """Two bots of one name are refused, and the message says what to do."""
    bots = roster(script(tmp_path / "1", "a.py", "#"), script(tmp_path / "2", "a.py", "##"))
    with pytest.raises(BotsError, match=r"two bots are called 'a'.*bots\.toml"):
        check_names(bots)
    check_names(number_names(bots))


@pytest.mark.parametrize("names", [("Fox", "fox"), ("STRASSE", "straße"), ("ﬁn", "fin")])
def test_names_that_look_alike(names: tuple[str, str], tmp_path: Path) -> None:
    """A tournament refuses names that differ only in case or encoding, and reports both."""
    bots = [Bot(name, ("true",), ()) for name in names]
    with pytest.raises(BotsError, match=f"'{names[0]}' and '{names[1]}' have names that look"):
        check_names(bots)


def test_a_bot_may_play_itself(tmp_path: Path) -> None:
    """Repeated names get a number that makes them unique, within the 64 characters of a name."""
    one, two = (roster(script(tmp_path / name, f"{name}.py", "#"))[0] for name in ("a", "a-2"))
    names = [bot.name for bot in number_names([one, two, one, one])]
    assert names == ["a", "a-2", "a-3", "a-4"]
    [long] = roster(script(tmp_path, f"{'a' * 64}.py", "#"))
    assert [bot.name for bot in number_names([long, long])] == ["a" * 64, f"{'a' * 62}-2"]


def test_a_disk_that_fails_is_no_problem_of_a_bot() -> None:
    """A file of a bot that the disk does not give is an error of the disk, which names it."""
    path = Path("/proc/self/mem")  # it cannot be read at its beginning
    for read in bot_files.read, bot_files.names_interpreter:
        with pytest.raises(OSError, match=f"Input/output error: '{path}'"):
            read(path)
