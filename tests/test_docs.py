"""The pages in docs/: their commands, bots, queries and tables are as they say."""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NotRequired, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import get_type_hints

import replay.verify
from audit.query import query
from audit.tables import open_database
from koth.cli.commands import COMMANDS
from schema import registry, rulebook
from schema.canonical import line
from schema.contest_events import CONTEST_EVENTS
from schema.events import MATCH_EVENTS, TOURNAMENT_EVENTS
from tests.sampling import left_to_the_wheel

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FORMAT = DOCS / "log-format.md"
FRONT = DOCS / "index.md"
GAMES = {page.stem: page for page in sorted((DOCS / "games").glob("*.md"))}
PAGES = sorted(DOCS.rglob("*.md"))
GOLDEN = sorted((ROOT / "tests" / "golden").rglob("*.jsonl"))

SQL = re.compile(r"^```sql\n(.*?)^```$", re.M | re.S)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]*)\)")
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.stem))
each_game = pytest.mark.parametrize("game", GAMES)


def load_generator() -> Any:
    """The script docs/generate.py as a module."""
    sys.path.append(str(DOCS))  # as if Python had started the script
    spec = spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = load_generator()


@left_to_the_wheel
@pytest.mark.parametrize("page", generate.pages(), ids=lambda page: str(page.stem))
def test_a_page_does_what_it_says(
    page: Path, worked_through: Callable[[Path], tuple[Path, str]]
) -> None:
    """Bots and commands of a page run, its generated parts are current, its queries find rows."""
    folder, renewed = worked_through(page)
    stale = f"{page} is stale; `python docs/generate.py` renews it"
    assert renewed.splitlines() == page.read_text().splitlines(), stale
    if not (queries := SQL.findall(generate.PART.sub("", renewed))):  # none but in its files
        return
    with open_database([folder]) as database:
        for sql in queries:
            assert query(database, sql).rows, f"{page}: this query finds nothing:\n{sql}"


def test_every_game_has_a_page() -> None:
    """There is a page for each game, and none for anything else; each asks questions in SQL."""
    assert set(GAMES) == set(registry.names())
    assert all(len(SQL.findall(page.read_text())) >= 3 for page in GAMES.values())


def types(models: tuple[type, ...]) -> list[str]:
    """The types of events, in order."""
    return [get_args(get_type_hints(model)["type"])[0] for model in models]


def headings(page: Path) -> list[str]:
    """The event types that a page has tables of, in order."""
    return re.findall(r"^### `(\w+)`$", page.read_text(), re.M)


@each_game
def test_a_games_page_has_all_events_settings_and_dice(game: str) -> None:
    """Every event of a game has its table, every setting its line, and the dice are listed."""
    card, text = registry.card(game), GAMES[game].read_text()
    assert headings(GAMES[game]) == types(card.current.event_models())
    for name in card.current.settings_model().model_fields:
        assert f"\n| `{name}` |" in text, name
    assert f"<!-- generated: dice {game} -->" in text


def test_the_formats_page_has_all_common_events() -> None:
    """Every event that all games share has its table."""
    assert headings(FORMAT) == types(MATCH_EVENTS + TOURNAMENT_EVENTS + CONTEST_EVENTS)


GAME_MODELS = [model for game in GAMES for model in registry.card(game).current.event_models()]


@pytest.mark.parametrize(
    "model", [*MATCH_EVENTS, *TOURNAMENT_EVENTS, *CONTEST_EVENTS, *GAME_MODELS]
)
def test_a_table_has_all_fields_of_its_event(model: type) -> None:
    """The table of an event has its fields in their order, and says which are optional."""
    hints: dict[str, Any] = get_type_hints(model, include_extras=True)
    del hints["type"]
    expected = [(name, get_origin(hint) is NotRequired) for name, hint in hints.items()]
    rows = re.findall(
        r"^\| `(\w+)` \| .* \| (always|optional) \|", generate.field_tables.events([model]), re.M
    )
    assert [(name, there == "optional") for name, there in rows] == expected


@each_game
def test_clauses_that_a_page_cites_are_in_the_rulebook(game: str) -> None:
    """A number such as CP-16 on a game's page is one of its rulebook."""
    clauses = rulebook.clauses(registry.card(game))
    prefix = next(iter(clauses)).partition("-")[0]
    cited = re.findall(rf"\b{prefix}-\d+", GAMES[game].read_text())
    assert cited
    assert set(cited) <= set(clauses)


def anchors(page: Path) -> set[str]:
    """Return the targets of links into a page: its headings, spelt as in addresses."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for title in titles}


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link leads to a file, and to a heading in it.

    Links to other folders need the sources, which are not beside a Koth that is installed.
    """
    for target in LINK.findall(page.read_text()):
        place, _, anchor = target.partition("#")
        path = (page.parent / place).resolve() if place else page
        if "://" in place or (not path.is_relative_to(DOCS) and not (ROOT / "games").is_dir()):
            continue
        assert path.is_file(), f"{page}: {target}"
        assert not anchor or anchor in anchors(path), f"{page}: {target}"


