"""Submitted folders: nothing in them makes the referee read a file outside of them."""

from __future__ import annotations

import os
import socket
from pathlib import Path
from typing import Any

import pytest

from referee.bot import Bot
from referee.errors import BotsError
from referee.roster import bot_files, bot_lists
from referee.roster.bot_files import MAX_BYTES
from referee.roster.resolve import resolve
from tests.referee.bot_factory import CARD, COINS, FIRST, UNIQUE, class_source, script

SECRET = "the key to the treasury"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a bot in it, and with a secret next to the folder."""
    script(tmp_path, "victim.py", f"# {SECRET}")
    script(tmp_path / "secrets", "key.py", f"# {SECRET}")
    script(tmp_path / "given" / "kit", "main.py", "#")
    script(tmp_path / "given", "evil.py", "#")
    return tmp_path / "given"


def roster(*given: Path) -> list[Bot]:
    """Return the bots that these paths name."""
    return resolve([str(word) for word in given], COINS)


def complaint(*given: Path) -> str:
    """Return the message that refuses these bots; it must not hold the secret."""
    with pytest.raises(BotsError) as found:
        roster(*given)
    assert SECRET not in str(found.value)
    return str(found.value)


def listed(folder: Path, *entries: str) -> None:
    """Write a ``bots.toml`` with these entries."""
    text = "\n".join(f'[[bots]]\nname = "b{n}"\n{entry}' for n, entry in enumerate(entries))
    script(folder, "bots.toml", text)


OUTSIDE = [
    'command = ["python3", "evil.py", "../victim.py"]',
    'command = ["python3", "evil.py", "kit/../../victim.py"]',
    'command = ["python3", "evil.py", "HERE/victim.py"]',
    'command = ["../victim.py"]',
    'command = ["HERE/victim.py"]',
    'python = "../victim.py"',
    'python = "HERE/victim.py"',
    'python = "link.py"',
    'python = "linked/key.py"',
    'folder = ".."\npython = "victim.py"',
    'folder = "../secrets"\npython = "key.py"',
    'folder = "HERE/secrets"\npython = "key.py"',
    'folder = "/etc"\ncommand = "cat passwd"',
    'folder = "linked"\npython = "key.py"',
    'folder = "kit"\ncommand = ["HERE/victim.py"]',
]


@pytest.mark.parametrize("entry", OUTSIDE)
def test_a_list_that_leads_out(entry: str, folder: Path) -> None:
    """A list found in a folder may name no file outside of it, by any kind of path or link."""
    (folder / "link.py").symlink_to("../victim.py")
    (folder / "linked").symlink_to("../secrets")
    listed(folder, entry.replace("HERE", str(folder.parent)))
    assert "leads out of " in complaint(folder)


@pytest.mark.parametrize("entry", [*OUTSIDE[:4], *OUTSIDE[5:7]])
def test_a_list_that_is_named_itself(entry: str, folder: Path) -> None:
    """A list that the command names itself may name any file."""
    listed(folder, entry.replace("HERE", str(folder.parent)))
    assert len(roster(folder / "bots.toml")) == 1


def test_what_a_list_may_name(folder: Path) -> None:
    """Files in the folder, links to them, and programs on PATH are accepted."""
    (folder / "same.py").symlink_to("kit/main.py")
    listed(
        folder,
        'python = "same.py"',
        'command = "/bin/sh kit/main.py --path=/etc -x .."',
        'command = "env python3 kit/../evil.py"',
        'folder = "kit"\npython = "main.py"',
    )
    assert [len(bot.files) for bot in roster(folder)] == [1, 1, 1, 1]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("target", ["../../victim.py", "../evil.py", "/etc/passwd", "gone", "."])
def test_links_in_the_folder_of_a_bot(target: str, named: bool, folder: Path) -> None:
    """A link out of a bot's folder is refused, whether the command names the list or finds it."""
    (folder / "kit" / "link").symlink_to(target)
    listed(folder, 'folder = "kit"\npython = "main.py"')
    assert f"{folder}/kit/link: " in complaint(folder / "bots.toml" if named else folder)


