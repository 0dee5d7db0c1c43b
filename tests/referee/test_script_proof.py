"""Scripts whose decisions may share a process: only those from which nothing can leak."""

from __future__ import annotations

import sys
import time
from dataclasses import replace

import pytest

from referee.bot import MAX_SOURCE, Bot, BotFile
from referee.roster.resolve import resolve
from referee.self_contained.scripts import may_share_process, may_share_scratch
from schema.card import Card
from tests.referee.bot_factory import CARD, COINS, HEIST
from tests.referee.spoiling import spoiled
from tests.sampling import one_in


def made(source: str | bytes, *beside: str) -> Bot:
    """Return a bot of this source, with these other files in its folder."""
    files = ((name, BotFile(b"", False)) for name in beside)
    content = source.encode() if isinstance(source, str) else source
    written = ("bot.py", BotFile(content, False))
    return Bot("bot", (sys.executable, "bot.py"), (written, *files))


@pytest.mark.parametrize("game", [CARD, COINS, HEIST], ids=lambda game: game.name)
def test_the_examples_are_shared(game: Card) -> None:
    """Every example bot in Python may share a process, because it computes and nothing else."""
    bots = [bot for bot in resolve(["examples"], game) if bot.script]
    assert bots
    assert all(map(may_share_process, bots))


def test_files_need_a_scratch_folder_of_their_own() -> None:
    """A bot that opens files may share a process, but no folder."""
    for source, shared in ("import sys; print(sys.argv)", False), ("print(1)", True):
        assert may_share_scratch(made(source)) == shared
    notes = made("with open('notes.txt', 'a+') as notes:\n  notes.write('x')")
    assert may_share_process(notes)
    assert not may_share_scratch(notes)


