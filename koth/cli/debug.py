"""``koth debug``: put one recorded question to a bot on this terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from koth.cli.options import Log, Mine
from koth.cli.output import note, say


def debug(
    log: Log,
    seq: Annotated[
        int, typer.Argument(help="The event that holds the recorded answer.", metavar="SEQ", min=0)
    ],
    mine: Mine,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            help="The seat that your bot answers for. Default: that of the event; if all seats "
            "answer in it, that of your bot's name.",
            min=0,
            metavar="SEAT",
        ),
    ] = None,
) -> None:
    """Ask your bot one question of a match on this terminal, so that breakpoint() works.

    The bot gets what its seat was given: arguments, files, lines, calls and its seed. It has no
    time limit, and no sandbox. Earlier questions of the match are put to it first, silently, if
    it keeps a state.
    """
    from games.narration import Narrator
    from koth.library import rematches
    from referee import reasking
    from replay import render
    from replay.questions import seat_text
    from replay.reask import read_verified
    from replay.state import check_seq
    from replay.timeline import answer_types
    from replay.whatif import seat_of_answer

    recorded = read_verified(log)
    check_seq(recorded, seq)
    event: Mapping[str, Any] = recorded.events[seq]
    bot = rematches.one_bot(mine, recorded, event.get("seat", seat))
    if seat is None and "seat" not in event and event["type"] in answer_types(recorded):
        seat = reasking.seat_of(recorded, bot, None)
    own, named = seat_of_answer(recorded, seq, seat), reasking.seats_named(recorded, bot)
    text = f"{bot.name} answers for {seat_text(recorded, own)} at event {seq}"
    if seat is None and named and own not in named:
        text += f", which asks that seat; seat {named[0]} has the bot's name"
    note(f"{text}.")
    result = rematches.debug(recorded, seq, own, reasking.named_as(recorded, bot, own))
    if result.otherwise:
        note(
            f"{result.otherwise} of {result.earlier} earlier answers differ from the recorded "
            "ones, so its state may differ, too."
        )
    then, now = render.reply_fields(result.decision.reply), render.reply_fields(result.now)
    verdict = (", the same" if then == now else ", the same fault") if result.same else ""
    sentence = Narrator(recorded.card, recorded.start)(event)
    lines = render.event_lines("recorded", sentence, then, indent="")
    say("", render.text([*lines, f"now       {render.shown(now)}{verdict}"]), sep="\n")
    raise typer.Exit(0 if result.same else 1)
