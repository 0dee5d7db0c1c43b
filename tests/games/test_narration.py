"""Narration: each event of each game is one plain sentence, for any contents of a log."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.narration import LONGEST, Narrator, answer, common, listed, short
from schema import reader, registry
from schema.reader import IncompleteLog, Log

ROOT = Path(__file__).parent.parent
GOLDEN = sorted((ROOT / "golden").rglob("*.jsonl"))
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
    """Whether a text is one printable line that ends with a full stop."""
    return text.isprintable() and text.endswith(".") and 3 < len(text) < 400


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
        ({"output": "\n"}, "with white space"),
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


def test_lists_and_cuts() -> None:
    """Long lists say how many others there are; long texts are cut."""
    assert listed("abc") == "a, b and c"
    assert listed(map(str, range(9))) == "0, 1, 2, 3, 4 and 4 others"
    assert len(short(HOSTILE)) == LONGEST
