"""``koth export``: write a log in the text format of earlier contests."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.cli.options import Log
from koth.cli.output import say
from schema.errors import KothError, UsageError
from schema.log_path import shell_word

FORMS = ("transcript",)


def export(
    form: Annotated[
        str, typer.Argument(help="The format: `transcript`.", metavar="FORM", show_default=False)
    ],
    log: Log,
) -> None:
    """Write a log in the text format of earlier contests.

    A match becomes a transcript; a tournament's own log becomes its final table.
    """
    from replay.errors import ReplayError
    from replay.partial_log import read_sealed
    from schema import contract
    from schema.words import suggest

    if form not in FORMS:
        raise UsageError(f"there is no export '{form}'.{suggest(form, list(FORMS))}")
    recorded = read_sealed(log)
    transcript = recorded.version.transcript(recorded.kind)
    if transcript is None:
        problem = f"{log}: {recorded.card.title} has no transcript of a {recorded.kind}"
        other = "tournament" if recorded.kind == "match" else "match"
        if recorded.version.transcript(other) is not None:
            problem += f", but of a {other}; give the log of one"
        raise UsageError(f"{problem}.")
    try:
        text: object = transcript(recorded)
        if not isinstance(text, str):
            raise TypeError(f"expected a text, found {text!r:.80}")
    except KothError:
        raise
    except BaseException as error:  # such as a seat that a forged log invents
        failure = contract.describe(error, recorded.card.package)
        raise ReplayError(
            f"{log}: its events give no transcript: {failure}. `koth verify {shell_word(log)}` "
            "says whether they follow the rules."
        ) from error
    say(str.__str__(text), end="")
