"""The part of Python in which class bots are written whose matches may share a process.

What :mod:`referee.self_contained.proof` lets pass: names of modules, functions, methods and errors,
kinds of syntax. Whatever is not listed here makes a bot unproven.
"""

from __future__ import annotations

import ast
import builtins
import sys


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


DRAWS = words(
    """betavariate choice choices expovariate gammavariate gauss getrandbits lognormvariate
    normalvariate paretovariate randint random randrange sample seed shuffle triangular uniform
    vonmisesvariate weibullvariate"""
)
"""Names that draw from a generator; each match has the hidden one of :mod:`random` to itself."""

MODULES = {
    "bisect": words("bisect bisect_left bisect_right insort insort_left insort_right"),
    "collections": words("Counter OrderedDict defaultdict deque"),
    "fractions": words("Fraction"),
    "functools": words("reduce"),
    "heapq": words("heapify heappop heappush heappushpop heapreplace nlargest nsmallest"),
    "itertools": words(
        """accumulate chain combinations combinations_with_replacement compress count cycle
        dropwhile filterfalse groupby islice pairwise permutations product repeat starmap takewhile
        zip_longest"""
    ),
    "math": words(
        """acos asin atan atan2 ceil comb cos cosh degrees dist e erf erfc exp expm1 fabs factorial
        floor fmod fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm lgamma log log10
        log1p log2 modf nan perm pi pow prod radians sin sinh sqrt tan tanh tau trunc"""
    ),
    "operator": words("add eq floordiv ge gt itemgetter le lt mul ne neg sub truediv"),
    "os": words("environ getenv"),
    "random": DRAWS | words("Random SystemRandom"),
    "statistics": words("fmean harmonic_mean mean median median_high median_low mode pstdev stdev"),
}
"""Names that may be taken from each module. Each match has ``os`` and ``random`` of its own."""

FROM = {**MODULES, "os": frozenset(), "random": words("Random SystemRandom")}
"""The same for ``from MODULE import NAME``, which does not ask whose turn it is."""

TYPES = {
    "collections.abc": words("Callable Iterable Iterator Mapping MutableSequence Sequence"),
    "typing": words("Any Callable ClassVar Final Iterable List Optional Dict Sequence Tuple Union"),
}
"""Names that may be imported for annotations only."""

FUNCTIONS = words(
    """abs all any bool dict divmod enumerate filter float int isinstance iter len list map max min
    next pow range reversed round sorted sum tuple zip"""
)
"""Builtins that may be used in every way."""

ERRORS = words(
    """ArithmeticError AssertionError IndexError KeyError LookupError OverflowError StopIteration
    TypeError ValueError ZeroDivisionError"""
)
"""Errors that may be raised and caught: none of them says that memory is used up."""

METHODS = DRAWS | words(
    """add append appendleft bit_length clear copy count difference_update discard elements
    endswith extend extendleft find fromkeys get index insert is_integer isdigit items join lower
    lstrip most_common move_to_end numerator denominator pop popitem popleft remove replace reverse
    rotate rstrip setdefault sort split startswith strip total update upper values __getitem__
    __len__ __contains__"""
)
"""Attributes that may be taken from any value."""

VIEWS = words("items values")
"""Methods whose results must not become part of a set."""

CONSUMERS = words("all any dict enumerate len list max min sorted sum tuple zip")
"""Functions that go through a view of a dictionary, their first argument, and do not keep it."""

CLASSES = words("Counter Fraction OrderedDict Random SystemRandom defaultdict deque")
"""Classes of modules: they may be called, and nothing else."""

NUMERIC = words("as_integer_ratio denominator")
"""Attributes by which :mod:`statistics` takes an object for a number, and its class into a set."""

DECORATORS = words("property staticmethod")
"""Decorators of methods."""

DEFINED = words("__init__ __call__")
"""Special methods that a class may define: the order of a set shows in no call of these."""

KINDS = (
    *(
        type,
        type(words),
        type(words.__code__),
        type(sys),
        type((lambda: (yield))()),
        type([].append),
    ),
    *(type(sys._getframe()), classmethod, property, staticmethod, super, BaseException),
    *(value for value in vars(builtins).values() if isinstance(value, type)),
)
HIDDEN = frozenset(name for kind in KINDS for name in dir(kind)) | words(
    """ag_await ag_code ag_frame cell_contents cr_await cr_code cr_frame cr_origin func keywords
    tb_frame tb_lasti tb_next"""
)
"""Attributes of the interpreter's own objects, by which a bot's own may not be called elsewhere."""

EXPRESSIONS = (
    *(ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.operator, ast.boolop, ast.unaryop, ast.cmpop),
    *(ast.Compare, ast.IfExp, ast.Lambda, ast.Dict, ast.DictComp, ast.List, ast.ListComp),
    *(ast.GeneratorExp, ast.Tuple, ast.Slice, ast.Subscript, ast.Starred, ast.JoinedStr),
    *(ast.comprehension, ast.keyword, ast.expr_context, ast.arguments, ast.Constant, ast.NamedExpr),
    *(ast.Yield, ast.YieldFrom),
)
STATEMENTS = (
    *(ast.Assert, ast.Assign, ast.AugAssign, ast.Break, ast.Continue, ast.Delete, ast.Expr),
    *(ast.For, ast.If, ast.Nonlocal, ast.Pass, ast.Raise, ast.Return, ast.While),
)
"""Nodes that are valid if their parts are; the others have rules in :class:`FunctionCheck`."""
