"""Logs that are being written: each event appears once, and what is secret stays so."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from textual.app import App
from textual.widgets import Static

from games.table import Match, Result
from koth.cli.watch import watch
from replay.errors import NoSuchEvent
from replay.watch import running, tail
from replay.watch.app import Watch
from replay.watch.running import Row, RunningTournament
from replay.watch.tail import Tail
from replay.watch.tournament_app import WatchTournament
from replay.watch.tournament_screen import screen
from schema.canonical import Event, line
from schema.errors import CorruptLog, LogError, UsageError
from schema.events import MatchPlayed
from schema.seal import match_seed
from tests.factories import (
    SEED,
    Events,
    at_random,
    loads,
    match_events,
    printed,
    sealed,
    tournament_events,
    write,
)
from tests.golden.make import HERE

COUP = HERE / "coup-1/exchange_keeps_order_written.jsonl"
CORPUS = Path(__file__).parents[1] / "corpus"
NAMES = ["ann", "bob", "cat"]
EVIL = "\u202e<b>[red]"


def waiting(*steps: Callable[[], object]) -> Callable[[], None]:
    """Return a wait that takes one of ``steps`` at each call; more calls are an error."""
    left: Iterator[Callable[[], object]] = iter(steps)

    def wait() -> None:
        next(left)()

    return wait


def append(path: Path, data: bytes) -> Callable[[], object]:
    """Return a step that appends ``data`` to a file."""

    def step() -> None:
        with path.open("ab") as file:
            file.write(data)

    return step


def text_of(app: App[None], selector: str) -> str:
    """Return the text of a part of a viewer."""
    return str(app.query_one(selector, Static).content)


# --- A match -------------------------------------------------------------------------------------


def test_each_event_is_told_once_as_soon_as_its_line_is_whole(tmp_path: Path) -> None:
    """A log that grows in any pieces gives the sentences of the whole log, and ends at its seal."""
    path, data = tmp_path / "log.jsonl", COUP.read_bytes()
    cuts = sorted(random.Random(1).sample(range(len(data)), 12))
    pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    path.write_bytes(b"")
    steps = [append(path, piece) for piece in pieces]
    followed = list(tail.follow(path, waiting(*(step for s in steps for step in (s, int)))))
    assert followed == list(tail.follow(COUP, waiting()))
    assert [text.split()[0] for text in followed] == [str(seq) for seq in range(21)]
    assert followed[7] == "7   player1 takes income."


def test_the_first_event_can_be_chosen(tmp_path: Path) -> None:
    """Lines begin with that event, which may be still to come; a sealed log must have it."""
    every, whole = list(tail.follow(COUP, waiting())), COUP.read_bytes().splitlines(keepends=True)
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(whole[:4]))
    rest = append(path, b"".join(whole[4:]))
    assert list(tail.follow(path, waiting(rest), 7)) == every[7:]
    with pytest.raises(NoSuchEvent, match="expected an event from 0 to 20, found 21"):
        list(tail.follow(COUP, waiting(), 21))


def test_a_partial_line_is_no_error_and_may_be_written_again(tmp_path: Path) -> None:
    """A resumed match cuts off its partial line and writes it again; the lines before stay."""
    path, whole = tmp_path / "log.jsonl", COUP.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:5]) + whole[5][:9])
    growing = Tail(path)
    assert len(growing.poll()) == 5
    path.write_bytes(b"".join(whole[:7]))
    assert [event["type"] for event in growing.poll()] == ["answered", "cards_exchanged"]
    assert growing.log is not None
    assert (len(growing.log.events), growing.sealed) == (7, False)
    path.write_bytes(b"".join(whole[:3]))
    with pytest.raises(CorruptLog, match="found a shorter file"):
        growing.poll()


def test_the_viewer_waits_for_the_first_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log that is empty, or ends within its first line, has not begun, and cannot be shown."""
    path, first = tmp_path / "log.jsonl", COUP.read_bytes().splitlines(keepends=True)[0]
    path.touch()
    with pytest.raises(LogError):
        Watch(path, follow=True)
    looks = waiting(append(path, first[:9]), append(path, first[9:]))
    monkeypatch.setattr(tail, "pause", looks)
    tail.wait_for_start(path)
    assert path.read_bytes() == first


