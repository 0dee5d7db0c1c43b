"""Replay, verify and audit bot tournaments from Python: ``import koth``.

Each name is imported on its first use, so that ``import koth`` itself takes a few milliseconds.
"""

from koth import conflicts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from koth.library.audits import Audit as Audit
    from koth.library.audits import audit as audit
    from koth.library.catalogue import Game as Game
    from koth.library.catalogue import Setting as Setting
    from koth.library.catalogue import games as games
    from koth.library.database import Database as Database
    from koth.library.database import open as open
    from koth.library.events import Event as Event
    from koth.library.events import Explanation as Explanation
    from koth.library.events import explain as explain
    from koth.library.events import replay as replay
    from koth.library.leaderboards import Board as Board
    from koth.library.leaderboards import Leaderboard as Leaderboard
    from koth.library.leaderboards import leaderboard as leaderboard
    from koth.library.matches import Match as Match
    from koth.library.matches import play as play
    from koth.library.verdicts import LogVerdict as LogVerdict
    from koth.library.verdicts import Verdict as Verdict
    from koth.library.verdicts import verify as verify
    from schema.errors import KothError as KothError

__all__ = [
    "Audit",
    "Board",
    "Database",
    "Event",
    "Explanation",
    "Game",
    "KothError",
    "Leaderboard",
    "LogVerdict",
    "Match",
    "Setting",
    "Verdict",
    "audit",
    "explain",
    "games",
    "leaderboard",
    "open",
    "play",
    "replay",
    "verify",
]

_MODULES = {
    **dict.fromkeys(("Audit", "audit"), "koth.library.audits"),
    **dict.fromkeys(("Game", "Setting", "games"), "koth.library.catalogue"),
    **dict.fromkeys(("Database", "open"), "koth.library.database"),
    **dict.fromkeys(("Event", "Explanation", "explain", "replay"), "koth.library.events"),
    **dict.fromkeys(("Board", "Leaderboard", "leaderboard"), "koth.library.leaderboards"),
    **dict.fromkeys(("Match", "play"), "koth.library.matches"),
    **dict.fromkeys(("LogVerdict", "Verdict", "verify"), "koth.library.verdicts"),
    "KothError": "schema.errors",
}
"""The module of each public name."""

if not TYPE_CHECKING:  # otherwise every name would exist for a type checker

    def __getattr__(name: str) -> object:
        """Import a public name. Raises ImportError beside a package that uses Koth's names."""
        if name not in _MODULES:
            raise AttributeError(f"module 'koth' has no attribute {name!r}")
        conflicts.refuse()
        from importlib import import_module

        return globals().setdefault(name, getattr(import_module(_MODULES[name]), name))


def __dir__() -> list[str]:
    return __all__


conflicts.report()
