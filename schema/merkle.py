"""Merkle trees as in RFC 6962, section 2.1 (the same as in RFC 9162): one hash for many entries.

A leaf is hashed as ``0x00 || entry``, a node as ``0x01 || left || right``. Level 0 holds the hashes
of the leaves, in order; each level above joins pairs of its neighbour's, where the last one of an
odd number goes up alone. The root is the only one of the highest level.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

HASH_BYTES = 32
EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    """The hash of a leaf."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of what two hashes are joined to."""
    return sha256(b"\1" + left + right).digest()


def root(entries: Sequence[bytes]) -> bytes:
    """The root of the tree over ``entries``."""
    return _levels(entries)[-1][0] if entries else EMPTY


def inclusion(entries: Sequence[bytes], index: int) -> list[bytes]:
    """The proof that entry ``index`` is in the tree over ``entries`` (section 2.1.1).

    From the leaf's sibling up to the root's child. Raises IndexError.
    """
    if not 0 <= index < len(entries):
        raise IndexError(index)
    return _path(_levels(entries), index)


def consistency(entries: Sequence[bytes], old: int) -> list[bytes]:
    """The proof that the tree over ``entries`` goes on from that over the first ``old`` of them.

    As in section 2.1.2. A tree goes on from itself, and from the empty one, without more words.
    Raises IndexError.
    """
    if not 0 <= old <= len(entries):
        raise IndexError(old)
    if old in (0, len(entries)):
        return []
    height = _height(old)
    levels = _levels(entries)[height:]
    index = (old - 1) >> height
    known = index == 0  # the old root itself, which whoever asks has
    return [*([] if known else [levels[0][index]]), *_path(levels, index)]


def is_included(entry: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Whether ``proof`` shows ``entry`` at ``index`` in the tree of this size and root.

    RFC 9162, section 2.1.3.2.
    """
    if not 0 <= index < size:
        return False
    last, found = size - 1, leaf_hash(entry)
    for other in proof:
        if last == 0:
            return False
        if index & 1 or index == last:
            found = node_hash(other, found)
            while not index & 1 and index:  # it went up alone
                index, last = index >> 1, last >> 1
        else:
            found = node_hash(found, other)
        index, last = index >> 1, last >> 1
    return last == 0 and found == root


def is_consistent(
    old: int, size: int, proof: Sequence[bytes], old_root: bytes, root: bytes
) -> bool:
    """Whether ``proof`` shows that the tree of ``size`` goes on from that of size ``old``.

    RFC 9162, section 2.1.4.2.
    """
    if not 0 <= old <= size:
        return False
    if old in (0, size):
        return not proof and old_root == (root if old == size else EMPTY)
    if not proof:
        return False
    height = _height(old)
    index, last = (old - 1) >> height, (size - 1) >> height
    first, *others = [old_root, *proof] if index == 0 else proof
    was = found = first
    for other in others:
        if last == 0:
            return False
        if index & 1 or index == last:
            was, found = node_hash(other, was), node_hash(other, found)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            found = node_hash(found, other)
        index, last = index >> 1, last >> 1
    return last == 0 and (was, found) == (old_root, root)


def _levels(entries: Sequence[bytes]) -> list[list[bytes]]:
    levels = [[leaf_hash(entry) for entry in entries]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        alone = below[len(below) & ~1 :]
        levels.append([*map(node_hash, below[::2], below[1::2]), *alone])
    return levels


def _path(levels: Sequence[Sequence[bytes]], index: int) -> list[bytes]:
    """The siblings of all that is above ``index`` in the lowest of ``levels``."""
    found: list[bytes] = []
    for level in levels:
        sibling = index ^ 1
        found += level[sibling : sibling + 1]
        index >>= 1
    return found


def _height(size: int) -> int:
    """The level of the largest whole subtree that ends a tree of this size."""
    return (size & -size).bit_length() - 1
