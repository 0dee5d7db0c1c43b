"""The page of a match in a real browser: it loads, steps, jumps and filters, all by keyboard."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from games import narration
from games.table import Ask, Reply
from replay import timeline
from replay.timeline import Timeline
from report import match
from report import page as frame
from schema.log_path import printable
from tests.factories import SEED, Events, at_random, match_events, printed, write
from tests.game_factory import install
from tests.golden.make import HERE as GOLDEN
from tests.replay.log_factory import SHORT, hex_seed, short
from tests.report.conftest import enlarge, fit_on_paper, opened
from tests.report.matches import (
    HOSTILE,
    NAMES,
    hostile,
    hostile_page,
    page_of,
    with_a_forged_fault,
)

pytestmark = pytest.mark.usefixtures("quiet")

FAULTS = [seq for seq, event in enumerate(hostile()) if event["type"] == "fault"]
FINDING = 20


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a match with faults and a finding."""
    return hostile_page(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def coup(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Timeline]:
    """The page of a match of Coup, with its timeline."""
    folder = tmp_path_factory.mktemp("coup")
    log = write(folder / "log.jsonl", short(), hex_seed(SHORT))
    page = folder / "page.html"
    page.write_text(page_of(log))
    return page, timeline.read(log)


def written(folder: Path, events: Events, seed: str = SEED) -> Path:
    """The page of a match with these events, in a folder."""
    page = folder / "page.html"
    page.write_text(page_of(write(folder / "log.jsonl", events, seed)))
    return page


class Reader:
    """A reader of the page with a keyboard."""

    def __init__(self, browser: Chrome) -> None:
        self.browser = browser

    def until(self, condition: Callable[[], Any]) -> None:
        """Wait until something is so."""
        WebDriverWait(self.browser, 10, 0.02).until(lambda _: condition())

    def text(self, selector: str) -> str:
        """The text of the first such element, as it is at one moment: the page may be changing."""
        script = "return document.querySelector(arguments[0])?.innerText ?? ''"
        return str(self.browser.execute_script(script, selector)).strip()

    def press(self, *keys: str) -> None:
        """Press keys, wherever the page has the focus."""
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)

    def at(self, seq: int) -> None:
        """Hold that this event is open: in the list, in full, on the slider, and in the address."""
        self.until(lambda: self.text("#detail h3").startswith(f"#{seq} "))
        assert self.text('.event[aria-selected="true"] .at') == str(seq)
        self.until(lambda: self.browser.current_url.endswith(f"#seq={seq}"))


@pytest.fixture
def reader(browser: Chrome, page: Path) -> Iterator[Reader]:
    """A reader of the hostile page."""
    opened(browser, page)
    found = Reader(browser)
    found.at(FAULTS[0])
    found.press(Keys.HOME)
    found.at(0)
    yield found
    assert browser.title == "Coins, match 1-000000"  # nobody else's script has run


def test_stepping_by_keyboard(reader: Reader) -> None:
    """Arrows and letters go by one event, page keys by twenty, Home and End to the ends."""
    last = len(hostile())
    for keys, seq in (
        ([Keys.ARROW_RIGHT, "j"], 2),
        ([Keys.ARROW_LEFT], 1),
        (["k"], 0),
        (["k"], 0),
        ([Keys.PAGE_DOWN], 20),
        ([Keys.PAGE_UP, "j"], 1),
        ([Keys.END], last),
        ([Keys.HOME], 0),
    ):
        reader.press(*keys)
        reader.at(seq)


def test_faults_and_findings_by_keyboard(reader: Reader) -> None:
    """The letters f and a go to the next one, capitals to the one before, around the ends too."""
    for key, seq in (
        ("f", FAULTS[0]),
        ("f", FAULTS[1]),
        ("F", FAULTS[0]),
        ("F", FAULTS[-1]),
        ("a", FINDING),
        ("a", FINDING),
        ("A", FINDING),
    ):
        reader.press(key)
        reader.at(seq)
    assert "◆ coins/garbage (CN-7, error)" in reader.text("#detail")
    assert (reader.text("#fault"), reader.text("#finding")) == ("▲ 40 faults", "◆ 1 finding")
    marks = reader.browser.find_elements(By.CSS_SELECTOR, "#marks span")
    assert {mark.text for mark in marks} == {"▲", "◆"}


