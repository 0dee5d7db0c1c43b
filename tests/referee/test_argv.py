"""Scripts that get questions as arguments: each failure has the penalty of its clause.

CN-6 to CN-9, BH-6, BH-8 and BH-30.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from games.table import Answer
from referee.bot import Bot
from referee.errors import RefereeError
from referee.outcome import ServerLost
from referee.processes.fork_client import ForkServer
from referee.roster.resolve import resolve
from replay.verify import verify_all
from schema import discovery as layout
from schema import seal
from schema.bot_output import CAP
from schema.card import Card
from tests.factories import SEED, Events, loads, match_events, printed
from tests.referee.bot_factory import (
    COINS,
    HEIST,
    Played,
    bot,
    few_files,
    hold,
    play,
    script,
    short_decisions,
)
from tests.referee.test_process import dies
from tests.sampling import sampled

SETTINGS: dict[str, Any] = {
    "coins": {"rounds": 2},
    "bank_heist": {"games_min": 2, "games_max": 2, "rabble": 0},
}

COINS_BOT = (
    'IFS=";"; set -- $1; case $(($2 + $1)) in 1) a=32F;; 2) a=1AX;; *) a=F2T;; esac; echo $a'
)
"""A bot without faults: its answers follow from its seat and the round."""

HEIST_BOT = "[ $2 = 1 ] && echo 69 || echo deposit"

MUCH = f"head -c {CAP + 1} /dev/zero"
"""Shell code that prints one byte more than the referee keeps."""


def game(folder: Path, *bots: Bot, card: Card = COINS, **settings: int) -> Played:
    """Play a match of ``bots`` and check that its log is valid."""
    played = play(folder, *bots, card=card, **SETTINGS[card.name] | settings)
    assert [one.verdict for one in verify_all([played.log])] == ["verified"]
    return played


def said(events: Events, seat: int = 0) -> list[str]:
    """Return the standard output of a bot, one text per decision."""
    replies = [event for event in events if event["type"] in ("answered", "fault")]
    return [event["output"] for event in replies if event["seat"] == seat]


def noted(played: Played, seat: int = 0) -> list[str]:
    """Return the standard error of a bot, one text per decision."""
    return [note.get("stderr", "") for note in played.evidence[1:] if note["seat"] == seat]


def told(fault: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a fault that describe the bot, not the question."""
    return {
        key: fault[key] for key in fault if key not in ("type", "seat", "clause", "penalty", "ask")
    }


def but_for_replies(played: Played, seat: int = 0) -> Events:
    """Return the events without the replies of ``seat``, the bots' hashes and the seal."""
    return [
        event
        for event in played.events[1:-1]
        if event["type"] not in ("answered", "fault") or event["seat"] != seat
    ]


# --- Coins: every failure counts as NNN (CN-7, CN-8) ---------------------------------------------

WRONG_TURNS: dict[str, tuple[str, dict[str, Any]]] = {
    "nothing": (":", {"output": ""}),
    "an empty line": ("echo", {"output": "\n"}),
    "two actions": ("echo NN", {"output": "NN\n"}),
    "four actions": ("echo NNNN", {"output": "NNNN\n"}),
    "small letters": ("echo nnn", {"output": "nnn\n"}),
    "an unknown action": ("echo N4N", {"output": "N4N\n"}),
    "blanks between": ("echo 'N N N'", {"output": "N N N\n"}),
    "lines between": ("printf 'N\\nN\\nN'", {"output": "N\nN\nN"}),
    "a second line": ("echo NNN; echo NNN", {"output": "NNN\nNNN\n"}),
    "a zero byte": (r"printf 'NNN\0'", {"output": "NNN\0"}),
    "a wide blank": ("printf '\u00a0NNN'", {"output": "\u00a0NNN"}),
    "a wide letter": ("printf 'NNＮ'", {"output": "NNＮ"}),
    "no UTF-8": (r"printf 'NNN\377'", {"output_base64": "Tk5O/w=="}),
    "as much as the cap": (f"head -c {CAP} /dev/zero", {"output": "\0" * CAP}),
    "an answer to standard error": ("echo NNN >&2", {"output": ""}),
}

