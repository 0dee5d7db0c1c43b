"""Narration: each event of each game is one plain sentence, for any contents of a log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.narration import LONGEST, Narrator, answer, common, listed, result_line, short
from schema import contest_events, reader, registry
from schema.reader import IncompleteLog, Log

ROOT = Path(__file__).parent.parent
GOLDEN = sorted((ROOT / "golden").rglob("*.jsonl"))
Event = Mapping[str, Any]
HOSTILE = "\u202e<b>\x00\n" + "x" * 10_000


def golden() -> list[Log]:
    """Return all golden logs that can be read."""
    logs = []
    for path in GOLDEN:
        try:
            logs.append(reader.read(path))
        except IncompleteLog as error:
            if error.log is not None:
                logs.append(error.log)
    return logs


LOGS = golden()
MATCHES = [log for log in LOGS if log.kind == "match"]
TOURNAMENTS = [log for log in LOGS if log.kind == "tournament"]


def type_of(model: type) -> str:
    """Return the value of an event model's field ``type``."""
    [kind] = get_args(get_type_hints(model)["type"])
    return str(kind)


def is_sentence(text: str) -> bool:
    """Whether a text is one printable line in the present tense with one full stop, at its end."""
    is_one = not re.search(r"\. | (was|were) ", text)
    return is_one and text.isprintable() and text.endswith(".") and 3 < len(text) < 400


@pytest.mark.parametrize("log", MATCHES, ids=lambda log: Path(str(log.path)).stem)
def test_every_event_of_a_golden_log_is_a_sentence(log: Log) -> None:
    """Each event of the game itself has a sentence of its own, and all others a common one."""
    narrate = Narrator(log.card, log.start)
    own = {type_of(model) for model in log.version.event_models()}
    game = log.card.narrator()
    assert game is not None
    for event in log.events:
        assert is_sentence(narrate(event)), event
        if event["type"] in own:
            assert isinstance(game(event, narrate.players, narrate.settings), str), event


@pytest.mark.parametrize("name", registry.names())
def test_every_event_type_is_narrated(name: str) -> None:
    """The golden logs hold each event type of the game at least once."""
    models = registry.card(name).current.event_models()
    types = {event["type"] for log in MATCHES if log.card.name == name for event in log.events}
    imported = {"heist_seen", "credits_seen"}
    assert {type_of(model) for model in models} - imported <= types


@pytest.mark.parametrize("log", TOURNAMENTS, ids=lambda log: Path(str(log.path)).parent.name)
def test_every_event_of_a_tournament_is_a_sentence(log: Log) -> None:
    """Matches, disqualifications, voided attempts and the final table have common sentences."""
    narrate = Narrator(log.card, log.start)
    for event in log.events:
        assert is_sentence(narrate(event)), event
        assert common(event, narrate.players, narrate.settings) is not None


CONTEST_EVENTS = (
    ({"type": "contest_started"}, "The contest begins."),
    ({"type": "entered", "name": "anna"}, "anna enters."),
    ({"type": "revised", "name": HOSTILE}, f"{short(HOSTILE)} has a new version."),
    ({"type": "withdrawn", "name": "anna"}, "anna is withdrawn."),
    ({"type": "stage_started", "stage": 2}, "Stage 2 begins."),
    ({"type": "stage_finished", "stage": 2, "files": 1}, "Stage 2 ends with 1 log."),
    ({"type": "contest_sealed"}, "The log is sealed."),
)


@pytest.mark.parametrize(("event", "told"), CONTEST_EVENTS)
def test_every_event_of_a_contest_is_a_sentence(event: Event, told: str) -> None:
    """Entries and stages are named."""
    start = {"type": "contest_started", "game": "coup", "settings": {}}
    assert Narrator(registry.card("coup"), start)(event) == told
    assert is_sentence(told)


