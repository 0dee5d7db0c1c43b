"""Rules: one SQL file each, named after its violation, with the clause in a head comment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from audit.errors import AuditError
from schema import registry, rulebook
from schema.errors import UsageError
from schema.words import suggest

COMMON = "log"
"""The first part of the ids of rules for logs of every game."""

COMMON_RULES = Path(str(files("audit"))) / "rules" / COMMON

_HEAD = re.compile(
    r"-- clause: (?P<clause>\S+)\n-- severity: (?P<severity>error|warning)\n"
    r"(?:-- kind: (?P<kind>match|tournament|contest)\n)?(?!-- kind:)"
    r"(?P<sentence>(?:-- [^\n]+\n)+)(?P<sql>.+)\Z",
    re.S,
)


@dataclass(frozen=True)
class Rule:
    """One rule, whose query returns the violations."""

    id: str
    """The game, or ``log``, and the file's stem: ``coup/steal_from_the_penniless``."""
    clause: str
    severity: str
    """``error`` or ``warning``."""
    kind: str | None
    """The kind of log without which the rule can find nothing: ``match``, ``tournament`` or
    ``contest``."""
    sentence: str
    """The violation, as one sentence."""
    sql: str = field(repr=False)
    path: Path


def rules(game: str) -> list[Rule]:
    """Return the rules of a game, or of ``log``, by name. Raises AuditError if a file is wrong."""
    if game == COMMON:
        return [_read(game, path) for path in sorted(COMMON_RULES.glob("[!_]*.sql"))]
    card = registry.card(game)
    read = [_read(game, path) for path in sorted(card.audit.glob("[!_]*.sql"))]
    known = rulebook.clauses(card)
    for rule in read:
        if rule.clause not in known:
            raise AuditError(
                f"{rule.path}: expected a clause of the rulebook, found '{rule.clause}'. "
                f"`koth rules {game}` prints all clauses"
            )
    return read


def find(name: str) -> Rule:
    """Return the rule with this id or unique name. Raises UsageError if none or several match."""
    games = [card.name for card in registry.cards()[0]]
    known = [rule for game in (COMMON, *games) for rule in rules(game)]
    matching = [rule for rule in known if name in (rule.id, rule.path.stem)]
    if len(matching) > 1:
        choice = ", ".join(rule.id for rule in matching)
        raise UsageError(f"{len(matching)} rules are called '{name}'; name one of them: {choice}.")
    if not matching:
        hint = (
            suggest(name, [rule.id for rule in known])
            or f" Expected GAME/NAME, such as {known[-1].id}."
        )
        raise UsageError(f"there is no rule '{name}'.{hint}")
    return matching[0]


def _read(game: str, path: Path) -> Rule:
    try:
        head = _HEAD.match(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise AuditError(f"{path}: expected a rule in UTF-8, found {error}") from None
    if not head:
        raise AuditError(
            f"{path}: expected a rule to begin with '-- clause: …', '-- severity: error' (or "
            "warning), possibly '-- kind: match' (or tournament, or contest), and one sentence "
            "after '-- ', then its query; found something else"
        )
    sentence = " ".join(line[3:] for line in head["sentence"].splitlines())
    sql = head["sql"].strip().removesuffix(";")
    name, kind = f"{game}/{path.stem}", head["kind"]
    return Rule(name, head["clause"], head["severity"], kind, sentence, sql, path)
