"""The JSON Schema of the log format is committed, current, and true of every line."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import schema.events
from schema import jsonschema as generated
from schema import registry
from tests.factories import at_random, match_events, sealed
from tests.schema import samples, strategies

COMMITTED = Path(schema.events.__file__).parent / "json"
GAMES = registry.names()


def validator(name: str = "coup") -> jsonschema.Draft202012Validator:
    """Return a validator for one line of a game's logs."""
    return jsonschema.Draft202012Validator(generated.of_game(registry.card(name)))


COUP = validator()


@pytest.mark.parametrize("name", GAMES)
def test_the_committed_schema_is_current(name: str) -> None:
    """The file schema/json/GAME.json is up to date; `koth schema` updates it."""
    expected = generated.dumps(generated.of_game(registry.card(name)))
    assert (COMMITTED / f"{name}.json").read_text() == expected


def test_no_schema_of_an_unknown_game_is_committed() -> None:
    """Every committed schema belongs to an installed game."""
    assert {path.stem for path in COMMITTED.glob("*.json")} == set(GAMES)


@pytest.mark.parametrize("name", GAMES)
def test_a_schema_is_a_schema(name: str) -> None:
    """A generated schema is valid JSON Schema 2020-12, and its references exist."""
    found = generated.of_game(registry.card(name))
    jsonschema.Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    text = generated.dumps(found)
    for reference in orjson.loads(text)["oneOf"]:
        assert reference["$ref"].rpartition("/")[2] in found["$defs"]


@pytest.mark.parametrize("luck", range(5))
def test_lines_of_a_match_are_valid(luck: int) -> None:
    """Every line of a real match is valid."""
    for text in sealed(match_events(at_random(random.Random(luck)))).splitlines():
        COUP.validate(orjson.loads(text))


def test_lines_of_a_tournaments_log_are_valid() -> None:
    """Every line of a tournament's log is valid."""
    for text in sealed(samples.tournament_events()).splitlines():
        COUP.validate(orjson.loads(text))


@settings(max_examples=40)
@given(st.data())
def test_every_event_that_the_models_allow_is_valid(data: st.DataObject) -> None:
    """The schema allows every event that the models of a match allow."""
    model = data.draw(st.sampled_from(registry.card("coup").current.event_models()))
    COUP.validate({"seq": data.draw(st.integers(0, 9)), **data.draw(strategies.of_model(model))})


WRONG: list[dict[str, Any]] = [
    {"type": "answered", "seat": 0, "ask": "turn"},
    {"seq": -1, "type": "answered", "seat": 0, "ask": "turn"},
    {"seq": 1, "type": "answred", "seat": 0, "ask": "turn"},
    {"seq": 1, "type": "answered", "seat": "0", "ask": "turn"},
    {"seq": 1, "type": "answered", "seat": 0},
    {"seq": 1, "type": "answered", "seat": 0, "ask": "turn", "luck": 1},
    {"seq": 1, "type": "answered", "seat": 0, "ask": "turn", "output": None},
    {"seq": 1, "type": "card_lost", "seat": 0, "cause": "coup", "card": "x", "hand": ""},
    {"seq": 1, "type": "match_sealed", "events": 1, "sha256": "0"},
]


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_line_is_invalid(line: dict[str, Any]) -> None:
    """The schema refuses lines that the models refuse."""
    assert not COUP.is_valid(line)


@pytest.mark.parametrize("settings", [{"rounds": 0}, {"luck": 1}, {"rounds": "1"}])
def test_wrong_settings_are_invalid(settings: dict[str, object]) -> None:
    """The schema has the settings of the game and their ranges."""
    start = {"seq": 0, **samples.events()[0]}
    assert COUP.is_valid(start)
    assert not COUP.is_valid(start | {"settings": start["settings"] | settings})