def test_the_events_of_a_contest_are_all_narrated() -> None:
    """No type of a contest's events is left to its words."""
    assert {type_of(model) for model in contest_events.CONTEST_EVENTS} == {
        event["type"] for event, _ in CONTEST_EVENTS
    }


@pytest.mark.parametrize("log", LOGS, ids=lambda log: Path(str(log.path)).stem)
def test_hostile_names_and_fields_stay_in_their_sentence(log: Log) -> None:
    """Names of control characters and markup, and fields that do not fit, do no harm."""
    bots = "players" if log.kind == "match" else "entrants"
    hostile = [{**bot, "name": HOSTILE} for bot in log.start[bots]]
    narrate = Narrator(log.card, {**log.start, bots: hostile})
    for event in log.events:
        broken = {key: 99 if isinstance(value, int) else value for key, value in event.items()}
        for changed in (event, broken, {"type": event["type"]}):
            sentence = narrate(changed)
            assert sentence.isprintable()
            assert len(sentence) < 4_000


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ({"output": " x\n"}, "“x”"),
        ({"appended": "T", "output": "y"}, "“T”"),
        ({"appended": "p\n"}, r"“p\n”"),
        ({"output": "\n"}, "with white space"),
        ({"output": "\n5\xa0\n"}, r"“5\xa0”"),
        ({"output_base64": "/w=="}, "with bytes that are not UTF-8"),
        ({}, "with nothing"),
    ],
)
def test_an_answer_in_words(event: Mapping[str, Any], told: str) -> None:
    """An answer is quoted, or described where there is nothing to quote."""
    assert answer(event) == told


@given(st.text())
@example("x" * 40)
@example("5”: it is right.")
def test_no_answer_ends_its_quotation(output: str) -> None:
    """The only closing quotation mark of a sentence is the one after the answer, cut or not."""
    said = answer({"output": output})
    assert said.count("”") == said.count("“", 0, 1) == bool(output.strip())
    assert said.endswith("”") == bool(output.strip())
    assert said.isprintable()


def fault(ask: str, kind: str = "illegal", penalty: str = "forfeit", **wrote: str) -> Event:
    """The fault of the second player."""
    event = {"type": "fault", "seat": 1, "kind": kind, "clause": "CP-17", "penalty": penalty}
    return {**event, "ask": ask, **wrote}


def coins(cause: str, *change: int) -> Event:
    """A movement of coins in Coup."""
    return {"type": "coins_moved", "cause": cause, "change": change, "coins": [9, 9]}


def lost(cause: str, hand: str) -> Event:
    """The first player of Coup loses its Duke."""
    return {"type": "card_lost", "seat": 0, "cause": cause, "card": "$", "hand": hand}


def closed(ask: str) -> Event:
    """The first player of Coup adds a newline to the history."""
    return {"type": "answered", "seat": 0, "ask": ask, "output": "", "appended": "\n"}


def heist(type: str, **fields: Any) -> Event:
    """An event in the first game of Bank Heist."""
    return {"type": type, "number": 0, **fields}


def moved(why: str, what: str, before: int, after: int, **bank: int) -> Event:
    """A change of the first player's possessions in Bank Heist."""
    return heist("moved", seat=0, why=why, what=what, before=before, after=after, **bank)


def acted(actions: str, points: int, centre: int) -> Event:
    """A turn of the first player of Coins."""
    return {"type": "acted", "seat": 0, "actions": actions, "points": [points], "centre": centre}


def numbers(*choices: int, **winner: int) -> Event:
    """The second round of Smallest Unique Number."""
    return {"type": "round", "round": 2, "choices": choices, **winner}


def finished(*winners: int) -> Event:
    """The end of a match."""
    return {"type": "match_finished", "reason": "centre_empty", "winners": winners}


def played(*seats: int, faults: int = 0) -> Event:
    """A match of a tournament, which its first seat won."""
    won = {**finished(0), "type": "match_played", "match": "1-000007"}
    return {**won, "seats": seats, "faults": [{}] * faults}