ORDINARY = {
    "arguments": "import sys\npath, *legal = sys.argv[1:]\n_, round_, *_ = sys.argv\n"
    "rest, last = sys.argv[2:5], sys.argv[-1]\nprint(legal, len(sys.argv), rest, last)\n"
    "for word in sys.argv: print(word)",
    "arguments by another name": "from sys import argv\nprint(argv[1])",
    "a main function": "import sys\ndef main() -> None:\n  print(sys.argv[1])\n"
    "if __name__ == '__main__':\n  main()",
    "dice": "import os, random\nfrom random import Random, choice, shuffle\n"
    "dice = random.Random(os.environ.get('KOTH_BOT_SEED'))\nmore = Random(int('3', 16))\n"
    "random.seed(os.environ['KOTH_BOT_SEED'])\nnumbers = [1, 2, 3]\nshuffle(numbers)\n"
    "print(dice.choice('ab'), more.random(), choice('cd'), random.choices('ab', k=3))\n"
    "print(min('ab', key=lambda letter: dice.random()))",
    "sets": "import sys\nfrom itertools import chain\ncards = sys.argv[1]\nseen: set[str] = set()\n"
    "seen.add('x'); seen |= {'y'}; seen.update(c for c in cards); seen -= set('xy') & seen\n"
    "if seen and not seen.isdisjoint('x'): print(len(seen), 'x' in seen, seen <= {1})\n"
    "print(sorted(set(cards), key='abc'.find), *chain('a', 'b'))",
    "text": "x = [1.5, None, {'a': (1, True)}]\n"
    "print(f'{x!r:>9} {x[0]:.2f}', '%s %5d' % (x, 3), str(x) + repr(x), ', '.join(map(str, x)))\n"
    "print('a-b'.split('-'), ' a '.strip().upper().center(9, '*'), end='', sep=' ')",
    "functions": "from math import pi, sqrt\nfrom functools import reduce\n"
    "def area(r: float, *more: float, power: int = 2) -> float:\n  '''Area.'''\n"
    "  global calls\n  calls = 1\n  return pi * r ** power + sum(x for x in more)\n"
    "def nothing(*, of):\n  assert of\n  with open('notes.txt'): return\n"
    "twice = lambda x: 2 * x\n"
    "print(area(1.0, 2, *[3], power=1), twice(3), list(map(sqrt, [4])), "
    "reduce(lambda a, b: a + b, [1, 2], 0), max([1, 2], key=twice), calls)",
    "collections": "from collections import Counter, deque\nc = Counter(x for x in 'abca')\n"
    "d = deque([1, 2], maxlen=3); d.rotate(1); d.appendleft(3)\n"
    "for k, v in sorted(c.items()): print(k, v, d)\nc.update('x')\nprint(c.most_common(1))\n"
    "print({k: [v] for k, v in c.items() if v > 1}, dict.fromkeys('ab', 0), [*c.values()])",
    "more iterators": "from functools import reduce\nfrom heapq import nlargest\n"
    "from itertools import accumulate, repeat\nfrom math import prod\n"
    "print(reduce(lambda a, b: a + b, (x for x in [1, 2]), 0), nlargest(1, (x for x in [1, 2])))\n"
    "print(*repeat('x', 2), prod(x for x in [1, 2]), *accumulate([1, 2], lambda a, b: a * b))",
    "iterators": "rows = [[1, 2], [3, 4]]\na, *b = (x for row in rows for x in row)\n"
    "print(*zip(*rows, strict=True), list(enumerate(reversed(rows), start=1)), next(iter(rows)))\n"
    "print(next((x for x in b if x > 9), None), sum(map(len, rows)), any(x for x in b), a)",
    "errors": "def f(d):\n  try:\n    return d['x']\n  except (KeyError, IndexError):\n"
    "    raise ValueError(f'no x in {d}')\n  else:\n    pass\nassert f({'x': 1}), 'no'",
    "exit": "import sys\nif len(sys.argv) > 9:\n  sys.exit()\nraise SystemExit",
    "standard error": "import sys\nprint('thinks', file=sys.stderr, flush=True)\n"
    "sys.stdout.write('N\\n'); sys.stdout.flush()",
    "the history": "import sys\npath, _, *legal = sys.argv[1:]\n"
    "with open(path, newline='') as history: lines = history.read().splitlines()\n"
    "for line in open(sys.argv[1], 'r', encoding='utf-8'): print(line)\n"
    "with open(path, 'a') as history, open('own.txt', mode='w') as own:\n"
    "  history.write(legal[0]); own.writelines(x for x in lines)",
    "notes that may be missing": "try:\n  with open('notes.txt') as notes: print(notes.read())\n"
    "except FileNotFoundError:\n  print('none')",
    "patterns and JSON": "import json, re\nword = re.compile(r'\\w+')\nm = word.search('ab c')\n"
    "print(m.group() if m else '', re.findall('a', 'aba'), re.sub('a', 'b', 'a'))\n"
    "print(json.dumps({'a': [1]}, sort_keys=True), json.loads('[1]'))",
    "a builtin that does nothing": "credits = 1\nprint(credits)",
    "modules in a function": "def f():\n  import math\n  return math.inf\nprint(f())",
    "sets by many names": "; ".join(f"x{n} = x{n + 1}" for n in range(3_000)) + "; x3000 = {1}",
    "keys": "from bisect import bisect\nfrom heapq import nlargest\nx = [2, 1]\n"
    "x.sort(key=lambda n: -n)\nprint(bisect(x, 1, key=int), nlargest(1, x, key=str), "
    "sorted(x, key=abs), max(x, key=[2, 1].index), dict(key=1))",
    "calls of methods": "import os, random, sys\nfrom operator import itemgetter\n"
    "print(os.environ.get('NO', 'x'), open(sys.argv[1]).read(), open('notes.txt').readlines())\n"
    "dice = random.Random(1)\ndice.seed(os.environ['KOTH_BOT_SEED'])\n"
    "print(*map(dice.choice, 'ab'))\n"
    "y = random.random()\nprint(y, *map(str.upper, 'a'))\n"
    "x = {1}\nprint({1, 2}.issubset(x), set(x).isdisjoint(y for y in 'x'), x.issuperset({1}))\n"
    "print(sorted([[2], [1]], key=itemgetter(0)), [].copy(), dict.fromkeys(map(str, 'ab')))",
    "wrong calls": "from functools import reduce\nfrom heapq import nlargest\n"
    "print(reduce(), nlargest())",
    "a default of a seed": "import os, random\nrandom.seed(os.environ.get('KOTH_BOT_SEED', 1))\n"
    "dice = random.Random(os.getenv('KOTH_BOT_SEED', str(2.5)))\nprint(dice.random())",
    "copies": "from copy import copy, deepcopy\nx = [[1]]\nprint(copy(x), deepcopy(x))",
    "more of sets": "import sys\nz1 = {1}; z2 = z1; z3 = z2; print(len(z3))\nn: int\n"
    "x = {*sys.argv[1], 'y'}\ny = set(x)\n"
    "y |= {z for z in 'koth' if z in x}; y = x.union(y, 'z').intersection(x)\n"
    "x.update({1, 2}, frozenset({3})); y.difference_update(x, map(str, [1]))\n"
    "if x | y <= {1} - x or not (x and len(y) > 1) or y == frozenset(x): print(len({*sys.argv}))",
    "syntax": "def f(x, *more, y=1, **others):\n  while x: x -= 1; break\n  else: x = None\n"
    "  if x is None or x is not True: del more[0], x\n"
    "  elif x < 1 < 2: raise ValueError(x, *more)\n"
    "  else: assert x, y\n  for (y, *z), more[0] in x: continue\n  else: pass\n"
    "  try: x: int = (z := x[1:2:3])\n  except (KeyError, TypeError): raise\n"
    "  else: return [z, *more]\n"
    "  x[0], [y, z] = {**others, x: y}, [y for y in x if y for z in y]\n"
    "  print({a: b for a, b in x}, -x + y @ x, x[0], x.count(1), sep='')\n"
    "  x = f'{x!r:>{y}}' if x else dict(zip(x, x), a=1), (not x) + 1, next(iter(x), y)\n"
    "  x = x or y and z, f(x, *more, y=2, **others)\n"
    "  return len(x), sum(map(abs, filter(None, x)), 1), max(x, y, key=lambda a, b=1: a + b)",
    "imports": "from __future__ import annotations\nimport math as m\nimport sys\n"
    "from math import floor as f\n_, path, *_ = sys.argv\nprint(m.pi, f(1.5), open(path).read())",
    "types": "Pile = tuple[int, int]\ndef f(piles: list[Pile]) -> 'dict[str, Pile] | None': pass\n"
    "from collections.abc import Sequence\n"
    "def g(x: Sequence[int]): return isinstance(x, (list, str))",
}


