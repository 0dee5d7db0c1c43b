"""Verify Ed25519 signatures in pure Python (RFC 8032, section 5.1), as OpenSSL does.

It takes the place of ``cryptography.hazmat.primitives.asymmetric.ed25519`` and has no private keys.
Nothing here is secret, so the time that it takes may depend on its input.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha512

P = (1 << 255) - 19
"""The prime of the field."""
L = (1 << 252) + 27742317777372353535851937790883648493
"""The order of the base point."""
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""

KEY_BYTES = 32
SIGN = 1 << 255
"""The bit of an encoded point that holds the sign of x."""

Point = tuple[int, int, int, int]
"""Extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, xy = T/Z."""

NEUTRAL: Point = (0, 1, 1, 0)


class InvalidSignature(Exception):
    """Raised for a signature by another key or of another text."""


@dataclass(frozen=True)
class Ed25519PublicKey:
    """A public key."""

    data: bytes

    @classmethod
    def from_public_bytes(cls, data: bytes) -> Ed25519PublicKey:
        """Return the key of 32 bytes. Raises ValueError for another length."""
        if len(data) != KEY_BYTES:
            raise ValueError("An Ed25519 public key is 32 bytes long")
        return cls(data)

    def verify(self, signature: bytes, data: bytes) -> None:
        """Raise InvalidSignature unless this key made the ``signature`` of ``data``."""
        key = _decoded(self.data)
        scalar = int.from_bytes(signature[KEY_BYTES:], "little")
        if len(signature) != 2 * KEY_BYTES or key is None or scalar >= L:
            raise InvalidSignature
        commitment = signature[:KEY_BYTES]
        digest = sha512(commitment + self.data + data).digest()
        x, y, z, t = key
        minus_key = (-x, y, z, -t)
        factor = int.from_bytes(digest, "little") % L
        if _encoded(_sum(_product(scalar, BASE), _product(factor, minus_key))) != commitment:
            raise InvalidSignature


def _sum(one: Point, other: Point) -> Point:
    """Add two points (RFC 8032, section 5.1.4)."""
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _product(factor: int, point: Point) -> Point:
    """Multiply a point by a non-negative integer."""
    result = NEUTRAL
    while factor:
        if factor & 1:
            result = _sum(result, point)
        point = _sum(point, point)
        factor >>= 1
    return result


def _encoded(point: Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    odd = x * inverse % P & 1
    return (y * inverse % P | odd * SIGN).to_bytes(KEY_BYTES, "little")


def _decoded(data: bytes) -> Point | None:
    """Return the point of 32 bytes (RFC 8032, section 5.1.3), None if there is none.

    Like OpenSSL, it accepts y beyond the prime, and a sign of x = 0.
    """
    number = int.from_bytes(data, "little")
    y = number % SIGN % P
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * ROOT % P
    if v * x * x % P != u:
        return None
    if x & 1 != number >> 255:
        x = -x % P
    return x, y, 1, x * y % P


def _base() -> Point:
    point = _decoded((4 * pow(5, -1, P) % P).to_bytes(KEY_BYTES, "little"))
    assert point is not None
    return point


BASE = _base()
"""The base point: y = 4/5, x even."""
