"""Put a forbidden call into each place of a source, one at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

CODE = ast.parse("eval('1')", mode="eval").body
"""An expression that no proof lets pass."""

MORE: dict[tuple[type[ast.AST], str], list[ast.AST]] = {
    (ast.Call, "args"): [CODE, ast.Starred(CODE, ast.Load())],
    (ast.Call, "keywords"): [ast.keyword(name, CODE) for name in ("x", "key", None)],
    (ast.ClassDef, "bases"): [CODE],
    (ast.ClassDef, "keywords"): [ast.keyword("x", CODE)],
    (ast.ClassDef, "decorator_list"): [CODE],
    (ast.FunctionDef, "decorator_list"): [CODE],
    (ast.comprehension, "ifs"): [CODE],
    **{
        (kind, part): [ast.Expr(CODE)]
        for kind in (ast.Module, ast.ClassDef, ast.FunctionDef, ast.For, ast.While, ast.If)
        for part in ("body", "orelse")
    },
    **{(ast.With, "body"): [ast.Expr(CODE)], (ast.ExceptHandler, "body"): [ast.Expr(CODE)]},
    **{(ast.Try, part): [ast.Expr(CODE)] for part in ("body", "orelse", "finalbody")},
}
"""Items that can be added to lists in the syntax tree, by node and field."""

OPTIONAL = {
    *("annotation", "cause", "exc", "lower", "msg", "returns", "step", "type", "upper", "value"),
}
"""Fields that may be empty."""


def spoiled(source: str) -> Iterator[str]:
    """Yield the source with ``eval('1')`` in one place: instead of an expression, or as one more.

    A proof must refuse all of them, or it does not read all of a source.
    """
    tree = ast.parse(source)
    before = ast.unparse(tree)
    for _ in _spoil(tree):
        try:
            text = ast.unparse(tree)
            ast.parse(text)
        except (SyntaxError, ValueError, AttributeError):
            continue  # no Python
        if text != before:
            yield text


def _spoil(tree: ast.AST) -> Iterator[None]:
    """Change the tree, yield, and undo it, for each place."""
    for node in [*ast.walk(tree)]:
        if isinstance(node, ast.Constant):
            continue  # its value is no expression
        for name in node._fields:
            value = getattr(node, name, None)
            if _replaceable(value) or (value is None and name in OPTIONAL):
                setattr(node, name, CODE)
                yield
                setattr(node, name, value)
            if isinstance(value, list):
                for index, part in enumerate(value):
                    if _replaceable(part):
                        value[index] = CODE
                        yield
                        value[index] = part
                for more in MORE.get((type(node), name), []):
                    value.append(more)
                    yield
                    value.pop()


def _replaceable(value: object) -> bool:
    return isinstance(value, ast.expr) and isinstance(getattr(value, "ctx", ast.Load()), ast.Load)
