"""The part of Python in which scripts are written whose decisions may share a process.

What :mod:`referee.self_contained.scripts` lets pass, besides the words that are the same for class
bots. Whatever is not listed makes a script unproven.
"""

from __future__ import annotations

import ast
from types import MappingProxyType

from referee.self_contained import vocabulary
from referee.self_contained.vocabulary import DRAWS, ERRORS, words

FUNCTIONS = MappingProxyType(
    {
        "collections": words("Counter OrderedDict deque"),
        "copy": words("copy"),
        "fractions": words("Fraction"),
        "functools": words("reduce"),
        "json": words("dumps loads"),
        "os": words("getenv"),
        "random": DRAWS - words("seed"),
        "re": words("compile escape findall fullmatch match search split sub subn"),
        "sys": words("exit"),
        **{name: vocabulary.MODULES[name] for name in ("bisect", "heapq", "statistics")},
        "operator": vocabulary.MODULES["operator"] - words("itemgetter"),
        "math": vocabulary.MODULES["math"] - words("e inf nan pi tau"),
    }
)
"""Functions of modules that return data."""

GOING_THROUGH = MappingProxyType(
    {
        "collections": words("Counter OrderedDict deque"),
        "functools": words("reduce"),
        "heapq": words("nlargest nsmallest"),
        "math": words("fsum prod"),
        "statistics": FUNCTIONS["statistics"],
    }
)
"""Those of them that go through an iterator at once, or raise an error."""

KEYED = MappingProxyType({"bisect": FUNCTIONS["bisect"], "heapq": words("nlargest nsmallest")})
"""Those of them that call the function ``key`` with data, and do not keep it."""

CONSTANTS = MappingProxyType(
    {
        "math": words("e inf nan pi tau"),
        "string": words(
            "ascii_letters ascii_lowercase ascii_uppercase digits hexdigits punctuation"
        ),
        "sys": words("maxsize"),
    }
)

ITERATORS = MappingProxyType(
    {"itertools": vocabulary.MODULES["itertools"] - words("groupby repeat")}
)
"""Functions of modules that return iterators."""

STREAMS = MappingProxyType({"sys": words("stderr stdout")})

OTHERS = MappingProxyType(
    {
        "copy": words("deepcopy"),
        "itertools": words("repeat"),
        "operator": words("itemgetter"),
        "os": words("environ"),
        "random": words("Random SystemRandom seed"),
        "sys": words("argv stderr stdout"),
    }
)
"""Members of modules with rules of their own."""

GENERATORS = words("Random SystemRandom")
"""Classes of :mod:`random`."""

KNOWN = (FUNCTIONS, CONSTANTS, ITERATORS, OTHERS)

MODULES = frozenset(name for known in KNOWN for name in known)

DATA_FUNCTIONS = words(
    """abs all any bin bool chr dict divmod float hex int len list max min oct ord pow range repr
    round sorted str sum tuple"""
)
"""Builtins that return data."""

CONSUMERS = words("all any dict list max min sorted tuple")
"""Those of them that go through an iterator, if it is the only argument."""

KEYED_BUILTINS = words("max min sorted")
"""Builtins that call the function ``key`` with data, and do not keep it."""

ITERATING = words("enumerate iter reversed zip")
"""Builtins that return iterators."""

KINDS = words("bool dict float int list str tuple")
"""Types that a value may be compared with."""

METHODS = words(
    """append appendleft as_integer_ratio bit_count bit_length capitalize casefold center clear
    copy count end endswith expandtabs extend extendleft find
    findall fullmatch get group groups index insert is_integer isalnum isalpha isascii isdecimal
    isdigit islower isnumeric isspace istitle isupper join ljust lower lstrip match most_common
    move_to_end partition pop popitem popleft remove removeprefix removesuffix replace reverse rfind
    rindex rjust rotate rpartition rsplit rstrip search setdefault sort span split splitlines start
    startswith strip sub subn subtract swapcase title total translate update upper zfill"""
)
"""Methods of data that return data."""

VIEWS = words("elements items keys values")
"""Methods of data that return iterators."""

CONSUMING = words("extend extendleft fromkeys join subtract update writelines")
"""Methods that go through an iterator at once."""

FILE_METHODS = words("flush read readline readlines seek truncate write writelines")

MODES = words("r w a x r+ w+ a+ rt wt at")
"""Modes of text files."""

SET_CHANGES = words("add clear difference_update discard intersection_update remove update")
"""Methods of sets that return nothing."""

SET_TESTS = words("isdisjoint issubset issuperset")

SET_RESULTS = words("copy difference intersection symmetric_difference union")
"""Methods of sets that return sets."""

CAUGHT = ERRORS | words("FileNotFoundError")
"""Errors that may be caught: none of them says that memory is used up."""

RAISED = CAUGHT | words("SystemExit RuntimeError NotImplementedError")

HARMLESS_BUILTINS = words("credits")
"""Builtins that a script may give another meaning: all they do instead is to show a fixed text."""

OPERATIONS = (ast.BinOp, ast.BoolOp, ast.UnaryOp)
"""Expressions that give data if their parts do."""

SIMPLE = (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal)
