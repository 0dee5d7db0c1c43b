"""Class bots that may share a process: only those from which nothing can leak."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bot import Bot, BotFile
from referee.roster.resolve import resolve
from referee.self_contained.proof import shares_nothing
from tests.referee.bot_factory import UNIQUE
from tests.referee.spoiling import spoiled
from tests.referee.test_blocks import calm, cup, in_step, one_by_one


def made(source: str | bytes, *beside: str) -> Bot:
    """Return a bot of this source, with these other files in its folder."""
    files = ((name, BotFile(b"", False)) for name in beside)
    content = source.encode() if isinstance(source, str) else source
    written = ("bot.py", BotFile(content, False))
    return Bot("bot", (sys.executable, "bot.py"), (written, *files), "Bot")


def test_the_examples_are_shared() -> None:
    """Every example bot may share a process, because it keeps its state in ``self``."""
    assert all(map(shares_nothing, resolve(["examples"], UNIQUE)))


KEEPS_NOTHING = {
    "constants": "LOW, HIGH = 1, 10\nALL: tuple[int, ...] = (LOW, -HIGH * 2)\n"
    "NUMBERS = range(1, 9)\nLIMIT: int\nclass Bot:\n  limit: int",
    "modules": "from __future__ import annotations\nimport os, random as dice\n"
    "from collections import Counter\nfrom random import Random",
    "functions": "def one(kind=(1, 2), *, low, high=10):\n  '100 %'\n"
    "  return [kind for number in (1, 2)]",
    "classes": "class Base:\n  __slots__ = ('kept',)\n  LIMIT = 3\n  def __init__(self):\n"
    "    self.kept = self.LIMIT\n  @property\n  def twice(self): return 2 * self.kept\n"
    "  @staticmethod\n  def one(): return 1\n"
    "class Bot(Base):\n  def __init__(self, index):\n    super().__init__()\n    self.kept += 1\n"
    "    self.__seen = [1]; self.__seen[0] = 2; del self.kept\n  def __more(self): self.__more()",
    "closures": "def f():\n  count = 0\n  def g():\n    nonlocal count\n    count += 1\n  return g",
}


@pytest.mark.parametrize("source", KEEPS_NOTHING.values(), ids=KEEPS_NOTHING)
def test_what_keeps_nothing_is_shared(source: str) -> None:
    """A bot that keeps nothing outside of its instances may share a process."""
    assert shares_nothing(made(source))


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
    "another parameter called self": "class Bot:\n  def f(it, self): self.kept = 1",
    "any parameter called self": "class Bot:\n  def f(*self): self.kept = 1",
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
    "an imported base": "from random import Random\nclass Bot(Random): pass",
    "an error as a base": "class Bot(KeyError): pass",
    "another future": "from __future__ import division",
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
    "a method by another name": "class A:\n  count = 1\ndef g(): pass\nclass Bot:\n"
    "  def count(self): self.kept = 1\n  other = count\n  def f(self): Bot.other(g)",
    "a method called range": "class Bot:\n  def range(self): return []\n  kept = range(1)",
    "the annotations of a class": "class Bot:\n  __annotations__: int\n"
    "  def f(self): Bot.__annotations__.update({1: 1})",
    "a special method of a class": "def g(): pass\nclass Bot:\n  __setattr__: int\n"
    "  def f(self): Bot.__setattr__(g, 'kept', 1)",
    "a class called as a module": "import heapq as Kept\ndef g(): pass\nclass Kept:\n"
    "  def heapify(self): self.kept = 1\nclass Bot:\n  def f(self): Kept.heapify(g)",
    "a class imported later": "def f(): return Kept\nfrom random import Random as Kept",
    "the list of its classes": "class A: mro = 1\nclass Bot:\n  games = 0\n"
    "  def count(self): self.games += 1\n"
    "  def f(self):\n    for kind in Bot.mro(): kind.count(kind)",
    "a method by its private name": "def g(): pass\nclass Bot:\n  _Bot__mark = 1\n"
    "  def __mark(self): self.kept = 1\n  def f(self): Bot._Bot__mark(g)",
    "a module by its private name": "import statistics as _Bot__Kept\nclass __Kept: random = 1\n"
    "class Bot:\n  def f(self):\n    dice = __Kept.random\n    dice.seed(7)",
    "a decorator of its own": "class Bot:\n  def property(self): return []\n"
    "  @property\n  def kept(self): return 1\n  def f(self): self.kept.append(1)",
    "another decorator of its own": "class Bot:\n  def staticmethod(it): return []\n"
    "  @staticmethod\n  def kept(): return 1\n  def f(self): self.kept.append(1)",
    "a static method's self": "def g(): pass\nclass Bot:\n  @staticmethod\n"
    "  def count(self): self.kept = 1\n  def f(self): self.count(g)",
    "the class as a value": "class Bot:\n  games = 0\n  def count(self): self.games += 1\n"
    "  def f(self):\n    kind = Bot\n    kind.count(kind)",
    "the class of an instance": "class Bot:\n  games = 0\n  def count(self): self.games += 1\n"
    "  def f(self):\n    kind = self.__class__\n    kind.count(kind)",
    "the class through its base": "class Bot:\n  games = 0\n  def count(self): self.games += 1\n"
    "  def f(self):\n    kind = super().__getattribute__('__class__')\n    kind.count(kind)",
    "the generator of another module": "import statistics\ndef f():\n  module = statistics\n"
    "  dice = module.random\n  dice.seed(7)",
    "a process of its own": "import os\ndef f(): os.fork()",
    "a future of its own": "from .__future__ import annotations\ndef f(): annotations.append(1)",
}


@pytest.mark.parametrize("source", KEEPS.values(), ids=KEEPS)
def test_what_may_keep_something_is_not_shared(source: str) -> None:
    """A bot with state that could outlive a match and is not in an instance shares no process."""
    assert not shares_nothing(made(source, "helper.py", "package/__init__.py"))


def test_a_module_in_its_folder_is_its_own() -> None:
    """A bot that imports a file of its folder, not the library's module, shares no process."""
    assert shares_nothing(made("import math"))
    assert not shares_nothing(made("import math", "math.py"))


