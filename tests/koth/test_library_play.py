"""``koth.play``: Python functions play as programs do, under their own names, and may fail."""

from __future__ import annotations

import linecache
import os
import random
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from inspect import getsource
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import koth
import referee
from referee import entry_checks
from schema import seal
from tests.factories import loads
from tests.replay.log_factory import hex_seed

SHORT = {"rounds": 3}


def events(match: koth.Match) -> list[dict[str, Any]]:
    """The events of the log of a match."""
    return loads(match.log.read_bytes())


def notes(match: koth.Match) -> list[dict[str, Any]]:
    """The lines of its evidence."""
    path = match.log.parent / "evidence" / match.log.name
    return [orjson.loads(line) for line in path.read_bytes().splitlines()]


def careful(situation: str) -> str:
    """Take one coin."""
    return "1NN"


# --- what a function receives and returns --------------------------------------------------------

COINS_PROGRAM = """\
import os, random, sys
dice = random.Random(os.environ["KOTH_BOT_SEED"])
print("".join(dice.choices("123F", k=3)), sys.argv[1][:0])
"""


def coins_function(*arguments: str) -> str:
    """Answer as COINS_PROGRAM does."""
    dice = random.Random(os.environ["KOTH_BOT_SEED"])
    return "".join(dice.choices("123F", k=3)) + f" {arguments[0][:0]}\n"


COUP_PROGRAM = """\
import os, random, sys
path, theirs, mine, cards, *legal = sys.argv[1:]
dice = random.Random(os.environ["KOTH_BOT_SEED"] + open(path).read())
if len(cards) > 2:
    sys.stdout.write(cards[2:])
with open(path, "a", newline="") as history:
    history.write(dice.choice(legal))
"""


def coup_function(history: str, theirs: str, mine: str, cards: str, *legal: str) -> object:
    """Answer as COUP_PROGRAM does."""
    dice = random.Random(os.environ["KOTH_BOT_SEED"] + history)
    answer = dice.choice(legal)
    return (answer, cards[2:]) if len(cards) > 2 else answer


class Drawing:
    """Chooses by its own seed, and adds up the choices that it receives."""

    def __init__(self, index: int) -> None:
        self.dice = random.Random(os.environ["KOTH_BOT_SEED"])
        self.sum = index

    def select(self) -> int:
        """Return a number."""
        return 1 + (self.dice.randrange(10) + self.sum) % 10

    def update(self, choices: list[int]) -> None:
        """Add up."""
        self.sum += sum(choices)


UNIQUE_PROGRAM = f"import os\nimport random\n\n{getsource(Drawing)}"


@pytest.mark.parametrize(
    ("game", "function", "program", "seats", "values"),
    [
        ("coins", coins_function, COINS_PROGRAM, 2, SHORT),
        ("coup", coup_function, COUP_PROGRAM, 2, {}),
        ("smallest_unique", Drawing, UNIQUE_PROGRAM, 3, {"seats": 3, "rounds": 20}),
    ],
    ids=["argv", "file", "class"],
)
def test_a_function_plays_what_its_program_plays(
    game: str,
    function: Callable[..., Any],
    program: str,
    seats: int,
    values: dict[str, int],
    tmp_path: Path,
) -> None:
    """In every protocol: equal answers give equal events, for functions, programs, and both."""
    path = tmp_path / "program.py"
    path.write_text(program)
    tables: list[Any] = [[path] * seats, [function] * seats, [function, path, function][:seats]]
    played = [
        koth.play(game, players, seed=7, settings=values, log=tmp_path / f"{number}.jsonl")
        for number, players in enumerate(tables)
    ]
    first, *others = [events(match)[1:-1] for match in played]
    assert len(first) > 3
    assert others == [first, first]
    assert all(match.verdict.verdict == "verified" for match in played)
    assert [notes(match)[0].get("in_process") for match in played] == [
        None,
        [*range(seats)],
        [0, 2][: seats - 1],
    ]


def test_a_function_may_play_against_itself(tmp_path: Path) -> None:
    """The same function twice has two names; a match object tells seats, winners and scores."""
    match = koth.play("coins", [careful, careful], seed=1, settings=SHORT, log=tmp_path / "l.jsonl")
    assert match.players == ("careful", "careful-2")
    assert match.winners == tuple(match.players[seat] for seat in match.result.winners)
    assert str(match).startswith(f"{match.result.reason}; careful {match.result.scores[0]}, ")


def test_a_log_without_a_place_is_in_a_new_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches without a path have two logs; a match that cannot begin leaves no folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    logs = [koth.play("coins", [careful, careful], seed=1, settings=SHORT).log for _ in range(2)]
    assert logs[0].read_bytes() == logs[1].read_bytes()
    with pytest.raises(koth.KothError):
        koth.play("coins", [careful])
    assert sorted(path.parent for path in logs) == sorted(tmp_path.glob("coins-*"))


# --- identity ------------------------------------------------------------------------------------


