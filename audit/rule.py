"""Rules: one SQL file each, named after the fault it finds, with its clause in a head comment."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from audit.errors import AuditError
from schema import registry
from schema.errors import UsageError

COMMON = "log"
"""What the rules for logs of any game are called by, in the place of a game."""

COMMON_RULES = Path(str(files("audit"))) / "rules" / COMMON

_HEAD = re.compile(
    r"-- clause: (?P<clause>\S+)\n-- severity: (?P<severity>error|warning)\n"
    r"(?P<sentence>(?:-- [^\n]+\n)+)(?P<sql>.+)\Z",
    re.S,
)


@dataclass(frozen=True)
class Rule:
    """One rule: its query's rows are the violations."""

    id: str
    """The game, or ``log``, and the name of the fault: ``coup/steal_from_the_penniless``."""
    clause: str
    severity: str
    """``error`` or ``warning``."""
    sentence: str
    """What is wrong with a log that breaks the rule."""
    sql: str
    path: Path


def rules(game: str) -> list[Rule]:
    """The rules of a game, or of ``log``, by name. AuditError tells of a file without its head."""
    place = COMMON_RULES if game == COMMON else registry.card(game).audit
    return [_read(game, path) for path in sorted(place.glob("[!_]*.sql"))]


def find(name: str) -> Rule:
    """The rule with this id, or with this name if one only has it. Raises UsageError if none."""
    games = [card.name for card in registry.cards()[0]]
    known = [rule for game in (COMMON, *games) for rule in rules(game)]
    found = [rule for rule in known if name in (rule.id, rule.path.stem)]
    if len(found) != 1:
        hint = registry.suggest(name, [rule.id for rule in known])
        raise UsageError(f"there is no rule '{name}'.{hint}")
    return found[0]


def _read(game: str, path: Path) -> Rule:
    head = _HEAD.match(path.read_text())
    if not head:
        raise AuditError(
            f"{path}: expected a rule to begin with '-- clause: …', '-- severity: error' (or "
            "warning) and one sentence behind '-- ', then its query; found something else"
        )
    sentence = " ".join(line[3:] for line in head["sentence"].splitlines())
    sql = head["sql"].strip().removesuffix(";")
    return Rule(f"{game}/{path.stem}", head["clause"], head["severity"], sentence, sql, path)
