"""What a bot is told: the 31 arguments of BH-30."""

from __future__ import annotations

from collections.abc import Sequence

from games.bank_heist.state import UNIT, Game, Player

Figures = tuple[str, ...]
"""Arguments 11 to 31, which are the same in both rounds of a game."""


def arguments(game: Game, player: Player, told: Figures) -> tuple[str, ...]:
    """BH-30: all arguments, in order."""
    so_far = (
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
    return (*map(str, so_far), *told)


def figures(players: Sequence[Player]) -> list[Figures]:
    """What each player is told of itself and all players as the game starts, by seat."""
    credits = [player.credits for player in players]
    public = (mean(credits), mean_deviation(credits), str(max(credits)))
    ranks = places(credits)
    return [
        (
            str(player.salary - player.bribes),
            str(player.employed),
            str(ranks[player.credits]),
            *public,
            *map(str, player.account),
            *map(decimal, player.probability),
            *map(decimal, player.odds),
        )
        for player in players
    ]


def places(credits: Sequence[int]) -> dict[int, int]:
    """By credits: 1 + the number of players that have strictly more."""
    ranks: dict[int, int] = {}
    for place, amount in enumerate(sorted(credits, reverse=True)):
        ranks.setdefault(amount, 1 + place)
    return ranks


def mean(credits: Sequence[int]) -> str:
    """The mean, as the nearest float."""
    return repr(sum(credits) / len(credits))


def mean_deviation(credits: Sequence[int]) -> str:
    """The mean absolute deviation from the mean, as the nearest float: one exact division."""
    number, total = len(credits), sum(credits)
    return repr(sum(abs(number * amount - total) for amount in credits) / number**2)


def decimal(billionths: int) -> str:
    """Billionths as an exact decimal, with one digit at least: ``0.54``, ``1.1``, ``0.49312``."""
    whole, part = divmod(billionths, UNIT)
    return f"{whole}.{f'{part:09}'.rstrip('0') or '0'}"
