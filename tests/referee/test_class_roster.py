"""Class bots from files, folders, ``bots.toml`` and ``competitors.txt`` (SU-8)."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from referee.bot import Bot, check_names
from referee.errors import BotsError
from referee.in_bot.class_worker import NAME
from referee.roster.resolve import resolve
from schema import seal
from tests.referee.bot_factory import CARD, UNIQUE, class_bot, class_source, play, script

ONE = class_source(name="One")
TWO = class_source(name="Two", select="return 2")


def roster(*given: Path | str) -> list[Bot]:
    """Return the bots that these words of a command name."""
    return resolve([str(word) for word in given], UNIQUE)


def complaint(*given: Path | str) -> str:
    """Return the message that refuses these bots."""
    with pytest.raises(BotsError) as error:
        roster(*given)
    return str(error.value)


def choice(folder: Path, bot: Bot) -> int | None:
    """Return the first choice of a bot, or None if it is disqualified before it."""
    other = class_bot(folder, "other", select="return 9")
    played = play(folder, bot, other, card=UNIQUE, seats=2, rounds=1)
    rounds: list[int] = [e["choices"][0] for e in played.events if e["type"] == "round"]
    return rounds[0] if played.result.reason == "played" else None


def test_a_file_with_one_class(tmp_path: Path) -> None:
    """A bot has the file's name, not that of the class, and runs with this Python."""
    [bot] = roster(script(tmp_path, "fox.py", ONE))
    assert (bot.name, bot.command) == ("fox", (sys.executable, "fox.py"))
    assert choice(tmp_path, bot) == 1
    [option] = roster(script(tmp_path, "-c.py", ONE))  # as the interpreter's
    expected = seal.bot_hash({"-c.py": option.files[0][1].content}, (), option.class_name)
    assert (option.name, option.hash) == ("-c", expected)
    assert choice(tmp_path / "c", option) == 1


def test_a_file_with_several_classes(tmp_path: Path) -> None:
    """Each class is a bot with its own name, in the order of the file."""
    one, two = roster(script(tmp_path, "zoo.py", f"{TWO}\n{ONE}"))
    assert (one.name, two.name) == ("Two", "One")
    assert one.files_hash == two.files_hash
    assert one.hash != two.hash
    assert (choice(tmp_path / "1", one), choice(tmp_path / "2", two)) == (2, 1)
    played = play(tmp_path / "3", one, two, card=UNIQUE, seats=2, rounds=1)
    assert [event["choices"] for event in played.events if event["type"] == "round"] == [[2, 1]]


SAMPLES = {
    "an alias": f"{TWO}\nBot = main = Two\n",
    "a method by assignment elsewhere": f"{TWO}\nclass Lazy:\n    select = update = print\n",
    "a class made by a call": f"{TWO}\nMade = type('Made', (object,), dict(vars(Two)))\n",
    "a class of another file": f"from random import Random\n{TWO}\n",
    "a base class": f"{ONE}\nclass Two(One):\n    def select(self): return 2\n",
    "an abstract base class": "import abc\nclass Base(abc.ABC):\n"
    "    def __init__(self, index): pass\n    @abc.abstractmethod\n    def select(self): ...\n"
    "    def update(self, choices): pass\nclass Two(Base):\n    def select(self): return 2\n",
    "bases of bases": "class A:\n    def __init__(self, i): pass\n    def update(self, c): pass\n"
    "class B(A):\n    def select(self): return 1\nclass C(B):\n    def select(self): return 2\n",
    "classes that help": f"import enum\nclass Help(enum.Enum):\n    TWO = 2\nclass Half:\n"
    f"    def select(self): pass\n{TWO}\n",
    "a dataclass": "from dataclasses import dataclass\n@dataclass\nclass Two:\n    index: int\n"
    "    def select(self): return 2\n    def update(self, choices): pass\n",
    "a class within a class": f"{TWO}\n    class Inner:\n        def select(self): 1\n"
    "        def update(self, choices): 1\n",
    "what is run as a script": f"{TWO}\nif __name__ == '__main__':\n    raise SystemExit(1)\n",
    "another encoding": f"# coding: latin-1\nname = 'é'\n{TWO}\n",
    "a byte order mark": f"\ufeff{TWO}\n",
    "Windows newlines": TWO.replace("\n", "\r\n"),
}


