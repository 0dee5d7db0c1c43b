"""Named dice: every random choice is recomputed from the seed and its label, by hand if need be.

``h = sha256(f"{seed}:{label}")`` in hex; word *w* (0 to 3) is its hex digits ``16w … 16w+12`` read
as a 52-bit integer *x*. All arithmetic is in exact integers. The same in a shell::

    printf '%s' 'SEED:game/13/success/4' | sha256sum | cut -c1-13
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from shlex import quote
from struct import Struct, unpack

SPAN = 1 << 52
"""How many values one word of a die can take."""

FIRST = Struct(">Q").unpack_from
"""The first eight bytes of a digest as an integer: its upper 52 bits are word 0."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One die, as it was cast: its label, what came of it, and what it ordered, if it shuffled."""

    label: str
    outcome: str
    items: tuple[str, ...] = ()

    def command(self, seed: str) -> str:
        """A line of shell that recomputes the die with nothing but coreutils."""
        if not self.items:
            return f"printf '%s' {quote(f'{seed}:{self.label}')} | sha256sum"
        items = " ".join(quote(item) for item in self.items)
        digest = f"printf '%s' {quote(f'{seed}:{self.label}:')}\"$item\" | sha256sum | cut -c1-64"
        return f'for item in {items}; do printf "%s  %s\\n" "$({digest})" "$item"; done | sort'


Trace = Callable[[Draw], None]
"""Hears of every die as it is cast; for explanations."""


class Dice:
    """The dice of one match or tournament.

    ``seed`` is 64 hex digits. ``trace`` hears of every draw; it changes nothing.
    """

    def __init__(self, seed: str, trace: Trace | None = None) -> None:
        self.seed = seed
        self._trace = trace
        self._base = sha256(f"{seed}:".encode())

    def word(self, label: str) -> int:
        """Word 0 of ``label``: a 52-bit integer."""
        hash = self._base.copy()
        hash.update(label.encode())
        return int(FIRST(hash.digest())[0]) >> 12

    def below(self, label: str, n: int) -> int:
        """An integer from 0 to n − 1: ⌊x × n ÷ 2⁵²⌋."""
        value = self.word(label) * n >> 52
        if self._trace:
            self._trace(Draw(label, f"{value} of 0 … {n - 1}"))
        return value

    def chance(self, label: str, a: int, b: int) -> bool:
        """True with probability a/b: x × b < a × 2⁵²."""
        value = self.word(label) * b < a << 52
        if self._trace:
            self._trace(Draw(label, f"{'yes' if value else 'no'}, at {a} in {b}"))
        return value

    def bulk(self, label: str, count: int) -> list[int]:
        """``count`` 52-bit integers: number *i* is word ``i mod 4`` of ``{label}#{i div 4}``."""
        base = self._base.copy()
        base.update(f"{label}#".encode())
        digests = []
        for block in range((count + 3) // 4):
            hash = base.copy()
            hash.update(b"%d" % block)
            digests.append(hash.digest())
            if self._trace:
                self._trace(Draw(f"{label}#{block}", "four words"))
        words = unpack(f">{4 * len(digests)}Q", b"".join(digests))
        return [word >> 12 for word in words[:count]]

    def shuffle(self, label: str, items: Sequence[str]) -> list[str]:
        """The distinct ``items`` in the order of ``sha256(f"{seed}:{label}:{item}")``.

        Raises ValueError when two items are equal: number them first.
        """
        if len(set(items)) != len(items):
            raise ValueError(f"{label}: a shuffle needs distinct items")
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
        """``count`` of the distinct ``items``: the head of their shuffle."""
        return self.shuffle(label, items)[:count]
