"""``koth replay``: show the state at an event, or the course after another answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated

import typer

from koth.cli import inputs, isolation, seat_view
from koth.cli.options import AnyFiles, Bind, Cold, Format, Log, More, TextOrJson
from koth.cli.output import say
from schema.errors import UsageError
from schema.log_path import LogPath

QUOTE = re.compile(r'\\.|"', re.S)


def replay(
    log: Log,
    at: Annotated[
        int | None,
        typer.Option(
            help="The seq of the event; with --seat, the number of a question. Default: the end.",
            min=0,
            metavar="SEQ",
        ),
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(
            help=r"Replace the answer in that event, and play on; \n stands for a newline.",
            metavar="TEXT",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            help="Replace the printed output of a bot that appends to a file.",
            metavar="TEXT",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            help="Show only what the player at this seat could know; its questions count from 1. "
            "With --answer: the seat of the answer, if one event holds the answers of all seats.",
            min=0,
            metavar="SEAT",
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            help="The bots that play on to the end. Default: stop at the next question.",
            metavar="BOT…",
        ),
    ] = None,
    more: More = None,
    any_files: AnyFiles = False,
    cold: Cold = False,
    bind: Bind = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Rebuild the state at an event from the seed and the answers.

    With --answer, show the course of the match after another answer. With --seat, show the
    questions to a seat and its answers, up to --at.
    """
    if more and not bots and answer is None and output is None:
        raise UsageError(f"expected one log, found {more[0]!r} after it. --at SEQ names an event.")
    bots = [*(bots or ()), *(more or ())]
    for option, used in (("--any-files", any_files), ("--cold", cold), ("--bind", bind)):
        if used and not bots:
            raise UsageError(f"{option}: goes with --bots.")
    if answer is None and output is None:
        if bots:
            raise UsageError("--bots: goes with --answer.")
        if seat is not None:
            seat_view.replay(log, seat, at, format)
        else:
            _show(log, at, format)
    elif at is None:
        option = "--output" if answer is None else "--answer"
        raise UsageError(f"{option}: expected the event that holds the answer, as --at SEQ.")
    else:
        texts = {"--answer": answer, "--output": output}
        _what_if(log, at, texts, seat, bots, any_files, cold, bind, format)


def _show(log: LogPath, at: int | None, format: TextOrJson) -> None:
    from koth.library.events import event_at

    event = event_at(log, at)
    say(event.json if format is TextOrJson.JSON else event)


def _what_if(
    log: LogPath,
    at: int,
    texts: Mapping[str, str | None],
    seat: int | None,
    bots: list[str],
    any_files: bool,
    cold: bool,
    bind: list[str] | None,
    format: TextOrJson,
) -> None:
    from replay.reask import read_verified
    from replay.state import state_at
    from replay.whatif import what_if
    from replay.whatif_render import what_if_json, what_if_text

    recorded = read_verified(log)
    answer = _by_channel(recorded.card.protocol, texts)
    if bots:
        from koth.library import rematches
        from referee import reasking

        level = isolation.choose(None)
        seated = rematches.all_bots(recorded, bots, any_files)
        inputs.warn(rematches.not_asked(recorded, bots, seated))
        seated = isolation.with_binds(seated, bind, level)
        with reasking.session(recorded, seated, level, cold) as asker:
            result = what_if(recorded, at, answer, seat, asker)
    else:
        result = what_if(recorded, at, answer, seat)
    if format is TextOrJson.JSON:
        say(what_if_json(result, state_at(recorded, at)))
    else:
        say(what_if_text(result))


def _by_channel(protocol: str, texts: Mapping[str, str | None]) -> dict[str, bytes]:
    """Return the answer by channel; --answer is for the last channel of the protocol."""
    from schema.bot_output import ANSWER_CHANNELS

    *others, main = ANSWER_CHANNELS[protocol]
    if texts["--output"] is not None and "output" not in others:
        raise UsageError("--output: bots of this game print their answer; give it with --answer.")
    channels = {"--answer": main, "--output": "output"}
    return {
        channels[option]: _bytes(option, text) for option, text in texts.items() if text is not None
    }


def _bytes(option: str, text: str) -> bytes:
    """Return the bytes of a text with JSON escapes; quotes need no escape. Raises UsageError."""
    quoted = QUOTE.sub(lambda match: '\\"' if match[0] == '"' else match[0], text)
    try:
        decoded: str = json.loads(f'"{quoted}"', strict=False)
        return decoded.encode(errors="surrogateescape")  # the typed text may not be UTF-8
    except ValueError:
        raise UsageError(
            rf"{option}: expected text in which a backslash begins an escape (\n, \\, \u0007), "
            f"found {text!r}."
        ) from None