@pytest.mark.parametrize("source", SAMPLES.values(), ids=SAMPLES)
def test_what_else_is_in_the_file(source: str, tmp_path: Path) -> None:
    """A file with one class that can play is one bot, even if it holds other code."""
    path = tmp_path / "bot.py"
    path.write_text(source, newline="", encoding="latin-1" if "latin" in source else None)
    [bot] = roster(path)
    assert bot.name == "bot"
    assert choice(tmp_path, bot) == 2


@pytest.mark.parametrize(
    "source",
    [
        b"def broken(",
        b"class \xff:",
        b"x = 1\0",
        b"(" * 5000,
        b"class A:\n  def select(self): 1\n 2",
    ],
    ids=["syntax", "encoding", "zero byte", "nesting", "indentation"],
)
def test_a_file_that_is_no_python(source: bytes, tmp_path: Path) -> None:
    """A class that fails is still a bot: it plays, and is disqualified (SU-9)."""
    (tmp_path / "broken.py").write_bytes(source)
    [bot] = roster(tmp_path / "broken.py")
    assert (bot.name, choice(tmp_path, bot)) == ("broken", None)


@pytest.mark.parametrize(
    "source",
    [
        "",
        "x = 1",
        "class A: pass",
        "class A:\n    def select(self): return 1",
        "def select(): pass",
    ],
)
def test_a_file_without_a_bot(source: str, tmp_path: Path) -> None:
    """A file without a class that can play is refused, and the message says what is expected."""
    path = script(tmp_path, "empty.py", source)
    assert complaint(path).startswith(
        f"{path}: expected a class with select and update, found none."
    )


def test_a_folder(tmp_path: Path) -> None:
    """A folder holds the bots of all its files."""
    script(tmp_path, "b.py", f"{ONE}\n{TWO}")
    script(tmp_path, "a.py", ONE)
    script(tmp_path, "_part.py", "")
    assert [bot.name for bot in roster(tmp_path)] == ["a", "One", "Two"]


def test_classes_of_one_name(tmp_path: Path) -> None:
    """Two files with classes of the same name are refused."""
    for name in ("a.py", "b.py"):
        script(tmp_path, name, f"{ONE}\n{TWO}")
    with pytest.raises(BotsError, match=r"two bots are called 'One'.*bots\.toml"):
        check_names(roster(tmp_path))


def test_a_class_name_that_is_too_long(tmp_path: Path) -> None:
    """A class's name that no log may hold is refused, like such a name of a file."""
    source = f"{ONE}\n{class_source(name='X' * 65)}"
    assert "1 to 64 printable characters" in complaint(script(tmp_path, "long.py", source))


# --- bots.toml and competitors.txt ---------------------------------------------------------------


def test_a_large_file_has_its_class_named(tmp_path: Path) -> None:
    """The class in a file that is too large to be parsed plays if a ``bots.toml`` names it."""
    path = script(tmp_path, "large.py", f"{TWO}\n#{'#' * (128 << 10)}")
    assert "large.py: expected at most 128 KiB of Python in which to find a class" in complaint(
        path
    )
    [bot] = roster(toml(tmp_path, 'name = "large"\npython = "large.py"\nclass = "Two"'))
    assert choice(tmp_path, bot) == 2


def toml(folder: Path, *entries: str) -> Path:
    """Return a ``bots.toml``."""
    return script(folder, "bots.toml", "\n".join(f"[[bots]]\n{entry}" for entry in entries))


def test_a_class_by_its_name(tmp_path: Path) -> None:
    """``class`` names one of several classes, which may be defined anywhere in the module."""
    script(tmp_path, "zoo.py", f"{ONE}\n{TWO}\nThree = type('', (Two,), {{'select': lambda s: 3}})")
    names = ("One", "Two", "Three")
    path = toml(tmp_path, *(f'name = "{n}-1"\npython = "zoo.py"\nclass = "{n}"' for n in names))
    bots = roster(path)
    assert [bot.name for bot in bots] == ["One-1", "Two-1", "Three-1"]
    assert [choice(tmp_path / bot.name, bot) for bot in bots] == [1, 2, 3]


