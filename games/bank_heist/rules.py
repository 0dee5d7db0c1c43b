"""Bank Heist, rules version ``bank_heist/1``: a match as a pure generator (see RULES.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from games.bank_heist import rabble
from games.bank_heist.arguments import Figures, arguments, figures
from games.bank_heist.events import (
    Acted,
    Action,
    Bet,
    BetsClosed,
    GameFinished,
    GamesDrawn,
    GameStarted,
    HeistRolled,
    Settings,
)
from games.bank_heist.settlement import Settlement
from games.bank_heist.state import UNIT, Game, Participant, Player, State
from games.table import Answer, ArgvCall, Ask, MatchRules, MatchTable, Reply
from schema.dice import SPAN

Table = MatchTable[Settings]

ACTIONS: dict[bytes, Action] = {action.encode(): action for action in get_args(Action)}
"""Answers of round 2 and what they count as (BH-8)."""

LEGAL_ACTIONS = tuple(action for action in get_args(Action) if action != "carry on")


def play(table: Table) -> MatchRules:
    """One match, from the number of its games to the final credits (BH-1, BH-5)."""
    state = begin(table)
    for number in range(state.games):
        yield from play_game(table, state, number)
    finish(table, state)


def begin(table: Table) -> State:
    """BH-1: how many games; BH-2: everybody starts alike."""
    fewest, most = table.settings.games_min, table.settings.games_max
    games = fewest + table.dice.below("games", most - fewest + 1)
    state = State.of(len(table.players), table.settings.rabble, games)
    table.state = state
    table.emit(GamesDrawn(type="games_drawn", games=games), "BH-1")
    return state


def play_game(table: Table, state: State, number: int) -> MatchRules:
    """One game: both rounds, the heist, and its settlement."""
    gather(table, state, number)
    told = figures(state.players)
    yield from place_bets(table, state, told)
    if state.game.heisters:  # BH-9: without heisters there is no round 2
        yield from choose_actions(table, state, told)
        roll(table, state)
    Settlement(table, state).run()
    close_game(table, state)


def gather(table: Table, state: State, number: int) -> None:
    """BH-3, BH-4: all players and some of the rabble, in the order of round 1."""
    drawn = rabble.draw(table.dice, table.settings, number, state.rabble)
    game = state.game = Game(number, drawn)
    participants = [*state.players, *drawn]
    for one in participants:
        one.begin()
    game.first = shuffled(table, f"game/{number}/bet/order", participants)
    event = GameStarted(type="game_started", number=number, participants=len(game.first))
    table.emit(event, "BH-3")


def shuffled(table: Table, label: str, participants: Sequence[Participant]) -> list[Participant]:
    """BH-4: ``participants`` in a fresh random order."""
    by_key = {one.key: one for one in participants}
    return [by_key[key] for key in table.dice.shuffle(label, list(by_key))]


# --- Round 1: bets (BH-6, BH-7, BH-28) -----------------------------------------------------------


def place_bets(table: Table, state: State, told: Sequence[Figures]) -> MatchRules:
    """Round 1: each bets, knowing the bets before; they choose the bank."""
    game = state.game
    words = table.dice.bulk(f"game/{game.number}/bet/rabble", len(state.rabble))
    for one in game.first:
        if isinstance(one, Player):
            yield from ask_bet(table, state, one, told[one.number])
        else:
            game.take_bet(one, rabble.bet(words[one.number], game.bank, one.credits))
    event = BetsClosed(
        type="bets_closed",
        number=game.number,
        heisters=game.heisters,
        total=game.total,
        bank=game.bank,
        rabble_bets=rabble.written(state, lambda member: rabble.SYMBOLS[member.bet]),
    )
    table.emit(event, "BH-7")


def ask_bet(table: Table, state: State, player: Player, told: Figures) -> MatchRules:
    """BH-6: a player's bet; what is no integer counts as 0."""
    game, seat = state.game, player.number
    call = ArgvCall(arguments(game, player, told))
    ask = Ask(seat, "bet", call, (f"0 to {player.credits}",))
    [reply] = yield [ask]
    bet = read_bet(reply, player.credits)
    if bet is None:
        table.reject(ask, reply, "BH-6", "bet 0")
    else:
        table.accept(ask, reply, "BH-6")
    game.take_bet(player, bet or 0)
    table.emit(Bet(type="bet", number=game.number, seat=seat, bet=player.bet), "BH-6")


