"""The 31 arguments of a bot (BH-30)."""

from __future__ import annotations

from collections.abc import Sequence

from games.bank_heist.state import UNIT, Game, Player
from games.standings import ranks
from games.table import ArgvCall

Figures = tuple[str, ...]
"""Arguments 11 to 31, the same in both rounds of a game."""


def observation(game: Game, player: Player, known: Sequence[Figures]) -> ArgvCall:
    """BH-30: return the call of a bot, with all arguments in order."""
    current = (
        game.number,
        game.round,
        len(game.first),
        game.decided,
        game.heisters,
        game.total,
        game.decided - game.backed_out if game.round == 2 else 0,
        game.bank,
        player.credits,
        player.bet,
    )
    return ArgvCall((*map(str, current), *known[player.number]))


def figures(players: Sequence[Player]) -> list[Figures]:
    """BH-30: return arguments 11 to 31 of each player at the start of a game, by seat."""
    credits = [player.credits for player in players]
    public = (mean(credits), mean_deviation(credits), str(max(credits)))
    rank_of = ranks(credits)
    return [
        (
            str(player.salary - player.bribes),
            str(player.employed),
            str(rank_of[player.credits]),
            *public,
            *map(str, player.account),
            *map(decimal, player.probability),
            *map(decimal, player.odds),
        )
        for player in players
    ]


def mean(credits: Sequence[int]) -> str:
    """Return the mean as the nearest 64-bit float."""
    return repr(sum(credits) / len(credits))


def mean_deviation(credits: Sequence[int]) -> str:
    """Return the mean absolute deviation as the nearest 64-bit float: one exact division."""
    number, total = len(credits), sum(credits)
    return repr(sum(abs(number * amount - total) for amount in credits) / number**2)


def decimal(billionths: int) -> str:
    """Return billionths as an exact decimal of one digit or more: ``0.54``, ``0.49312``."""
    whole, part = divmod(billionths, UNIT)
    return f"{whole}.{f'{part:09}'.rstrip('0') or '0'}"
