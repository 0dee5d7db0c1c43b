"""Attacks on seeds and commitments; all sealed again."""

from __future__ import annotations

from schema import seal
from tests.corpus.entries import add, entry
from tests.corpus.honest import (
    GAMES,
    Honest,
    holding,
    plain,
    refielded,
    sealed_without_seed,
    without,
)
from tests.factories import sealed

COUP = plain("coup")
OTHER = "e" * 64


for game in GAMES:
    add(
        f"another_seed_in_{game}",
        "The seal reveals another seed than the start committed to.",
        "forged",
        lambda game=game: sealed(plain(game).events, OTHER),
    )

ROLLED = {"bank_heist": "cross_judged", "coins": "laid_out", "coup": "dealt"}
"""By game, an event that comes of dice; matches of Smallest Unique Number have none."""


def exchanged(log: Honest) -> bytes:
    """``log`` with another seed, and the commitment to it."""
    events = log.events
    events[0]["seed_commitment"] = seal.commitment(OTHER)
    return sealed(events, OTHER)


for game, type in ROLLED.items():
    add(
        f"seed_that_fits_the_commitment_but_not_the_dice_in_{game}",
        "Seed and commitment were exchanged together, but the dice fell otherwise.",
        "diverged",
        lambda game=game, type=type: exchanged(holding(game, type)),
    )


@entry("verified")
def seed_and_commitment_exchanged_where_nobody_rolls() -> bytes:
    """Seed and commitment were exchanged together in a game without dice: only what was published
    before the match, or its tournament, can tell."""
    return exchanged(plain("smallest_unique"))


@entry("forged")
def another_seed_in_a_tournament() -> bytes:
    """A tournament reveals another seed than it committed to."""
    return sealed(holding("coup", "match_played", "tournament").events, OTHER)


@entry("forged")
def another_seed_and_another_answer() -> bytes:
    """Seed and result are both edited: forged comes before diverged."""
    events = COUP.events
    events[-1]["scores"].reverse()
    return sealed(events, OTHER)


@entry("incomplete")
def another_answer_and_no_seal() -> bytes:
    """The result is edited and the seal is gone: incomplete comes before diverged."""
    events = COUP.events
    events[-1]["scores"].reverse()
    return b"".join(sealed(events, COUP.seed).splitlines(keepends=True)[:-1])


@entry("forged")
def commitment_edited() -> bytes:
    """The commitment is that of another seed."""
    commitment = seal.commitment(OTHER)
    return refielded(COUP, 0, lambda start: start.update(seed_commitment=commitment))


@entry("forged")
def commitment_that_is_the_seed() -> bytes:
    """The commitment is the seed itself, not its hash."""
    return refielded(COUP, 0, lambda start: start.update(seed_commitment=COUP.seed))


@entry("forged")
def commitment_to_the_bytes_of_the_seed() -> bytes:
    """The commitment hashes the 32 bytes of the seed, not its hex text."""
    commitment = seal.hex_digest(bytes.fromhex(COUP.seed))
    return refielded(COUP, 0, lambda start: start.update(seed_commitment=commitment))


@entry("forged")
def commitment_to_the_seed_with_a_line_feed() -> bytes:
    """The commitment hashes the seed's hex text and an LF, as a careless echo does."""
    commitment = seal.hex_digest(COUP.seed.encode() + b"\n")
    return refielded(COUP, 0, lambda start: start.update(seed_commitment=commitment))


@entry("forged")
def flipped_bit_in_a_revealed_seed() -> bytes:
    """One bit of the seed in the seal is flipped: it stands below what the seal hashes."""
    before, key, after = COUP.data.rpartition(b'"seed":"')
    return before + key + bytes([after[0] ^ 1]) + after[1:]


@entry("corrupt")
def commitment_in_capitals() -> bytes:
    """The commitment is right, but in capitals."""
    return refielded(
        COUP, 0, lambda start: start.update(seed_commitment=start["seed_commitment"].upper())
    )


@entry("corrupt")
def seed_in_capitals() -> bytes:
    """The seed is in capitals, and the commitment fits that."""
    events = COUP.events
    events[0]["seed_commitment"] = seal.commitment(OTHER.upper())
    return sealed(events, OTHER.upper())


@entry("corrupt")
def seed_that_is_short() -> bytes:
    """The seed has 63 digits, and the commitment fits that."""
    events = COUP.events
    events[0]["seed_commitment"] = seal.commitment(OTHER[1:])
    return sealed(events, OTHER[1:])


@entry("corrupt")
def seed_that_is_empty() -> bytes:
    """The seed is an empty text, and the commitment fits that."""
    events = COUP.events
    events[0]["seed_commitment"] = seal.commitment("")
    return sealed(events, "")


@entry("corrupt")
def seed_missing() -> bytes:
    """The seal reveals no seed."""
    return sealed_without_seed(COUP.events)


@entry("corrupt")
def commitment_missing() -> bytes:
    """The start commits to no seed."""
    events = COUP.events
    return sealed([without(events[0], "seed_commitment"), *events[1:]], COUP.seed)


@entry("corrupt")
def seed_and_commitment_missing() -> bytes:
    """There is neither seed nor commitment, in a match that was not imported."""
    events = COUP.events
    return sealed_without_seed([without(events[0], "seed_commitment"), *events[1:]])


@entry("corrupt")
def commitment_missing_in_a_tournament() -> bytes:
    """A tournament's start commits to no seed."""
    log = holding("coup", "match_played", "tournament")
    events = log.events
    return sealed([without(events[0], "seed_commitment"), *events[1:]], log.seed)


@entry("corrupt")
def seed_revealed_at_the_start() -> bytes:
    """The start holds the seed."""
    return refielded(COUP, 0, lambda start: start.update(seed=COUP.seed))