@pytest.mark.parametrize(
    "source",
    [
        "try:\n    import numpy_that_is_not_there\nexcept ImportError:\n    pass\n" + TWO,
        "if True:\n" + textwrap.indent(TWO, "    "),
        "try:\n    import os\n" + textwrap.indent(TWO, "    ") + "\nfinally:\n    pass",
        "def make():\n" + textwrap.indent(TWO, "    ") + "\n    return Two\nTwo = make()",
        "with open(__file__) as file:\n" + textwrap.indent(TWO, "    "),
        "from random import *\n" + TWO + "\nfrom math import pi as Three",
    ],
    ids=["at the top", "if", "try", "a function", "with", "imports"],
)
def test_a_class_by_its_name_wherever_it_is_made(source: str, tmp_path: Path) -> None:
    """A class that is defined under a condition can be named, like one at the top."""
    script(tmp_path, "zoo.py", source)
    [bot] = roster(toml(tmp_path, 'name = "a"\npython = "zoo.py"\nclass = "Two"'))
    assert choice(tmp_path, bot) == 2


@pytest.mark.parametrize("names", ["Two", "Other as Two", "*"])
def test_a_class_that_is_imported(names: str, tmp_path: Path) -> None:
    """A class of another module has the name under which it is imported."""
    script(tmp_path, "zoo.py", f"from helper import {names}")
    [bot] = roster(toml(tmp_path, 'name = "a"\npython = "zoo.py"\nclass = "Two"'))
    assert bot.class_name == "Two"


@pytest.mark.parametrize("source", [ONE, "from helper import Ome as One"])
def test_a_class_that_is_not_there(source: str, tmp_path: Path) -> None:
    """A missing class is reported with the name that was probably meant."""
    script(tmp_path, "zoo.py", source)
    told = complaint(toml(tmp_path, 'name = "a"\npython = "zoo.py"\nclass = "Ome"'))
    assert told.endswith("there is no class 'Ome'. Did you mean 'One'?")


@pytest.mark.parametrize(
    "command", ['"python3 zoo.py"', '"./zoo.py"', '["python3", "zoo.py"]'], ids=str
)
def test_a_command_that_runs_a_python_file(command: str, tmp_path: Path) -> None:
    """A class bot is given by an interpreter and a file, or by a file alone."""
    script(tmp_path, "zoo.py", TWO).chmod(0o755)
    [bot] = roster(toml(tmp_path, f'name = "a"\ncommand = {command}'))
    assert choice(tmp_path, bot) == 2


def test_the_files_beside_a_bot(tmp_path: Path) -> None:
    """With ``folder`` a bot has all files of that folder: modules to import, and data."""
    kit = tmp_path / "kit"
    source = class_source(select="return helper.add(TWO)")
    script(kit, "main.py", f"import helper\nfrom pack.part import TWO\n{source}")
    script(kit, "helper.py", "def add(n): return n + int(open('data/three.txt').read())")
    script(kit / "pack", "part.py", "TWO = 2")
    script(kit / "data", "three.txt", "3")
    [bot] = roster(toml(tmp_path, 'name = "kit"\npython = "main.py"\nfolder = "kit"'))
    assert choice(tmp_path, bot) == 5


def test_the_files_beside_a_bot_in_a_folder_of_its_folder(tmp_path: Path) -> None:
    """A bot can import the modules in the folder of its file, as if Python ran the file."""
    script(
        tmp_path / "kit" / "src",
        "main.py",
        f"import helper\n{class_source(select='return helper.FIVE')}",
    )
    script(tmp_path / "kit" / "src", "helper.py", "FIVE = 5")
    [bot] = roster(toml(tmp_path, 'name = "kit"\npython = "src/main.py"\nfolder = "kit"'))
    assert choice(tmp_path, bot) == 5


