"""The rule ``bank_heist/seen_nobody_succeeds``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import comb
from pathlib import Path

import pytest

from games.importing import formats, imported
from tests.audit.transcripts import doctored, fired

LEAST_BET = 0.324
"""The least probability with which a member of the rabble bets, and then succeeds if all stay."""


@dataclass
class Heists:
    """A transcript in which a crosser takes nothing in some games and ``gain`` in the others."""

    games: int
    nothing: int
    gain: int = 124
    rabble: int = 100

    def write(self, folder: Path) -> None:
        """Import it into a new folder."""
        text = folder.with_suffix(".txt")
        text.write_text("".join(self._games()))
        imported.write(formats.read("bank-heist-transcript", [text]), folder)
        text.unlink()

    def _games(self) -> list[str]:
        credits, games = 240, []
        for number in range(self.games):
            credits += 239 + self.gain * (number >= self.nothing)
            games.append(
                f"#####GAME {number}: {self.rabble + 2} players######\nRound 1:\nMole bet 1.\n"
                "Lurker bet 0.\nRound 2\nMole decided to double cross.\nResults:\n"
                + _table(credits, 240 * (number + 2))
            )
        return games


def _table(mole: int, lurker: int) -> str:
    first, second = sorted([("Mole", mole), ("Lurker", lurker)], key=lambda one: -one[1])
    return f"0. {first[0]}: {first[1]}\n1. {second[0]}: {second[1]}\n"


@doctored
def _changed() -> Heists:
    return Heists(games=12, nothing=12)


@doctored
def _some() -> Heists:
    return Heists(games=12, nothing=6)


@doctored
def _few() -> Heists:
    return Heists(games=6, nothing=6)


@doctored
def _small() -> Heists:
    return Heists(games=12, nothing=12, rabble=99)


def test_seen_nobody_succeeds() -> None:
    """A crosser that takes nothing from a hundred others in twelve games of twelve is found."""
    assert fired(_changed) == {"seen_nobody_succeeds"}


@pytest.mark.parametrize("transcript", [_some, _few, _small])
def test_what_dice_can_do_is_no_finding(transcript: object) -> None:
    """Half of twelve games, six of six, or a smaller rabble: dice may fall so."""
    assert fired(transcript) == set()  # type: ignore[arg-type]


def nobody(members: int, backed_out: int = 5) -> float:
    """The probability that no straight succeeds beside a crosser, if so many members bet.

    All players that back out do so before the rabble (BH-29), and nobody else plays: both make it
    larger. Computed exactly, by the number of members that back out.
    """
    out = [1.0] + [0.0] * members
    for decided in range(members):
        backs = [
            0.05 + 0.5 * (backed_out + gone) / (backed_out + decided) for gone in range(decided + 1)
        ]
        stay = [out[gone] * (1 - backs[gone]) for gone in range(decided + 1)] + [0.0]
        leave = [0.0] + [out[gone] * backs[gone] for gone in range(decided + 1)]
        out[: decided + 2] = [a + b for a, b in zip(stay, leave, strict=True)]
    heisters = members + backed_out + 1
    return sum(
        chance * (1 - LEAST_BET * (members - gone + 1) / heisters) ** (members - gone)
        for gone, chance in enumerate(out)
    )


def test_the_bound_of_the_rule() -> None:
    """Beside 100 members nobody succeeds in at most 1 game of 20, fewer the more of them bet."""
    chances = [nobody(members) for members in range(101)]
    assert all(more >= less for more, less in pairwise(chances))
    betting = [comb(100, n) * LEAST_BET**n * (1 - LEAST_BET) ** (100 - n) for n in range(101)]
    assert sum(map(float.__mul__, betting, chances)) < 1 / 20
    for backed_out in range(1, 5):
        assert nobody(30, backed_out) < nobody(30)