def read_bet(reply: Reply, credits: int) -> int | None:
    """BH-6: a run of ASCII digits as a bet, at most all credits; None for anything else."""
    written = stripped(reply) if isinstance(reply, Answer) else b""
    if not written.isdigit():
        return None
    digits = written.lstrip(b"0")
    if len(digits) > len(str(credits)):  # also too long for int()
        return credits
    return min(int(digits or b"0"), credits)


def stripped(answer: Answer) -> bytes:
    """What a bot printed, without the ASCII white space around it."""
    return answer.raw.get("output", b"").strip()


# --- Round 2: actions (BH-8, BH-29) --------------------------------------------------------------


def choose_actions(table: Table, state: State, told: Sequence[Figures]) -> MatchRules:
    """Round 2: each heister decides, knowing how many before it backed out."""
    game = state.game
    game.round, game.decided = 2, 0
    heisters = [one for one in game.first if one.bet]
    game.second = shuffled(table, f"game/{game.number}/action/order", heisters)
    words = table.dice.bulk(f"game/{game.number}/action/rabble", len(state.rabble))
    for one in game.second:
        if isinstance(one, Player):
            yield from ask_action(table, state, one, told[one.number])
        else:
            action = rabble.action(words[one.number], game.decided, game.backed_out)
            game.take_action(one, action)


def ask_action(table: Table, state: State, player: Player, told: Figures) -> MatchRules:
    """BH-8: what a player does; anything but the nine answers means to carry on."""
    game, seat = state.game, player.number
    ask = Ask(seat, "action", ArgvCall(arguments(game, player, told)), LEGAL_ACTIONS)
    [reply] = yield [ask]
    action: Action = "carry on"
    if isinstance(reply, Answer):
        action = ACTIONS.get(stripped(reply), action)
        table.accept(ask, reply, "BH-8")
    else:
        table.reject(ask, reply, "BH-8", action)
    game.take_action(player, action)
    table.emit(Acted(type="acted", number=game.number, seat=seat, action=action), "BH-8")


# --- The heist (BH-9, BH-12) ---------------------------------------------------------------------


def roll(table: Table, state: State) -> None:
    """BH-9: the crew succeeds with p × staying ÷ heisters each; BH-12: who is all in with p."""
    game = state.game
    words = table.dice.bulk(f"game/{game.number}/success/rabble", len(state.rabble))
    for one in game.second:
        if one.action == "back out":
            continue
        a, b = one.probability[game.bank], UNIT
        if one.action != "all in":
            a, b = a * game.staying, b * game.heisters
        if isinstance(one, Player):
            one.succeeded = table.dice.chance(f"game/{game.number}/success/{one.number}", a, b)
        else:
            one.succeeded = words[one.number] * b < a * SPAN
    event = HeistRolled(
        type="heist_rolled",
        number=game.number,
        staying=game.staying,
        player_fates="".join(player.fate for player in state.players),
        rabble_fates=rabble.written(state, lambda member: member.fate),
    )
    table.emit(event, "BH-9")


# --- The end (BH-5, BH-13) -----------------------------------------------------------------------


def close_game(table: Table, state: State) -> None:
    """BH-13: the settlement is over."""
    event = GameFinished(
        type="game_finished",
        number=state.game.number,
        credits=[player.credits for player in state.players],
        rabble_credits=state.rabble_credits,
    )
    table.emit(event, "BH-13")


def finish(table: Table, state: State) -> None:
    """BH-5: the most credits win; accounts do not count."""
    credits = [player.credits for player in state.players]
    winners = [seat for seat, amount in enumerate(credits) if amount == max(credits)]
    table.finish("played", credits, winners, "BH-5")
