"""An entry of the corpus: the files that a verifier gets, the attack, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
EXPECTED = "expected.toml"
LOG = "log.jsonl"
"""File name of a single log."""

VERDICTS = (
    "corrupt",
    "unsupported",
    "incomplete",
    "forged",
    "diverged",
    "imported",
    "verified",
)
"""In their order of precedence: the worst comes first."""

Files = dict[str, bytes]
"""Contents by path, as in ``matches/1-000000.jsonl``."""


NONE: Mapping[str, str] = {}
"""No extras."""


class Entry(NamedTuple):
    """Contents of a folder of the corpus."""

    attack: str
    """The attack, in one sentence."""
    verdicts: Mapping[str, str]
    """The verdict on every log that is not verified, by its path."""
    make: Callable[[], Files]
    extras: Mapping[str, str] = NONE
    """Expectations for a checkpoint: ``key``, ``origin`` and ``proof``."""

    @property
    def verdict(self) -> str:
        """The worst of all verdicts."""
        return min(self.verdicts.values(), key=VERDICTS.index, default="verified")

    def files(self) -> Files:
        """Return all files of the folder, with ``expected.toml``."""
        top = {"verdict": self.verdict, "attack": self.attack, **self.extras}
        lines = [f'{key} = "{value}"' for key, value in top.items()]
        if self.verdicts:
            lines += ["", "[verdicts]"]
            lines += [f'"{path}" = "{verdict}"' for path, verdict in self.verdicts.items()]
        return {**self.make(), EXPECTED: "\n".join([*lines, ""]).encode()}


ENTRIES: dict[str, Entry] = {}
"""By name, which is that of the folder."""

Recipe = Callable[[], bytes] | Callable[[], Files]


def add(
    name: str,
    attack: str,
    expected: str | Mapping[str, str],
    make: Recipe,
    extras: Mapping[str, str] = NONE,
) -> None:
    """One more entry: ``expected`` is the verdict on its single log, or those by path.

    What ``make`` gives is the single log, or all files.
    """
    assert name not in ENTRIES, name
    assert attack.endswith("."), attack
    assert not {'"', "\\", "\n"} & set(attack), attack
    verdicts = {LOG: expected} if isinstance(expected, str) else expected
    unfine = {path: verdict for path, verdict in verdicts.items() if verdict != "verified"}

    def files() -> Files:
        made = make()
        return {LOG: made} if isinstance(made, bytes) else made

    ENTRIES[name] = Entry(attack, unfine, files, extras)


def entry(
    expected: str | Mapping[str, str], extras: Mapping[str, str] = NONE
) -> Callable[[Recipe], Recipe]:
    """Makes a function an entry: its name is the entry's, its docstring says what was done."""

    def register(make: Recipe) -> Recipe:
        attack = " ".join((make.__doc__ or "").split())
        add(make.__name__, attack, expected, make, extras)
        return make

    return register