def ranked(*ranks: int) -> Event:
    """A final table with these ranks."""
    table = [{"entrant": n, "rank": rank, "score": 1_500} for n, rank in enumerate(ranks)]
    return {"type": "tournament_finished", "standings": table}


def rated(*scores: int) -> Event:
    """A final table whose lines share the first rank with these scores, by their rate."""
    table = [{"entrant": n, "rank": 1, "score": score} for n, score in enumerate(scores)]
    return {"type": "tournament_finished", "standings": table}


SENTENCES: dict[str, dict[str, Event]] = {
    "coup": {
        "ann steals 2 coins from bob.": coins("steal", 2, -2),
        "bob steals 1 coin from ann.": coins("steal", -1, 1),
        "ann pays 7 coins for the coup.": coins("coup", -7, 0),
        "bob pays 3 coins for the assassination.": coins("assassination", 0, -3),
        "bob takes 3 coins of tax.": coins("tax", 0, 3),
        "ann loses the Duke to the coup.": lost("coup", "!"),
        "ann challenges a true claim, and loses the Duke; ann is out.": lost("wrong_challenge", ""),
        "bob gives an illegal answer, “T”: it forfeits (CP-17).": fault("turn", output="T"),
        "bob gives an illegal answer, “I”: it forfeits (CP-17).": fault(
            "exchange", appended="I", output="$"
        ),
        "bob gives an illegal answer, “^^”: it forfeits (CP-17).": fault(
            "exchange", appended="\n", output="^^"
        ),
        "bob prints no cards to keep: it forfeits (CP-17).": fault(
            "exchange", appended="\n", output="\n"
        ),
        r"bob gives an illegal answer, “\n”: it forfeits (CP-17).": fault(
            "turn", appended="\n", output="x"
        ),
        "bob changes the history file: it forfeits (CP-17).": fault("turn", "tampered", file="I"),
        "bob changes the history file, and leaves a pipe: it forfeits (CP-17).": fault(
            "turn", "tampered", found="a pipe"
        ),
        "bob adds nothing to the history: it forfeits (CP-17).": fault(
            "turn", appended="", output="\n"
        ),
        "bob prints “I”, but adds nothing to the history: it forfeits (CP-17).": fault(
            "turn", appended="", output="I\n\n"
        ),
        "ann accepts the block: its action fails, and the turn ends.": closed("block"),
        "ann ends the turn.": closed("close"),
        r"bob prints “I\x1f”, but adds nothing to the history: it forfeits (CP-17).": fault(
            "turn", appended="", output="I\x1f\n"
        ),
        "bob crashes: it forfeits (CP-17).": fault("exchange", "crash", appended="\n"),
        "bob crashes: it is disqualified (CP-17).": fault("select", "crash", "disqualified"),
        "bob takes too long: the penalty is NNN (CP-17).": fault("turn", "timeout", "NNN"),
        "The match ends without a winner (centre empty).": finished(),
        "bob wins the match (centre empty).": finished(1),
        "ann and bob share the win (centre empty).": finished(0, 1),
    },
    "bank_heist": {
        "1 participant gathers, the rabble included.": heist("game_started", participants=1),
        "2 participants gather, the rabble included.": heist("game_started", participants=2),
        "ann bets nothing.": heist("bet", seat=0, bet=0),
        "ann answers with nothing.": {"type": "answered", "seat": 0, "output": ""},
        "bob gives an empty answer: the penalty is bet 0 (CP-17).": fault(
            "bet", penalty="bet 0", output=""
        ),
        "ann leaves its job.": heist("acted", seat=0, action="change jobs"),
        "ann chooses to deposit its winnings.": heist("acted", seat=0, action="deposit"),
        r"ann writes “finger\xa0”.": {"type": "answered", "seat": 0, "output": " finger\xa0\n"},
        "ann bets 1,000 credits.": heist("bet", seat=0, bet=1_000),
        "nobody bets, so there is no heist.": heist("bets_closed", heisters=0, total=0, bank=0),
        "1 heister bet 5 credits, enough to rob the City bank.": heist(
            "bets_closed", heisters=1, total=5, bank=1
        ),
        "2 of 4 staying heisters succeed, ann among them.": heist(
            "heist_rolled", player_fates="sfo", rabble_fates="s.f"
        ),
        "1 of 2 staying heisters succeeds.": heist(
            "heist_rolled", player_fates="f.o", rabble_fates="s"
        ),
        "0 of 0 staying heisters succeed.": heist(
            "heist_rolled", player_fates="..o", rabble_fates=""
        ),
        "ann is employed: it is hired.": moved("hired", "employed", 0, 1),
        "ann is unemployed: it is exposed as a double crosser.": moved("exposed", "employed", 1, 0),
        "ann's account at the City bank falls from 1,000 to 0: it withdraws its account.": moved(
            "withdraw", "account", 1_000, 0, bank=1
        ),
        "ann's odds at the City bank rise from 0.8 to 1.8: it spends its winnings on intel.": moved(
            "intel", "odds", 800_000_000, 1_800_000_000, bank=1
        ),
        "ann's odds at the City bank rise from 0.8 to 0.80001: it spends its winnings on intel.": (
            moved("intel", "odds", 800_000_000, 800_010_000, bank=1)
        ),
        "ann's chance at the City bank rises from 99.999 % to 99.99901 %: it buys a guard.": moved(
            "guard", "probability", 999_990_000, 999_990_100, bank=1
        ),
        "ann's chance at the City bank falls from 4 % to 0 %: it is exposed as a double crosser.": (
            moved("exposed", "probability", 40_000_000, 0, bank=1)
        ),
        "ann's chance at the Municipal bank rises from 49 % to 54 %: it buys a guard.": moved(
            "guard", "probability", 490_000_000, 540_000_000, bank=0
        ),
        "ann's credits fall from 240 to 140: it pays in its bet.": moved(
            "bet", "credits", 240, 140
        ),
        "1 player of 9 who stay tries to double cross: it works.": heist(
            "cross_judged", crossers=1, staying_players=9, succeeded=1
        ),
        "2 players of 9 who stay try to double cross: that is too many, and it fails.": heist(
            "cross_judged", crossers=2, staying_players=9, succeeded=0
        ),
        "ann points at cyn and bob, and exposes nobody.": heist(
            "fingered", seat=0, drawn=[2, 1], exposed=[]
        ),
        "bob points at ann, cyn and bob, and exposes cyn.": heist(
            "fingered", seat=1, drawn=[0, 2, 0, 2, 1, 1, 1, 0], exposed=[2]
        ),
        "ann's winnings fall from 9 to 5: its finger exposes nobody.": moved(
            "false_finger", "winnings", 9, 5
        ),
        "each straight heister's share is 1 credit, each unexposed crosser's 0 credits.": heist(
            "shared_out", straight_share=1, crosser_share=0
        ),
        "bob and cyn lead with 9 credits.": heist("game_finished", credits=[7, 9, 9]),
        "the heist of bob fails, as the transcript says.": heist("heist_seen", seat=1, succeeded=0),
        "cyn leads with 9 credits, as the transcript says.": heist(
            "credits_seen", ranking=[2, 0, 1], credits=[5, 1, 9]
        ),
        "bob writes “all in”.": {"type": "answered", "seat": 1, "output": "all in\n"},
        "bob answers with bytes that are not UTF-8.": {
            "type": "answered",
            "seat": 1,
            "output_base64": "/w==",
        },
    },
    "coins": {
        "ann flips up to 2 coins and does nothing: −10 points, with 1 coin in the centre.": acted(
            "FFN", -10, 1
        ),
        "ann takes up to 3 coins twice and does nothing: −9 points, with 0 coins in the centre.": (
            acted("33N", -9, 0)
        ),
        "ann unflips up to 3 coins: −1,000 points, with 4 coins in the centre.": acted(
            "UUU", -1_000, 4
        ),
        "ann does nothing: 0 points, with 9 coins in the centre.": acted("NNN", 0, 9),
        "All coins count again: bob leads with −2 points.": {
            "type": "counted",
            "points": [-4, -2, -9],
        },
    },
    "smallest_unique": {
        "Round 2: no number is unique, and nobody scores.": numbers(4, 4),
        "Round 2: ann scores with 1.": numbers(1, 2, 3, winner=0),
        "Round 2: cyn scores with 3; 1 is not unique.": numbers(1, 1, 3, winner=2),
        "Round 2: cyn scores with 5; 1 and 2 are not unique.": numbers(2, 2, 5, 1, 1, winner=2),
        "The last choices are announced, and nothing more is asked.": {"type": "announcement"},
    },
}
"""Sentences by game, each with its event; fields that no sentence uses are left out."""

