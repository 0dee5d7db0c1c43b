"""Class bots of which one class serves all matches: which do, and that nothing leaks in those."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from referee import class_copies
from referee.bots import Bot, BotFile
from referee.class_copies import Copy, Source
from referee.class_sharing import is_shareable
from referee.roster import resolve
from tests.referee.making_bots import UNIQUE, class_source
from tests.referee.test_blocks import calm, cup, in_step, one_by_one


def made(source: str, *beside: str) -> Bot:
    """A bot of this source, with other files beside it."""
    files = ((name, BotFile(b"", False)) for name in beside)
    written = ("bot.py", BotFile(source.encode(), False))
    return Bot("bot", (sys.executable, "bot.py"), (written, *files), "Bot")


def test_the_examples_are_shared() -> None:
    """Every example bot keeps what it keeps in ``self``."""
    assert all(map(is_shareable, resolve(["examples"], UNIQUE)))


KEEPS_NOTHING = {
    "constants": "LOW, HIGH = 1, 10\nALL: tuple[int, ...] = (LOW, -HIGH * 2)\n"
    "NUMBERS = range(1, 9)",
    "modules": "from __future__ import annotations\nimport os, random as dice\n"
    "from collections import Counter\nfrom random import Random",
    "functions": "def one(kind=(1, 2), *, high=10):\n  return [kind for number in (1, 2)]",
    "classes": "class Base:\n  __slots__ = ('kept',)\n  LIMIT = 3\n  def __init__(self):\n"
    "    self.kept = self.LIMIT\n  @property\n  def twice(self): return 2 * self.kept\n"
    "  @staticmethod\n  def one(): return 1\n"
    "class Bot(Base):\n  def __init__(self, index):\n    super().__init__()\n    self.kept += 1\n"
    "    self.__seen = [1]; self.__seen[0] = 2; del self.kept",
    "closures": "def f():\n  count = 0\n  def g():\n    nonlocal count\n    count += 1\n  return g",
}


@pytest.mark.parametrize("source", KEEPS_NOTHING.values(), ids=KEEPS_NOTHING)
def test_what_keeps_nothing_is_shared(source: str) -> None:
    """Constants, functions and classes as bots usually have them are no reason for copies."""
    assert is_shareable(made(source))


KEEPS = {
    "a list": "kept = []",
    "a list in a tuple": "kept = (1, [2])",
    "a call": "kept = dict()",
    "a list of a class": "class Bot:\n  kept = []",
    "a default": "def f(kept=[]): return kept",
    "a default in a method": "class Bot:\n  def f(self, *, kept={}): return kept",
    "a default of a lambda": "class Bot:\n  def f(self): return lambda kept=[]: kept",
    "a global": "kept = 0\ndef f():\n  global kept\n  kept += 1",
    "an attribute of a class": "class Bot:\n  kept = 0\n  def f(self): Bot.kept += 1",
    "an attribute of its class": "class Bot:\n  kept = 0\n  def f(self): type(self).kept = 1",
    "the class by its name": "class Bot:\n  def f(self): self.__class__.kept = 1",
    "a class method": "class Bot:\n  @classmethod\n  def f(cls): cls.kept = 1",
    "a class called self": "class Bot:\n  @classmethod\n  def f(self): self.kept = 1",
    "a subclass called self": "class Bot:\n  def __init_subclass__(self): self.kept = 1",
    "a class made by itself": "class Bot:\n  def __new__(self): self.kept = 1",
    "another thing called self": "class Bot:\n  def f(self, it):\n    self = it; self.kept = 1",
    "a match called self": "def f(it):\n  match it:\n    case [*self]: self.kept = 1",
    "an error called self": "def f():\n  try: g()\n  except E as self: self.kept = 1",
    "a function's self": "def f(self): self.kept = 1",
    "a lambda's self": "f = None\ndef g(): return lambda self: self",
    "an attribute of a function": "def f(): f.kept = 1",
    "a deleted attribute": "class Bot:\n  def f(self): del Bot.f",
    "a module's attribute": "import math\nmath.kept = 1",
    "setattr": "class Bot:\n  def f(self): setattr(Bot, 'kept', 1)",
    "setattr by another name": "change = setattr",
    "a namespace": "class Bot:\n  def f(self): vars(self)",
    "a dictionary": "class Bot:\n  def f(self): Bot.__dict__",
    "the builtins": "def f(): __builtins__['kept'] = 1",
    "a range of its own": "def range(n): return []\nkept = range(3)",
    "a module called range": "import math as range",
    "a cache": "import functools\n@functools.cache\ndef f(): return []",
    "a decorated class": "import functools\n@functools.total_ordering\nclass Bot: pass",
    "a base of others": "import random\nclass Bot(random.Random): pass",
    "a metaclass": "class Bot(metaclass=type): pass",
    "a module of its own": "import helper",
    "a name out of that": "from helper import kept",
    "a package of its own": "import package",
    "a module beside it": "from . import helper",
    "any other module": "import json",
    "a name of the system": "from os import environ",
    "the hidden generator": "from random import choice",
    "all of the generator": "from random import *",
    "everything": "from math import *",
    "an import in between": "def f():\n  import math",
    "an import in a class": "class Bot:\n  import math",
    "a condition": "if 1 > 0: LOW = 1",
    "a call in passing": "import random\nrandom.seed(1)",
    "no Python": "class Bot",
}


@pytest.mark.parametrize("source", KEEPS.values(), ids=KEEPS)
def test_what_may_keep_something_is_copied(source: str) -> None:
    """Whatever could outlive a match outside of an instance gives each match its own copy."""
    assert not is_shareable(made(source, "helper.py", "package/__init__.py"))


def test_a_module_in_its_folder_is_its_own() -> None:
    """A file beside the bot is what it imports, whatever the library calls so."""
    assert is_shareable(made("import math"))
    assert not is_shareable(made("import math", "math.py"))


OWN = """
import os, random
class Bot:
    def __init__(self, index):
        self.seed = os.environ['KOTH_BOT_SEED']
        random.seed(self.seed)
        self.choice = random.choice
    def select(self):
        assert self.seed == os.environ['KOTH_BOT_SEED'] == os.getenv('KOTH_BOT_SEED')
        return self.choice(range(1, 6)) + random.randint(0, 5)
    def update(self, choices):
        random.shuffle(choices)
