"""The example bots of Coup: each answers every kind of question with exactly one legal action."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from games.table import Answer, FileCall
from schema import registry
from tests.games.coup_games import Game

FOLDER = registry.card("coup").bots
BOTS = sorted(path.name for path in FOLDER.iterdir() if path.suffix in (".py", ".sh"))
INTERPRETERS = {".py": sys.executable, ".sh": "/bin/sh"}


def positions() -> dict[str, Game]:
    """A game at each kind of question; two responses, as an Assassination is special."""
    return {
        "turn": Game("$^", "*!", coins=(8, 4)),
        "response": Game("~^", "*!", coins=(2, 5)).turn("I\n").say("S"),
        "response to an Assassination": Game("~^", "*!", coins=(4, 2)).say("A"),
        "block": Game("~^", "*!", coins=(2, 5)).say("S", "c"),
        "proof": Game("~^", "*!").say("F", "d", "q"),
        "loss": Game("$^", "*!").say("T", "q", "$"),
        "close": Game("$^", "*!").turn("I\n").turn("Sc\n").say("T", "p"),
        "exchange": Game("~^", "*!", coins=(3, 3)).turn("I\n").turn("Tq<\n").say("E", "p"),
    }


def call(bot: str, game: Game, folder: Path) -> Answer:
    """Return the answer of a bot of the *file* protocol, run as the rulebook says (CP-16)."""
    assert game.ask
    assert isinstance(game.ask.observation, FileCall)
    history, args = game.ask.observation
    path = folder / "history.txt"
    path.write_bytes(history.encode())
    ran = subprocess.run(
        [INTERPRETERS[Path(bot).suffix], str(FOLDER / bot), str(path), *args],
        cwd=folder,
        env={
            "KOTH_BOT_SEED": "7" * 64,
            "PYTHONHASHSEED": "0",
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
        },
        capture_output=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, b"")
    after = path.read_bytes()
    assert after.startswith(history.encode())
    return Answer({"output": ran.stdout, "appended": after[len(history) :]})


def test_there_are_twelve_bots() -> None:
    """The bots of the game are all looked at."""
    assert len(BOTS) == 12


def test_the_positions_are_of_every_kind() -> None:
    """Every name of a question in the rulebook is among the positions."""
    asked = {game.ask.name for game in positions().values() if game.ask}
    assert asked == {"turn", "response", "block", "proof", "loss", "close", "exchange"}


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_answers_legally(bot: str, tmp_path: Path) -> None:
    """The bot appends exactly one legal action to the file, and keeps cards that it may keep."""
    for number, (name, game) in enumerate(positions().items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        reply = call(bot, game, folder)
        assert game.ask
        assert reply.text("appended") in game.ask.legal, name
        seq = len(game.events)
        game.reply(reply)
        assert game.events[seq]["type"] == "answered", f"{name}: {game.events[seq]}"
        assert [file.name for file in folder.iterdir()] == ["history.txt"]