def test_a_module_beside_a_class_in_a_folder_is_its_own(tmp_path: Path) -> None:
    """A bot in a folder imports the file beside it in a batch, as in a match by itself."""
    source = b"""from statistics import fmean
class Bot:
    def __init__(self, index): self.choice = int(fmean([3]))
    def select(self): return self.choice
    def update(self, choices): pass
"""
    files = {"in/bot.py": source, "in/statistics.py": b"def fmean(data): return 9\n"}
    kept = tuple((name, BotFile(content, False)) for name, content in files.items())
    bots = [Bot("bot", (sys.executable, "in/bot.py"), kept, "Bot"), calm(tmp_path)]
    assert cup(tmp_path / "cup", bots) == one_by_one(tmp_path / "single", bots)


@pytest.mark.parametrize("source", [b"# Zo\xeb's bot", b"# coding: latin-1"])
def test_a_source_in_another_encoding_is_not_shared(source: bytes) -> None:
    """Python may read a file that is not in UTF-8 in another way than its bytes."""
    assert shares_nothing(made(b"# Zo\xc3\xab's bot"))
    assert not shares_nothing(made(source))


@pytest.mark.parametrize(
    "beside", ["org.py", "numbers.py", "decimal.so", "__pycache__/bot.cpython-311.pyc"]
)
def test_a_module_that_the_library_imports_is_no_bots_own(beside: str) -> None:
    """A bot with a file that a library module could import instead shares no process."""
    assert shares_nothing(made("import statistics", "notes.txt"))
    assert not shares_nothing(made("import statistics", beside))


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
    """Each match has its own random generator and environment: the logs are unchanged."""
    bots = [made(OWN), calm(tmp_path)]
    assert shares_nothing(bots[0])
    found = cup(tmp_path / "cup", bots, isolation=isolation, games_per_entrant=3)
    assert found == one_by_one(tmp_path / "single", bots, games_per_entrant=3)
    if isolation == "process":
        assert all(in_step(tmp_path / "cup").values())