"""


@pytest.mark.parametrize("isolation", ["process", "none"])
def test_a_shared_class_finds_its_matchs_dice(isolation: str, tmp_path: Path) -> None:
    """The hidden generator and the environment are each match's own: the logs are as ever."""
    bots = [made(OWN), calm(tmp_path)]
    assert is_shareable(bots[0])
    found = cup(tmp_path / "cup", bots, isolation=isolation, games_per_entrant=3)
    assert found == one_by_one(tmp_path / "single", bots, games_per_entrant=3)
    if isolation == "process":
        assert all(in_step(tmp_path / "cup").values())


def test_a_class_is_loaded_once(tmp_path: Path) -> None:
    """All matches have the class of a bot that is shared, and a class each of one that is not."""
    (tmp_path / "bot.py").write_text(class_source())
    class_copies.begin()
    for shared in True, False:
        source = Source(str(tmp_path), "bot.py", "Bot", shared)
        copies = [Copy(source, {}) for _ in range(2)]
        for copy in copies:
            copy.load()
        assert (copies[0].bot_class is copies[1].bot_class) == shared


SLY = """
class Bot:
    games = 0
    def __init__(self, index):
        Bot.count(Bot)
        self.mark = Bot.games
    def count(self):
        self.games += 1
    def select(self):
        return self.mark
    def update(self, choices):
        pass
"""


def test_who_changes_a_shared_class_is_played_singly(tmp_path: Path) -> None:
    """What the source does not tell of is found when the block is over: the logs are as ever."""
    sly = made(SLY)
    assert is_shareable(sly)
    bots = [sly, calm(tmp_path)]
    assert cup(tmp_path / "cup", bots) == one_by_one(tmp_path / "single", bots)
    assert not any(in_step(tmp_path / "cup").values())
