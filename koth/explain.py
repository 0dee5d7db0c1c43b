"""``koth explain``: one ruling, for the person whom it hit."""

from __future__ import annotations

from typing import Annotated

import typer

from koth.options import Format, Log, TextOrJson


def explain(
    log: Log,
    seq: Annotated[int, typer.Argument(help="The event, by its seq.", min=0)],
    format: Format = TextOrJson.TEXT,
) -> None:
    """Explain a ruling: clause, answer, dice, before and after."""
    from replay import render
    from replay.explain import explain
    from schema.reader import read

    found = explain(read(log), seq)
    is_json = format is TextOrJson.JSON
    print(render.explanation_json(found) if is_json else render.explanation_text(found))