class Player:
    """An object that can be called."""

    def __call__(self, situation: str) -> str:  # noqa: D102
        return "NNN"

    def play(self, situation: str) -> str:
        """Do nothing."""
        return "NNN"


@pytest.mark.parametrize(
    ("function", "name", "path", "source"),
    [
        (careful, "careful", f"{__name__}.careful", getsource(careful)),
        (Player().play, "play", f"{__name__}.Player.play", getsource(Player.play)),
        (Player(), "Player", f"{__name__}.Player", getsource(Player)),
        (str, "str", "builtins.str", None),
        (str.upper, "method_descriptor", "builtins.method_descriptor", None),
    ],
    ids=["function", "method", "object", "built-in", "method of a built-in"],
)
def test_a_function_is_named_and_hashed(
    function: Callable[..., Any], name: str, path: str, source: str | None, tmp_path: Path
) -> None:
    """The log has its name, and the hash of its source and of its command, as the page says."""
    log = tmp_path / "log.jsonl"
    match = koth.play("coins", [function, careful], seed=1, settings=SHORT, log=log)
    player = events(match)[0]["players"][0]
    listing = "" if source is None else f"{sha256(source.encode()).hexdigest()}  source.py\n"
    listing += f'command ["python:{path}"]\n'
    assert player == {"seat": 0, "name": name, "bot": sha256(listing.encode()).hexdigest()}
    assert match.verdict.fine


def notebook_class(choice: int) -> type:
    """A class that is defined in a notebook: its methods have a source, itself it has none."""
    cell = (
        "@dataclass\nclass Drawing:\n    index: int\n\n"
        f"    def select(self):\n        return {choice}\n\n"
        "    def update(self, choices):\n        pass\n"
    )
    name = f"<cell {choice}>"
    linecache.cache[name] = len(cell), None, cell.splitlines(keepends=True), name
    names: dict[str, Any] = {"__name__": "__main__", "dataclass": dataclass}
    exec(compile(cell, name, "exec"), names)
    drawing = names["Drawing"]
    assert isinstance(drawing, type)
    return drawing


def test_classes_of_a_notebook_are_told_apart(tmp_path: Path) -> None:
    """Two classes of one name have two hashes if their methods differ, and one if they do not."""
    hashes = []
    for number, choice in enumerate([1, 2, 1]):
        log, values = tmp_path / f"{number}.jsonl", {"seats": 3, "rounds": 20}
        players = [notebook_class(choice)] * 3
        match = koth.play("smallest_unique", players, seed=1, settings=values, log=log)
        assert match.result.faults == ()
        hashes.append(events(match)[0]["players"][0]["bot"])
    assert hashes[0] == hashes[2] != hashes[1]


# --- faults --------------------------------------------------------------------------------------


def failing(error: BaseException) -> Callable[[str], str]:
    """A function that raises ``error``."""

    def fail(situation: str) -> str:
        raise error

    return fail


def returning(answer: object) -> Callable[[str], object]:
    """A function that returns ``answer``."""
    return lambda situation: answer


@pytest.mark.parametrize(
    ("function", "kind", "words"),
    [
        (failing(ValueError("\x1b[2J<b>\udc80")), "crash", "ValueError: "),
        (failing(SystemExit(0)), "crash", "SystemExit: 0"),
        (failing(RecursionError()), "crash", "RecursionError"),
        (returning(None), "crash", "TypeError: expected the answer as a str, found NoneType"),
        (returning(b"NNN"), "crash", "TypeError: expected the answer as a str, found bytes"),
        (returning("\ud800"), "crash", "UnicodeEncodeError"),
        (lambda: "NNN", "crash", "takes 0 positional arguments but 1 was given"),
        (returning("N" * 70_000), "oversize", ""),
        (returning("XYZ9"), "illegal", ""),
        (returning("\udcff"), "illegal", ""),
    ],
)
def test_a_failing_function_is_at_fault(
    function: Callable[..., Any], kind: str, words: str, tmp_path: Path
) -> None:
    """An error, a wrong type and too long an answer are faults; the traceback is evidence."""
    players = [function, careful]
    match = koth.play("coins", players, seed=1, settings=SHORT, log=tmp_path / "log.jsonl")
    assert match.result.faults == ((0, kind),) * 3
    assert match.verdict.verdict == "verified"
    text = next(note.get("stderr", "") for note in notes(match) if note.get("seat") == 0)
    assert words in text
    assert str(Path(referee.__file__).parent) not in text


class Failing(Drawing):
    """Fails when it gets the choices."""

    def update(self, choices: list[int]) -> None:
        """Fail."""
        raise ValueError(choices)


def test_a_failing_class_is_at_fault(tmp_path: Path) -> None:
    """A failure is recorded in its step, and the others' choices count."""
    log, values = tmp_path / "log.jsonl", {"seats": 3, "rounds": 20}
    match = koth.play("smallest_unique", [Drawing, Failing, Drawing], settings=values, log=log)
    assert (match.result.reason, match.result.faults) == ("void", ((1, "crash"),))
    assert next(e for e in events(match) if e["type"] == "fault")["ask"] == "update"
    assert match.verdict.verdict == "verified"


