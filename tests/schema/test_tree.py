"""Merkle trees: definitions of RFC 6962, published roots and proofs, and refusals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from unittest.mock import patch

import pytest

from schema.merkle import (
    EMPTY,
    consistency,
    inclusion,
    is_consistent,
    is_included,
    leaf_hash,
    node_hash,
    root,
    roots,
)
from tests.sampling import LONG_RUN

SIZES = range(65 if LONG_RUN else 34)
ENTRIES = [sha256(b"%d" % number).digest() for number in SIZES]
ROOTS = [root(ENTRIES[:size]) for size in SIZES]

# Test vectors that the implementations of Certificate Transparency share.
KNOWN = [
    bytes.fromhex(entry)
    for entry in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
KNOWN_ROOTS = [
    bytes.fromhex(digest)
    for digest in (
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    )
]
KNOWN_INCLUSION = {
    (0, 1): "",
    (0, 8): "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7 "
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    (5, 8): "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b "
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0 "
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    (2, 3): "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    (1, 5): "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d "
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
}
KNOWN_CONSISTENCY = {
    (1, 1): "",
    (1, 8): "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7 "
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
    "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4",
    (6, 8): "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a "
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0 "
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    (2, 5): "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e "
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    (6, 7): "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a "
    "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f "
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
}


# --- The definitions, word by word from RFC 6962, section 2.1 ------------------------------------


def half(size: int) -> int:
    """Return the largest power of two smaller than ``size``."""
    return 1 << ((size - 1).bit_length() - 1)


def mth(entries: Sequence[bytes]) -> bytes:
    """Return the Merkle Tree Hash of section 2.1."""
    if not entries:
        return sha256().digest()
    if len(entries) == 1:
        return sha256(b"\x00" + entries[0]).digest()
    k = half(len(entries))
    return sha256(b"\x01" + mth(entries[:k]) + mth(entries[k:])).digest()


def path(m: int, entries: Sequence[bytes]) -> list[bytes]:
    """Return the audit path of entry ``m``, by section 2.1.1."""
    if len(entries) == 1:
        return []
    k = half(len(entries))
    if m < k:
        return [*path(m, entries[:k]), mth(entries[k:])]
    return [*path(m - k, entries[k:]), mth(entries[:k])]


def subproof(m: int, entries: Sequence[bytes], whole: bool = True) -> list[bytes]:
    """Return PROOF(m, D[n]) for 0 < m <= n, by section 2.1.2."""
    if m == len(entries):
        return [] if whole else [mth(entries)]
    k = half(len(entries))
    if m <= k:
        return [*subproof(m, entries[:k], whole), mth(entries[k:])]
    return [*subproof(m - k, entries[k:], False), mth(entries[:k])]


# --- Known answers -------------------------------------------------------------------------------


def test_published_hashes_of_leaves_and_nodes() -> None:
    """A leaf and a node are hashed as in the published vectors."""
    entry = bytes(range(0x10, 0x20))
    left, right = bytes(range(0x20)), bytes(range(0x20, 0x40))
    assert leaf_hash(b"") == KNOWN_ROOTS[1]
    assert leaf_hash(entry).hex().startswith("3bfb960453ebaebf33727da7a1f4db38")
    assert node_hash(left, right).hex().startswith("1a378704c17da31e2d05b6d121c2bb2c")


@pytest.mark.parametrize("size", range(9))
def test_published_roots(size: int) -> None:
    """The first 0 to 8 published entries have the published roots."""
    assert root(KNOWN[:size]) == KNOWN_ROOTS[size]


@pytest.mark.parametrize("case", KNOWN_INCLUSION)
def test_published_inclusion_proofs(case: tuple[int, int]) -> None:
    """The published proofs of inclusion are built and accepted."""
    index, size = case
    proof = [bytes.fromhex(digest) for digest in KNOWN_INCLUSION[case].split()]
    assert inclusion(KNOWN[:size], index) == proof
    assert is_included(KNOWN[index], index, size, proof, KNOWN_ROOTS[size])


@pytest.mark.parametrize("case", KNOWN_CONSISTENCY)
def test_published_consistency_proofs(case: tuple[int, int]) -> None:
    """The published proofs of consistency are built and accepted."""
    old, size = case
    proof = [bytes.fromhex(digest) for digest in KNOWN_CONSISTENCY[case].split()]
    assert consistency(KNOWN[:size], old) == proof
    assert is_consistent(old, size, proof, KNOWN_ROOTS[old], KNOWN_ROOTS[size])


# --- Every tree of 0 to 33 leaves, in the long run of 0 to 64 ------------------------------------


def leaves() -> Iterator[tuple[int, int, list[bytes]]]:
    """Yield (index, size, proof) for every leaf of every tree."""
    for size in SIZES:
        for index in range(size):
            yield index, size, inclusion(ENTRIES[:size], index)


def pairs() -> Iterator[tuple[int, int, list[bytes]]]:
    """Yield (old, size, proof) for every two trees, including the empty one."""
    for size in SIZES:
        for old in range(size + 1):
            yield old, size, consistency(ENTRIES[:size], old)


def test_every_root_is_the_defined_one() -> None:
    """Computing the root level by level gives that of the recursive definition."""
    assert [mth(ENTRIES[:size]) for size in SIZES] == ROOTS


def test_every_leaf_is_proved_by_the_defined_path() -> None:
    """Every leaf's proof is the audit path of the RFC, and is accepted."""
    for index, size, proof in leaves():
        assert proof == path(index, ENTRIES[:size])
        assert is_included(ENTRIES[index], index, size, proof, ROOTS[size])


