"""Run the rules of a match or a tournament: pass on each question, and send its reply back."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

from games.table import Ask, JointAsk, Schedule
from schema import contract
from schema.errors import GameError, KothError

A = TypeVar("A")
B = TypeVar("B")


class StopRules(Exception):
    """Raised by a driver to stop the rules at an event; the rules did nothing wrong."""


def drive_rules(rules: Generator[A, B, None], answer: Callable[[A], B]) -> None:
    """Run rules to their end: pass each question to ``answer``, and send its reply back.

    The referee and the replay differ in ``answer`` only. Raises GameError if the rules fail, and
    any error of ``answer``.
    """
    for _ in drive_stepwise(rules, answer):
        pass


def drive_stepwise(rules: Generator[A, B, None], answer: Callable[[A], B]) -> Iterator[None]:
    """Run rules as :func:`drive_rules` does, and pause before each answer."""
    question: A | None = None
    try:
        question = next(rules)
        while True:
            yield
            question = rules.send(answer(question))
    except StopIteration:
        pass
    except (KothError, StopRules):
        raise
    except (Exception, SystemExit) as error:
        _tell(_mistake_of(rules, question, error), error)
        raise


def next_question(rules: Generator[A, Any, None], reply: object = None) -> A:
    """Send ``reply`` into rules, None to start them, and return their next question.

    Raises StopIteration at the end of the rules, and GameError if they fail.
    """
    try:
        return rules.send(reply)
    except (StopIteration, KothError):
        raise
    except (Exception, SystemExit) as error:
        _tell(contract.describe_in_rules(rules, error), error)
        raise


def _tell(mistake: str, error: BaseException) -> None:
    """Raise GameError for a mistake of the rules, if it is one."""
    if mistake:
        raise GameError(f"{mistake}. The game's package must fix its rules.") from error


def _mistake_of(rules: Generator[Any, Any, None], question: object, error: BaseException) -> str:
    """Return the mistake of the rules that raised ``error``, or "" if it is not theirs."""
    for generator in (rules, getattr(question, "matches", None)):
        if described := contract.describe_in_rules(generator, error):
            return described
    if (
        not isinstance(error, Exception)
        or isinstance(question, JointAsk | Schedule)
        or (isinstance(question, list) and all(isinstance(ask, Ask) for ask in question))
    ):
        return ""
    expected = "expected a list of Ask, a JointAsk or a Schedule"
    return f"{getattr(rules, '__qualname__', rules)}: {expected}, but it yielded {question!r:.80}"
