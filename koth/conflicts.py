"""Refuse to run beside another package that uses one of Koth's names, such as PyPI's ``schema``.

Two packages of one name in one environment overwrite each other's files, or one hides the other.
Either would then fail later, in some other place, for no visible reason.

``import koth`` runs this module, so it imports only modules that start fast.
"""

import os
import sys

NAMES = ("schema", "games", "referee", "replay", "audit", "report")
"""Koth's own top-level packages."""

HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120

REMEDY = (
    "Install Koth, from the folder that you cloned, into an environment of its own: "
    "`pipx install ./koth` or `uv tool install ./koth`; for notebooks, `python -m venv`."
)

problem = ""
"""The sentences about another package, which :func:`report` has printed."""


def report() -> None:
    """Print the problem, with the remedy, if another package uses one of Koth's names.

    ``import koth`` goes on, so that the command can end with its own exit code.
    """
    global problem
    if other := next(filter(None, (_installed(), *map(_hiding, NAMES))), ""):
        problem = (
            f"{other}, and Koth has a package of that name too: in one environment, one breaks "
            f"the other. {REMEDY}"
        )
        print(f"koth: {problem}", file=sys.stderr)


def refuse() -> None:
    """Raise ImportError if :func:`report` has printed a problem."""
    if problem:
        raise ImportError(problem)


def _installed() -> str:
    """Return a sentence about another package with one of the names, if pip installed one."""
    for folder in sys.path:
        try:
            entries = os.listdir(folder or ".")  # noqa: PTH208
        except OSError:
            continue
        for entry in entries:
            name, _, rest = entry.partition("-")
            version, _, suffix = rest.rpartition(".")
            if name in NAMES and version and suffix in ("dist-info", "egg-info"):
                return f"the package {name} {version} is installed here"
    return ""


def _hiding(name: str) -> str:
    """Return a sentence about a package that Python finds before Koth's own, if there is one."""
    origin = _origin(name)
    if not origin or os.path.dirname(os.path.dirname(os.path.abspath(origin))) == HOME:  # noqa: PTH100, PTH120
        return ""
    return f"'{origin}' is another package called {name}"


def _origin(name: str) -> str | None:
    """Return the file of a package, imported or not; None if Python finds no package."""
    if name in sys.modules:
        return getattr(sys.modules[name], "__file__", None)
    for finder in sys.meta_path:  # importlib.util.find_spec does the same, and starts slowly
        if spec := finder.find_spec(name, None):
            return spec.origin
    return None
