"""The ranked decisions of a seat, as text for people and as versioned JSON for programs."""

from __future__ import annotations

from shlex import quote

from replay import render
from replay.blame import Blame, Blamed, Line
from replay.questions import seat_text
from replay.whatif_render import result_text
from schema.bot_output import ANSWER_CHANNELS, from_fields, to_fields
from schema.log_path import path_text, shell_word
from schema.words import counted

SHOWN = 10
"""Maximum decisions that the text shows."""


def blame_json(blame: Blame) -> str:
    """Return ``koth-blame/1``: all decisions with all their alternatives, ranked."""
    return render.json(
        "koth-blame/1",
        log=path_text(blame.log.path),
        seat=blame.seat,
        score=blame.score,
        end=blame.log.events[-2],
        not_tried=blame.not_tried,
        decisions=[
            {
                "seq": decision.seq,
                "event": blame.log.events[decision.seq],
                "sentence": decision.sentence,
                "swing": decision.swing,
                "alternatives": [
                    {
                        "answer": to_fields(line.answer),
                        "sentence": line.sentence,
                        "end": line.end,
                        "swing": line.swing,
                    }
                    for line in decision.lines
                ],
            }
            for decision in blame.ranked
        ],
    )


def blame_text(blame: Blame, bots: str) -> str:
    """Return the decisions with a positive swing, each with the command that shows its best line.

    ``bots`` are the options that name the bots for that command.
    """
    log, better = blame.log, [decision for decision in blame.ranked if decision.swing > 0]
    lines_played = sum(len(decision.lines) for decision in blame.ranked)
    lines = [
        f"{path_text(log.path)}: {seat_text(log, blame.seat)}; recorded: "
        f"{result_text(log, log.events[-2])}",
        f"{counted(len(blame.ranked), 'decision')} with {counted(lines_played, 'alternative')}, "
        "each played to its end by the same bots with the same dice",
    ]
    if blame.not_tried:
        lines.append(f"not tried: {counted(blame.not_tried, 'more decision')}")
    lines.append("")
    for decision in better[:SHOWN]:
        lines += _decision_lines(blame, decision, bots)
    if len(better) > SHOWN:
        more = counted(len(better) - SHOWN, "decision")
        lines += [f"{more} more with a positive swing; `--format json` has them all", ""]
    lines += [
        "A swing is the change of the score in this match, with these dice against these bots."
        if better
        else "no alternative scores more in this match"
    ]
    return render.text(lines)


def _decision_lines(blame: Blame, decision: Blamed, bots: str) -> list[str]:
    best = decision.lines[0]
    gain = sum(line.swing > 0 for line in decision.lines)
    return [
        f"{decision.swing:+}  event {decision.seq}: {decision.sentence}",
        f"    instead: {best.sentence}",
        f"    then: {result_text(blame.log, best.end)}",
        f"    {gain} of {counted(len(decision.lines), 'alternative')} would have scored more",
        f"    $ {_command(blame, decision, best, bots)}",
        "",
    ]


def _command(blame: Blame, decision: Blamed, line: Line, bots: str) -> str:
    """Return the command that shows a line of play."""
    *others, main = ANSWER_CHANNELS[blame.log.card.protocol]
    options = [f"--at {decision.seq} --answer={_typed(line.answer[main])}"]
    recorded = from_fields(blame.log.events[decision.seq])
    options += [
        f"--output={_typed(line.answer[channel])}"
        for channel in others
        if line.answer[channel] != recorded.get(channel, b"")
    ]
    if "seat" not in blame.log.events[decision.seq]:
        options.append(f"--seat {blame.seat}")
    path = shell_word(blame.log.path)
    return " ".join(["koth replay", path, *options, bots])


def _typed(written: bytes) -> str:
    """Return an answer as a word of a shell, for `koth replay --answer`."""
    return quote(render.compact(written.decode(errors="replace"))[1:-1].replace('\\"', '"'))
