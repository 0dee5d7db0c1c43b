"""The state at an event is the state when it was emitted."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.coup import rules
from games.coup.events import Settings
from games.table import MatchTable
from replay import render, rerun
from replay.errors import NoSuchEvent, ReplayError
from replay.state import last, state_at
from schema.canonical import Event
from schema.dice import Dice
from schema.reader import parse
from tests.corpus import honest
from tests.factories import SEED, at_random
from tests.replay.edits import edited
from tests.replay.log_factory import (
    NOWHERE,
    SHORT,
    hex_seed,
    log_of,
    random_match,
    short,
    tournament_events,
)

Snapshots = list[dict[str, object] | None]


def snapshots(number: int) -> Snapshots:
    """The states as each event of a random match was emitted, taken while it was played."""
    taken: Snapshots = []
    player = at_random(random.Random(number))
    table: MatchTable[Settings] = MatchTable(
        ["player0", "player1"],
        Settings.model_validate({}),
        Dice(hex_seed(number)),
        lambda event, clause: taken.append(table.state.snapshot() if table.state else None),
    )
    game = rules.play(table)
    try:
        asks: Any = next(game)
        while True:
            asks = game.send([player(ask) for ask in asks])
    except StopIteration:
        return taken


@settings(deadline=None)
@given(st.integers(0, 2**32), st.randoms())
def test_the_state_is_that_of_its_event(number: int, chance: random.Random) -> None:
    """The replay shows the same state as was there while the match was played."""
    taken = snapshots(number)
    log = log_of(random_match(number), hex_seed(number))
    place = chance.randrange(len(taken))
    step = state_at(log, place + 1)
    assert (step.seq, step.event) == (place + 1, log.events[place + 1])
    assert step.state == taken[place]


def test_every_state_of_a_match() -> None:
    """The state is right at each single event of a match."""
    log = log_of(short(), hex_seed(SHORT))
    assert [state_at(log, seq).state for seq in range(1, len(short()))] == snapshots(SHORT)


def test_the_last_event_by_default() -> None:
    """Without a seq it is the match's result, the last event that the rules emitted."""
    log = log_of(short(), hex_seed(SHORT))
    step = state_at(log)
    assert step.event["type"] == "match_finished"
    assert step == state_at(log, last(log))
    assert step.state == snapshots(SHORT)[-1]


def test_the_ends_of_the_log() -> None:
    """Before the deal there is no state; at the seal it is that of the result."""
    log = log_of(short(), hex_seed(SHORT))
    assert state_at(log, 0).state is None
    assert state_at(log, len(log.events) - 1).state == state_at(log).state


@pytest.mark.parametrize("beyond", [0, 1, 10**9])
def test_no_such_event(beyond: int) -> None:
    """A seq beyond the end is refused with the numbers that there are."""
    log = log_of(short(), hex_seed(SHORT))
    with pytest.raises(NoSuchEvent, match=rf"from 0 to {len(log.events) - 1}") as found:
        state_at(log, len(log.events) + beyond)
    assert found.value.exit_code == 2


def test_no_state_after_a_divergence() -> None:
    """Up to a divergence states are shown; from there on the error says where the log diverges."""
    log = log_of(edited(short(), 6, "seat", 1 - short()[6]["seat"]), hex_seed(SHORT))
    assert state_at(log, 5).state == snapshots(SHORT)[4]
    for seq in (6, 7, len(short())):
        with pytest.raises(ReplayError, match=r":7: .*event 6") as found:
            state_at(log, seq)
        assert found.value.exit_code == 1


def test_an_imported_log_has_no_state() -> None:
    """Without a seed, the rules cannot be run again."""
    log = parse(honest.sealed_without_seed(honest.imported(short())), NOWHERE)
    with pytest.raises(ReplayError, match="an imported log has no seed and cannot be re-run"):
        state_at(log, 3)


def test_the_rules_stop_at_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules emit nothing after the event that is shown."""
    log = log_of(short(), hex_seed(SHORT))
    emitted: list[int] = []
    receive = rerun.Rerun.receive

    def counting(run: rerun.Rerun, event: Event, clause: str) -> None:
        emitted.append(run.next_seq)
        receive(run, event, clause)

    monkeypatch.setattr(rerun.Rerun, "receive", counting)
    for seq in (0, 1, 7, last(log)):
        emitted.clear()
        state_at(log, seq)
        assert emitted == [*range(1, seq + 1)]


def test_a_divergence_after_the_event_does_not_matter() -> None:
    """The state is shown, although the log diverges at the next event."""
    log = log_of([*short()[:8], short()[-1]], hex_seed(SHORT))
    assert state_at(log, 7).state == snapshots(SHORT)[6]
    with pytest.raises(ReplayError, match="diverges at event 8"):
        state_at(log, 8)


def test_a_tournament_has_no_state() -> None:
    """A tournament's log is walked through like a match's; it has nothing on the table."""
    log = log_of(tournament_events(), SEED)
    assert state_at(log).event["type"] == "tournament_finished"
    assert state_at(log).state is None
    assert "(none)" in render.state_text(state_at(log), "The tournament ends.")


def test_the_state_as_json_and_text() -> None:
    """Both forms hold the event, its sentence, and every value of the state."""
    step = state_at(log_of(short(), hex_seed(SHORT)), 5)
    shown = orjson.loads(render.state_json(step, "It ends."))
    assert shown == {
        "format": "koth-replay/1",
        "seq": 5,
        "event": step.event,
        "clause": step.clause,
        "sentence": "It ends.",
        "state": step.state,
    }
    sentence, event, *lines = render.state_text(step, "It ends.").splitlines()
    assert sentence == "It ends."
    assert event.startswith("event 5: {")
    assert [line.split()[0] for line in lines] == list(step.state or {})