TELLING = {
    "heapq's own list": "import heapq\nclass Bot:\n  def select(self): heapq.__all__.append(1)",
    "a module as a value": "import heapq\ndef f():\n  h = heapq\n  return h.__all__",
    "the seed of the interpreter": "from random import seed",
    "a generator's frame": "def f():\n  g = (i for i in ())\n  return g.gi_frame.f_globals",
    "a frame by an attribute of its own": "class Bot:\n  def f(self):\n    self.gi_frame = 1\n"
    "def g(it): return it.gi_frame",
    "a function's globals": "def f(): return f.__globals__",
    "attrgetter": "from operator import attrgetter",
    "a template": "def f(it): return '{0.__class__}'.format(it)",
    "another template": "def f(it): return '%s' % it",
    "a template by a number": "def f(it): return f'{37:c}s' % it",
    "a template by a name": "KIND = 'c'\ndef f(it): return f'{37:{KIND}}s' % it",
    "an instance called as a constant": "LOW = 1\nclass Bot:\n  def f(LOW): return f'{LOW}'",
    "a parameter called as a constant": "LOW = 1\nclass Bot:\n  @staticmethod\n"
    "  def f(LOW): return f'{LOW}'",
    "the text of an object": "class Bot:\n  def f(self): return f'{self}'",
    "the text of a function": "def f(): return str(f)",
    "text by another name": "def f(): return [*map(str, [f])]",
    "an address": "def f(it): return id(it)",
    "a hash": "def f(it): return hash(it)",
    "the order of a set": "def f(): return [*{f, len}]",
    "a set by a function": "def f(it): return [*set(it)]",
    "the order of a set in calls": "def f(it): return sorted({f, len}, key=it)",
    "a set of keys": "def f(it): return it.keys()",
    "views as sets": "def f(it): return it.items() & it.items()",
    "printing into itself": "class Bot:\n  def write(self, text): self.text = text\n"
    "  def f(self): print(len, file=self)",
    "no more memory": "def f():\n  try: return [0] * 10**10\n  except MemoryError: return 1",
    "any error": "def f():\n  try: return [0] * 10**10\n  except: return 1",
    "any exception": "def f():\n  try: return [0] * 10**10\n  except Exception: return 1",
    "the end of a failure": "def f():\n  try: return [0] * 10**10\n  finally: return 1",
    "attributes by a pattern": "def f(it):\n  match it:\n    case object(gi_frame=x): return x",
    "a list in an annotation": "def f(it: (kept := [])): return kept",
    "a class called self itself": "class self: pass\ndef f(): self.kept = 1",
    "a function called self": "def self(): pass\ndef f(): self.kept = 1",
    "a method as if it were a constant": "class Bot:\n  count = 1\n  def count(self): self.x = 1\n"
    "def f(): Bot.count(f)",
    "a method by default": "class Bot:\n  def count(self): self.x = 1\n"
    "  def g(self, change=count): change(len)",
    "a method of a library's class": "from random import Random\ndef f(it): Random.seed(it, 1)",
    "a class of a library as a value": "import random\ndef f():\n  R = random.Random\n  return R",
    "the environment as a value": "import os\ndef f(): return os.environ",
    "something in the environment": "import os\ndef f(it): os.environ['X'] = it",
    "the owner of a descriptor": "class Mark:\n  def __set_name__(self, owner, name): pass",
    "what ends with an object": "class Bot:\n  def __del__(self): pass",
    "a comparison of its own": "class Bot:\n  def __lt__(self, other): return True",
    "the identity of values": "def f(a, b): return a is b",
    "a clock": "import time",
    "a cache of the library": "from functools import lru_cache",
    "a decimal's context": "import decimal",
    "a module that counts": "import sys",
    "a builtin that somebody else hides": "def f():\n  eval = 1\ndef g(): return eval('1')",
    "a class in a function": "def f():\n  class Kept: pass",
    "a template as a constant": "KIND = '%s'\ndef f(it): return KIND % it",
    "a template in bytes": "KIND = b'%a'\ndef f(it): return KIND % it",
    "a template as a default": "def f(it, kind='%s'): return kind % it",
    "the text of a list": "def f(it): return str([it])",
    "the text of an attribute": "def f(it): return f'{it.count}'",
    "the text of a call": "def f(it): return str(it.get('x'))",
    "the text of a call of its own": "class A:\n  def getenv(self, key): return self\n"
    "def f(): return str(A().getenv('x'))",
    "text by keyword": "def f(it): return str(object=it)",
    "the index of another class": "class A:\n  def __init__(self, index): self.x = f'{index}'\n"
    "class Bot:\n  def __init__(self, index): A(self)",
    "the index of another method": "class Bot:\n  def __init__(self, index): self.f(self)\n"
    "  def f(self, index): return f'{index}'",
    "an index that is bound again": "class Bot:\n  def __init__(self, index):\n"
    "    index = self\n    self.x = f'{index}'",
    "an index that is an instance": "class Bot:\n  def __init__(self, index): self.x = f'{index}'\n"
    "  def f(self): Bot(self)",
    "an index out of a subclass": "class Bot:\n  def __init__(self, index): self.x = f'{index}'\n"
    "class A(Bot):\n  def __init__(self): super().__init__(self)\ndef f(): A()",
    "a name of another method": "class Bot:\n  def f(self, x): pass\n"
    "  def __init__(self, index):\n    x = self\n    self.x = f'{x}'",
    "a parameter called as a module": "import os as module\nclass A:\n"
    "  def getenv(self, key): return self\ndef f(module): return str(module.getenv('x'))",
    "a parameter called as a member": "from random import Random as A\ndef f(A): return A(1)",
    "a type for annotations as a value": "from typing import Any\ndef f(): return Any()",
    "an index in any place": "class Bot:\n  def __init__(self, index, *more): self.x = f'{more}'",
    "a call in an annotation": "def f(it: type(1)): pass",
    "another name in an annotation": "def f(it: f): pass",
    "another attribute in an annotation": "import os\ndef f(it: os.environ): pass",
    "an asynchronous loop": "def f(it): return [x async for x in it]",
    "the identity of a text": "def f(it): return it is 'x'",
    "a parameter by its private name": "_Bot__x = 1\nclass Bot:\n"
    "  def f(self, __x): return f'{_Bot__x}'",
    "a view in a dictionary": "def f(it): return dict(x=it.items())",
    "a view in a list": "def f(it): return list([], it.items())",
    "the greatest view": "def f(it): return max(it.items(), it)",
    "the smallest view": "def f(it): return min(it, it.items())",
    "a view by default": "def f(it): return max([], default=it.items())",
    "a view as the start of a sum": "def f(it): return sum([], it.items())",
    "a view as another start of a sum": "def f(it): return sum([], start=it.items())",
    "a text by default": "import os\ndef f(it): return str(os.environ.get('NO', it))",
    "a text by a keyword": "import os\ndef f(it): return str(os.getenv('NO', default=it))",
    "a text out of a list": "import os\ndef f(it): return str(os.environ.get(*['NO', it]))",
    "another text out of a list": "import os\ndef f(it): return f\"{os.getenv(*['NO', it])}\"",
    "its classes in a set": "import statistics\nclass A:\n"
    "  def as_integer_ratio(self): return 1, 1\ndef f(it): return statistics.mean([A(), it])",
    "its instances as numbers": "import statistics\nclass A:\n  numerator = 1\n"
    "  def __init__(self): self.denominator = 1\ndef f(it): return statistics.mean([A(), it])",
    "a class as an instance": "class Bot:\n  games = 0\n  def count(self): self.games += 1\n"
    "  def select(self): Bot.count(Bot)",
}


