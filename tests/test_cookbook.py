"""The cookbook, docs/sql.md: enough questions, each with a sentence. `test_docs` runs them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schema import registry
from schema.card import Card

TEXT = (Path(__file__).parent.parent / "docs" / "sql.md").read_text()
QUERY = re.compile(r"^```sql\n(.*?)^```$", re.M | re.S)
ASKED = re.compile(r"^([^\n`#<][^\n]*(?:\n[^\n]+)*)\n\n```sql\n", re.M)


def test_there_are_enough_questions() -> None:
    """There are at least 25 different queries, each after a question of its own."""
    queries, asked = QUERY.findall(TEXT), ASKED.findall(TEXT)
    assert len(set(queries)) == len(queries) == len(asked) >= 25


@pytest.mark.parametrize("asked", ASKED.findall(TEXT))
def test_a_question_is_explained(asked: str) -> None:
    """Each query comes after the question that it answers, and at least one sentence."""
    question, _, rest = asked.partition("?")
    assert question[0].isupper()
    assert re.fullmatch(r"\s.+\.", rest, re.S), asked


@pytest.mark.parametrize(
    "card", [*map(registry.card, registry.names())], ids=lambda card: card.name
)
def test_every_game_has_questions_of_its_own(card: Card) -> None:
    """Each game has a section with some questions about its own tables."""
    [section] = re.findall(
        rf"^## {card.title.removesuffix(' for two')}$(.*?)(?=^## |\Z)", TEXT, re.M | re.S
    )
    queries = QUERY.findall(section)
    assert len(queries) >= 4
    assert all(card.name in query for query in queries)


def test_evidence_is_asked() -> None:
    """Some questions are about the evidence, which alone shows the slow bots."""
    assert sum("FROM evidence" in query for query in QUERY.findall(TEXT)) >= 3