def test_a_module_beside_a_lone_file_is_not_there(tmp_path: Path) -> None:
    """Without ``folder`` a bot has its own file only, and no other file of that folder."""
    script(tmp_path, "helper.py", "FIVE = 5")
    [bot] = roster(script(tmp_path, "main.py", f"import helper\n{ONE}"))
    assert choice(tmp_path, bot) is None


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ('python = "zoo.py"', "expected 'class' to name one of One, Two, found no 'class'"),
        ('python = "gone.py"\nclass = "One"', "there is no file"),
        ('python = "none.py"', "expected a class with select and update, found none"),
        ('command = "sh bot.sh"', "expected a .py file, found 'sh bot.sh'"),
        ('command = "true"', "expected a .py file, found 'true'"),
        ('command = "true"\nclass = "One"', "expected a .py file, found 'true'"),
        ('command = "python3 -O zoo.py"', "expected a .py file, found 'python3 -O zoo.py'"),
        ('python = "zoo.py"\nclass = ""', "expected text as 'class'"),
        ('python = "zoo.py"\nclass = 1', "expected text as 'class'"),
        ('python = "zoo.py"\nklass = "One"', "unknown key 'klass'. Did you mean 'class'?"),
    ],
)
def test_a_broken_toml(entry: str, told: str, tmp_path: Path) -> None:
    """An invalid class bot is reported with its file and with what is expected."""
    script(tmp_path, "zoo.py", f"{ONE}\n{TWO}")
    script(tmp_path, "none.py", "x = 1")
    script(tmp_path, "bot.sh", "echo 1")
    complained = complaint(toml(tmp_path, f'name = "a"\n{entry}'))
    assert complained.startswith(f"{tmp_path}/bots.toml: [[bots]] number 1")
    assert told in complained


def test_a_class_in_a_game_without_classes(tmp_path: Path) -> None:
    """``class`` is refused in games whose bots are scripts."""
    script(tmp_path, "zoo.py", ONE)
    path = toml(tmp_path, 'name = "a"\npython = "zoo.py"\nclass = "One"')
    with pytest.raises(BotsError, match="leave out 'class'"):
        resolve([str(path)], CARD)


def test_a_competitors_file(tmp_path: Path) -> None:
    """A line names an interpreter and a file with one class."""
    script(tmp_path, "fox.py", TWO)
    [bot] = roster(script(tmp_path, "competitors.txt", "# all\nFox python3 fox.py"))
    assert (bot.name, bot.command) == ("Fox", ("python3", "fox.py"))
    assert choice(tmp_path, bot) == 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Zoo python3 zoo.py", "One, Two"),
        ("Miser sh miser.sh", "bots of this game are Python classes"),
        ("Miser /bin/true", "bots of this game are Python classes"),
    ],
)
def test_a_broken_competitors_file(line: str, told: str, tmp_path: Path) -> None:
    """A file of several classes, or a command without a Python file, is reported by line."""
    script(tmp_path, "zoo.py", f"{ONE}\n{TWO}")
    script(tmp_path, "miser.sh", "echo 1")
    complained = complaint(script(tmp_path, "competitors.txt", f"\n{line}"))
    assert complained.startswith(f"{tmp_path}/competitors.txt:2: ")
    assert told in complained


@pytest.mark.parametrize("name", ["miser.sh", "miser"])
def test_a_script_in_a_game_of_classes(name: str, tmp_path: Path) -> None:
    """A shell script or a program is refused, and the message says what can play."""
    path = script(tmp_path, name, "#!/bin/sh\necho 1")
    path.chmod(0o755)
    assert complaint(path).startswith(f"{path}: bots of this game are Python classes; expected")


@pytest.mark.parametrize("file", [NAME, f"{NAME}/data.txt"])
def test_a_file_with_the_name_of_the_worker(file: str, tmp_path: Path) -> None:
    """A class bot has no file or folder with the name of the program that runs it."""
    script(tmp_path / "fox", "main.py", ONE)
    script((tmp_path / "fox" / file).parent, Path(file).name, "")
    assert f"has the name {NAME}" in complaint(tmp_path / "fox")