def test_jumping(reader: Reader) -> None:
    """A number in the field goes to that event, a wrong one to the nearest, none nowhere."""
    for typed, seq in (("57", 57), ("99999", len(hostile())), ("x", len(hostile()))):
        reader.press("g", Keys.CONTROL + "a", typed + Keys.ENTER)
        reader.at(seq)
        reader.browser.find_element(By.ID, "list").send_keys(Keys.NULL)


def test_a_link_to_an_event(reader: Reader, page: Path) -> None:
    """A link opens its event, at loading and later; one to no event opens the first fault."""
    opened(reader.browser, page, "#seq=57")
    reader.at(57)
    opened(reader.browser, page, "#e58")
    reader.at(58)
    link = reader.browser.find_element(By.CSS_SELECTOR, f'#failed ~ * a[href="#seq={FAULTS[2]}"]')
    link.send_keys(Keys.ENTER)
    reader.at(FAULTS[2])
    opened(reader.browser, page, "#seq=99999")
    reader.at(FAULTS[0])


def test_keys_a_link_and_marks(reader: Reader) -> None:
    """The keys are listed by ?, c copies a link to the event, and a mark opens its event."""
    run = reader.browser.execute_script
    reader.press("?")
    assert "copy a link" in reader.text("dialog[open]")
    reader.press("j", Keys.ESCAPE)
    assert reader.text("dialog[open]") == ""
    reader.at(0)  # the keys do nothing while they are listed
    run("navigator.clipboard.writeText = async (text) => { window.copied = text; }")
    reader.press("j", "c")
    reader.until(lambda: reader.text("#copy") == "Copied")
    assert str(run("return window.copied")).endswith("page.html#seq=1")
    run("document.querySelector(arguments[0]).click()", f'#marks [title="Event {FAULTS[0]}"]')
    reader.at(FAULTS[0])


def test_filtering(reader: Reader) -> None:
    """Only events of the type and the seat chosen are shown and stepped through."""
    Select(reader.browser.find_element(By.ID, "type")).select_by_visible_text("fault")
    reader.at(FAULTS[0])
    Select(reader.browser.find_element(By.ID, "seat")).select_by_value("3")
    own = [seq for seq in FAULTS if hostile()[seq]["seat"] == 3]
    reader.at(own[0])
    shown = reader.browser.find_elements(By.CSS_SELECTOR, ".event .at")
    assert [int(one.text) for one in shown] == own
    reader.browser.find_element(By.ID, "list").click()
    reader.press(Keys.HOME, "j")
    reader.at(own[1])
    reader.press("a")  # what the filter hides is shown when it is wanted
    reader.at(FINDING)
    assert len(reader.browser.find_elements(By.CSS_SELECTOR, ".event")) > len(own)


def test_a_filter_that_shows_nothing_says_so(reader: Reader) -> None:
    """Without an event of the type and seat chosen, the count is 0 and no step can be taken."""
    Select(reader.browser.find_element(By.ID, "seat")).select_by_value("3")
    Select(reader.browser.find_element(By.ID, "type")).select_by_visible_text("laid out")
    assert reader.text("#list") == "No event has this type and seat."
    assert reader.text("#place").endswith(", 0 shown")
    steps = [reader.browser.find_element(By.ID, name) for name in ("first", "back", "next", "last")]
    assert not any(step.is_enabled() for step in steps)


def test_only_rows_in_sight_are_there(reader: Reader) -> None:
    """The list has only the visible rows and a few more, at each scroll position."""
    reader.press(Keys.END)
    reader.at(len(hostile()))
    assert len(reader.browser.find_elements(By.CSS_SELECTOR, ".event")) < 60