def test_a_damaged_line_is_an_error_with_its_number(tmp_path: Path) -> None:
    """An event out of order is named with file and line."""
    path, whole = tmp_path / "log.jsonl", COUP.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:4]))
    growing = Tail(path)
    growing.poll()
    append(path, whole[5])()
    with pytest.raises(CorruptLog, match=r"log\.jsonl:5: expected seq 4, found 5"):
        growing.poll()


def test_hostile_names_and_answers_stay_in_their_line(tmp_path: Path) -> None:
    """Nothing in a name or an answer reaches a terminal as a command, in any line or table."""
    events = match_events(lambda ask: printed("\x1b[2J\0\n" + EVIL), game="coins", rounds=2)
    for player in events[0]["players"]:
        player["name"] += EVIL
    path = tmp_path / "log.jsonl"
    path.write_bytes(sealed(events))
    told = list(tail.follow(path, waiting()))
    assert all(text.isprintable() for text in told)
    assert r"player0\u202e<b>[red]" in told[0]
    assert r"\x1b[2J\x00" in told[2]

    table = tournament_events(
        lambda match: Result("rounds_played", (0, 0), (), (), "0" * 64),
        ["ann", EVIL],
        game="coins",
        games=1,
    )
    write(tmp_path / "tournament.jsonl", table)
    *_, first, second = running.follow(tmp_path, waiting())
    assert [first, second] == [r"1. ann: 0 (1 match)", r"1. \u202e<b>[red]: 0 (1 match)"]


def test_the_viewer_follows_a_match_to_its_end(tmp_path: Path) -> None:
    """The cursor goes along at the end only; when the log is sealed, states and verdict appear."""
    path, whole = tmp_path / "log.jsonl", COUP.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:4]) + whole[4][:3])

    async def run() -> None:
        app = Watch(path, follow=True)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            app.timer.pause()
            assert (app.seq, text_of(app, "#board")) == (3, "")
            assert not app.query_one("#board").display
            assert text_of(app, "#title").startswith("not verified  coup/")
            assert text_of(app, "#status").startswith("following · event 3 of 3")
            await pilot.press("f")
            app.poll()  # nothing is new, so the message stays
            assert text_of(app, "#status") == "no fault after this event"
            path.write_bytes(b"".join(whole[:9]))
            app.poll()
            assert app.seq == 8
            await pilot.press("home")
            path.write_bytes(b"".join(whole[:12]))
            app.poll()
            assert (app.seq, len(app.timeline)) == (0, 12)
            path.write_bytes(b"".join(whole))
            app.poll()
            await pilot.press("g", "6", "enter")
            assert "verified" in text_of(app, "#title")
            assert app.query_one("#board").display
            assert "▸ player1    1 coin  [Captain]  [Contessa]" in text_of(app, "#board")
            assert text_of(app, "#status").startswith("event 6 of 20")
            await pilot.press("f")
            app.poll()
            assert text_of(app, "#status") == "no fault after this event"
            await pilot.press("ctrl+c")
        assert app.interrupted

    asyncio.run(run())


def test_the_viewer_names_a_damaged_log(tmp_path: Path) -> None:
    """It shows the events so far, and does not follow the log any more; so with a lost log."""
    path, whole = tmp_path / "\u202elog.jsonl", COUP.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(whole[:4]))

    async def run() -> None:
        app = Watch(path, follow=True)
        async with app.run_test(size=(400, 24)) as pilot:
            await pilot.pause()
            app.timer.pause()
            tail = app.tail
            path.rename(tmp_path / "lost")
            app.poll()
            assert "No such file" in text_of(app, "#status")
            assert app.tail is None
            app.tail = tail
            (tmp_path / "lost").rename(path)
            append(path, whole[5])()
            app.poll()
            assert r"\u202elog.jsonl:5: expected seq 4, found 5" in text_of(app, "#status")
            assert (app.seq, app.tail) == (3, None)
            await pilot.press("home")
            assert text_of(app, "#status").startswith("event 0 of 3")

    asyncio.run(run())


