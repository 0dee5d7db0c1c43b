"""The rules as a whole: complete, mirrored by tests, and silent where nothing is wrong."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from audit import rule
from audit.errors import AuditError
from audit.rule import COMMON, find, rules
from schema import registry
from schema.errors import UsageError
from schema.rulebook import clauses

HERE = Path(__file__).parent
SQL = Path(rule.__file__).parent
GAMES = [name for name in registry.names() if rules(name)]


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_covered_or_named(game: str) -> None:
    """Each clause of a rulebook has a rule, or a reason why it has none; and no other has."""
    card = registry.card(game)
    uncovered = tomllib.loads((card.audit / "uncovered.toml").read_text())
    covered = {rule.clause for rule in rules(game)}
    assert covered | set(uncovered) == set(clauses(card))
    assert not covered & set(uncovered)
    assert all(uncovered.values())


@pytest.mark.parametrize("game", [COMMON, *GAMES])
def test_every_rule_has_its_test(game: str) -> None:
    """Each rule and its test have the same name, and there is no test of a removed rule."""
    tests = {path.stem for path in (HERE / "rules" / game).glob("test_*.py")}
    assert tests == {f"test_{rule.path.stem}" for rule in rules(game)}


@pytest.mark.parametrize("game", [COMMON, *GAMES])
def test_every_rule_says_what_is_wrong(game: str) -> None:
    """Each rule's sentence is one that ends in a full stop."""
    assert all(rule.sentence.endswith(".") for rule in rules(game))


def test_no_running_count_has_a_filter() -> None:
    """A running `count(*) FILTER` takes DuckDB time quadratic in the rows; a CASE does not."""
    for path in SQL.rglob("*.sql"):
        text = path.read_text()
        orders = dict(re.findall(r"(\w+) AS \(\s*PARTITION BY([^)]*)", text))
        counts = re.findall(r"count\(\*\) FILTER \(.*\) OVER (?:(\w+)|\(([^)]*))", text)
        for name, window in counts:
            assert "ORDER BY" not in (orders[name] if name else window), path


def test_equals_are_told_apart() -> None:
    """The first or last of several is chosen by a column of its own or by several, never by one of
    which two may be equal: DuckDB would choose another in another run."""
    own = {"seq", "game", "smallest_unique_step(ask)"}
    for path in SQL.rglob("*.sql"):
        for choice in re.split(r"\barg_(?:min|max)\(", path.read_text())[1:]:
            key = _last_argument(choice)
            assert key in own or key.startswith("("), f"{path}: {key}"


def _last_argument(call: str) -> str:
    """Return the last argument of a function; ``call`` is what follows its parenthesis."""
    depth = start = 0
    for place, character in enumerate(call):
        depth += (character in "({[") - (character in ")}]")
        if depth < 0:
            return call[start:place].strip()
        if character == "," and not depth:
            start = place + 1
    raise ValueError(f"no end of {call:.40}")


def test_a_rule_is_found_by_its_id_or_name() -> None:
    """`coup/draw_not_scored` and `draw_not_scored` are the same rule."""
    assert find("coup/draw_not_scored") == find("draw_not_scored")


@pytest.mark.parametrize("wrong", ["coup/draw_not_score", "draw_not_scoerd"])
def test_a_mistyped_rule_is_suggested(wrong: str) -> None:
    """A name that no rule has is wrong usage, and the message says what was probably meant."""
    with pytest.raises(UsageError, match="Did you mean 'coup/draw_not_scored'"):
        find(wrong)


def test_a_name_of_several_rules_is_refused() -> None:
    """The error lists the rules of this name, by their ids."""
    choice = "name one of them: coins/broken_off, coup/broken_off."
    with pytest.raises(UsageError, match=f"2 rules are called 'broken_off'; {choice}"):
        find("broken_off")


def test_a_rule_without_its_head_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that does not begin with clause, severity and sentence is an error that names it."""
    (tmp_path / "headless.sql").write_text("SELECT 1")
    monkeypatch.setattr(rule, "COMMON_RULES", tmp_path)
    with pytest.raises(AuditError, match=r"headless\.sql: expected a rule to begin with"):
        rules(COMMON)


def test_a_rule_of_an_unknown_kind_of_log_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kind of log that a rule needs is one of three; any other word is an error."""
    head = "-- clause: X-1\n-- severity: error\n"
    query = "-- Something is wrong.\nSELECT 1"
    monkeypatch.setattr(rule, "COMMON_RULES", tmp_path)
    for kind in ("match", "tournament", "contest"):
        (tmp_path / "kind.sql").write_text(f"{head}-- kind: {kind}\n{query}")
        [read] = rules(COMMON)
        assert (read.kind, read.sentence) == (kind, "Something is wrong.")
    (tmp_path / "kind.sql").write_text(f"{head}-- kind: league\n{query}")
    with pytest.raises(AuditError, match=r"kind\.sql: expected .* '-- kind: match' \(or tourn"):
        rules(COMMON)


def test_a_rule_that_is_not_utf_8_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule in another encoding is an error that names its file."""
    (tmp_path / "latin.sql").write_bytes("-- clause: Ä-1".encode("latin-1"))
    monkeypatch.setattr(rule, "COMMON_RULES", tmp_path)
    with pytest.raises(AuditError, match=r"latin\.sql: expected a rule in UTF-8"):
        rules(COMMON)
