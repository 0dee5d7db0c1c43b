"""Hypothesis strategies for events: any event that a model allows, in declared key order."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from hypothesis import strategies as st
from pydantic import TypeAdapter

from schema import seal
from schema.events import MatchStarted, TournamentStarted
from schema.fields import Name

Values = st.SearchStrategy[Any]

TEXT = st.characters(codec="utf-8")
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)


def of_model(model: Any) -> Values:
    """Return a strategy for any value that ``model`` allows."""
    schema = TypeAdapter[Any](model).json_schema()
    return _of_schema(schema, schema.get("$defs", {}))


def of_event(model: Any, people: int) -> Values:
    """Return a strategy for any event of ``model`` in a log of this many players or entrants."""
    return of_model(model).flatmap(lambda event: _with_sound_result(event, people))


def matches() -> Values:
    """Return a strategy for the start of any match of Coup, played or imported."""
    return st.builds(_started, of_model(MatchStarted), _people("seat", 2, 2), _settings(), _end())


def tournaments() -> Values:
    """Return a strategy for the start of any tournament of Coup."""
    people = _people("entrant", 0, 5)
    started = st.builds(_started, of_model(TournamentStarted), people, _settings(), _end())
    return started.flatmap(_with_pairings)


def _with_pairings(start: dict[str, Any]) -> Values:
    """Return the start with any of its pairs of entrants, in their order, or without pairings."""
    pairs = [*combinations(range(len(start["entrants"])), 2)]
    if not pairs:
        return st.just(start)
    end = {key: start[key] for key in ("source", "seed_commitment") if key in start}
    above = {key: start[key] for key in start if key not in end}
    chosen = st.lists(st.sampled_from(pairs), min_size=1, unique=True).map(sorted)
    listed = chosen.map(lambda pairings: above | {"pairings": [*map(list, pairings)]} | end)
    return st.one_of(st.just(start), listed)


def _started(
    event: dict[str, Any],
    people: list[dict[str, Any]],
    settings: dict[str, int],
    end: dict[str, str],
) -> dict[str, Any]:
    key = "players" if event["type"] == "match_started" else "entrants"
    left_out = ("pairings", "source", "seed_commitment")
    sound = {"format": "koth-log/1", "game": "coup", "rules": "coup/1", key: people}
    kept = {name: event[name] for name in event if name not in left_out}
    return kept | sound | {"settings": settings} | end


def _with_sound_result(event: dict[str, Any], people: int) -> Values:
    """Return ``event`` with a valid result: one score per seat, and only seats that exist."""
    if event["type"] == "disqualified":
        return st.just(event | {"entrant": event["entrant"] % people})
    if event["type"] == "tournament_finished":
        table = [line | {"entrant": line["entrant"] % people} for line in event["standings"]]
        return st.just(event | {"standings": table})
    if event["type"] not in ("match_played", "match_finished"):
        return st.just(event)
    number = st.integers(0, people - 1)
    integer = st.integers(-(2**63), 2**63 - 1)
    sound: dict[str, Values] = {
        "seats": st.lists(number, min_size=people, max_size=people),
        "scores": st.lists(integer, min_size=people, max_size=people),
        "winners": st.lists(number, max_size=people, unique=True),
        "faults": st.lists(
            st.fixed_dictionaries({"seat": number, "kind": st.sampled_from(["crash", "illegal"])}),
            max_size=2,
        ).map(lambda faults: [{"seat": f["seat"], "kind": f["kind"]} for f in faults]),
    }
    return st.fixed_dictionaries({key: sound[key] for key in event if key in sound}).map(
        lambda found: event | found
    )


def _end() -> Values:
    committed = st.builds(lambda seed: {"seed_commitment": seal.commitment(seed)}, HEX)
    return st.one_of(committed, st.just({"source": "imported"}))


def _people(number: str, fewest: int, most: int) -> Values:
    names = st.lists(of_model(Name), min_size=fewest, max_size=most, unique=True)
    return names.map(
        lambda chosen: [
            {number: n, "name": name, "bot": seal.hex_digest(name.encode())}
            for n, name in enumerate(chosen)
        ]
    )


def _settings() -> Values:
    return st.fixed_dictionaries(
        {
            "rounds": st.integers(1, 10_000),
            "time_limit_s": st.integers(1, 3_600),
            "max_calls": st.integers(1, 100_000),
        }
    ).map(lambda drawn: {name: drawn[name] for name in ("rounds", "time_limit_s", "max_calls")})


def _of_schema(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Values:
    if "$ref" in schema:
        return _of_schema(known[schema["$ref"].rpartition("/")[2]], known)
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of(*(_of_schema(choice, known) for choice in schema["anyOf"]))
    match schema["type"]:
        case "integer":
            low, high = schema.get("minimum", -(2**63)), schema.get("maximum", 2**63 - 1)
            return st.integers(low, high)
        case "string":
            return _strings(schema)
        case "array":
            low, high = schema.get("minItems", 0), schema.get("maxItems", 4)
            return st.lists(_of_schema(schema["items"], known), min_size=low, max_size=high)
    if "properties" not in schema:
        return st.dictionaries(st.text(TEXT), _of_schema(schema["additionalProperties"], known))
    fields = {name: _of_schema(field, known) for name, field in schema["properties"].items()}
    needed = {name: fields[name] for name in schema["required"]}
    others = {name: fields[name] for name in fields if name not in needed}
    declared = list(fields)
    return st.fixed_dictionaries(needed, optional=others).map(
        lambda value: {name: value[name] for name in declared if name in value}
    )


def _strings(schema: Mapping[str, Any]) -> Values:
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    if "pattern" not in schema:
        return st.text(TEXT, min_size=low, max_size=high)
    found = st.from_regex(schema["pattern"], fullmatch=True, alphabet=TEXT)
    return found if high is None else found.filter(lambda text: low <= len(text) <= high)