@pytest.mark.parametrize("field", ["seat", "ask"])
def test_the_view_of_a_seat_names_an_event_without_a_field(field: str, tmp_path: Path) -> None:
    """Whether the event was there before, or is appended later, it is named as a damaged line."""
    path, whole = tmp_path / "log.jsonl", COUP.read_bytes().splitlines(keepends=True)
    at = next(at for at, text in enumerate(whole) if b'"answered"' in text)
    event = {key: value for key, value in loads(whole[at])[0].items() if key != field}
    problem = rf"log\.jsonl:{at + 1}: answered\.{field}: expected this field"
    path.write_bytes(b"".join(whole[:at]))

    async def run() -> None:
        app = Watch(path, follow=True, seat=0)
        async with app.run_test(size=(400, 24)) as pilot:
            await pilot.pause()
            app.timer.pause()
            assert app.timeline.viewer in text_of(app, "#title").splitlines()
            append(path, line(at, event))()
            app.poll()
            assert re.search(problem, text_of(app, "#status"))
            assert app.tail is None

    asyncio.run(run())
    with pytest.raises(CorruptLog, match=problem):
        Watch(path, follow=True, seat=0)


def test_the_viewer_follows_the_log_of_a_contest() -> None:
    """The title names the contest, and each event has its sentence."""

    async def run() -> None:
        app = Watch(CORPUS / "honest_contest/contest.jsonl", follow=True)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert " contest " in text_of(app, "#title")
            assert app.timeline.narrate(app.timeline.log.events[0]) == "The contest begins."

    asyncio.run(run())


# --- A tournament --------------------------------------------------------------------------------


def played(folder: Path, count: int) -> Events:
    """Write the first matches of a tournament as files; return the events of its own log."""
    written = 0

    def result(match: Match) -> Result:
        nonlocal written
        seed = match_seed(SEED, match.id)
        events = match_events(at_random(random.Random(written)), seed)
        players = events[0]["players"]
        for player, entrant in zip(players, match.seats, strict=True):
            player["name"] = NAMES[entrant]
        events[0] |= {"match": match.id, "tournament": "spring"}
        if written < count:
            (folder / "matches" / f"{match.id}.jsonl").write_bytes(sealed(events, seed))
        written += 1
        end = events[-1]
        return Result(end["reason"], tuple(end["scores"]), tuple(end["winners"]), (), "0" * 64)

    (folder / "matches").mkdir(parents=True, exist_ok=True)
    events = tournament_events(result, NAMES, rounds=1)
    events[0]["tournament"] = "spring"
    return events


@pytest.fixture
def spring(tmp_path: Path) -> tuple[Path, Events]:
    """A tournament of six matches, of which four are played, and its events to come."""
    folder = tmp_path / "spring"
    events = played(folder, 4)
    (folder / "tournament.jsonl").write_bytes(line(0, events[0]))
    (folder / "seed.private").mkdir()  # so that opening it is an error
    return folder, events


def finish(folder: Path, events: Events) -> Callable[[], object]:
    """Return a step that plays the rest of a tournament, and seals it."""

    def step() -> None:
        played(folder, 6)
        (folder / "tournament.jsonl").write_bytes(sealed(events))

    return step


def test_a_line_per_match_then_the_final_table(spring: tuple[Path, Events]) -> None:
    """Each finished match is a line with the result in its log; the last lines are the table."""
    folder, events = spring
    told = list(running.follow(folder, waiting(int, finish(folder, events))))
    assert told[0] == "The tournament begins with 3 entrants."
    assert sum(text.startswith("Match 1-") for text in told) == 6
    standings = events[-1]["standings"]
    assert told[-3:] == [
        f"{row['rank']}. {NAMES[row['entrant']]}: {row['score']} (4 matches)" for row in standings
    ]


def test_nothing_is_known_before_the_first_line_is_whole(spring: tuple[Path, Events]) -> None:
    """Matches without the first line of the tournament's log are not read; then all are."""
    folder, events = spring
    path = folder / "tournament.jsonl"
    first = path.read_bytes()
    path.write_bytes(first[:9])
    tournament = RunningTournament(folder)
    assert (tournament.poll(), tournament.names, tournament.standings()) == ([], [], [])
    assert [line.text for line in screen(tournament, [], 9)] == [f"{folder}: reading the logs …"]
    rest = append(path, first[9:])
    told = list(running.follow(folder, waiting(rest, int, finish(folder, events))))
    assert told[0] == "The tournament begins with 3 entrants."


def test_nobody_is_ahead_before_the_first_match(spring: tuple[Path, Events]) -> None:
    """All entrants have the first rank and no points."""
    folder, _ = spring
    for log in (folder / "matches").iterdir():
        log.unlink()
    tournament = RunningTournament(folder)
    tournament.poll()
    assert tournament.standings() == [Row(1, name, 0, 0, 0) for name in NAMES]