@pytest.mark.parametrize("source", TELLING.values(), ids=TELLING)
def test_what_could_tell_of_another_match_is_not_shared(source: str) -> None:
    """A bot that could notice another match in its process shares no process."""
    assert not shares_nothing(made(source))


ORDINARY = {
    "text of plain values": "import os\nclass Bot:\n  def __init__(self, index):\n"
    "    self.name = f\"{os.environ.get('KOTH_BOT_SEED')}/{index}/{len('x')}\"",
    "counting": "from collections import Counter, deque\ndef f(choices):\n  c = Counter(choices)\n"
    "  for number, times in sorted(c.items()):\n    if times == 1: return number\n"
    "  return len(set(choices)) + (3 in {1, 2, 3})",
    "errors": "def f(d):\n  try: return d['x']\n  except (KeyError, IndexError): return None",
    "views that are consumed": "def f(d):\n  for x in d.items(): yield x\n"
    "  for x, (y, z) in zip(enumerate(d.values(), 1), d.items(), strict=True): yield x, y, z\n"
    "  yield sum(d.values(), 1.5), max(d.items(), key=lambda it: it[1]), max(1, 2)\n"
    "  return [*list(d.items()), max(d.values(), default=0), dict(d.items(), more=1)]",
    "text of more plain values": "import os\nLOW = 1\ndef f(x):\n"
    "  y = f\"{LOW:>3} {os.environ['KOTH_BOT_SEED']} {os.getenv('NO', LOW)}\"\n"
    "  z = str(os.environ.get('NO', os.getenv('NO', '-')))\n"
    "  return y + z + str(LOW) + str(round(x)) if x is not True else ''\n"
    "class A: pass\nclass Bot(A):\n  def __init__(self, index):\n    super().__init__()\n"
    "    self.text = f'{index}'",
    "no index": "class Bot:\n  def __init__(self): self.text = ''",
    "numbers": "from fractions import Fraction\nimport statistics\n"
    "def f(x): return statistics.mean(x).denominator + Fraction(1, 2).numerator",
    "syntax": "import os\nclass Bot:\n  def f(self, x, *more, y=1, **others):\n"
    "    while x: x -= 1; break\n    else: x = None\n"
    "    if x is None or not x: del more[0], self.x\n    elif x < 1 < 2: raise ValueError(x)\n"
    "    else: assert x, y\n    for y in range(3): continue\n    else: pass\n"
    "    try: self.x: int = (z := x[1:2:3])\n    except KeyError as error: raise error from None\n"
    "    else: yield from [z, *more]\n"
    "    self.y, [self.z, *_] = {**others, x: y}, [y for y in x if y for z in y]\n"
    "    super().f(lambda a, b=1: a if b else x, *more, y=2, **others)\n"
    "    yield {a: b for a, b in x}, (c for c in x), -x + y @ x, x[0], x.count(1), not y\n"
    "    def g(a: int = 2) -> 'int': return os.environ['A'] in {x, 2} or x not in [1]\n"
    "    return f'{round(x)}' if x else f'{1:>3}', g(1), str(len({y for y in x}))",
    "helpers": "class Table:\n  def __init__(self, size): self.rows = [0] * size\n"
    "  LIMIT = 2\n  def least(self): return min(self.rows)\n"
    "class Bot:\n  def __init__(self, index):\n    self.table = Table(10)\n"
    "  def select(self): return self.table.rows.count(0) or self.pick(lambda n: n + 1)\n"
    "  def more(self): return self.table.least() + self.table.LIMIT + Table.LIMIT\n"
    "  def pick(self, key): return max(range(1, 11), key=key)\n"
    "  def update(self, choices): self.table.rows[choices[0] - 1] += 1",
    "annotations": "from typing import List, Optional\nfrom collections.abc import Sequence\n"
    "def f(it: List[int], other: Optional[int] = None) -> 'list[int] | None': return it[:]\n"
    "import random\nfrom random import Random\nclass A: pass\n"
    "def g(a: A, dice: random.Random, other: Random | None):\n  x: int\n  return x",
}


@pytest.mark.parametrize("source", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_bots_are_shared(source: str) -> None:
    """Usual constructs in the source of bots are accepted for shared processes."""
    assert shares_nothing(made(source))


@pytest.mark.parametrize("source", [OWN, *KEEPS_NOTHING.values(), *ORDINARY.values()])
def test_all_of_a_source_is_read(source: str) -> None:
    """A bot that passes does not pass with a call of ``eval`` anywhere in its source."""
    assert [text for text in spoiled(source) if shares_nothing(made(text))] == []


def test_the_proof_is_for_this_interpreter() -> None:
    """A bot that names an interpreter of its own has one process per match."""
    bot = made("class Bot: pass")
    assert shares_nothing(bot)
    assert not shares_nothing(replace(bot, command=("/usr/bin/python3", "bot.py")))
