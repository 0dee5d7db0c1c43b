"""Merkle trees as in RFC 6962, section 2.1 (the same as in RFC 9162): one hash for many entries.

A leaf is hashed as ``0x00 || entry``, a node as ``0x01 || left || right``. Level 0 holds the hashes
of the leaves in order. Each level above joins the hashes of the level below in pairs; the last of
an odd number moves up unchanged. The highest level holds the root alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from hashlib import sha256

HASH_BYTES = 32
EMPTY = sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(entry: bytes) -> bytes:
    """Return the hash of a leaf."""
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two hashes."""
    return sha256(b"\1" + left + right).digest()


def root(entries: Sequence[bytes]) -> bytes:
    """Return the root of the tree over ``entries``."""
    return _levels(entries)[-1][0] if entries else EMPTY


def roots(entries: Sequence[bytes], sizes: Iterable[int]) -> Iterator[bytes]:
    """Yield the root of the tree over the first entries for each of ``sizes``.

    Each entry is hashed once. Raises IndexError for more entries than there are.
    """
    levels = _levels(entries)
    for size in sizes:
        if not 0 <= size <= len(entries):
            raise IndexError(size)
        # The roots of the complete subtrees, the last one first.
        complete = [
            level[(size >> height) - 1] for height, level in enumerate(levels) if size >> height & 1
        ]
        yield reduce(lambda right, left: node_hash(left, right), complete) if complete else EMPTY


def inclusion(entries: Sequence[bytes], index: int) -> list[bytes]:
    """Return the proof that entry ``index`` is in the tree over ``entries`` (section 2.1.1).

    The hashes go from the leaf's sibling up to the root's child. Raises IndexError.
    """
    if not 0 <= index < len(entries):
        raise IndexError(index)
    return _path(_levels(entries), index)


def inclusions(entries: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yield the proof of :func:`inclusion` for each entry."""
    levels = _levels(entries)
    for index in range(len(entries)):
        yield _path(levels, index)


def consistency(entries: Sequence[bytes], old: int) -> list[bytes]:
    """Return the proof that the tree over ``entries`` extends the tree over the first ``old``.

    It is the proof of section 2.1.2. It is empty for the same tree, and for the empty tree, which
    need no proof. Raises IndexError.
    """
    if not 0 <= old <= len(entries):
        raise IndexError(old)
    if old in (0, len(entries)):
        return []
    height = _height(old)
    levels = _levels(entries)[height:]
    index = (old - 1) >> height
    known = index == 0  # it is the old root, which the verifier has
    return [*([] if known else [levels[0][index]]), *_path(levels, index)]


def is_included(entry: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes) -> bool:
    """Return whether ``proof`` shows ``entry`` at ``index`` in the tree of this size and root.

    The algorithm is that of RFC 9162, section 2.1.3.2.
    """
    if not 0 <= index < size:
        return False
    last, hash = size - 1, leaf_hash(entry)
    for other in proof:
        if last == 0:
            return False
        if index & 1 or index == last:
            hash = node_hash(other, hash)
            while not index & 1 and index:  # it moved up unchanged
                index, last = index >> 1, last >> 1
        else:
            hash = node_hash(hash, other)
        index, last = index >> 1, last >> 1
    return last == 0 and hash == root


def is_consistent(
    old: int, size: int, proof: Sequence[bytes], old_root: bytes, root: bytes
) -> bool:
    """Return whether ``proof`` shows that the tree of ``size`` extends the tree of size ``old``.

    The algorithm is that of RFC 9162, section 2.1.4.2.
    """
    if not 0 <= old <= size:
        return False
    if old == size and old_root != root:
        return False
    if old in (0, size):
        return not proof and (old > 0 or old_root == EMPTY)
    if not proof:
        return False
    height = _height(old)
    index, last = (old - 1) >> height, (size - 1) >> height
    first, *others = [old_root, *proof] if index == 0 else proof
    old_hash = hash = first
    for other in others:
        if last == 0:
            return False
        if index & 1 or index == last:
            old_hash, hash = node_hash(other, old_hash), node_hash(other, hash)
            while not index & 1 and index:
                index, last = index >> 1, last >> 1
        else:
            hash = node_hash(hash, other)
        index, last = index >> 1, last >> 1
    return last == 0 and (old_hash, hash) == (old_root, root)


def _levels(entries: Sequence[bytes]) -> list[list[bytes]]:
    """Return all levels of the tree over ``entries``, from the leaves to the root."""
    levels = [[leaf_hash(entry) for entry in entries]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        alone = below[len(below) & ~1 :]
        levels.append([*map(node_hash, below[::2], below[1::2]), *alone])
    return levels


def _path(levels: Sequence[Sequence[bytes]], index: int) -> list[bytes]:
    """Return the siblings on the path from ``index`` in the lowest of ``levels`` to the root."""
    path: list[bytes] = []
    for level in levels:
        sibling = index ^ 1
        path += level[sibling : sibling + 1]
        index >>= 1
    return path


def _height(size: int) -> int:
    """Return the level of the largest complete subtree at the end of a tree of this size."""
    return (size & -size).bit_length() - 1
