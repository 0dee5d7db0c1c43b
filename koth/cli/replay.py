"""``koth replay``: the state of a match at any event, and what another answer would have led to."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Annotated

import typer

from koth.cli import inputs
from koth.cli.options import Bind, Cold, Format, Log, TextOrJson
from schema.errors import UsageError
from schema.log_path import LogPath

QUOTE = re.compile(r'\\.|"', re.S)


def replay(
    log: Log,
    at: Annotated[
        int | None, typer.Option(help="The event, by its seq; the last if not given.", min=0)
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(
            help=r"What if the answer in that event had been this? As in a log: \n is a new line.",
            metavar="TEXT",
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            help="Where bots append to a file: what it had printed; as recorded if not given.",
            metavar="TEXT",
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(help="Whose answer, where one event holds those of all seats.", min=0),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            help="The bots, to go on to the end with. Without them it stops at the next question.",
            metavar="BOT…",
        ),
    ] = None,
    more: Annotated[list[str] | None, typer.Argument(hidden=True, metavar="BOT")] = None,
    any_files: Annotated[
        bool, typer.Option("--any-files", help="Although their files are not the recorded ones.")
    ] = False,
    cold: Cold = False,
    bind: Bind = None,
    format: Format = TextOrJson.TEXT,
) -> None:
    """Rebuild the state at an event from seed and answers.

    The rules stop there: `koth verify` checks the whole log. With --answer, show what would have
    followed from another answer.
    """
    bots = [*(bots or ()), *(more or ())]  # all words after --bots
    if answer is None and output is None:
        for option, given in (("--seat", seat is not None), ("--bots", bots), ("--bind", bind)):
            if given:
                raise UsageError(f"{option}: goes with --answer.")
        _show(log, at, format)
    elif at is None:
        raise UsageError("--answer: expected the event that holds the answer, as --at SEQ.")
    else:
        said = {"--answer": answer, "--output": output}
        _ask_what_if(log, at, said, seat, bots, any_files, cold, bind, format)


def _show(log: LogPath, at: int | None, format: TextOrJson) -> None:
    from replay import render
    from replay.state import state_at
    from schema.reader import read

    step = state_at(read(log), at)
    print(render.state_json(step) if format is TextOrJson.JSON else render.state_text(step))


def _ask_what_if(
    log: LogPath,
    at: int,
    said: Mapping[str, str | None],
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
    answer = _by_channel(recorded.card.protocol, said)
    if bots:
        from referee import reasking
        from referee.roster.resolve import resolve

        level = inputs.isolation(None)
        given = inputs.bound(resolve(bots, recorded.card), bind, level)
        seated = reasking.seated(recorded, given, any_files)
        with reasking.session(recorded, seated, level, cold) as asker:
            found = what_if(recorded, at, answer, seat, asker)
    else:
        found = what_if(recorded, at, answer, seat)
    if format is TextOrJson.JSON:
        print(what_if_json(found, state_at(recorded, at)))
    else:
        print(what_if_text(found))


def _by_channel(protocol: str, said: Mapping[str, str | None]) -> dict[str, bytes]:
    """The answer as it is typed, by channel: what is asked for is the last that a bot has."""
    from schema.bot_output import ANSWER_CHANNELS

    *others, main = ANSWER_CHANNELS[protocol]
    if said["--output"] is not None and "output" not in others:
        raise UsageError("--output: the answer itself is what a bot of this game prints: --answer.")
    channels = {"--answer": main, "--output": "output"}
    return {
        channels[option]: _bytes(option, text) for option, text in said.items() if text is not None
    }


def _bytes(option: str, text: str) -> bytes:
    """What a text with the escapes of a log stands for; quotes may stand as they are."""
    quoted = QUOTE.sub(lambda found: '\\"' if found[0] == '"' else found[0], text)
    try:
        written: str = json.loads(f'"{quoted}"', strict=False)
        return written.encode(errors="surrogateescape")  # what was typed may not be UTF-8
    except ValueError:
        raise UsageError(
            rf"{option}: expected text in which a backslash begins an escape (\n, \\, \u0007), "
            f"found {text!r}."
        ) from None
