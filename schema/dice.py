"""Named dice: anyone can recompute a random choice from the seed and the label of the die.

``h = sha256(f"{seed}:{label}")`` in hex; word *w* (0 to 3) is its hex digits ``16w … 16w+12`` read
as a 52-bit integer *x*. All arithmetic is in exact integers. Word 0 in a shell::

    printf '%s' 'SEED:game/13/success/4' | sha256sum | cut -c1-13
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from shlex import quote
from struct import Struct, unpack

SPAN = 1 << 52
"""Number of values of one word."""

FIRST = Struct(">Q").unpack_from
"""Unpack the first eight bytes of a digest as an integer; its upper 52 bits are word 0."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One use of a die: its label, its outcome in words, and the items of a shuffle."""

    label: str
    outcome: str
    items: tuple[str, ...] = ()

    def command(self, seed: str) -> str:
        """Return a shell command that recomputes the die with coreutils only."""
        if not self.items:
            return f"printf '%s' {quote(f'{seed}:{self.label}')} | sha256sum"
        items = " ".join(quote(item) for item in self.items)
        digest = f"printf '%s' {quote(f'{seed}:{self.label}:')}\"$item\" | sha256sum | cut -c1-64"
        return f'for item in {items}; do printf "%s  %s\\n" "$({digest})" "$item"; done | sort'


Trace = Callable[[Draw], None]
"""Called with every draw."""


def threshold(a: int, b: int) -> int:
    """Return the number of words for which a chance of a/b holds: those below it."""
    return -(-a * SPAN // b)


@lru_cache(1)  # most bulk draws of a match have the same number of blocks
def _numbers(count: int) -> Sequence[bytes]:
    """Return the numbers of so many blocks, as digits."""
    return [b"%d" % number for number in range(count)]


class Dice:
    """The dice of one match or tournament.

    ``seed`` is 64 hex digits. ``trace`` is called with every draw, and does not change it.
    """

    def __init__(self, seed: str, trace: Trace | None = None) -> None:
        self.seed = seed
        self._trace = trace
        self._base = sha256(f"{seed}:".encode())

    def word(self, label: str) -> int:
        """Return word 0 of ``label``, a 52-bit integer."""
        hash = self._base.copy()
        hash.update(label.encode())
        return int(FIRST(hash.digest())[0]) >> 12

    def below(self, label: str, n: int) -> int:
        """Return an integer from 0 to n − 1: ⌊x × n ÷ 2⁵²⌋."""
        value = self.word(label) * n >> 52
        if self._trace:
            self._trace(Draw(label, f"{value} of 0 … {n - 1}"))
        return value

    def chance(self, label: str, a: int, b: int) -> bool:
        """Return True with probability a/b: if x × b < a × 2⁵²."""
        value = self.word(label) * b < a << 52
        if self._trace:
            self._trace(Draw(label, f"{'yes' if value else 'no'}, at {a} in {b}"))
        return value

    def bulk(self, label: str, count: int) -> list[int]:
        """Return ``count`` 52-bit integers: *i* is word ``i mod 4`` of ``{label}#{i div 4}``."""
        base = self._base.copy()
        base.update(f"{label}#".encode())
        copy, digests = base.copy, []
        for number in _numbers((count + 3) // 4):
            hash = copy()
            hash.update(number)
            digests.append(hash.digest())
        if self._trace:
            for block in range(len(digests)):
                self._trace(Draw(f"{label}#{block}", "four words"))
        words = unpack(f">{4 * len(digests)}Q", b"".join(digests))
        return [word >> 12 for word in words[:count]]

    def shuffle(self, label: str, items: Sequence[str]) -> list[str]:
        """Return the distinct ``items`` in the order of ``sha256(f"{seed}:{label}:{item}")``.

        Raises ValueError if two items are equal.
        """
        if len(set(items)) != len(items):
            twice = next(item for item in items if items.count(item) > 1)
            problem = f"a shuffle needs distinct items, found {twice!r} twice; number equal items"
            raise ValueError(f"{label}: {problem}")
        base = self._base.copy()
        base.update(f"{label}:".encode())

        def key(item: str) -> bytes:
            hash = base.copy()
            hash.update(item.encode())
            return hash.digest()

        shuffled = sorted(items, key=key)
        if self._trace:
            self._trace(Draw(label, " ".join(shuffled), tuple(items)))
        return shuffled

    def sample(self, label: str, items: Sequence[str], count: int) -> list[str]:
        """Return ``count`` of the distinct ``items``, the first of their shuffle."""
        return self.shuffle(label, items)[:count]
