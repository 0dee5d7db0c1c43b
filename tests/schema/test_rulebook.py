"""Rulebooks: every clause is found by its number, and every number in use is a clause."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schema import registry, rulebook
from schema.errors import UsageError

COUP = registry.card("coup")

DECIDED = {
    "bank_heist": "BH-21 BH-22 BH-23 BH-24 BH-25 BH-26 BH-29",
    "coins": "CN-5 CN-8",
    "coup": "CP-3 CP-5 CP-10 CP-13 CP-15 CP-17",
    "smallest_unique": "SU-9",
}
"""Clauses in which a game decides more than its published rules, or differs from them."""


def test_coup_has_its_clauses_in_order() -> None:
    """The rulebook of Coup has CP-1 to CP-21, each once, in order."""
    assert list(rulebook.clauses(COUP)) == [f"CP-{n}" for n in range(1, 22)]
    numbers = re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", COUP.rulebook.read_text(), re.M)
    assert numbers == [f"CP-{n}" for n in range(1, 22)]


def test_a_clause_is_its_whole_paragraph_and_no_more() -> None:
    """The text of a clause ends before the next clause, table or heading."""
    lines = COUP.rulebook.read_text().splitlines()
    for number, text in rulebook.clauses(COUP).items():
        assert lines.count(f"- **{number}** {text}") == 1
        assert "|" not in text
        assert "#" not in text


@pytest.mark.parametrize("name", DECIDED)
def test_what_the_page_decides_is_marked(name: str) -> None:
    """A clause that the published rules leave open is marked as decided."""
    found = rulebook.clauses(registry.card(name))
    assert [one for one in DECIDED[name].split() if "**Decided**" not in found[one]] == []


@pytest.mark.parametrize("name", registry.names())
def test_every_clause_number_used_is_a_clause(name: str) -> None:
    """Clause numbers in a game's rules, event models and rulebook are clauses of its rulebook."""
    card = registry.card(name)
    known = rulebook.clauses(card)
    prefix = next(iter(known)).partition("-")[0]
    sources = [
        *card.rulebook.parent.glob("*.py"),
        card.rulebook,
        card.rulebook.with_name("game.toml"),
    ]
    used = {
        (source.name, number)
        for source in sources
        for number in re.findall(rf"\b{prefix}-[0-9]+", source.read_text())
    }
    assert len(used) > len(known)
    assert {number for _, number in used} <= set(known)


def test_every_clause_that_rules_can_apply_is_cited() -> None:
    """The rules of Coup cite every clause except the one on bots' files and help (CP-18)."""
    folder = COUP.rulebook.parent
    code = "".join((folder / name).read_text() for name in ("rules.py", "tournament.py"))
    cited = {int(number) for number in re.findall(r"CP-([0-9]+)", code)}
    assert cited >= set(range(1, 22)) - {18}


def test_a_clause_by_its_number() -> None:
    """A wrong number is reported with a similar one, or with the command that prints all."""
    assert rulebook.clause(COUP, "CP-14") == "A card given up is out of the game for good."
    with pytest.raises(UsageError, match=r"Coup for two has no clause 'CP-99'\. Did you mean 'CP-"):
        rulebook.clause(COUP, "CP-99")
    with pytest.raises(UsageError, match=r"'nine'\. `koth rules coup` prints all clauses\."):
        rulebook.clause(COUP, "nine")


def test_clauses_of_several_lines_are_one_paragraph(tmp_path: Path) -> None:
    """A clause with line breaks is returned as one paragraph."""
    book = tmp_path / "RULES.md"
    book.write_text("# X\n\n- **XY-1** One\n  two\n- **XY-2** Three.\n## Y\n- **XY-10** Four.")
    found = rulebook.clauses(COUP.model_copy(update={"rulebook": book}))
    assert found == {"XY-1": "One two", "XY-2": "Three.", "XY-10": "Four."}