@each_page
def test_commands_that_a_page_names_exist(page: Path) -> None:
    """Each `koth something` on a page is a command, also without a code block."""
    assert set(re.findall(r"`koth ([\w-]+)", page.read_text())) <= set(COMMANDS)


def test_verdicts_are_listed_in_their_order() -> None:
    """The page lists the verdicts that `koth verify` gives, in the order in which they decide."""
    [section] = re.findall(r"^## Verdicts$(.*?)^## ", FORMAT.read_text(), re.M | re.S)
    decided = re.findall(r"^\d\. ``(\w+)``", replay.verify.__doc__ or "", re.M)
    assert re.findall(r"^\| `(\w+)` \|", section, re.M) == decided


Check = Callable[[bytes], None]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Return the checker on the format's page, which raises for an invalid log."""
    [source] = re.findall(r"`check\.py`:\n\n```python\n(.*?)^```$", FORMAT.read_text(), re.M | re.S)
    script, log = tmp_path / "check.py", tmp_path / "log.jsonl"
    script.write_text(source)
    monkeypatch.setattr(sys, "argv", ["check.py", str(log)])

    def run(data: bytes) -> None:
        log.write_bytes(data)
        runpy.run_path(str(script))

    return run


def test_the_checker_accepts_all_golden_logs(check: Check) -> None:
    """The page's own checker accepts each golden log."""
    assert GOLDEN
    for log in GOLDEN:
        check(log.read_bytes())


def test_the_checker_finds_changed_bytes(check: Check) -> None:
    """The page's own checker refuses a log with any changed byte, and one without its end."""
    data = min(GOLDEN, key=lambda log: log.stat().st_size).read_bytes()
    for place in range(0, len(data), 5):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        with pytest.raises((AssertionError, ValueError, LookupError, AttributeError)):
            check(changed)
    for end in (len(data) - 1, data.rindex(b"\n", 0, -1) + 1):
        with pytest.raises(AssertionError):
            check(data[:end])


@given(st.text(), st.integers(-(2**63), 2**63 - 1))
def test_lines_are_written_as_the_page_says(text: str, number: int) -> None:
    """Python's `json.dumps`, called as the page says, gives the bytes that the writer gives."""
    event = {"type": text, "there": [number, {"inner": text}]}
    written = json.dumps({"seq": 7, **event}, ensure_ascii=False, separators=(",", ":"))
    assert written.encode() + b"\n" == line(7, event)


def test_a_stale_part_is_made_anew(tmp_path: Path) -> None:
    """Text between the marks is replaced; text around them is kept."""
    page = tmp_path / "page.md"
    page.write_text(
        "# A\n\n```sh\nkoth games\necho 7\n```\n\n"
        "<!-- generated: output -->\nold\n<!-- end -->\nB\n"
    )
    renewed = generate.Page(page, tmp_path).renewed()
    assert "old" not in renewed
    assert "coup/2" in renewed
    assert renewed.endswith("\n7\n```\n\n<!-- end -->\nB\n")
    assert renewed.startswith("# A\n\n```sh\nkoth games\necho 7\n```\n")


@pytest.mark.parametrize(
    "wrong",
    [
        "```sh\nkoth verify --fast x\n```\n",
        "```sh\nkoth vrify x\n```\n",
        "```sh\nsha256sum nothing\n```\n",
        "<!-- generated: poems -->\n<!-- end -->\n",
    ],
)
def test_a_page_that_cannot_be_worked_through_is_named(wrong: str, tmp_path: Path) -> None:
    """A command that fails, or a part that cannot be made, is reported with the page's name."""
    page = tmp_path / "page.md"
    page.write_text(wrong)
    with pytest.raises(generate.PageError, match=r"page\.md: .*(verify|vrify|sha256sum|poems)"):
        generate.Page(page, tmp_path).renewed()


def navigation() -> list[str]:
    """The pages in the tables of contents of the front page, as paths in docs/ or from the root."""
    trees = re.findall(r"^```{toctree}\n(.*?)^```$", FRONT.read_text(), re.M | re.S)
    return [entry for tree in trees for entry in re.findall(r"<(.*)>$", tree, re.M)]


def test_the_navigation_lists_every_page_once() -> None:
    """The front page leads to every page of docs/, and to each of them once."""
    listed = [entry for entry in navigation() if not entry.startswith("/")]
    expected = [page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES]
    assert sorted([*listed, "index"]) == sorted(expected)


def test_the_front_page_names_tasks_first() -> None:
    """The text of the front page and its navigation begin with the same tasks, in one order."""
    linked = [link.removesuffix(".md") for link in LINK.findall(FRONT.read_text())]
    tasks = ["dispute", "tournament", "contest", "bots", "authors", "sql", "python", "add-a-game"]
    assert linked[:8] == navigation()[:8] == tasks