@pytest.mark.parametrize("target", ["../victim.py", "/etc/passwd", "../secrets"])
@pytest.mark.parametrize("name", ["link.py", "bots.toml", "link"])
def test_links_in_a_folder_of_bots(name: str, target: str, folder: Path) -> None:
    """A link that leads out of a given folder is refused, also in place of its list."""
    (folder / name).symlink_to(target)
    assert f"{folder}/{name}: leads out of {folder}, to /" in complaint(folder)


def test_a_link_as_a_given_folder(folder: Path) -> None:
    """A folder may be given as a link to it."""
    (folder.parent / "alias").symlink_to("given")
    assert [bot.name for bot in roster(folder.parent / "alias")] == ["evil", "kit"]


def special(path: Path, kind: str) -> None:
    """Make a pipe, a socket or a link to a device at ``path``."""
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a socket":
        with socket.socket(socket.AF_UNIX) as one:
            os.chdir(path.parent)
            one.bind(path.name)
    else:
        path.symlink_to("/dev/zero")


@pytest.mark.parametrize("kind", ["a pipe", "a socket"])
@pytest.mark.parametrize("where", ["kit/odd", "odd.py", "bots.toml"])
def test_what_is_no_file(
    where: str, kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pipes and sockets are refused by name, and never read, because reading could hang."""
    monkeypatch.chdir(folder)
    if where == "kit/odd":
        listed(folder, 'folder = "kit"\npython = "main.py"')
    special(folder / where, kind)
    told = complaint(folder)
    assert f"{folder}/{where}: expected " in told
    assert f"found {kind}" in told


def test_what_is_no_file_in_a_command(folder: Path) -> None:
    """A command may not name a pipe among its files."""
    special(folder / "odd", "a pipe")
    listed(folder, 'command = "python3 evil.py odd"')
    assert f"{folder}/odd: expected a file, found a pipe" in complaint(folder / "bots.toml")


def test_a_device_that_is_given(folder: Path) -> None:
    """A device is refused as a bot, without being read."""
    special(folder.parent / "zero.py", "a device")
    assert "expected a file, found a device" in complaint(folder.parent / "zero.py")


@pytest.mark.parametrize("target", ["gone.py", "link.py"])
def test_a_link_that_leads_nowhere(target: str, folder: Path) -> None:
    """A bot that is a link to nothing, or to itself, is reported."""
    (folder / "link.py").symlink_to(target)
    assert (
        f"{folder}/link.py: expected files in a folder of bots, found a link that leads nowhere"
        in complaint(folder)
    )


def test_a_folder_that_is_swapped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that is replaced by a link after its check is not followed."""
    listed(folder, 'python = "kit/key.py"')
    script(folder / "kit", "key.py", "#")
    opened = bot_files._open

    def swap(*words: Any) -> int:
        if words[0].name == "key.py":
            (folder / "kit").rename(folder / "old")
            (folder / "kit").symlink_to("../secrets")
        return opened(*words)

    monkeypatch.setattr(bot_files, "_open", swap)
    assert "kit/key.py: cannot be read: " in complaint(folder)


def test_a_huge_file(folder: Path) -> None:
    """A sparse file is read up to the maximum for a bot, and no further."""
    with (folder / "kit" / "sparse").open("wb") as file:
        file.truncate(1 << 40)
    listed(folder, 'folder = "kit"\npython = "main.py"')
    told = complaint(folder)
    assert f"{folder}/kit/sparse: expected at most {MAX_BYTES >> 20} MiB, found more." in told


def test_too_many_files_and_folders(folder: Path) -> None:
    """A folder is walked up to the maximum for a bot, and no further."""
    listed(folder, 'folder = "kit"\npython = "main.py"')
    for number in range(501):
        (folder / "kit" / str(number)).mkdir()
    assert f"{folder}/kit: expected at most 500 folders" in complaint(folder)


def test_an_environment_beside_a_bot(folder: Path) -> None:
    """A link to a folder, as a virtual environment has one, is refused with what to do."""
    listed(folder, 'folder = "kit"\npython = "main.py"')
    (folder / "kit/.venv/lib").mkdir(parents=True)
    (folder / "kit/.venv/lib64").symlink_to("lib")
    assert complaint(folder).endswith(
        f"{folder}/kit/.venv/lib64: expected no link to a folder in a bot's folder. "
        f"All of {folder}/kit is the bot: move out what it does not need, such as a .venv."
    )


def test_too_many_bytes_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files of a bot have a maximum size together, however small each is."""
    monkeypatch.setattr(bot_files, "MAX_BYTES", 1 << 20)
    listed(folder, 'folder = "kit"\npython = "main.py"')
    for name in "ab":
        (folder / "kit" / name).write_bytes(bytes(600_000))
    assert "and 1 MiB, found at least 2 files and 1.1 MiB" in complaint(folder)


def test_every_problem_is_told(folder: Path) -> None:
    """Problems with several words and several entries are reported together."""
    listed(folder, 'python = "gone.py"', 'folder = "gone"\npython = "x.py"', 'command = "true x"')
    told = complaint(folder / "gone.py", folder)
    assert told.startswith("3 problems with the bots:\n")
    assert told.count("\n") == 3


def test_files_of_one_name(folder: Path) -> None:
    """Two files with the same path in a bot's folder are refused."""
    script(folder.parent / "a", "x.py", "1")
    script(folder.parent / "b", "x.py", "2")
    listed(folder, 'command = "python3 ../a/x.py ../b/x.py"')
    assert "two called 'x.py'" in complaint(folder / "bots.toml")


# --- names ---------------------------------------------------------------------------------------


def test_a_folder_with_a_main_program(tmp_path: Path) -> None:
    """A folder with a program called main is one bot, named after the folder, as from a list."""
    script(tmp_path / "ducal", "main.py", "#")
    script(tmp_path / "ducal", "helper.py", "#")
    script(tmp_path, "bots.toml", '[[bots]]\nname = "ducal"\nfolder = "ducal"\npython = "main.py"')
    [bot] = roster(tmp_path / "ducal")
    assert [bot] == roster(tmp_path / "bots.toml")
    assert [name for name, _ in bot.files] == ["helper.py", "main.py"]
    [alone] = roster(tmp_path / "ducal" / "main.py")
    assert (alone.name, len(alone.files)) == ("ducal", 1)


def test_folders_in_a_folder_of_bots(tmp_path: Path) -> None:
    """In a folder of bots a folder with a main program or a list counts too, and no other does."""
    for name in ("ant.py", "bee/main.sh", "cat/cat.py", "_dog/main.py", "data/main.txt"):
        script((tmp_path / name).parent, Path(name).name, FIRST)
    script(tmp_path / "elk", "elk.pl", FIRST)
    script(tmp_path / "elk", "bots.toml", '[[bots]]\nname = "moose"\ncommand = "perl elk.pl"')
    assert [bot.name for bot in roster(tmp_path)] == ["ant", "bee", "moose"]
    assert roster(tmp_path)[1:] == roster(tmp_path / "bee", tmp_path / "elk")


@pytest.mark.parametrize("lost", ["crow.js", "crow/main.rb"])
def test_a_script_without_permission_is_not_left_out(lost: str, tmp_path: Path) -> None:
    """A file in a folder of bots that begins with #! has to be executable, as one alone has."""
    for name in ("ant.py", "notes.txt"):
        script(tmp_path, name, FIRST)
    path = script((tmp_path / lost).parent, Path(lost).name, "#!/usr/bin/env node")
    path.chmod(0o644)
    with pytest.raises(BotsError, match=rf"{lost}: expected .+ executed \(chmod \+x\)"):
        roster(tmp_path)
    path.chmod(0o755)
    assert [bot.name for bot in roster(tmp_path)] == ["ant", "crow"]


def test_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot called main is named after its folder, also if that is the current folder."""
    script(tmp_path / "ducal", "main.sh", FIRST)
    monkeypatch.chdir(tmp_path / "ducal")
    assert [bot.name for bot in roster(Path())] == ["ducal"]
    assert [bot.name for bot in roster(Path("main.sh"))] == ["ducal"]


def test_two_main_programs(tmp_path: Path) -> None:
    """A folder with two programs called main is refused as ambiguous."""
    script(tmp_path / "ducal", "main.py", "#")
    script(tmp_path / "ducal", "main.sh", "#")
    assert "found main.py and main.sh" in complaint(tmp_path / "ducal")


def test_a_main_class(tmp_path: Path) -> None:
    """A class bot called main is named after its folder; several classes have their own names."""
    one, two = class_source(name="One"), class_source(name="Two")
    path = script(tmp_path / "ducal", "main.py", one)
    assert [bot.name for bot in resolve([str(path)], UNIQUE)] == ["ducal"]
    script(tmp_path / "ducal", "main.py", f"{one}\n{two}")
    assert [bot.name for bot in resolve([str(path.parent)], UNIQUE)] == ["One", "Two"]


# --- hints ---------------------------------------------------------------------------------------


def test_a_mistyped_file(folder: Path) -> None:
    """A path that does not exist is reported with a similar name in that folder."""
    script(folder, "fumbler.sh", "#")
    with pytest.raises(BotsError, match=f"Did you mean '{folder}/fumbler.sh'"):
        resolve([str(folder / "fumble.sh")], CARD)


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("java Foo", "names 'Foo', but Foo.class does not travel"),
        ("java -cp lib.jar Foo", "names 'lib.jar', and there is no such file"),
        ("node fox.js model.bin", "names 'model.bin', and there is no such file"),
        ("java Foo.java -v 1.5 --model=none.bin word x/y", ""),
    ],
)
def test_what_does_not_travel(command: str, told: str, folder: Path) -> None:
    """A doubt is recorded for a word that names a class, or a file that does not exist."""
    script(folder, "Foo.class", "x")
    for name in ("Foo.java", "fox.js"):
        script(folder.parent / "list", name, "x")
    script(folder.parent / "list", "Foo.class", "x")
    [bot] = roster(script(folder.parent / "list", "competitors.txt", f"Foo {command}"))
    assert told in " ".join(bot.doubts)
    assert bool(bot.doubts) == bool(told)


# --- lists that are too large --------------------------------------------------------------------


def test_a_list_that_nests_deeply(folder: Path) -> None:
    """TOML that nests too deeply to parse is refused like broken TOML."""
    script(folder, "bots.toml", f"a = {'[' * 10_000}")
    assert "bots.toml: expected TOML" in complaint(folder)


def test_a_list_that_is_too_long(folder: Path) -> None:
    """A list has at most a megabyte."""
    script(folder, "bots.toml", "#" * (1 << 20))
    assert "bots.toml: expected at most 1 MiB" in complaint(folder)


def test_a_list_of_too_much_together(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots of a list are not read further once they have too many bytes together."""
    monkeypatch.setattr(bot_lists, "MAX_TOTAL_BYTES", 2 << 20)
    (folder / "kit" / "large").write_bytes(bytes(1 << 20))
    listed(folder, *['folder = "kit"\npython = "main.py"'] * 4)
    assert "expected bots of at most 2 MiB together" in complaint(folder)


def test_a_thousand_problems(folder: Path) -> None:
    """A limited number of problems is reported, and the others are counted."""
    listed(folder, *['python = "gone.py"'] * 1000)
    told = complaint(folder).splitlines()
    assert (told[0], told[-1]) == ("1000 problems with the bots:", "  and 900 more")


def test_a_command_of_too_many_words(folder: Path) -> None:
    """A command has at most a thousand words, each of which is looked up in the folder."""
    listed(folder, f'command = "python3{" x" * 1000}"')
    assert "expected at most 1,000 words in 'command', found 1,001" in complaint(folder)


def test_a_problem_of_many_bytes(folder: Path) -> None:
    """A bot's list cannot fill the terminal: the middle of a long problem is left out."""
    listed(folder, *(f'python = "a.py"\nfolder = "{letter * 400_000}"' for letter in "xy"))
    told = complaint(folder)
    assert "number 1: there is no folder" in told
    assert told.count("xx'.") == told.count("yy'.") == 1
    assert len(told) < 2 * 2_100