def test_an_interrupt_stops_the_match(tmp_path: Path) -> None:
    """A KeyboardInterrupt reaches the caller; the log is a beginning without a seal."""
    log = tmp_path / "log.jsonl"
    with pytest.raises(KeyboardInterrupt):
        koth.play("coins", [failing(KeyboardInterrupt()), careful], seed=1, log=log)
    assert koth.verify(log).verdict == "incomplete"


def test_the_seed_of_a_function_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A function finds its seed in the environment, which is restored after each call."""
    seeds: list[str] = []
    monkeypatch.setenv("KOTH_BOT_SEED", "mine")

    def noting(situation: str) -> str:
        seeds.append(os.environ["KOTH_BOT_SEED"])
        return "NNN"

    koth.play("coins", [noting, careful], seed=1, settings=SHORT, log=tmp_path / "log.jsonl")
    assert seeds == [seal.bot_seed(hex_seed(1), 0, decision) for decision in range(3)]
    assert os.environ["KOTH_BOT_SEED"] == "mine"


def test_matches_in_threads_are_those_played_one_by_one(tmp_path: Path) -> None:
    """Each function finds its own seed, also if it plays a match itself, or removes the seed."""
    seeds = {number: list[str]() for number in range(8)}

    def play(number: int) -> koth.Match:
        def bot(situation: str) -> str:
            before = os.environ["KOTH_BOT_SEED"]
            if number == 7:
                inner = tmp_path / f"inner-{len(seeds[number])}.jsonl"
                koth.play("coins", [careful, careful], seed=number, settings=SHORT, log=inner)
            time.sleep(0.001)
            seeds[number].append(os.environ.pop("KOTH_BOT_SEED"))
            assert before == seeds[number][-1]
            return "1NN"

        log = tmp_path / f"{number}.jsonl"
        return koth.play("coins", [bot, careful], seed=number, settings=SHORT, log=log)

    with ThreadPoolExecutor(4) as pool:
        played = list(pool.map(play, seeds))
    for number, match in enumerate(played):
        assert match.result.faults == ()
        expected = [seal.bot_seed(hex_seed(number), 0, decision) for decision in range(3)]
        assert seeds[number] == expected


@given(st.lists(st.one_of(st.text(max_size=5), st.integers()), min_size=4, max_size=4))
@settings(max_examples=10)
def test_every_match_of_functions_verifies(answers: list[object]) -> None:
    """For any return values of functions, the log verifies."""
    queue = [*answers]
    players = [lambda situation: queue.pop(0), lambda situation: queue.pop(0)]
    with TemporaryDirectory() as folder:
        log = Path(folder, "log.jsonl")
        match = koth.play("coins", players, seed=1, settings={"rounds": 2}, log=log)
        assert match.verdict.verdict == "verified"


def test_a_log_is_found_in_any_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match knows its log after a change of the working folder, even by one of its functions."""
    monkeypatch.chdir(tmp_path)

    def moving(situation: str) -> str:
        os.chdir("/")
        return "1NN"

    match = koth.play("coins", [moving, careful], seed=1, settings=SHORT, log="log.jsonl")
    assert (match.log, match.verdict.fine) == (tmp_path / "log.jsonl", True)
    assert notes(match)


@pytest.mark.parametrize("level", ["process", "none"])
def test_programs_of_an_iterator_are_isolated(level: str, tmp_path: Path) -> None:
    """Programs play at the level that is named, in a list or an iterator; the log is the same."""
    logs = tmp_path / "list.jsonl", tmp_path / "iterator.jsonl"
    for log in logs:
        players: Any = ["examples/thief", "examples/dealer"]
        players = players if log == logs[0] else iter(players)
        match = koth.play("coins", players, seed=1, settings=SHORT, log=log, isolation=level)
        assert notes(match)[0]["isolation"] == level
    assert logs[0].read_bytes() == logs[1].read_bytes()


def test_problems_of_bots_are_warnings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that runs, but fails at a first question, plays with a warning about the call."""
    monkeypatch.setattr(entry_checks, "check_match", lambda job, allow_broken: ["bad: no answer."])
    players = [coins_function, coins_function]
    with pytest.warns(UserWarning, match=r"^bad: no answer\.$") as caught:
        koth.play("coins", players, seed=1, settings=SHORT, log=tmp_path / "log.jsonl")
    assert [warning.filename for warning in caught] == [__file__]


def test_one_player_is_no_list() -> None:
    """A single path instead of a list of players is refused, not read letter by letter."""
    for players in "examples/taxman", Path("taxman.py"):
        with pytest.raises(TypeError, match="expected a list of them"):
            koth.play("coup", players)  # type: ignore[arg-type]