OF_TOURNAMENTS = {
    "Match 1-000007, ann against bob: ann wins the match (centre empty).": played(0, 1),
    "Match 1-000007 of 3 players: bob wins the match (centre empty), with 2 faults.": played(
        1, 0, 2, faults=2
    ),
    "The tournament ends without a final table.": ranked(),
    "ann wins the tournament, with a score of 1,500.": ranked(1, 2, 2),
    "ann and bob share the win of the tournament, with a score of 1,500.": ranked(1, 1, 3),
    "ann and bob share the win of the tournament.": rated(1, 2),
    "The log is sealed, and its seed revealed.": {"type": "tournament_sealed", "seed": "0a"},
    "The log is sealed.": {"type": "tournament_sealed"},
}


@pytest.mark.parametrize(
    ("game", "sentence", "event"),
    [(game, *case) for game, cases in SENTENCES.items() for case in cases.items()],
)
def test_a_sentence_says_what_happened(game: str, sentence: str, event: Event) -> None:
    """Players, amounts and causes are those of the event, in the right number and case."""
    players = [{"name": name} for name in ("ann", "bob", "cyn")]
    start = {"players": players[: 2 if game == "coup" else 3], "settings": {}}
    prefix = "Game 1: " if "number" in event else ""
    assert Narrator(registry.card(game), start)(event) == prefix + sentence