@pytest.mark.parametrize("source", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_scripts_are_shared(source: str) -> None:
    """Usual constructs in the source of scripts are accepted for shared processes."""
    assert may_share_process(made(source, "notes.txt"))


TELLING = {
    "the text of a function": "def f(): pass\nprint(f)",
    "the text of a builtin method": "x = []\nprint(x.append)",
    "the text of an iterator": "print(map(int, []))",
    "an iterator as text": "print(str(x for x in ''))",
    "an iterator in a list": "x = []\nx.append(i for i in '')\nprint(x)",
    "an iterator out of two": "print(max(zip(), zip(), key=lambda x: 0))",
    "an iterator as the start of a sum": "print(sum([], (x for x in '')))",
    "an iterator by a copy": "import copy\nprint(copy.copy(map(int, [])))",
    "an iterator of groups": "from itertools import groupby\nfor k, g in groupby('ab'): print(g)",
    "an iterator by default": "print(next(iter([]), zip()))",
    "iterators by a map": "print(*map(zip, [[]]))",
    "a view that becomes a set": "x = {1: 2}\nprint(*(x.keys() & x.keys()))",
    "a generator function": "def f(): yield 1\nprint(f())",
    "a class": "class A: pass\nprint(A())",
    "the text of a lambda": "print(f'{lambda: 0}')",
    "a lambda in a list": "x = [lambda: 0]\nprint(x)",
    "a function as an argument": "def f(x): print(x)\nf(f)",
    "a function as a default": "def f(): pass\ndef g(x=f): print(x)",
    "a function that is returned": "def f(): return f\nprint(f())",
    "a function of a module": "from heapq import nsmallest\nprint(nsmallest)",
    "a module": "import heapq\nprint(heapq)",
    "a random generator": "import random\ndice = random.Random(1)\nprint(dice)",
    "a random generator as data": "import random\nprint(random.Random(1))",
    "a file": "with open('x', 'w') as file: print(file)",
    "the order of a set": "print(*{0.5, 1.5})",
    "the text of a set": "x = set()\nprint(x)",
    "a set in a list": "x = set()\ny = [x]",
    "a set of numbers, sorted": "print(sorted({float('nan'), 1.0}))",
    "a set by a default": "def f(x=set()): return [*x]",
    "a set out of a set": "x = {0.5}\nprint(x.pop())",
    "a set out of a dictionary": "x = {}\nprint(x.setdefault(1, set()))",
    "a set as a loop": "x = {0.5}\nfor y in x: print(y)",
    "a set or a list": "x = set()\nx = [1]",
    "a seed that is an address": "import random\nrandom.seed(float('nan'))",
    "a generator's seed that is an address": "import random\nx = float('nan')\n"
    "dice = random.Random(x)",
    "an address": "print(id(1))",
    "a hash": "print(hash(0.5))",
    "a template": "print('{0.append}'.format([]))",
    "an attribute": "print([].__class__)",
    "a special name": "print(__builtins__)",
    "its own file": "print(__file__)",
    "the names": "print(globals())",
    "a module's names": "import random\nprint(random.__dict__)",
    "an unknown module": "import time",
    "a builtin that is not bound": "if 1 > 2: eval = 1\n"
    "from itertools import takewhile\nprint(*takewhile(eval, ['1']))",
    "a builtin that is called for JSON": "import json\nif 1 > 2: id = 1\n"
    "print(json.loads('[1.5]', parse_float=id))",
    "an iterator that a reduction returns": "from functools import reduce\n"
    "print(reduce(lambda a, b: a, [], (x for x in '')))",
    "the command line by a reduction": "import sys\nfrom functools import reduce\n"
    "args = reduce(lambda a, b: a, [], sys.argv)",
    "an iterator that is repeated": "from itertools import repeat\n"
    "for x in repeat((y for y in ''), 1): print(x)",
    "the command line that is repeated": "import sys\nfrom itertools import repeat\n"
    "for x in repeat(sys.argv, 1): x[1] = 3",
    "a file that hides a module": "with open('json.py', 'w') as file: file.write('')",
    "a library that hides a module": "with open('json.abi3.so', 'w') as file: file.write('')",
    "a module of its own": "import helper",
    "all of a module": "from random import *",
    "a clock": "import os\nprint(os.times())",
    "a process": "import os\nos.fork()",
    "the environment": "import os\nprint(os.environ)",
    "a changed environment": "import os\nos.environ['x'] = 'y'",
    "the limit of recursion": "import sys\nsys.setrecursionlimit(99)",
    "the command line as a value": "import sys\nargs = sys.argv\nargs[1] = 3",
    "an environment that a method changes": "import os\nos.environ.update({'X': 'y'})",
    "an environment that a method copies": "import os\nprint(os.environ.copy())",
    "the classes of a type": "print(list.mro())",
    "a method of a type": "print(int.__subclasses__())",
    "an iterator as a value": "print(dict.fromkeys('ab', zip()))",
    "an iterator in a set": "x = {1}\nx.add(zip())",
    "a file in a list": "x = [1]\nwith open('x') as x[0]: print(x)",
    "an error by the name of a value": "error = 1\ntry: error = {}[1]\n"
    "except KeyError as error: print(error)",
    "a set by its index": "x = [0]\nx[0] = {1}",
    "a call in a declaration": "x = [1]\nx[eval('1')]: int",
    "an argument that is extended": "import sys\nsys.argv[1] += 'x'",
    "a variable that is extended": "import os\nos.environ['PATH'] += 'x'",
    "a seed by an iterator": "import random\ndice = random.Random(1)\n"
    "print(*map(dice.seed, [float('nan')]))",
    "more of a generator by an iterator": "import random\ndice = random.Random(1)\n"
    "print(*map(dice.__reduce_ex__, [2]))",
    "more of a list by an iterator": "print(*map([].__reduce_ex__, [2]))",
    "no file": "print(open().read())",
    "a file by a list": "_, path = ['', '/proc/self/stat'][0:]\nprint(open(path).read())",
    "bytes of a file": "print(open('x', 'rb').read())",
    "an option of a file": "print(open('x', closefd=True).read())",
    "a special name that may be bound": "if 1 > 2: __builtins__ = 1\nprint(__builtins__)",
    "a module beside it": "from . import helper",
    "a function by default": "print(max([], default=lambda: 0))",
    "more of a generator": "import random\ndice = random.Random(1)\nprint(dice.__reduce__())",
    "a later seed that is an address": "import random\ndice = random.Random(1)\n"
    "dice.seed(float('nan'))",
    "a file of the system that is read": "print(open('/proc/self/stat').read())",
    "a changed command line": "import sys\nsys.argv[1] = 3",
    "a command line that a loop changes": "import sys\nfor sys.argv[1] in 'ab': pass",
    "a command line that a list changes": "import sys\nprint([1 for sys.argv[1] in 'ab'])",
    "a builtin that an iterator calls": "from itertools import starmap\nprint(*starmap(id, [[1]]))",
    "an asynchronous loop": "print([x async for x in ''])",
    "a changed stream": "import sys\nsys.stdout = None",
    "a closed stream": "import sys\nsys.stdout.close()",
    "the bytes of a stream": "import sys\nsys.stdout.buffer.write(b'')",
    "standard input": "import sys\nprint(sys.stdin.read())",
    "input": "print(input())",
    "a file by its number": "open(3).read()",
    "a file of the system": "open('/proc/self/stat').read()",
    "a file above": "open('../x').read()",
    "a hidden file": "open('.x').read()",
    "a file by another argument": "import sys\nopen(sys.argv[2]).read()",
    "a file by a name that changes": "import sys\n_, path, *_ = sys.argv\n"
    "path += 'x'\nopen(path).read()",
    "a file by a name with two meanings": "import sys\npath = sys.argv[1]\n"
    "for path in [3]: open(path).read()",
    "a file by a parameter": "import sys\npath = sys.argv[1]\ndef f(path): open(path).read()",
    "a file by a global name": "import sys\npath = sys.argv[1]\n"
    "def f():\n  global path\n  open(path).read()",
    "a file with an opener": "import os\nopen('x', opener=os.open).read()",
    "the number of a file": "with open('x') as file: print(file.fileno())",
    "no more memory": "try: x = [0] * 10**10\nexcept MemoryError: print(1)",
    "any error": "try: x = [0] * 10**10\nexcept: print(1)",
    "any exception": "try: x = [0] * 10**10\nexcept Exception: print(1)",
    "the end of a failure": "try: x = [0] * 10**10\nfinally: print(1)",
    "an error as a value": "try: pass\nexcept KeyError as error: print(error)",
    "the depth of the stack": "def f(n):\n  try: return f(n + 1)\n"
    "  except RecursionError: return n",
    "an address by a copy": "import copy\nmemo = {}\ncopy.deepcopy([1], memo)\nprint(memo)",
    "an address by another copy": "import copy\n"
    "memo = {}\ncopy.deepcopy([1], memo=memo)\nprint(memo)",
    "an address by a copy of a list": "import copy\nx = [1], {}\ncopy.deepcopy(*x)\nprint(x)",
    "addresses by copies": "import copy\nmemo = {}\n"
    "print(*map(copy.deepcopy, [[1]], [memo]), memo)",
    "an address by reduction": "from copy import deepcopy\nfrom functools import reduce\n"
    "memo = {}\nprint(reduce(deepcopy, [[1], memo]), memo)",
    "a default seed that is an address": "import os, random\n"
    "random.seed(os.environ.get('NO', float('nan')))",
    "another default seed that is an address": "import os, random\n"
    "dice = random.Random(os.getenv('NO', float('nan')))",
    "a seed that is an address in a list": "import os, random\nx = ['NO', float('nan')]\n"
    "random.seed(os.getenv(*x))",
    "a seed that is an address by name": "import os, random\n"
    "random.seed(os.getenv('NO', default=float('nan')))",
    "the identity of a text": "x = 'a'\nprint(x is 'a')",
    "identity": "x, y = 'a', 'b'\nprint(x is y)",
    "a decorator": "import functools\n@functools.cache\ndef f(): return 1",
    "an attribute of a function": "def f(): pass\nf.x = 1",
    "a builtin by another meaning": "def print(x): pass",
    "a builtin as data": "x = open\nx(3)",
    "a builtin as a key": "print(sorted([1], key=id))",
    "a type by its own name": "int = 3",
    "a name with two meanings": "import random\nrandom = 3",
    "an evaluation": "eval('1')",
    "an attribute by its name": "getattr(1, 'x')",
    "a pattern": "match 1:\n  case object(x=y): print(y)",
    "a coroutine": "async def f(): pass",
    "a call in an annotation": "def f(x: type(1)): pass",
    "another name in an annotation": "def f(x: f): pass",
    "a set of bytes": "for x in set(b'ab'): print(x)",
    "a set out of a call": "x = {1}\nx |= x.pop()",
    "a value as a type": "x = 1\nprint(isinstance(x, x))",
    "no iterator": "print(next())",
    "a call of an annotation": "def f(x: open(3)): pass",
    "a hook": "import json\njson.loads('[1]', object_hook=print)",
    "a replacement by a function": "import re\nprint(re.sub('a', str.upper, 'a'))",
    "a function as an item": "print(dict(key=lambda: 0))",
    "a function as an item of a collection": "from collections import Counter\n"
    "print(Counter(key=Counter().total))",
    "a function as an item of an update": "x = {}\nx.update(key=x.pop)\nprint(x)",
    "a function as a key": "from collections import OrderedDict\nx = OrderedDict()\n"
    "x.setdefault(key=lambda: 0)\nprint(x)",
    "the key of a bot's own function": "def f(key): print(key)\nf(key=abs)",
    "a library that is not there": "with open('org.py', 'w') as file: file.write('')",
    "bytes": "print(b'x')",
    "another interpreter's seed": "import os\nprint(os.urandom(1))",
    "no Python": "print(",
}


@pytest.mark.parametrize("source", TELLING.values(), ids=TELLING)
def test_what_could_tell_of_another_decision_is_not_shared(source: str) -> None:
    """A script that could notice another decision in its process shares no process."""
    assert not may_share_process(made(source, "helper.py"))


@pytest.mark.parametrize(
    "source", one_in(3, {name: text for name, text in ORDINARY.items() if len(text) < 2_000})
)
def test_all_of_a_source_is_read(source: str) -> None:
    """A script that passes does not pass with a call of ``eval`` anywhere in its source."""
    assert [text for text in spoiled(source) if may_share_process(made(text))] == []


ENCODED = {
    "Latin-1 in a comment": b"# Zo\xeb's bot\nprint(1)",
    "Latin-1 that is declared": b"# coding: latin-1\nprint('\xeb')",
    "code in a comment": b"# coding: unicode_escape\nprint(1) #\\rprint(2)",
    "code in a comment of line 2": b"\r# vim: set fileencoding=utf-7 :\rprint(1) #+AA0-print(2)",
}


@pytest.mark.parametrize("source", ENCODED.values(), ids=ENCODED)
def test_a_source_in_another_encoding_starts_in_the_ordinary_way(source: bytes) -> None:
    """Python reads a file that is not in UTF-8 in another way than its bytes: such a bot starts
    as a command."""
    assert not may_share_process(made(source))
    assert not made(source).script
    assert made(b"# -*- coding: utf-8 -*-\nprint('\xc3\xab')").script


@pytest.mark.parametrize(
    "beside", ["org.py", "numbers.py", "decimal.so", "__pycache__/bot.cpython-311.pyc"]
)
def test_a_module_that_the_library_imports_is_no_bots_own(beside: str) -> None:
    """A script with a file that a library module could import instead shares no process."""
    assert may_share_process(made("import statistics", "notes.txt"))
    assert not may_share_process(made("import statistics", beside))


def test_the_proof_is_for_one_command() -> None:
    """A bot with another interpreter, with options or with a class is not proven as a script."""
    bot = made("import sys\nprint(open(sys.argv[1]).read())")
    assert may_share_process(bot)
    assert not may_share_process(replace(bot, command=("/usr/bin/python3", "bot.py")))
    assert not may_share_process(replace(bot, command=(*bot.command, "/proc/self/stat")))
    assert not may_share_process(replace(bot, class_name="Bot"))
    assert not may_share_process(replace(bot, command=(sys.executable,)))
    assert not may_share_process(replace(bot, command=(sys.executable, "")))


def test_a_source_of_the_maximum_size_is_soon_read() -> None:
    """A name that may be that of a set, in many long sums, does not keep the referee busy."""
    lines = ["a = 1", "x = {1}", *(f"y{number} = a{'|x' * 800}" for number in range(79))]
    source = "\n".join(lines)
    assert 120_000 < len(source) < MAX_SOURCE
    begun = time.process_time()
    assert not may_share_process(made(source))
    assert time.process_time() - begun < 10  # it takes 1 s; one step per use took 25 s
