"""Which processes bots share, in words: :mod:`referee.self_contained.sharing`."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from referee.bot import MAX_SOURCE, BotFile
from referee.self_contained.sharing import Sharing, sharing
from tests.referee import test_class_proof, test_script_proof
from tests.referee.test_class_proof import made as class_bot
from tests.referee.test_script_proof import made as script

REASONS = {
    "line 1: import time": "import time\nprint(1)",
    "line 3: except Exception:": "try:\n  print(1)\nexcept Exception:\n  print(2)",
    "line 2: id = 3": "x = 1\nid = 3",
    "line 4: def g(): return f": "def f():\n  return 1\nprint(f())\ndef g(): return f\n",
    "line 2: x = 'é'.__class__": "if True:\n  x = 'é'.__class__",
    "line 2: y = id": "x = 1  # \x0c\u2028\ny = id",
    "it is not valid Python": "print(",
    "its code is nested too deeply": f"x = {'-' * 990}1",
}


@pytest.mark.parametrize(("reason", "source"), REASONS.items(), ids=REASONS)
def test_the_first_line_that_the_proof_rejects_is_shown(reason: str, source: str) -> None:
    """A script without a proof has a process per decision, and the reason is a line or a fact."""
    assert sharing(script(source), "argv") == Sharing("one per decision", reason)


def test_a_proof_is_shown() -> None:
    """A bot with a proof shares its process, and has no reason."""
    assert sharing(script("print(1)"), "file") == Sharing("shared", "")
    assert sharing(class_bot("class Bot: pass"), "class") == Sharing("shared", "")


def test_a_class_that_is_nested_too_deeply_is_not_shared() -> None:
    """A class whose code has too many levels for the proof shares no process."""
    bot = class_bot(f"class Bot:\n  def f(self): return {'-' * 600}1")
    assert sharing(bot, "class") == Sharing("one per match", "its code is nested too deeply")


def test_facts_are_shown() -> None:
    """A reason outside of the source is a fact about the command or the files."""
    bot = script("print(1)", "org.py")
    assert sharing(bot, "argv").reason == "a file is called org"
    bot = script("print(1)", "folder/json.py")
    assert sharing(bot, "argv").reason == "a file is called json"
    large = ("large.py", BotFile(b"#" * MAX_SOURCE, executable=False))
    bot = replace(bot, files=(bot.files[0], large))
    assert sharing(bot, "argv").reason == "it starts as a command"
    other = replace(script("print(1)"), command=("node", "bot.py"))
    assert sharing(other, "argv").reason == "it runs in node"
    other = replace(other, command=("node", "bot.py", "--quick"))
    assert "its command" in sharing(other, "argv").reason
    assert sharing(other, "stream") == Sharing("one per match", "the protocol stream")
    two = class_bot("LOW = 1\ndef f(LOW): return LOW")
    assert sharing(two, "class").reason == "a name stands for two things"
    number = class_bot("class Bot:\n  def as_integer_ratio(self): return 1, 2")
    assert sharing(number, "class").reason == "its objects have as_integer_ratio, as numbers have"
    another = replace(class_bot("class Bot: pass"), command=("/opt/python3", "bot.py"))
    assert sharing(another, "class") == Sharing("one per match", "it runs in /opt/python3")


@pytest.mark.parametrize("source", test_script_proof.TELLING.values())
def test_every_rejected_script_has_a_reason(source: str) -> None:
    """Each script that the proof rejects has a reason; a line, if its code is at fault."""
    reason = sharing(script(source), "argv").reason
    assert reason
    assert reason.startswith("line ") or not is_python(source)


@pytest.mark.parametrize("source", test_class_proof.TELLING.values())
def test_every_rejected_class_has_a_reason(source: str) -> None:
    """Each class that the proof rejects has a reason."""
    assert sharing(class_bot(source), "class").reason


def is_python(source: str) -> bool:
    """Return whether a text is valid Python."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True