@pytest.mark.parametrize(
    "names",
    [
        ("\u05d0\u05d1", "\u05d2\u05d3"),
        ("\u05d0(\u05d1", "\u05d0"),
        ("\u05d0" * 40, "\u05d2" * 40),
    ],
    ids=["short", "one in the other", "cut"],
)
def test_right_to_left_names_keep_their_order(
    names: tuple[str, str], browser: Chrome, tmp_path: Path
) -> None:
    """In a sentence, the first of two names in Hebrew stands left of the second."""
    events = hostile()
    for player, name in zip(events[0]["players"], (*names, "p2", "p3"), strict=True):
        player["name"] = name
    page = written(tmp_path, events)
    opened(browser, page, "#seq=0")
    reader = Reader(browser)
    shown = [f"\u2068{narration.short(name)}\u2069" for name in names]
    reader.until(lambda: shown[1] in reader.text("#koth-sentence"))
    script = """
        const node = document.querySelector("#koth-sentence").firstChild;
        return arguments[0].map((name) => {
            const range = document.createRange();
            range.setStart(node, node.data.indexOf(name));
            range.setEnd(node, node.data.indexOf(name) + name.length);
            return range.getBoundingClientRect().x;
        });
    """
    first, second = browser.execute_script(script, shown)
    assert first < second


def test_hostile_answers_are_text(reader: Reader) -> None:
    """An answer is shown as it was given, with a sign for what is not seen by itself."""
    seq = next(n for n, event in enumerate(hostile()) if event.get("output") == HOSTILE)
    reader.press("g", Keys.CONTROL + "a", str(seq) + Keys.ENTER)
    reader.at(seq)
    said = reader.text("#detail .said samp").replace("\n", "")
    assert said == "</script><script>document.title='caught'</script>U+202EU+2028ESC[31mSPLF"
    assert "U+202Ehtok" in reader.text("#result ~ *")
    assert NAMES[2] not in str(reader.browser.execute_script("return document.body.textContent"))
    assert "which no replay can check: ms 1.5" in reader.text("#detail")
    assert reader.text("#detail .stderr samp") == "</script>oops\n  atESC"
    row = '.event[aria-selected="true"] .what'
    reader.until(lambda: reader.text(row).startswith(printable(NAMES[hostile()[seq]["seat"]])))
    assert "gives an illegal answer, “</script><script>" in reader.text(row)
    assert reader.text(row) == reader.text("#koth-sentence")


def test_keys_step_again_after_a_number(reader: Reader) -> None:
    """Enter in the box opens the event and leaves the box, so that arrows step."""
    reader.press("g", Keys.CONTROL + "a", "7" + Keys.ENTER)
    reader.at(7)
    reader.press(Keys.ARROW_RIGHT)
    reader.at(8)


SHOWN = """
  const texts = (selector, within = document) =>
    [...within.querySelectorAll(selector)].map(element => element.innerText);
  return [document.querySelector("#detail").innerText, texts(".command pre"),
    [...document.querySelectorAll(".state tbody tr")].map(row => texts("td", row)),
    document.querySelectorAll(".state .changed").length, document.documentElement.scrollWidth];
"""


def test_every_event_is_shown_in_full_on_a_phone(
    browser: Chrome, coup: tuple[Path, Timeline], narrow: Callable[[int], None]
) -> None:
    """Each event shows clause, answer, dice and state; the narrowest page never goes sideways."""
    page, events = coup
    narrow(320)
    opened(browser, page, "#seq=0")
    reader = Reader(browser)
    for found in events:
        seq = found.step.seq
        reader.until(lambda seq=seq: reader.text("#detail h3").startswith(f"#{seq} "))  # type: ignore[misc]
        text, commands, rows, changed, width = browser.execute_script(SHOWN)
        assert found.step.clause in text
        if found.answer is not None and found.answer is not found.step:
            assert f"event {found.answer.seq}" in text
        assert commands == [die.command for die in found.dice]
        if found.after is not None:
            coins: Any = found.after["coins"]
            hands: Any = found.after["hands"]
            assert rows == [[str(n), hand or "empty"] for n, hand in zip(coins, hands, strict=True)]
            assert bool(changed) == (found.before not in (None, found.after))
        assert width == 320, seq
        reader.press("j")


TABLES = """
  return [...document.querySelectorAll(".state table")].map((table) =>
    [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText)));
"""
LISTS = """{
            "round": list(range(self.round)),
            "hands": [[side] * points for side, points in enumerate(self.points, 3)],
            "grid": [[1], [2, 3], []],
            "points": list(self.points),
        }"""