def test_matches_of_all_entrants_count() -> None:
    """A match may seat every entrant, as in Coins."""
    told = list(running.follow(CORPUS / "honest_tournament_of_coins", waiting()))
    assert sum(text.startswith("Match 1-") for text in told) == 3


def test_a_tournament_without_a_final_table_ends_without_one(spring: tuple[Path, Events]) -> None:
    """Sums so far do not follow the end of a tournament whose log has an empty final table."""
    folder, events = spring
    events[-1]["standings"] = []
    told = list(running.follow(folder, waiting(int, finish(folder, events))))
    assert told[-1] == "The log is sealed, and its seed revealed."


def test_many_logs_are_read_in_several_looks(
    spring: tuple[Path, Events], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tournament with more logs than one look reads is over only when all of them are read."""
    folder, events = spring
    finish(folder, events)()
    expected = list(running.follow(folder, waiting()))
    monkeypatch.setattr(running, "LOGS", 3)
    tournament = RunningTournament(folder)
    tournament.poll()
    assert (tournament.unread, tournament.over, len(tournament.played)) == (True, False, 3)
    assert sum(row.matches for row in tournament.standings()) == 6
    tournament.poll()
    assert (tournament.unread, tournament.over, len(tournament.played)) == (False, True, 6)
    assert sorted(running.follow(folder, waiting())) == sorted(expected)


def test_a_backlog_of_logs_is_listed_twice(
    spring: tuple[Path, Events], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many logs there are, they are listed at the first look and at the last."""
    folder, events = spring
    finish(folder, events)()
    monkeypatch.setattr(running, "LOGS", 1)
    listed: list[Path] = []

    class Listing(RunningTournament):
        def _list_matches(self, folder: Path) -> None:
            listed.append(folder)
            super()._list_matches(folder)

    tournament = Listing(folder)
    looks = 0
    while not tournament.over:
        tournament.poll()
        looks += 1
    assert (looks, len(tournament.played), len(listed)) == (6, 6, 2)


def test_standings_so_far_are_the_sums_of_the_matches(spring: tuple[Path, Events]) -> None:
    """Scores, matches and faults are sums over sealed logs; the final table is that of the log."""
    folder, events = spring
    tournament = RunningTournament(folder)
    tournament.poll()
    rows = tournament.standings()
    assert (tournament.planned, len(tournament.played), tournament.over) == (6, 4, False)
    assert sum(row.matches for row in rows) == 8
    assert sum(row.score for row in rows) == sum(
        sum(event["scores"]) for event in events if event.get("match") in tournament.played
    )
    assert rows == sorted(rows, key=lambda row: row.rank)
    finish(folder, events)()
    tournament.poll()
    assert tournament.over
    assert [row.score for row in tournament.standings()] == [
        row["score"] for row in events[-1]["standings"]
    ]


def test_a_match_in_progress_shows_its_events_and_nothing_secret(
    spring: tuple[Path, Events],
) -> None:
    """Recorded events are shown; the file with the seed is never opened, and no state is shown."""
    folder, _ = spring
    last = sorted((folder / "matches").iterdir())[-1]
    whole = last.read_bytes().splitlines(keepends=True)
    last.write_bytes(b"".join(whole[:4]) + whole[4][:5])
    tournament = RunningTournament(folder)
    recent = tournament.poll()
    shown = [line.text for line in screen(tournament, recent[1:], 30)]
    assert "being played: 1 match" in shown
    foreign = match_events(at_random(random.Random(9)))
    (folder / "matches" / "foreign.jsonl").write_bytes(sealed(foreign))
    assert [*tournament.poll(), *tournament.playing] == [last.stem]
    assert any(text.startswith(f"{last.stem}: ") for text in shown)
    assert not any(SEED in text or match_seed(SEED, last.stem) in text for text in shown)
    assert len(tournament.played) == 3


def test_a_match_without_a_whole_line_is_not_shown_yet(spring: tuple[Path, Events]) -> None:
    """The referee has just made its log."""
    folder, _ = spring
    last = sorted((folder / "matches").iterdir())[-1]
    last.write_bytes(last.read_bytes()[:9])
    tournament = RunningTournament(folder)
    recent = tournament.poll()
    assert [*tournament.playing] == [last.stem]
    assert not any(last.stem in line.text for line in screen(tournament, recent[1:], 30))


def test_a_match_that_is_dropped_and_played_again_counts(spring: tuple[Path, Events]) -> None:
    """A log that is written anew is read anew; one that is damaged from its start is an error."""
    folder, _ = spring
    last = sorted((folder / "matches").iterdir())[-1]
    whole = last.read_bytes()
    lines = whole.splitlines(keepends=True)
    last.write_bytes(b"".join(lines[:4]))
    tournament = RunningTournament(folder)
    tournament.poll()
    last.write_bytes(b"".join(lines[:2]))
    assert not tournament.poll()
    assert last.stem not in tournament.playing
    last.write_bytes(b"".join(lines[:2]))
    tournament.poll()
    last.unlink()
    assert not tournament.poll()
    last.symlink_to("nowhere")  # as a log that is removed after it was listed
    assert not tournament.poll()
    assert not tournament.playing
    last.unlink()
    last.write_bytes(whole)
    assert [event["match"] for event in tournament.poll()] == [last.stem]

    last.write_bytes(b"".join(lines[:3]) + lines[2])
    with pytest.raises(CorruptLog, match=last.name):
        RunningTournament(folder).poll()


def test_void_matches_and_dropped_logs_do_not_count(
    spring: tuple[Path, Events], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches of a void attempt leave the standings, and so do logs that are removed.

    Those that wait to be read are not read any more.
    An event of the tournament that lacks a field is named with its line.
    """
    folder, events = spring
    tournament = RunningTournament(folder)
    tournament.poll()
    sorted((folder / "matches").iterdir())[-1].unlink()
    tournament.poll()
    assert len(tournament.played) == 3
    void = {"type": "voided", "attempt": 1, "matches": 2, "reason": "a_test"}
    *first, third = [event for event in events if event.get("match") in tournament.played]
    following = [*first, void, third]
    append(
        folder / "tournament.jsonl",
        b"".join(line(seq, event) for seq, event in enumerate(following, 1)),
    )()
    told = tournament.poll()
    assert [event["type"] for event in told] == ["voided"]
    assert not tournament.poll()
    assert ([*tournament.played], tournament.planned) == ([third["match"]], 0)
    monkeypatch.setattr(running, "LOGS", 1)
    late = RunningTournament(folder)
    late.poll()
    while late.unread:
        late.poll()
    assert (late.played, late.standings()) == (tournament.played, tournament.standings())
    append(folder / "tournament.jsonl", line(len(following) + 1, {"type": "voided"}))()
    with pytest.raises(CorruptLog, match=rf"tournament\.jsonl:{len(following) + 2}: voided"):
        tournament.poll()


@pytest.mark.parametrize("fields", [{"seat": 0}, {"kind": "crash"}, {"seat": 2, "kind": "crash"}])
def test_a_fault_of_no_seat_is_an_error(fields: Event, spring: tuple[Path, Events]) -> None:
    """A log of a match that reports a fault without a kind, or of no seat, is named."""
    folder, _ = spring
    log = sorted((folder / "matches").iterdir())[0]
    events = loads(log.read_bytes())
    write(log, [events[0], {"type": "fault", **fields}, *events[1:]])
    with pytest.raises(CorruptLog, match=log.name):
        list(running.follow(folder, waiting()))


def test_a_sealed_match_without_a_result_is_an_error(spring: tuple[Path, Events]) -> None:
    """Its log and the line above the seal are named."""
    folder, _ = spring
    log = sorted((folder / "matches").iterdir())[0]
    write(log, loads(log.read_bytes())[:5])
    with pytest.raises(CorruptLog, match=rf"{log.name}:5: expected the result"):
        list(running.follow(folder, waiting()))


def damaged(value: Any) -> Iterator[Any]:
    """Yield a value without each of its parts, and with 99 in the place of each number."""
    match value:
        case int():
            yield 99
        case list():
            yield value[1:]
            yield from ([part, *value[1:]] for first in value[:1] for part in damaged(first))
        case dict():
            for key, part in value.items():
                if key != "type":
                    yield {name: other for name, other in value.items() if name != key}
                    yield from ({**value, key: other} for other in damaged(part))


def test_damaged_events_are_log_errors_only(spring: tuple[Path, Events]) -> None:
    """A tournament whose own events or results lack parts is shown, or its damage is named."""
    folder, events = spring
    finish(folder, events)()
    errors = 0
    for log in (folder / "tournament.jsonl", sorted((folder / "matches").iterdir())[0]):
        *written, _ = loads(log.read_bytes())
        for at in {0, 1, len(written) - 1}:
            for event in (*damaged(written[at]), None):
                write(log, [*written[:at], *([event] if event else []), *written[at + 1 :]])
                try:
                    list(running.follow(folder, waiting()))
                except LogError:
                    errors += 1
        write(log, written)
    assert errors > 50


def test_a_match_of_another_tournament_does_not_count(
    spring: tuple[Path, Events], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither does one whose players are no entrants. Both are read only once."""
    folder, _ = spring
    one, two, *_ = sorted((folder / "matches").iterdir())
    start, *rest = loads(one.read_bytes())
    write(one, [start | {"tournament": "autumn"}, *rest])
    start, *rest = loads(two.read_bytes())
    start["players"][0]["name"] = "dan"
    write(two, [start, *rest])
    monkeypatch.setattr(running, "LOGS", 2)
    tournament = RunningTournament(folder)
    tournament.poll()
    assert not tournament.played
    tournament.poll()
    assert len(tournament.played) == 2


def replace_results(tournament: RunningTournament, *results: dict[str, Any]) -> None:
    """Let these results count, and no others."""
    template = next(iter(tournament.played.values()))
    for match in [*tournament.played]:
        tournament.forget(match)
    for number, result in enumerate(results):
        tournament.count(str(number), cast(MatchPlayed, template | result))


def test_the_rank_so_far_is_that_of_the_mean_score(spring: tuple[Path, Events]) -> None:
    """Entrants that have played more matches are not ahead by that; faults count by entrant."""
    tournament = RunningTournament(spring[0])
    tournament.poll()
    crash: list[Any] = [{"seat": 0, "kind": "crash"}]
    replace_results(
        tournament,
        {"seats": [0, 1], "scores": [1, 0], "faults": []},
        {"seats": [1, 0], "scores": [1, 0], "faults": crash},
        {"seats": [1, 2], "scores": [1, 1], "faults": []},
    )
    assert tournament.standings() == [
        Row(1, "cat", score=1, matches=1, faults=0),
        Row(2, "bob", score=2, matches=3, faults=1),
        Row(3, "ann", score=1, matches=2, faults=0),
    ]


def test_means_of_large_scores_are_compared_exactly(spring: tuple[Path, Events]) -> None:
    """Two scores that no float tells apart have two ranks."""
    tournament = RunningTournament(spring[0])
    tournament.poll()
    replace_results(tournament, {"seats": [0, 1], "scores": [2**62, 2**62 + 1], "faults": []})
    assert [(row.rank, row.name) for row in tournament.standings()] == [
        (1, "bob"),
        (2, "ann"),
        (3, "cat"),
    ]


PLAYING = [
    "being played: 1 match",
    "1-000003: bob against cat",
    "     0   The match begins: bob against cat.",
    "     1   The cards are dealt: bob the Duke and Captain; cat the Duke and Contessa; each has 1 "
    "coin.",
    "     2 ! bob crashes: it forfeits (CP-17).",
    "",
]
RESULTS = [
    "last results",
    "Match 1-000002, bob against ann: bob wins the match (eliminated).",
    "Match 1-000001, ann against cat: cat wins the match (eliminated).",
    "Match 1-000000, ann against bob: bob wins the match (eliminated), with 1 fault.",
]
TABLE = [
    "standings so far, by score per match",
    "rank  score  matches  faults  name",
    "   1      2        2       0  bob",
    "   1      1        1       0  cat",
    "   3      0        3       0  ann",
    "",
]


def test_the_screen_shows_standings_matches_and_results(spring: tuple[Path, Events]) -> None:
    """A lower terminal shows the best entrants, the last events and the last results."""
    folder, events = spring
    last = sorted((folder / "matches").iterdir())[-1]
    fault = {"type": "fault", "seat": 0, "kind": "crash", "clause": "CP-17", "penalty": "forfeit"}
    lines = [line(seq, event) for seq, event in enumerate([*loads(last.read_bytes())[:2], fault])]
    last.write_bytes(b"".join(lines))
    tournament = RunningTournament(folder)
    [_, first, *others] = tournament.poll()
    recent = [{**first, "faults": [{"seat": 0, "kind": "crash"}]}, *others]
    title, *shown = screen(tournament, recent, 40)
    assert title.text == f"coup/2  tournament spring  {folder}"
    assert [row.text for row in shown] == [
        *("3 of 6 matches played · 0 faults", ""),
        *(*TABLE, *PLAYING, *RESULTS),
    ]
    assert [row.text for row in shown if row.style == "fault"] == [PLAYING[4], RESULTS[3]]
    assert [row.text for row in screen(tournament, recent, 15)[3:]] == [
        *(*TABLE[:3], "      … and 2 others", ""),
        *(*PLAYING[:2], PLAYING[4], ""),
        *RESULTS[:3],
    ]
    finish(folder, events)()
    tournament = RunningTournament(folder)
    tournament.poll()
    assert [row.text for row in screen(tournament, recent, 12)[1:]] == [
        *("6 of 6 matches played · 0 faults · the tournament is over", ""),
        *("final table", TABLE[1]),
        "   1      3        4       0  bob",
        "   2      2        4       0  cat",
        "   3      1        4       0  ann",
        *("", *RESULTS[:3]),
    ]


@pytest.mark.parametrize("height", [3, 5, 9, 14, 22, 40])
def test_the_screen_fits_its_height(spring: tuple[Path, Events], height: int) -> None:
    """No more lines than there are rows, all printable, whatever the terminal."""
    folder, _ = spring
    tournament = RunningTournament(folder)
    recent = tournament.poll()
    shown = screen(tournament, recent, height)
    assert len(shown) <= height
    assert all(row.text.isprintable() for row in shown)


def test_the_viewer_of_a_tournament_ends_with_the_final_table(
    spring: tuple[Path, Events],
) -> None:
    """The viewer shows what is new at each look, and stops looking when the log is sealed."""
    folder, events = spring

    async def run() -> None:
        app = WatchTournament(folder)
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            app.timer.pause()
            app.poll()
            assert "4 of 6 matches played" in text_of(app, "#body")
            finish(folder, events)()
            app.poll()
            body = text_of(app, "#body")
            assert "6 of 6 matches played · 0 faults · the tournament is over" in body
            assert "final table" in body
            await pilot.press("q")
        assert not app.interrupted

    asyncio.run(run())


def test_the_viewer_of_a_tournament_fits_a_terminal_of_another_size(
    spring: tuple[Path, Events],
) -> None:
    """A higher terminal shows more results at once, also when the tournament is over."""
    folder, events = spring
    finish(folder, events)()

    async def run() -> None:
        app = WatchTournament(folder)
        async with app.run_test(size=(100, 12)) as pilot:
            await pilot.pause()
            app.poll()
            app.timer.pause()
            await pilot.resize_terminal(100, 40)
            await pilot.pause()
            assert text_of(app, "#body").count("\nMatch ") == 6

    asyncio.run(run())


def test_the_viewer_of_a_tournament_names_a_damaged_log(tmp_path: Path) -> None:
    """It stays open with the results so far; a path is no markup."""
    folder = tmp_path / "[" / "spring]"
    events = played(folder, 3)
    (folder / "tournament.jsonl").write_bytes(line(0, events[0]))

    async def run() -> None:
        app = WatchTournament(folder)
        async with app.run_test(size=(400, 30)) as pilot:
            await pilot.pause()
            app.timer.pause()
            app.poll()
            append(folder / "tournament.jsonl", b"garbage\n")()
            app.poll()
            assert text_of(app, "#status").startswith(f"{folder / 'tournament.jsonl'}:2: ")
            assert "last results\nMatch 1-000002, bob against ann: " in text_of(app, "#body")
            await pilot.press("ctrl+c")
        assert app.interrupted

    asyncio.run(run())


# --- The command ---------------------------------------------------------------------------------


def test_without_a_terminal_lines_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """In a pipe there is one plain line per event."""
    watch(COUP, follow=True)
    told = capsys.readouterr().out.splitlines()
    assert told == list(tail.follow(COUP, waiting()))


def test_what_cannot_be_followed_is_refused(tmp_path: Path) -> None:
    """A folder without a tournament is refused; of a contest, a stage can be followed."""
    with pytest.raises(UsageError, match=r"found no tournament\.jsonl there\.$"):
        watch(tmp_path, follow=True)
    (tmp_path / "contest.jsonl").touch()
    with pytest.raises(UsageError, match=r"Name a stage, such as .*stages/0001\.$"):
        watch(tmp_path, follow=True)
    with pytest.raises(UsageError, match="--at: goes with a log"):
        watch(tmp_path, at=3, follow=True)
