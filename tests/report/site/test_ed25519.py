"""The stand-in for Ed25519 accepts exactly the signatures that cryptography accepts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given
from hypothesis import strategies as st

from report.site.stand_ins import ed25519 as own

ORDERS = (0, 1, own.L - 1, own.L)
POINTS = (0, 1, own.P - 1, own.P, own.P + 1, own.SIGN - 1)
"""Encodings of points of small order, and such as are not canonical."""


def verifies(key: bytes, signature: bytes, text: bytes) -> bool:
    """Return what cryptography says."""
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except InvalidSignature:
        return False
    return True


def verifies_purely(key: bytes, signature: bytes, text: bytes) -> bool:
    """Return what the stand-in says."""
    try:
        own.Ed25519PublicKey.from_public_bytes(key).verify(signature, text)
    except own.InvalidSignature:
        return False
    return True


def variants(key: bytes, signature: bytes, bit: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield a key and a signature with changes."""
    scalar = int.from_bytes(signature[32:], "little")
    yield key, signature
    yield key, signature[:32] + (scalar + own.L).to_bytes(32, "little")
    yield key, signature[:-1]
    yield key, signature + b"\0"
    yield key, flipped(signature, bit % 512)
    yield flipped(key, bit % 256), signature


def flipped(data: bytes, bit: int) -> bytes:
    """Return ``data`` with one bit changed."""
    return (int.from_bytes(data, "little") ^ (1 << bit)).to_bytes(len(data), "little")


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=80), st.integers(0, 511))
def test_signatures(seed: bytes, text: bytes, bit: int) -> None:
    """A signature is accepted, a changed one is not, and both libraries agree."""
    private = Ed25519PrivateKey.from_private_bytes(seed)
    key, signature = private.public_key().public_bytes_raw(), private.sign(text)
    assert verifies_purely(key, signature, text)
    for other_key, other in variants(key, signature, bit):
        assert verifies_purely(other_key, other, text) == verifies(other_key, other, text)


@pytest.mark.parametrize("y", POINTS)
def test_edge_cases(y: int) -> None:
    """Points of small order, and encodings beyond the prime, are treated alike."""
    for sign in (0, own.SIGN):
        key = (y | sign).to_bytes(32, "little")
        for commitment in (key, (1).to_bytes(32, "little")):
            for scalar in ORDERS:
                signature = commitment + scalar.to_bytes(32, "little")
                assert verifies_purely(key, signature, b"") == verifies(key, signature, b"")
