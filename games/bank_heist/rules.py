"""The rules of a match of Bank Heist, version ``bank_heist/1``; clauses (BH-…) are in RULES.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from games.bank_heist import rabble
from games.bank_heist.arguments import Figures, figures, observation
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
from games.bank_heist.state import BANKS, UNIT, Game, Participant, Player, State
from games.standings import winners
from games.table import Answer, Ask, MatchRules, MatchTable, Reply
from schema.dice import threshold

Table = MatchTable[Settings]

ACTIONS: dict[bytes, Action] = {action.encode(): action for action in get_args(Action)}
"""The action of each answer in round 2 (BH-8)."""

LEGAL_ACTIONS = tuple(action for action in get_args(Action) if action != "carry on")


def play(table: Table) -> MatchRules:
    """Play one match, from the number of its games to the final credits (BH-1, BH-5)."""
    state = begin(table)
    for number in range(state.games):
        yield from play_game(table, state, number)
    finish(table, state)


def begin(table: Table) -> State:
    """BH-1: draw the number of games. BH-2: give all participants the same start."""
    fewest, most = table.settings.games_min, table.settings.games_max
    games = fewest + table.dice.below("games", most - fewest + 1)
    state = State.of(len(table.players), table.settings.rabble, games)
    table.state = state
    table.emit(GamesDrawn(type="games_drawn", games=games), "BH-1")
    return state


def play_game(table: Table, state: State, number: int) -> MatchRules:
    """Play one game: both rounds, the heist, and its settlement."""
    gather(table, state, number)
    known = table.show(figures, state.players)
    yield from place_bets(table, state, known)
    if state.game.heisters:  # BH-9: without heisters there is no round 2
        yield from choose_actions(table, state, known)
        roll(table, state)
    Settlement(table, state).run()
    close_game(table, state)


def gather(table: Table, state: State, number: int) -> None:
    """BH-3: draw the members of the rabble. BH-4: draw the order of round 1."""
    for heister in state.game.second:  # the others have not changed in the game before
        heister.begin()
    drawn = rabble.draw(table.dice, table.settings, number, state.rabble)
    game = state.game = Game(number, drawn)
    game.first = shuffled(table, f"game/{number}/bet/order", [*state.players, *drawn])
    event = GameStarted(type="game_started", number=number, participants=len(game.first))
    table.emit(event, "BH-3")


def shuffled(table: Table, label: str, participants: Sequence[Participant]) -> list[Participant]:
    """BH-4: return ``participants`` in a random order."""
    by_key = {participant.key: participant for participant in participants}
    return [by_key[key] for key in table.dice.shuffle(label, list(by_key))]


# --- Round 1: bets (BH-6, BH-7, BH-28) -----------------------------------------------------------


def place_bets(table: Table, state: State, known: Sequence[Figures]) -> MatchRules:
    """Round 1: all bet in turn. BH-7: their bets choose the bank."""
    game = state.game
    words = table.dice.bulk(f"game/{game.number}/bet/rabble", len(state.rabble))
    for participant in game.first:
        if isinstance(participant, Player):
            yield from ask_bet(table, state, participant, known)
        else:
            bet = rabble.bet(words[participant.number], game.bank, participant.credits)
            game.take_bet(participant, bet)
    event = BetsClosed(
        type="bets_closed",
        number=game.number,
        heisters=game.heisters,
        total=game.total,
        bank=game.bank,
        rabble_bets=rabble.bets(state),
    )
    table.emit(event, "BH-7")


def ask_bet(table: Table, state: State, player: Player, known: Sequence[Figures]) -> MatchRules:
    """BH-6: ask a player for its bet; after a fault the bet is 0."""
    game, seat = state.game, player.number
    call = table.show(observation, game, player, known)
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
    """BH-6: return a run of ASCII digits as a bet, at most all credits; None for a fault."""
    text = printed(reply) if isinstance(reply, Answer) else b""
    if not text.isdigit():
        return None
    digits = text.lstrip(b"0")
    if len(digits) > len(str(credits)):  # may be too long for int()
        return credits
    return min(int(digits or b"0"), credits)


def printed(answer: Answer) -> bytes:
    """Return the output of a bot without the ASCII white space around it (BH-6, BH-8)."""
    return answer.raw.get("output", b"").strip()


# --- Round 2: actions (BH-8, BH-29) --------------------------------------------------------------


def choose_actions(table: Table, state: State, known: Sequence[Figures]) -> MatchRules:
    """Round 2: all heisters choose an action in turn, in a new order (BH-4)."""
    game = state.game
    game.round, game.decided = 2, 0
    heisters = [participant for participant in game.first if participant.bet]
    game.second = shuffled(table, f"game/{game.number}/action/order", heisters)
    words = table.dice.bulk(f"game/{game.number}/action/rabble", len(state.rabble))
    for heister in game.second:
        if isinstance(heister, Player):
            yield from ask_action(table, state, heister, known)
        else:
            action = rabble.action(words[heister.number], game.decided, game.backed_out)
            game.take_action(heister, action)


def ask_action(table: Table, state: State, player: Player, known: Sequence[Figures]) -> MatchRules:
    """BH-8: ask a player for its action; all but the nine answers mean to carry on."""
    game, seat = state.game, player.number
    call = table.show(observation, game, player, known)
    ask = Ask(seat, "action", call, LEGAL_ACTIONS)
    [reply] = yield [ask]
    action: Action = "carry on"
    if isinstance(reply, Answer):
        action = ACTIONS.get(printed(reply), action)
        table.accept(ask, reply, "BH-8")
    else:
        table.reject(ask, reply, "BH-8", action)
    game.take_action(player, action)
    table.emit(Acted(type="acted", number=game.number, seat=seat, action=action), "BH-8")


# --- The heist (BH-9, BH-12) ---------------------------------------------------------------------


def roll(table: Table, state: State) -> None:
    """BH-9: the crew succeeds with p × staying ÷ heisters. BH-12: a heister all in, with p."""
    game = state.game
    words = table.dice.bulk(f"game/{game.number}/success/rabble", len(state.rabble))
    limit = threshold(BANKS[game.bank].probability * game.staying, UNIT * game.heisters)
    for heister in game.second:
        if heister.action == "back out":
            continue
        if isinstance(heister, Player):
            roll_for(table, game, heister)
        else:  # the rabble keeps the probabilities of the start
            heister.succeeded = words[heister.number] < limit
    event = HeistRolled(
        type="heist_rolled",
        number=game.number,
        staying=game.staying,
        player_fates="".join(player.fate for player in state.players),
        rabble_fates=rabble.fates(state),
    )
    table.emit(event, "BH-9")


def roll_for(table: Table, game: Game, player: Player) -> None:
    """BH-9, BH-12: decide whether a staying player succeeds."""
    a, b = player.probability[game.bank], UNIT
    if player.action != "all in":
        a, b = a * game.staying, b * game.heisters
    label = f"game/{game.number}/success/{player.number}"
    player.succeeded = table.dice.chance(label, a, b)


# --- The end (BH-5, BH-13) -----------------------------------------------------------------------


def close_game(table: Table, state: State) -> None:
    """Record the credits at the end of the settlement (BH-13)."""
    event = GameFinished(
        type="game_finished",
        number=state.game.number,
        credits=[player.credits for player in state.players],
        rabble_credits=state.rabble_credits,
    )
    table.emit(event, "BH-13")


def finish(table: Table, state: State) -> None:
    """BH-5: the players with the most credits win; accounts do not count."""
    credits = [player.credits for player in state.players]
    table.finish("played", credits, winners(credits), "BH-5")