@pytest.mark.parametrize(("sentence", "event"), OF_TOURNAMENTS.items())
def test_a_sentence_says_what_happened_in_a_tournament(sentence: str, event: Event) -> None:
    """A match has its players by seat, the final table its winners, and an import no seed."""
    entrants = [{"name": name} for name in ("ann", "bob", "cyn")]
    start = {"entrants": entrants, "settings": {}}
    assert Narrator(registry.card("coup"), start)(event) == sentence


def test_lists_and_cuts() -> None:
    """Long lists say how many others there are; long texts are cut."""
    assert listed("abc") == "a, b and c"
    assert listed(map(str, range(6))) == "0, 1, 2, 3, 4 and 5"
    assert listed(map(str, range(9))) == "0, 1, 2, 3, 4 and 4 others"
    assert len(short(HOSTILE)) == LONGEST


@pytest.mark.parametrize(
    ("scores", "winners", "line"),
    [
        ([4, 2, 0], [0], "over; a 4, b 2, c 0"),
        ([4, 4, 0], [1, 0], "over; a 4, b 4, c 0"),
        ([4, 4, 0], [1], "over; a 4, b 4, c 0; b wins"),
        ([4, 2, 0], [1, 2], "over; a 4, b 2, c 0; b and c win"),
        ([4, 2, 0], [], "over; a 4, b 2, c 0"),
    ],
)
def test_a_result_names_winners_that_the_scores_do_not(
    scores: list[int], winners: list[int], line: str
) -> None:
    """The line of a result names its winners unless they are those with the highest score."""
    event = {"reason": "over", "scores": scores, "winners": winners}
    assert result_line(event, ["a", "b", "c"]) == line
