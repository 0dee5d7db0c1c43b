"""The state and the result of a comparison, as text for people and as JSON for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

from referee.experiment.comparison import Comparison, Loss
from referee.experiment.sequential import Counts, Decision, elo, interval, mean
from schema.columns import aligned
from schema.log_path import printable, shell_word
from schema.words import counted

FORMAT = "koth-try/1"

Row = tuple[str, ...]


def status(comparison: Comparison) -> str:
    """Return the state in one line: pairs, score, interval, log-likelihood ratio and its bounds.

    At least one pair must have been played.
    """
    counts = comparison.counts
    low, high = comparison.test.bounds
    ratio = f"LLR {comparison.test.llr(counts):.2f} ({low:.2f} to {high:.2f})"
    return f"{_size(comparison)}, {_score(counts)}, {ratio}"


def text(comparison: Comparison) -> str:
    """Return the lost matches with their commands, the table of rivals, and the decision.

    At least one pair must have been played.
    """
    lines = []
    if comparison.losses:
        number = counted(len(comparison.losses), "lost match")
        lines += [f"{number}; each command writes one as a page:", ""]
        lines += [f"  {_loss(loss)}" for loss in comparison.losses]
        lines.append("")
    lines += [*_table(comparison), "", f"{status(comparison)}.", verdict(comparison)]
    return "".join(f"{printable(line)}\n" for line in lines)


def verdict(comparison: Comparison) -> str:
    """Return the decision in a sentence."""
    bot, test = comparison.experiment.bot.name, comparison.test
    rivals = [rival.name for rival in comparison.experiment.against]
    than = rivals[0] if len(rivals) == 1 else f"these {len(rivals)} bots together"
    counted_pairs = f"by the sum of {counted(comparison.pairs, 'pair')}"
    elo0, elo1 = f"{test.elo0:+g} Elo", f"{test.elo1:+g} Elo"
    better = f"more than {test.elo0:g} Elo better" if test.elo0 > 0 else "better"
    low, high = interval(comparison.counts)
    match comparison.decision:
        case Decision.BETTER:
            # A difference above a negative elo0 may be none at all.
            relation = better if test.elo0 >= 0 or low > 0.5 else "not worse"
            error = f"{elo1} against {elo0} (error at most {100 * test.alpha:g} %)"
            return f"{bot} is {relation} than {than}, {counted_pairs}: {error}."
        case Decision.NOT_BETTER:
            relation = "worse" if high < 0.5 else f"not {better}"
            error = f"{elo0} against {elo1} (error at most {100 * test.beta:g} %)"
            return f"{bot} is {relation} than {than}, {counted_pairs}: {error}."
    return f"Undecided whether {bot} is better than {than}, {counted_pairs}: play more games."


def as_json(comparison: Comparison) -> str:
    """Return ``koth-try/1``: the decision, the numbers, those against each rival, and the losses.

    An infinite or unknown number is null. At least one pair must have been played.
    """
    experiment, test = comparison.experiment, comparison.test
    each = zip(experiment.against, comparison.counts_by_rival, strict=True)
    value = {
        "format": FORMAT,
        "game": experiment.card.name,
        "bot": {"name": experiment.bot.name, "bot": experiment.bot.hash},
        "decision": comparison.decision,
        "llr": round(test.llr(comparison.counts), 4),
        "bounds": [round(bound, 4) for bound in test.bounds],
        "alpha": test.alpha,
        "beta": test.beta,
        "elo0": test.elo0,
        "elo1": test.elo1,
        **_numbers(comparison.counts),
        "mirrored": experiment.mirrored,
        "against": [
            {"name": rival.name, "bot": rival.hash, **_numbers(counts)} for rival, counts in each
        ],
        "seed": experiment.seed,
        "folder": str(experiment.folder),
        "faults": comparison.faults,
        "lost": [
            {
                "log": str(loss.job.log),
                "seat": loss.seat,
                "rival": loss.rival,
                "other": str(loss.other.log),
                "reason": loss.result.reason,
                "faults": [kind for seat, kind in loss.result.faults if seat == loss.seat],
            }
            for loss in comparison.losses
        ],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _loss(loss: Loss) -> str:
    """Return a lost match in words, and the command that writes its page."""
    kinds = ", ".join(kind for seat, kind in loss.result.faults if seat == loss.seat)
    log = loss.job.log
    command = f"koth report {shell_word(log)} -o {log.stem}.html"
    return f"{loss.rival}, seat {loss.seat}, {kinds or loss.result.reason}: {command}"


def _table(comparison: Comparison) -> list[str]:
    """Return the numbers against each rival as lines with aligned columns."""
    experiment = comparison.experiment
    rows: list[Row] = [
        ("against", "pairs", "score", "95 % interval", "Elo", "quarters won: 0 1 2 3 4")
    ]
    for rival, counts in zip(experiment.against, comparison.counts_by_rival, strict=True):
        rows.append((printable(rival.name), *_cells(counts)))
    if len(experiment.against) > 1:
        rows.append(("together", *_cells(comparison.counts)))
    return aligned(rows)


def _cells(counts: Counts) -> Row:
    pairs = sum(counts)
    if not pairs:
        return ("0", "", "", "", "")
    low, high = interval(counts)
    return (
        f"{pairs:,}",
        _percent(mean(counts)),
        f"{_percent(low)} to {_percent(high)}",
        f"{elo(mean(counts)):+.0f}",
        " ".join(map(str, counts)),
    )


def _size(comparison: Comparison) -> str:
    pairs = comparison.pairs
    kind = "mirrored pair" if comparison.experiment.mirrored else "pair"
    return f"{counted(2 * pairs, 'game')} in {counted(pairs, kind)}"


def _score(counts: Counts) -> str:
    score, (low, high) = mean(counts), interval(counts)
    return (
        f"score {_percent(score)} (95 % interval: {_percent(low)} to {_percent(high)}), "
        f"Elo {elo(score):+.0f} ({elo(low):+.0f} to {elo(high):+.0f})"
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _numbers(counts: Sequence[int]) -> dict[str, object]:
    pairs = sum(counts)
    score, (low, high) = mean(counts) if pairs else None, interval(counts)
    return {
        "games": 2 * pairs,
        "pairs": pairs,
        "counts": list(counts),
        "score": score and round(score, 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "elo": None if score is None else _finite(elo(score)),
        "elo_low": _finite(elo(low)),
        "elo_high": _finite(elo(high)),
    }


def _finite(number: float) -> float | None:
    return round(number, 1) if math.isfinite(number) else None