CRASHES: dict[str, tuple[str, dict[str, Any]]] = {
    "exit 1": ("echo 111; exit 1", {"output": "111\n"}),
    "exit 255": ("exit 255", {"output": ""}),
    "killed": ("echo 111; kill -KILL $$", {"output": "111\n"}),
    "stopped by a pipe": ("kill -PIPE $$", {"output": ""}),
    "its group killed": ("echo 111; kill -KILL 0", {"output": "111\n"}),
    "a program that is not there": ("exec ./gone", {"output": ""}),
    "much output, then exit 1": (f"{MUCH}; exit 1", {"output": "\0" * CAP, "cut": ["output"]}),
    "no UTF-8, then exit 1": (r"printf '\377'; exit 1", {"output_base64": "/w=="}),
}

EXCESSES: dict[str, tuple[str, dict[str, Any]]] = {
    "one byte too much": (
        f"echo 111; {MUCH}",
        {"output": "111\n" + "\0" * (CAP - 4), "cut": ["output"]},
    ),
    "no end": ("yes", {"output": "y\n" * (CAP // 2), "cut": ["output"]}),
    "no end, no UTF-8": (
        "yes \"$(printf '\\377\\377')\"",
        {"output_base64": "//8K" * (CAP // 3) + "/w==", "cut": ["output"]},
    ),
}

FAILED_TURNS = [
    pytest.param(kind, body, raw, id=f"{kind}: {name}")
    for kind, cases in (("illegal", WRONG_TURNS), ("crash", CRASHES), ("oversize", EXCESSES))
    for name, (body, raw) in cases.items()
]


def coins_bot(folder: Path, name: str, body: str = COINS_BOT) -> Bot:
    """Return a bot for Coins."""
    return bot(folder, f"{name}.sh", body, COINS)


def at_coins(folder: Path, body: str, rounds: int = 2) -> Played:
    """Play a game of Coins against two bots without faults."""
    bots = [coins_bot(folder, "villain", body), *(coins_bot(folder, f"calm{n}") for n in (1, 2))]
    return game(folder, *bots, rounds=rounds)


@pytest.fixture(scope="module")
def passive(tmp_path_factory: pytest.TempPathFactory) -> Events:
    """Return the game of a bot that does nothing in each of its turns."""
    return but_for_replies(at_coins(tmp_path_factory.mktemp("passive"), "echo NNN"))


@pytest.mark.parametrize(("kind", "body", "raw"), FAILED_TURNS)
def test_a_turn_that_fails(
    kind: str, body: str, raw: dict[str, Any], passive: Events, tmp_path: Path
) -> None:
    """A fault counts as ``NNN``, is logged with the output, and does not affect other bots."""
    played = at_coins(tmp_path, body)
    assert [told(fault) for fault in played.faults] == [{"kind": kind} | raw] * 2
    for fault in played.faults:
        assert (fault["seat"], fault["ask"]) == (0, "turn")
        assert (fault["clause"], fault["penalty"]) == ("CN-7", "NNN")
    assert but_for_replies(played) == passive


@pytest.mark.parametrize(
    "body", ["echo 111; sleep 60", f"{MUCH}; sleep 60", "sleep 60 & wait", "kill -STOP $$"]
)
@short_decisions(0.2)
def test_a_turn_that_takes_too_long(body: str, tmp_path: Path) -> None:
    """A timeout counts as ``NNN`` (CN-8), and the log keeps no partial output."""
    played = at_coins(tmp_path, body, rounds=1)
    assert told(played.fault) == {"kind": "timeout"}
    assert (played.fault["clause"], played.fault["penalty"]) == ("CN-8", "NNN")
    [acted] = [e for e in played.events if e["type"] == "acted" and e["seat"] == 0]
    assert acted["actions"] == "NNN"
    [note] = [note for note in played.evidence[1:] if note["seat"] == 0]
    assert "partial" in note


def test_a_bot_that_cannot_be_started(passive: Events, tmp_path: Path) -> None:
    """A command that is not a program crashes in each turn, and the evidence gives the reason."""
    toml = '[[bots]]\nname = "villain"\ncommand = "no-such-program"'
    [ghost] = resolve([str(script(tmp_path, "bots.toml", toml))], COINS)
    played = game(tmp_path, ghost, coins_bot(tmp_path, "calm1"), coins_bot(tmp_path, "calm2"))
    assert [told(fault) for fault in played.faults] == [{"kind": "crash", "output": ""}] * 2
    assert but_for_replies(played) == passive
    [error, _] = [note["error"] for note in played.evidence if "error" in note]
    assert "no-such-program" in error


@pytest.mark.parametrize("output", [r"NNN", r" \n\t\r\v\f NNN\r\n ", r"NNN\n\n"])
def test_white_space_around_a_turn(output: str, passive: Events, tmp_path: Path) -> None:
    """White space around an answer is ignored, and kept in the log (CN-7)."""
    played = at_coins(tmp_path, f"printf '{output}'")
    assert played.faults == []
    assert said(played.events) == [output.encode().decode("unicode_escape")] * 2
    assert but_for_replies(played) == passive


HARMLESS = {
    "a process left behind": "sleep 60 & echo NNN",
    "a process left behind that prints": "{ sleep 0.2; echo X; } & echo NNN",
    "a process left behind in another session": "setsid sleep 0.5 & echo NNN",
    "much said on standard error": "yes | head -c 1000000 >&2; echo NNN",
    "standard error closed": "exec 2>&-; echo NNN",
    "standard output closed at the end": "echo NNN; exec >&-",
    "other files": "echo >villain.txt; mkdir -m 000 locked 2>/dev/null; echo NNN",
    "standard input read": "cat; read x; echo NNN",
}


@pytest.mark.parametrize("body", HARMLESS.values(), ids=HARMLESS)
def test_what_harms_nobody_is_no_fault(body: str, passive: Events, tmp_path: Path) -> None:
    """Side effects of a bot that change nothing for others are no fault."""
    played = at_coins(tmp_path, body)
    assert played.faults == []
    assert but_for_replies(played) == passive


def test_processes_left_behind_are_gone(tmp_path: Path) -> None:
    """Processes that a bot leaves in its group are killed when its turn ends."""
    played = at_coins(tmp_path, "sleep 60 & echo $! >&2; echo NNN")
    assert all(dies(int(pid)) for pid in noted(played))


def test_the_argument_of_coins(tmp_path: Path) -> None:
    """A bot gets one argument: round, id, centre, and the players in turn order (CN-6)."""
    played = at_coins(tmp_path, 'printf %s "$# $1" >&2; echo 2FF', rounds=1)
    order = next(event["order"] for event in played.events if event["type"] == "laid_out")
    turn = order.index(0)
    before = [e for e in played.events if e["type"] in ("laid_out", "acted")][turn]
    columns = [before.get(what, [0] * 3) for what in ("points", "flipped", "unflipped")]
    players = ["_".join(str(column[seat]) for column in ([0, 1, 2], *columns)) for seat in order]
    assert noted(played) == ["1 " + ";".join(["1", "0", str(before["centre"]), *players])]


def test_a_python_bot(passive: Events, tmp_path: Path) -> None:
    """A Python script finds the same argument in ``sys.argv``."""
    body = "import sys\n[told] = sys.argv[1:]\nprint('NNN' if told.count(';') == 5 else told)"
    villain = bot(tmp_path, "villain.py", body, COINS)
    calm = [coins_bot(tmp_path, name) for name in ("calm1", "calm2")]
    played = game(tmp_path, villain, *calm)
    assert played.faults == []
    assert but_for_replies(played) == passive


# --- Bank Heist: bets and actions (BH-6, BH-8) ---------------------------------------------------

BETS = "[ $2 = 1 ] || { echo 'back out'; exit; }; "
"""Start of a bot that answers when it is asked for its bet."""

ACTIONS = "[ $2 = 2 ] || { echo 69; exit; }; "
"""Start of a bot that answers when it is asked for its action."""

FAILURES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "exit 3": ("crash", "echo 5; exit 3", {"output": "5\n"}),
    "killed": ("crash", "echo 5; kill -KILL $$", {"output": "5\n"}),
    "much": ("oversize", f"{MUCH} | tr '\\0' 9", {"output": "9" * CAP, "cut": ["output"]}),
    "no end": ("oversize", "yes 5", {"output": "5\n" * (CAP // 2), "cut": ["output"]}),
}

WRONG_BETS: dict[str, tuple[str, str, dict[str, Any]]] = {
    text: ("illegal", f"printf %b '{text}'", {"output": text.encode().decode("unicode_escape")})
    for text in (
        *("", r"\n", "+5", "5.0", "-1", "1 2", r"1\n2", "5x", "0x5", "1e3", "1_000", r"5\0"),
        *("True", "None", "5,", "%5"),
    )
} | {
    "other digits": ("illegal", "printf ５", {"output": "５"}),
    "no UTF-8": ("illegal", r"printf '5\377'", {"output_base64": "Nf8="}),
}


def heist_bot(folder: Path, name: str, body: str = HEIST_BOT) -> Bot:
    """Return a bot for Bank Heist."""
    return bot(folder, f"{name}.sh", body, HEIST)


def at_a_heist(folder: Path, body: str, **settings: int) -> Played:
    """Play a match of Bank Heist against two bots without faults."""
    bots = [heist_bot(folder, "villain", body), *(heist_bot(folder, f"calm{n}") for n in (1, 2))]
    return game(folder, *bots, card=HEIST, **settings)


@pytest.fixture(scope="module")
def without_bets(tmp_path_factory: pytest.TempPathFactory) -> Events:
    """Return the match of a bot that bets nothing."""
    return but_for_replies(at_a_heist(tmp_path_factory.mktemp("bets"), "echo 0"))


@pytest.fixture(scope="module")
def carrying_on(tmp_path_factory: pytest.TempPathFactory) -> Events:
    """Return the match of a bot that always carries on."""
    folder = tmp_path_factory.mktemp("actions")
    return but_for_replies(at_a_heist(folder, ACTIONS + "echo '!guncheck'"))


@pytest.mark.parametrize(
    ("kind", "body", "raw"), (FAILURES | WRONG_BETS).values(), ids=FAILURES | WRONG_BETS
)
def test_a_bet_that_fails(
    kind: str, body: str, raw: dict[str, Any], without_bets: Events, tmp_path: Path
) -> None:
    """A fault counts as 0, is logged with the output, and does not affect other bots (BH-6)."""
    played = at_a_heist(tmp_path, BETS + body)
    assert [told(fault) for fault in played.faults] == [{"kind": kind} | raw] * 2
    for fault in played.faults:
        assert (fault["seat"], fault["ask"]) == (0, "bet")
        assert (fault["clause"], fault["penalty"]) == ("BH-6", "bet 0")
    assert but_for_replies(played) == without_bets


@pytest.mark.parametrize(("kind", "body", "raw"), FAILURES.values(), ids=FAILURES)
def test_an_action_that_fails(
    kind: str, body: str, raw: dict[str, Any], carrying_on: Events, tmp_path: Path
) -> None:
    """After a fault the heist continues as if the bot had printed nothing (BH-8)."""
    played = at_a_heist(tmp_path, ACTIONS + body)
    assert [told(fault) for fault in played.faults] == [{"kind": kind} | raw] * 2
    for fault in played.faults:
        assert (fault["seat"], fault["ask"]) == (0, "action")
        assert (fault["clause"], fault["penalty"]) == ("BH-8", "carry on")
    assert but_for_replies(played) == carrying_on


@pytest.mark.parametrize(("first", "ask"), [(BETS, "bet"), (ACTIONS, "action")])
@short_decisions(0.2)
def test_a_decision_that_takes_too_long(
    first: str, ask: str, carrying_on: Events, without_bets: Events, tmp_path: Path
) -> None:
    """A timeout counts as no answer, and the log keeps no partial output."""
    body = f"{first}[ $1 = 0 ] && {{ echo 240; sleep 60; }}"
    rest = "echo 0" if ask == "bet" else "echo '!guncheck'"
    played = at_a_heist(tmp_path, f"{body}; {rest}", time_limit_s=1)
    assert (told(played.fault), played.fault["ask"]) == ({"kind": "timeout"}, ask)
    assert but_for_replies(played) == (without_bets if ask == "bet" else carrying_on)


@pytest.mark.parametrize(
    "body",
    ["true", "echo", "echo nonsense", "echo Deposit", r"printf '\377'", "echo 'double  cross'"],
)
def test_any_action_is_an_answer(body: str, carrying_on: Events, tmp_path: Path) -> None:
    """An answer other than the nine actions means to carry on, and is no fault (BH-8)."""
    played = at_a_heist(tmp_path, ACTIONS + body)
    assert played.faults == []
    assert but_for_replies(played) == carrying_on


@pytest.mark.parametrize(
    ("body", "bet"),
    [
        (r"printf ' \t\r\n005\v\f\n'", 5),
        ("echo 240", 240),
        ("echo 241", 240),
        (f"head -c {CAP - 1} /dev/zero | tr '\\0' 9; echo", 240),
        (f"head -c {CAP - 1} /dev/zero | tr '\\0' 0; printf 7", 7),
    ],
    ids=["white space", "all", "more than all", "very much more", "many zeros"],
)
def test_a_bet(body: str, bet: int, tmp_path: Path) -> None:
    """Any run of digits is a bet; a bet above the bot's money counts as all of it (BH-6)."""
    played = at_a_heist(tmp_path, BETS + body, games_max=1, games_min=1)
    assert played.faults == []
    assert [e["bet"] for e in played.events if e["type"] == "bet" and e["seat"] == 0] == [bet]


def test_the_31_arguments(tmp_path: Path) -> None:
    """A bot gets the arguments that the rules list, in the same order (BH-30)."""
    asked: list[tuple[str, ...]] = []

    def player(ask: Any) -> Answer:
        if ask.seat == 0:
            asked.append(ask.args)
        return printed("69" if ask.name == "bet" else "deposit")

    played = at_a_heist(tmp_path, 'printf "%s\\n" "$@" >&2; ' + HEIST_BOT)
    match_events(player, game="bank_heist", players=3, **SETTINGS["bank_heist"])
    assert [tuple(told.splitlines()) for told in noted(played)] == asked
    assert all(len(arguments) == 31 for arguments in asked)
    assert asked[0][16:] == (
        *["0"] * 5,
        *("0.54", "0.488", "0.425", "0.387", "0.324"),
        *("0.8", "1.1", "1.3", "1.65", "1.95"),
    )


# --- files, folders and environment --------------------------------------------------------------


def test_a_file_lasts_for_a_game_of_coins(tmp_path: Path) -> None:
    """A file that a bot writes exists in its next turn, but not in its next game (CN-9)."""
    body = "echo x >>villain.txt; wc -l <villain.txt"
    bots = [coins_bot(tmp_path, "villain", body), coins_bot(tmp_path, "calm")]
    hold(tmp_path / "cup", bots, card=COINS, games=2, rounds=3)
    logs = sorted((tmp_path / "cup" / layout.MATCHES).iterdir())
    assert [said(loads(log.read_bytes())) for log in logs] == [["1\n", "2\n", "3\n"]] * 2


def test_nothing_lasts_in_bank_heist(tmp_path: Path) -> None:
    """Each decision starts with the bot's original files; new files are removed (BH-30)."""
    body = "ls; echo >>villain.sh; rm -f kept; touch new; mkdir -p sub/sub; chmod 000 sub"
    assert said(at_a_heist(tmp_path, ACTIONS + body).events)[1::2] == ["villain.sh\n"] * 2


DESTRUCTION = {
    "its program": "rm villain.sh",
    "its folder": 'rm -r "$PWD"',
    "its folder, for a file": 'd=$PWD; rm -r "$d"; touch "$d"',
    "the folder around it": 'rm -r "$(dirname "$PWD")"',
    "the folder around it, for a file": 'd=$(dirname "$PWD"); rm -r "$d"; touch "$d"',
    "the folder around it, for a link": 'd=$(dirname "$PWD"); rm -r "$d"; ln -s /gone "$d"',
}


@pytest.mark.parametrize("body", DESTRUCTION.values(), ids=DESTRUCTION)
def test_what_a_bot_destroys_in_coins(body: str, passive: Events, tmp_path: Path) -> None:
    """A bot that destroys its folder crashes for the rest of the game; other bots do not."""
    played = at_coins(tmp_path, f"{body}; echo NNN")
    assert [told(fault) for fault in played.faults] == [{"kind": "crash", "output": ""}]
    assert said(played.events) == ["NNN\n", ""]
    assert but_for_replies(played) == passive


@pytest.mark.parametrize("body", DESTRUCTION.values(), ids=DESTRUCTION)
def test_what_a_bot_destroys_in_bank_heist(body: str, without_bets: Events, tmp_path: Path) -> None:
    """Each decision has a new folder, even if the bot destroyed the last one."""
    played = at_a_heist(tmp_path, f"{body}; echo 0")
    assert played.faults == []
    assert but_for_replies(played) == without_bets


@pytest.mark.parametrize("card", [COINS, HEIST], ids=["coins", "bank_heist"])
def test_nothing_is_left_of_a_match(
    card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scratch folders are removed, even if their files resist removal."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    bots = [bot(tmp_path, f"{n}.sh", "mkdir -p a/b; chmod 000 a; touch x", card) for n in (1, 2)]
    game(tmp_path, *bots, card=card)
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("card", [COINS, HEIST], ids=["coins", "bank_heist"])
def test_what_a_bot_finds(card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder has the bot's name, standard input is empty, and four variables are set."""
    monkeypatch.setenv("SECRET", "1")
    body = "basename $PWD; ls; cat; tr '\\0' '\\n' </proc/$$/environ | sed s/=.*// | sort"
    nosy, calm = (bot(tmp_path, f"{name}.sh", body, card) for name in ("nosy", "calm"))
    expected = "nosy\nnosy.sh\nKOTH_BOT_SEED\nLANG\nPATH\nPYTHONHASHSEED\n"
    assert said(game(tmp_path, nosy, calm, card=card).events) == [expected] * 2


def test_the_seed_of_a_bot(tmp_path: Path) -> None:
    """The seed of a decision is a hash of the match's seed, the seat and the decision's index."""
    body = 'printf %s "$KOTH_BOT_SEED" >&2; [ $2 = 1 ] && echo 69'
    played = at_a_heist(tmp_path, body)
    seeds = noted(played)
    assert seeds == [seal.hex_digest(f"{SEED}:bot/0/{n}".encode()) for n in range(4)]


def test_two_bots_of_the_same_files(tmp_path: Path) -> None:
    """Two seats of the same bot have the same hash, and separate folders."""
    script(tmp_path, "same.sh", "ls | wc -l; touch $$")
    toml = "".join(f'[[bots]]\nname = "{name}"\ncommand = "sh same.sh"\n' for name in "ab")
    bots = resolve([str(script(tmp_path, "bots.toml", toml))], COINS)
    played = game(tmp_path, *bots)
    assert played.events[0]["players"][0]["bot"] == played.events[0]["players"][1]["bot"]
    assert [said(played.events, seat) for seat in (0, 1)] == [["1\n", "2\n"]] * 2


def test_the_evidence(tmp_path: Path) -> None:
    """The evidence has one line per decision: seat, time, exit status and standard error."""
    played = at_coins(tmp_path, "echo why >&2; exit 7", rounds=1)
    replies = [
        (seq, event["seat"], event["ask"])
        for seq, event in enumerate(played.events)
        if event["type"] in ("answered", "fault")
    ]
    notes = played.evidence[1:]
    assert [(note["seq"], note["seat"], note["ask"]) for note in notes] == replies
    assert [note["exit"] for note in notes] == [7 if note["seat"] == 0 else 0 for note in notes]
    assert noted(played) == ["why\n"]
    assert all(note["ms"] > 0 for note in notes)


def test_a_server_that_always_ends_before_its_bot_blames_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot that never starts, because its server ends before, is an error of the referee."""

    def lost(*_: object) -> None:
        raise ServerLost

    bots = [coins_bot(tmp_path, name, "echo NNN") for name in ("one", "two")]
    monkeypatch.setattr(ForkServer, "decide", lost)
    with pytest.raises(RefereeError, match=r"^(one|two) cannot be started: .* ended before that"):
        play(tmp_path, *bots, card=COINS, rounds=1)


@pytest.mark.parametrize("spare", sampled({str(n): n for n in range(5, 12)}, ["5", "8", "11"]))
def test_a_referee_without_files_blames_nobody(spare: int, tmp_path: Path) -> None:
    """If the referee runs out of files, that is its own error, and no bot gets a fault."""
    bots = [coins_bot(tmp_path, name, "echo NNN") for name in ("one", "two")]
    with few_files(spare), suppress(RefereeError):
        play(tmp_path, *bots, card=COINS, rounds=1)
    assert b'"fault"' not in (tmp_path / "log.jsonl").read_bytes()