def test_every_pair_is_proved_by_the_defined_proof() -> None:
    """Every pair's proof is that of the RFC, and is accepted; from the empty tree it is empty."""
    for old, size, proof in pairs():
        assert proof == (subproof(old, ENTRIES[:size]) if old else [])
        assert is_consistent(old, size, proof, ROOTS[old], ROOTS[size])


def damaged(proof: Sequence[bytes], others: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Yield a proof with one hash changed, missing, added, exchanged or of a wrong length."""
    for place, one in enumerate(proof):
        for changed in (
            bytes([one[0] ^ 1]) + one[1:],
            one[:-1] + bytes([one[-1] ^ 0x80]),
            one[:-1],
            one + b"\0",
        ):
            yield [*proof[:place], changed, *proof[place + 1 :]]
        yield [*proof[:place], *proof[place + 1 :]]
        yield [*proof[:place], one, *proof[place:]]
    for one in (b"", *others):
        yield [*proof, one]
        yield [one, *proof]
    if len(proof) > 1:
        yield [*proof[1:], proof[0]]
        first, second, *rest = proof
        yield [first[1:], second + first[:1], *rest]  # joined, both are unchanged


def test_a_damaged_inclusion_proof_is_refused() -> None:
    """A proof of inclusion with any change is refused, for every leaf."""
    for index, size, proof in leaves():
        for bad in damaged(proof, [ROOTS[size], EMPTY]):
            assert not is_included(ENTRIES[index], index, size, bad, ROOTS[size])


def test_a_proof_is_of_one_leaf_at_one_place_in_one_tree() -> None:
    """A proof of inclusion holds for its index, entry, root and height only.

    The signature, not the proof, shows the size among trees of the same shape.
    """
    for index, size, proof in leaves():
        for other in range(-1, size + 2):
            shown = is_included(ENTRIES[index], other, size, proof, ROOTS[size])
            assert shown == (other == index)
        for other in {*range(size)} - {index}:
            assert not is_included(ENTRIES[other], index, size, proof, ROOTS[size])
        for other in (0, size // 2, size * 2):
            assert not is_included(ENTRIES[index], index, other, proof, ROOTS[size])
        for other_root in (ROOTS[size - 1], EMPTY, b"", ROOTS[size][:-1]):
            assert not is_included(ENTRIES[index], index, size, proof, other_root)


def test_a_proof_is_no_longer_than_its_tree_is_high() -> None:
    """The path of a last leaf in a larger tree is refused, though it leads to the given root."""
    for size in SIZES[2:]:
        proof = inclusion(ENTRIES[:size], size - 1)
        assert not is_included(ENTRIES[size - 1], 0, 1, proof, ROOTS[size])


def test_a_damaged_consistency_proof_is_refused() -> None:
    """A proof of consistency with any change is refused, for every pair of trees."""
    for old, size, proof in pairs():
        for bad in damaged(proof, [ROOTS[old], ROOTS[size]]):
            assert not is_consistent(old, size, bad, ROOTS[old], ROOTS[size])


def test_no_larger_tree_extends_another_without_a_proof() -> None:
    """An empty proof shows nothing about two trees of different sizes, except the empty tree."""
    for old, size, _ in pairs():
        extends = is_consistent(old, size, [], ROOTS[old], ROOTS[size])
        assert extends == (old in (0, size))


def test_a_consistency_proof_is_of_two_trees() -> None:
    """A proof of consistency holds for its roots, its direction and its sizes only."""
    for old, size, proof in pairs():
        if old == size:
            assert not is_consistent(old, size, [], ROOTS[old], ENTRIES[0])
            continue
        assert not is_consistent(old, size, proof, ROOTS[size], ROOTS[old])
        assert not is_consistent(old, size, proof, ENTRIES[0], ROOTS[size])
        assert not is_consistent(size, old, proof, ROOTS[size], ROOTS[old])
        if old:
            assert not is_consistent(old, size, proof, ROOTS[old], ENTRIES[0])
            for other in {0, *range(size + 1)} - {old}:
                assert not is_consistent(other, size, proof, ROOTS[old], ROOTS[size])


def test_there_is_no_proof_outside_of_the_tree() -> None:
    """A proof for an entry or a tree outside of the tree raises IndexError."""
    for index in (-1, 3, 4):
        with pytest.raises(IndexError):
            inclusion(ENTRIES[:3], index)
    for old in (-1, 4):
        with pytest.raises(IndexError):
            consistency(ENTRIES[:3], old)
    with pytest.raises(IndexError):
        inclusion([], 0)


def test_a_tree_does_not_extend_a_larger_one() -> None:
    """A smaller tree is refused, though its root is made of the root of the larger one."""
    old, other = ROOTS[3], ENTRIES[0]
    assert not is_consistent(3, 2, [old, other], old, node_hash(old, other))


def test_a_node_is_no_leaf() -> None:
    """An entry made of two hashes is not accepted as the node above them (second preimage)."""
    two = ENTRIES[:2]
    forged = b"".join(map(leaf_hash, two))
    assert root([forged]) != root(two)
    assert not is_included(forged, 0, 1, [], root(two))


def test_the_roots_of_all_beginnings() -> None:
    """The roots of trees of any sizes, also of equal ones, are those of each tree alone."""
    assert [*roots(ENTRIES, SIZES)] == ROOTS
    few = [0, 0, 3, 8, 8, 33, 5]
    assert [*roots(ENTRIES, few)] == [ROOTS[size] for size in few]


@pytest.mark.parametrize(("entries", "size"), [(0, 1), (2, 4), (3, 4), (5, 6), (3, -1)])
def test_a_tree_has_no_root_of_more_entries_than_it_has(entries: int, size: int) -> None:
    """A size beyond the entries is an error, whichever complete subtrees it would have."""
    with pytest.raises(IndexError):
        list(roots(ENTRIES[:entries], [size]))


def test_the_roots_of_many_beginnings_take_one_pass() -> None:
    """A hundred trees of the same entries hash each entry once."""
    with patch("schema.merkle.leaf_hash", side_effect=leaf_hash) as hashed:
        assert {*roots(ENTRIES[:33], [33] * 100)} == {ROOTS[33]}
    assert hashed.call_count == 33
