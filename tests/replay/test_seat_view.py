"""The seat's view: all that the player was asked and said, and nothing that it could not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.table import Fault, JointAsk
from replay import seat_render, seat_view
from replay.errors import ReplayError
from replay.seat_view import ANNOUNCEMENT, SeatView, Selected, every_question
from replay.timeline import Explanation
from replay.watch import lines
from report import match_of_seat
from schema.canonical import line
from schema.reader import IncompleteLog, Log, parse
from tests.factories import Events, loads, match_events, sealed
from tests.golden.make import HERE
from tests.replay.hidden_choices import GAMES, SEAT, Played, Said, alike, played
from tests.report.matches import NAMES, hostile
from tests.report.page_text import Page

NOWHERE = Path("log.jsonl")

HIDDEN = {
    "coup": {"dealt", "cards_offered", "cards_exchanged", "card_lost", "answered"},
    "coins": {"answered", "fault"},
    "bank_heist": {"answered", "fault", "acted", "moved"},
    "smallest_unique": {"fault"},
}
"""Events that differ, by game, in matches that look alike to the seat."""

AS_RECORDED = lines.Line("as recorded; the rules were not run up to here", "faint")
"""The line of the viewer that says that nothing was recomputed."""

WHOLE = 4
"""Number of pairs per game of which everything is rendered."""


def view(data: bytes, seat: int = SEAT, selected: Selected = every_question) -> SeatView:
    """The view on a log of these bytes, with or without a seal."""
    log: Log | None
    try:
        log = parse(data, NOWHERE)
    except IncompleteLog as error:
        log = error.log
    assert log is not None
    return seat_view.seat_view(log, seat, selected)


def question(entry: Explanation) -> tuple[str, object, Said | None]:
    """Name of the question, observation, and answer or kind of fault, as in ``Played.known``."""
    event, ask = entry.event, entry.ask
    assert ask is not None
    said: Said | None = seat_render.said(event) or None
    if entry.is_fault:
        said = str(event["kind"])
    joint = isinstance(ask, JointAsk)
    return str(event["ask"]), ask.observation[0] if joint else ask.observation._asdict(), said


def as_json(view: SeatView) -> str:
    """The whole view as JSON."""
    return seat_render.view_json(view, view.questions, view.result)


def outputs(view: SeatView) -> list[str]:
    """Everything that is shown of a view: JSON, text, page, and the lines of the viewer."""
    shown = lines.title(view)
    for seq in range(len(view)):
        shown += [lines.row(view, seq), *lines.details(view, seq)]
    return [
        as_json(view),
        seat_render.view_text(view, view.questions, view.result),
        match_of_seat.page(view),
        "\n".join(line.text for line in shown),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_view_has_every_question_and_answer(game: str) -> None:
    """The questions, answers, faults and result of the view are those of the match as played."""
    for number in range(20):
        match = played(game, number, number)
        seen = view(match.data)
        assert [*map(question, seen.questions)] == list(match.known)
        assert seen.result == match.events[-1]


@pytest.mark.parametrize("game", GAMES)
def test_a_view_of_selected_questions_shows_them_as_the_whole_view_does(game: str) -> None:
    """It keeps the selected questions and the last one, with their numbers, and the result."""
    data = played(game, 1, 1).data
    whole, part = view(data), view(data, selected=lambda question: question.seq % 3 == 1)
    last = len(whole.numbers)
    expected = [whole[number] for number in whole.numbers if number % 3 == 1 or number == last]
    assert seat_render.view_json(part, part.questions, part.result) == seat_render.view_json(
        whole, expected, whole.result
    )
    assert part.numbers == whole.numbers
    assert part[-1].step == whole[-1].step
    assert [whole.location(seq) for seq in (0, 1)] == ["event 0 of the view", "question 1"]


def test_the_viewer_says_whose_view_it_shows() -> None:
    """The title names the player, because a view leaves out events without a sign."""
    titles = [line.text for line in lines.title(view(played("coup", 1, 1).data))]
    assert titles[1] == f"as seat {SEAT} (player{SEAT}) saw it"


@pytest.mark.parametrize("game", GAMES)
def test_matches_that_differ_in_hidden_things_look_alike(game: str) -> None:
    """Matches with the same questions, answers and result give the same bytes."""
    differing = set()
    groups = alike(game)
    for number, (one, other, *_) in enumerate(groups):
        assert one.data != other.data
        whole = number % (len(groups) // WHOLE + 1) == 0
        shown = outputs if whole else as_json
        assert shown(view(one.data)) == shown(view(other.data))
        differing |= kinds_that_differ(one, other)
    assert differing >= HIDDEN[game]


def kinds_that_differ(one: Played, other: Played) -> set[str]:
    """The types of the events that only one of two matches has."""
    return {
        event["type"]
        for events, others in ((one.events, other.events), (other.events, one.events))
        for event in events
        if event not in others
    }


@pytest.mark.parametrize("game", GAMES)
def test_a_log_without_a_seal_shows_the_answers_alone(game: str) -> None:
    """A log cut anywhere shows the seat's recorded answers, without questions and dice."""
    match = played(game, 1, 1)
    whole = match.data.splitlines(keepends=True)
    answers = [said for _, _, said in match.known if said is not None]
    for length in range(1, len(whole)):
        cut = view(b"".join(whole[:length]))
        own = [*cut.questions]
        assert all(entry.ask is None for entry in own)
        assert [entry.step.seq for entry in own] == [*cut.numbers]
        said = [
            str(entry.event["kind"]) if entry.is_fault else seat_render.said(entry.event)
            for entry in own
        ]
        assert said == answers[: len(said)]
        assert cut.basis.verdict == "incomplete"
        assert cut.result is None or cut[-1].step.seq == len(own) + 1
        assert match_of_seat.page(cut)
        assert AS_RECORDED in lines.details(cut, len(cut) - 1)
    assert len(said) == len(answers)
    assert AS_RECORDED not in lines.details(view(match.data), 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_log_that_the_rules_do_not_lead_to_has_no_view(game: str) -> None:
    """A changed event of any kind is refused, and the message holds nothing of the log."""
    match = played(game, 1, 1)
    messages = set()
    for number in range(1, len(match.events)):
        events = loads(match.data)
        del events[number]
        with pytest.raises(ReplayError) as caught:
            view(sealed(events, match.seed))
        messages.add(str(caught.value))
    for events in (match.events[:-2], [*match.events, match.events[-1]]):
        with pytest.raises(ReplayError) as caught:
            view(sealed(events, match.seed))
        messages.add(str(caught.value))
    with pytest.raises(ReplayError) as caught:
        view(sealed(match.events, "6" * 64))
    assert messages == {str(caught.value)}


def test_no_question_is_shown_that_may_not_have_been_put() -> None:
    """The last choices are announced to all seats, unless a bot failed in the announcement."""

    def events(last: object) -> Events:
        return match_events(
            lambda ask: [1, 2, 3] if ask.legal else last,
            game="smallest_unique",
            players=3,
            seats=3,
            rounds=1,
        )

    told = view(sealed(events(None)))
    assert [entry.event["type"] for entry in told[1:-1]] == ["answered", ANNOUNCEMENT]
    failed = sealed(events({0: Fault("crash", during="update")}))
    assert len(view(failed).numbers) == 1
    assert view(failed, 0).faults == [2]


def test_choices_of_fewer_seats_than_the_match_has() -> None:
    """A log without a seal may hold such choices; only the seats with a choice have answered."""
    events = loads((HERE / "smallest_unique-1/two_share_the_win.jsonl").read_bytes())[:2]
    choices = events[1]["choices"]
    assert isinstance(choices, list)
    choices.pop()
    data = b"".join(map(line, range(2), events))
    assert [len(view(data, seat).numbers) for seat in range(3)] == [1, 1, 0]


def test_the_page_needs_no_other_questions_than_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first questions and the faults make the page of the whole view."""
    monkeypatch.setattr(match_of_seat, "QUESTIONS", 1)
    data = sealed(hostile())
    for seat in range(len(NAMES)):
        page = match_of_seat.page(view(data, seat, match_of_seat.is_shown))
        assert page == match_of_seat.page(view(data, seat))


def test_the_page_has_the_result_if_there_is_one() -> None:
    """The heading says it, and a table the scores by seat; a log that breaks off has none."""
    data = (HERE / "coup-1/exchange_keeps_order_written.jsonl").read_bytes()
    whole = Page(match_of_seat.page(view(data)))
    half = Page(match_of_seat.page(view(data[: len(data) // 2])))
    assert whole.sections["result"].strip().startswith("player1 wins the match (eliminated).")
    assert whole.rows["result"][1:] == [["0", "player0", "0", ""], ["1", "player1", "1", "★ won"]]
    assert half.sections["result"].strip().startswith("No result")
    assert half.rows["result"][1:] == [["0", "player0", "–", ""], ["1", "player1", "–", ""]]


def test_nothing_that_a_bot_writes_is_part_of_the_page() -> None:
    """Names and answers of bots are text on the page; the page has no script."""
    events = hostile()
    for seat in range(len(NAMES)):
        page = match_of_seat.page(view(sealed(events), seat))
        assert not any(mark in page for mark in ("<script", "<img", "<b>", "\u202e", "\x1b"))


def test_the_clause_of_a_fault_is_set_as_in_the_rulebook() -> None:
    """The marks of code and emphasis in a clause become elements."""
    page = match_of_seat.page(view(sealed(hostile()), 0))
    assert "<strong>Decided</strong>" in page
    assert "**" not in page