def test_a_list_of_lists_is_shown_whole(
    browser: Chrome, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A list by seat has a row of the players' table; another keeps its longest row, and is not by
    seat in the event where its length is the number of seats."""
    snapshot = '{"round": self.round, "dice": list(self.dice), "points": list(self.points)}'
    game = install(tmp_path / "games", monkeypatch, {"rules.py": (snapshot, LISTS)})
    events = match_events(at_random(random.Random(1)), game=game, players=2, rounds=3)
    seq = [seq for seq, event in enumerate(events) if event["type"] == "scored"][1]
    points = events[seq]["points"]
    assert sum(points) > 0
    opened(browser, written(tmp_path, events), f"#seq={seq}")
    reader = Reader(browser)
    reader.at(seq)
    rows = [[str(n), " ".join([str(3 + seat)] * n) or "empty"] for seat, n in enumerate(points)]
    names = [player["name"] for player in events[0]["players"]]
    players = [[name, hand, points] for name, (points, hand) in zip(names, rows, strict=True)]
    assert browser.execute_script(TABLES) == [
        [["player", "hands", "points"], *players],
        [["grid", "0", "1"], ["0", "1", "–"], ["1", "2", "3"], ["2", "–", "–"]],
    ]
    assert "0 1" in reader.text(".state .facts")


def test_the_sentence_and_the_board_follow_the_event(
    browser: Chrome, coup: tuple[Path, Timeline]
) -> None:
    """The page opens at the first decision; its sentence and its board change with the event."""
    page, events = coup
    opened(browser, page)
    reader = Reader(browser)
    first = next(found for found in events if found.event["type"] == "answered")
    reader.at(first.step.seq)
    assert reader.text("#koth-sentence") == first.sentence
    board = "#koth-board svg"
    assert browser.find_element(By.CSS_SELECTOR, board).size["height"] > 100
    assert "player0" in reader.text("#koth-board")
    drawn = browser.find_element(By.CSS_SELECTOR, board).get_attribute("innerHTML")
    reader.press(Keys.END, "k", "k")
    reader.at(len(events) - 3)
    assert browser.find_element(By.CSS_SELECTOR, board).get_attribute("innerHTML") != drawn


LABEL = "return document.querySelector('#koth-board svg').getAttribute('aria-label');"


def test_the_board_of_coins_says_no_more_than_its_sentence(reader: Reader) -> None:
    """An action may find fewer coins than it names: the sentence and the board say `up to`."""
    said = set()
    for seq, event in enumerate(hostile()[:60]):
        reader.at(seq)
        if event["type"] == "acted":
            sentence, label = reader.text("#koth-sentence"), reader.browser.execute_script(LABEL)
            assert ("up to" in sentence) == ("up to" in label), (sentence, label)
            said.add("up to" in sentence)
        reader.press("j")
    assert said == {True, False}


def test_one_heister_backs_out_on_the_board(browser: Chrome, tmp_path: Path) -> None:
    """The board of Bank Heist says that one backs out, and that several back out."""
    settings: dict[str, Any] = {"games_min": 2, "games_max": 2, "rabble": 20}
    events = match_events(at_random(random.Random(1)), game="bank_heist", players=3, **settings)
    page = written(tmp_path, events)
    opened(browser, page)
    Reader(browser).until(lambda: browser.execute_script(LABEL))
    script = """
      drawBoard(arguments[0], arguments[1], null, index.printable);
      return arguments[0].getAttribute("aria-label");
    """
    state = browser.execute_async_script(
        "entry(index.type.length - 2).then(({ state }) => arguments[0](plain(state)))"
    )
    svg = browser.find_element(By.CSS_SELECTOR, "#koth-board svg")
    for number, words in ((1, ("1 backs out", "takes part")), (2, ("2 back out", "take part"))):
        changed = state | {"backed_out": number, "rabble": state["rabble"] | {"drawn": number}}
        label = browser.execute_script(script, svg, changed)
        assert all(word in label for word in words), label


def redrawn(reader: Reader, change: str) -> str:
    """The label of the board of the last event, drawn again with a ``change`` of its state."""
    script = f"""
      const [svg, done] = arguments;
      entry(index.type.length - 1).then(({{ state, event }}) => {{
        const changed = plain(state);
        {change};
        drawBoard(svg, changed, plain(event), index.printable);
        done(svg.getAttribute("aria-label"));
      }});
    """
    svg = reader.browser.find_element(By.CSS_SELECTOR, "#koth-board svg")
    return str(reader.browser.execute_async_script(script, svg))


@pytest.mark.parametrize(
    ("game", "change", "words"),
    [
        ("coins", "changed.points = [1, -999960, 20]", ("1 point,", "−999k points", "20 points")),
        ("bank_heist", "changed.players[1].credits = 999960", ("player1 999k",)),
        ("bank_heist", "changed.players[1].credits = 1e15", ("player1 1.00P",)),
    ],
)
def test_large_numbers_on_a_board_are_short(
    browser: Chrome, tmp_path: Path, game: str, change: str, words: tuple[str, ...]
) -> None:
    """A number just below a unit has three digits and the unit below it, and one is singular."""
    heist, coins = {"games_min": 1, "games_max": 1}, {"rounds": 1}
    settings: dict[str, Any] = heist if game == "bank_heist" else coins
    events = match_events(at_random(random.Random(1)), game=game, players=3, **settings)
    opened(browser, written(tmp_path, events))
    reader = Reader(browser)
    reader.until(lambda: browser.execute_script(LABEL))
    label = redrawn(reader, change)
    assert all(word in label for word in words), label


def test_the_cards_drawn_leave_room_for_the_turn(browser: Chrome, tmp_path: Path) -> None:
    """In an Exchange of a bot with a long name, the title of the turn ends before its cards."""
    reader = wide_board(browser, tmp_path, 62, "coup", 2, {})
    redrawn(reader, "changed.offered = '~~'; changed.line = 'Ep'")
    assert browser.execute_script(OVERLAPS) == []


@pytest.mark.parametrize("game", ["coins", "coup"])
def test_nobody_is_asked_when_the_match_is_over(browser: Chrome, tmp_path: Path, game: str) -> None:
    """At its last two events the board says nothing of a turn or a question to come."""
    play = at_random(random.Random(3))
    events = match_events(play, game=game, players=2)
    page = written(tmp_path, events)
    opened(browser, page, "#seq=2")
    reader = Reader(browser)
    reader.at(2)
    said = re.compile("The turn of|is asked now")
    assert said.search(browser.execute_script(LABEL))
    reader.press(Keys.END)
    for seq in (len(events), len(events) - 1):
        reader.at(seq)
        assert not said.search(browser.execute_script(LABEL) + reader.text("#koth-board")), seq
        reader.press("k")


def test_the_exposed_have_a_line_of_their_own(browser: Chrome, tmp_path: Path) -> None:
    """The board of Bank Heist names those who cross and those who are exposed in two lines."""

    def play(ask: Ask) -> Reply:
        crosses = ask.seat % 2 == 0
        return printed("1" if ask.name == "bet" else "double cross" if crosses else "finger")

    settings: dict[str, Any] = {"games_min": 3, "games_max": 3, "rabble": 5}
    events = match_events(play, game="bank_heist", players=8, **settings)
    page = written(tmp_path, events)
    exposed = []
    for seq in [seq for seq, event in enumerate(events) if event["type"] == "fingered"]:
        opened(browser, page, f"#seq={seq}")
        reader = Reader(browser)
        reader.at(seq)
        lines = reader.browser.find_elements(By.CSS_SELECTOR, "#koth-board text")
        exposed += [line.text for line in lines if line.text.startswith("Exposed: player")]
    assert exposed


def test_a_text_without_its_middle_changes_no_board(
    browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long match of Coup has a history that no page holds whole: the board names its end."""
    log = write(tmp_path / "log.jsonl", short(), hex_seed(SHORT))
    labels: list[list[str]] = []
    for longest, end in ((match.LONGEST, match.END), (3, 5)):
        monkeypatch.setattr(match, "LONGEST", longest)
        monkeypatch.setattr(match, "END", end)
        page = tmp_path / f"{longest}.html"
        page.write_text(page_of(log))
        opened(browser, page)
        reader = Reader(browser)
        reader.press(Keys.HOME)
        labels.append([])
        for seq in range(len(short())):
            reader.at(seq)
            labels[-1].append(browser.execute_script(LABEL))
            reader.press("j")
    assert " characters)" in reader.text("#detail")
    assert labels[0] == labels[1]


@pytest.mark.parametrize(
    ("thrown", "told"),
    [
        ("new Error('too many cards')", "too many cards"),
        ("'too many'", "too many"),
        ("null", "null"),
    ],
)
def test_a_board_that_fails_hides_no_event(
    thrown: str, told: str, browser: Chrome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event is shown, and why the board is not: an error, or any other value."""
    script = f"const drawBoard = () => {{ throw {thrown}; }};"
    monkeypatch.setattr(frame, "_board", lambda path: script)
    page = written(tmp_path, short(), hex_seed(SHORT))
    opened(browser, page, "#seq=9")
    reader = Reader(browser)
    reader.at(9)
    assert reader.text("#board-note") == f"The board cannot show this state: {told}"
    assert "State" in reader.text("#detail")


def test_playing_goes_on_by_itself(browser: Chrome, coup: tuple[Path, Timeline]) -> None:
    """The space bar plays the events that follow, and stops at the end."""
    page, events = coup
    opened(browser, page, f"#seq={len(events) - 6}")
    reader = Reader(browser)
    reader.at(len(events) - 6)
    Select(browser.find_element(By.ID, "speed")).select_by_value("125")
    browser.find_element(By.ID, "list").click()
    reader.press(" ")
    assert reader.text("#play") == "❚❚"
    reader.at(len(events) - 1)
    reader.until(lambda: reader.text("#play") == "▶")


@pytest.mark.parametrize("game", ["bank_heist", "coins", "coup", "smallest_unique"])
def test_the_game_is_above_the_fold(
    browser: Chrome, narrow: Callable[[int], None], tmp_path: Path, game: str
) -> None:
    """On a screen and on a phone the board is in sight at once; its label is the state in words."""
    [log] = (GOLDEN / f"{game}-1").glob("many_*_at_random.jsonl")
    page = tmp_path / "page.html"
    page.write_text(page_of(log))
    names = [player["name"] for player in timeline.read(log).log.start["players"]]
    reader = Reader(browser)
    for width in (1280, 375):
        narrow(width)
        opened(browser, page)
        reader.until(lambda: reader.text("#koth-board"))
        label, bottom, wide = browser.execute_script("""
          const board = document.querySelector("#koth-board svg");
          return [board.getAttribute("aria-label"), board.getBoundingClientRect().bottom,
            document.documentElement.scrollWidth - document.documentElement.clientWidth];
        """)
        assert any(name in label for name in names)
        assert (bottom < 800, wide) == (True, 0), width


PARTS = """
  const parts = [...document.querySelectorAll("#players, #events")];
  return [parts.map(part => part.id), parts.map(part => part.getBoundingClientRect().top)];
"""


def test_the_keyboard_follows_the_eye(
    browser: Chrome, coup: tuple[Path, Timeline], narrow: Callable[[int], None]
) -> None:
    """Players and timeline are in the document in the order of the screen, as it gets narrow."""
    opened(browser, coup[0])
    reader = Reader(browser)
    for width, expected in ((1280, ["players", "events"]), (375, ["events", "players"])):
        narrow(width)
        reader.until(lambda expected=expected: browser.execute_script(PARTS)[0] == expected)  # type: ignore[misc]
        _, tops = browser.execute_script(PARTS)
        assert tops == sorted(tops), width


def test_a_diverging_log_shows_the_last_known_board(browser: Chrome, tmp_path: Path) -> None:
    """The page opens at the difference, with the board of the event before it, and says so."""
    events = short()
    wrong = next(seq for seq, event in enumerate(events) if event["type"] == "coins_moved")
    events[wrong]["coins"] = [7, 7]
    page = written(tmp_path, events, hex_seed(SHORT))
    opened(browser, page)
    reader = Reader(browser)
    reader.at(wrong)
    assert reader.text("#koth-sentence").startswith("As recorded: ")
    assert f"The board shows event {wrong - 1}," in reader.text("#board-note")
    assert "player0" in reader.text("#koth-board")


@pytest.mark.parametrize(
    ("forged", "words"),
    [({"seat": 9}, "seat 9"), ({"clause": "constructor"}, "The rulebook has no such clause.")],
)
def test_a_forged_event_is_shown(
    forged: dict[str, Any], words: str, browser: Chrome, tmp_path: Path
) -> None:
    """A seat that nobody has, a clause that is a word of JavaScript, and odd notes hide nothing."""
    log = write(tmp_path / "log.jsonl", with_a_forged_fault(hostile(), **forged))
    (tmp_path / "evidence").mkdir()
    note = b'{"seq":%d,"ms":{"\\u0000int":{"x":1}}}\n' % FAULTS[0]
    (tmp_path / "evidence" / "log.jsonl").write_bytes(note)
    page = tmp_path / "page.html"
    page.write_text(page_of(log))
    opened(browser, page)
    reader = Reader(browser)
    reader.at(FAULTS[0])
    assert words in reader.text("#detail")
    assert "which no replay can check" in reader.text("#detail")


OVERLAPS = """
  const boxes = [...document.querySelectorAll("#koth-board text")]
    .map((text) => [text.firstChild?.data, text.getBoundingClientRect()])
    .filter(([, box]) => box.width);
  return boxes.flatMap(([one, a], n) => boxes.slice(n + 1).filter(([, b]) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4)
    .map(([other]) => [one, other]));
"""


PALE = """
  const { color, backgroundColor } = getComputedStyle(document.body);
  const parts = (text) => text.match(/[0-9.]+/g).slice(0, 3).map((part) => part / 255);
  const linear = (part) => part <= .04045 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
  const light = ([red, green, blue]) =>
    .05 + .2126 * linear(red) + .7152 * linear(green) + .0722 * linear(blue);
  const [ink, paper] = [parts(color), parts(backgroundColor)];
  return [...document.querySelectorAll("#koth-board text")].filter((text) => {
    const { fill, opacity } = getComputedStyle(text);
    const seen = light(ink.map((part, n) => part * opacity + paper[n] * (1 - opacity)));
    return fill === color && light(paper) / seen < 4.5;
  }).map((text) => text.outerHTML);
"""


EVERY_BOARD = pytest.mark.parametrize(
    ("game", "players", "settings"),
    [
        ("bank_heist", 8, {"games_min": 3, "games_max": 3}),
        ("coins", 8, {"rounds": 5}),
        ("coins", 12, {"rounds": 5}),
        ("coup", 2, {}),
        ("smallest_unique", 10, {"rounds": 5}),
    ],
)


def wide_board(
    browser: Chrome, folder: Path, width: int, game: str, players: int, settings: dict[str, Any]
) -> Reader:
    """A reader of a match whose names begin with so many of the widest letters."""
    events = match_events(at_random(random.Random(1)), game=game, players=players, **settings)
    for seat, player in enumerate(events[0]["players"]):
        player["name"] = "W" * width + str(seat)
    opened(browser, written(folder, events))
    reader = Reader(browser)
    reader.until(lambda: reader.text("#koth-board"))
    return reader


@EVERY_BOARD
def test_wide_names_keep_to_their_places_on_the_board(
    browser: Chrome, tmp_path: Path, game: str, players: int, settings: dict[str, Any]
) -> None:
    """Names of the widest letters run into no other text of the board, and no text is pale."""
    reader = wide_board(browser, tmp_path, 20, game, players, settings)
    for _ in range(8):
        assert browser.execute_script(OVERLAPS) == []
        assert browser.execute_script(PALE) == []
        reader.press("j")


DRAW_ALL = """
  const done = arguments[arguments.length - 1], out = [];
  const svg = document.querySelector("#koth-board svg");
  (async () => {
    for (let seq = 0; seq < index.type.length; seq++) {
      const { state, event } = await entry(seq);
      drawBoard(svg, plain(state), plain(event), index.printable);
      const width = Number(svg.getAttribute("viewBox").split(" ")[2]);
      for (const text of svg.querySelectorAll("text")) {
        const box = text.getBBox();
        if (box.x < -1 || box.x + box.width > width + 1) out.push([seq, text.textContent]);
      }
    }
    done(out);
  })();
"""


@EVERY_BOARD
def test_no_text_of_a_board_is_cut_at_its_edge(
    browser: Chrome, tmp_path: Path, game: str, players: int, settings: dict[str, Any]
) -> None:
    """Every text of the board is in it, in all events of a match of bots with wide names."""
    wide_board(browser, tmp_path, 62, game, players, settings)
    assert browser.execute_async_script(DRAW_ALL) == []


def test_a_long_name_leaves_room_for_the_numbers(
    browser: Chrome, narrow: Callable[[int], None], tmp_path: Path
) -> None:
    """On a phone, the names of rows, which stay in sight, take less than half of their tables."""
    events = match_events(at_random(random.Random(1)), game="coins", players=3, rounds=1)
    events[0]["players"][1]["name"] = "x" * 64
    page = written(tmp_path, events)
    narrow(375)
    opened(browser, page)
    Reader(browser).until(lambda: browser.find_elements(By.CSS_SELECTOR, "#detail .state tbody th"))
    shares = browser.execute_script("""
      return [...document.querySelectorAll("tbody th")].map((name) =>
        [name.offsetWidth, name.closest(".scroll").clientWidth]).filter(([, width]) => width);
    """)
    assert len(shares) >= 6
    assert all(2 * name < table for name, table in shares)


def test_a_long_name_hides_no_result_beside_the_board(browser: Chrome, tmp_path: Path) -> None:
    """On a screen, scores, results and faults are in sight beside the longest name."""
    events = match_events(at_random(random.Random(1)), game="coins", players=3, rounds=1)
    events[0]["players"][1]["name"] = "W" * 64
    page = written(tmp_path, events)
    opened(browser, page)
    Reader(browser).until(lambda: browser.find_elements(By.CSS_SELECTOR, "#detail h3"))
    box = browser.find_element(By.CSS_SELECTOR, ".players")
    assert box.get_property("scrollWidth") == box.get_property("clientWidth")


def test_wide_states_fit_on_paper(
    browser: Chrome, narrow: Callable[[int], None], tmp_path: Path
) -> None:
    """A table with many columns, and a long name in it, is not cut at the edge of the sheet."""
    settings: dict[str, Any] = {"games_min": 1, "games_max": 1}
    events = match_events(at_random(random.Random(1)), game="bank_heist", players=3, **settings)
    events[0]["players"][1]["name"] = "x" * 64
    page = written(tmp_path, events)
    opened(browser, page)
    Reader(browser).until(lambda: browser.find_elements(By.CSS_SELECTOR, "#detail .state tbody th"))
    fit_on_paper(browser, narrow)


def test_wide_faults_fit_on_paper(
    browser: Chrome, narrow: Callable[[int], None], tmp_path: Path
) -> None:
    """A long name and a long answer leave all columns on the sheet, also of the opened hashes."""
    events = match_events(lambda ask: printed("W" * 300), game="coins", players=2, rounds=1)
    for seat, player in enumerate(events[0]["players"]):
        player["name"] = "W" * 63 + str(seat)
    opened(browser, written(tmp_path, events))
    Reader(browser).until(lambda: browser.find_elements(By.CSS_SELECTOR, "#detail .state tbody th"))
    browser.execute_script("document.querySelector('.provenance').open = true")
    fit_on_paper(browser, narrow)


def test_large_letters_fit_on_a_phone(
    browser: Chrome, narrow: Callable[[int], None], page: Path
) -> None:
    """All text follows the reader's size of letters, and the title keeps its width."""
    narrow(320)
    opened(browser, page)
    Reader(browser).until(lambda: browser.find_elements(By.CSS_SELECTOR, "#detail .clause"))
    enlarge(browser)


def test_the_controls_scroll_away_in_a_low_window(
    browser: Chrome, narrow: Callable[..., None], page: Path
) -> None:
    """At a zoom of 400 % they would cover most of the window."""
    opened(browser, page)
    controls = browser.find_element(By.CSS_SELECTOR, ".controls")
    for height, position in ((800, "sticky"), (256, "static")):
        narrow(320, height)
        assert controls.value_of_css_property("position") == position


def test_paper_is_light_and_shows_all(browser: Chrome, page: Path) -> None:
    """On paper there is nothing to scroll, and no pale letters of a dark screen."""
    emulate = "Emulation.setEmulatedMedia"
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    opened(browser, page)
    Reader(browser).at(FAULTS[0])
    browser.execute_cdp_cmd(emulate, {"media": "print", "features": dark})
    cut, ink = browser.execute_script("""
      const cut = [...document.querySelectorAll(".scroll, pre, samp, .outcome")].filter((element) =>
        getComputedStyle(element).overflow !== "visible");
      return [cut.map((element) => element.outerHTML), getComputedStyle(document.body).color];
    """)
    browser.execute_cdp_cmd(emulate, {"media": "", "features": []})
    assert cut == []
    assert ink == "rgb(29, 31, 30)"
