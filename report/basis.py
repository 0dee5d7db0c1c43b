"""States what was checked about a tournament, and what was not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from replay.log_verdict import LogVerdict
from replay.verdicts import WORST_FIRST
from report.contents import Tournament
from schema.words import counted


def counts(verdicts: Iterable[LogVerdict]) -> list[tuple[str, int]]:
    """Return each verdict with the number of its logs, the worst first."""
    numbers = Counter(verdict.verdict for verdict in verdicts)
    return sorted(numbers.items(), key=lambda pair: WORST_FIRST.index(pair[0]))


def conclusion(tournament: Tournament) -> str:
    """Return the verdicts on all logs in one sentence."""
    verdicts = tournament.verdicts
    if all(verdict.verdict == "verified" for verdict in verdicts):
        if not (played := _of_rules(tournament, verdicts)):
            return "The contest’s own log was checked, and no other."
        logs = count(len(played), "log was", "logs were")
        return f"{logs} re-run from seed and answers, and every event is equal, byte for byte."
    parts = [f"{counted(number, 'log')} {verdict}" for verdict, number in counts(verdicts)]
    return f"Verification: {', '.join(parts)}."


def checked(tournament: Tournament) -> list[str]:
    """Return one sentence for each check that succeeded."""
    verified = [verdict for verdict in tournament.verdicts if verdict.verdict == "verified"]
    sentences = []
    if played := _of_rules(tournament, verified):
        number = sum(verdict.events or 0 for verdict in played)
        logs = count(len(played), "log was", "logs were")
        sentences.append(
            f"{logs} re-run from seed and answers, and all {number:,} events equal the recorded "
            "ones, byte for byte."
        )
    own = _own_verdict(tournament)
    if own and own.verdict == "verified" and is_contest(tournament):
        sentences.append("Each event of the contest’s own log can follow those above it.")
        sentences += _checked_stages(tournament)
    elif own and own.verdict == "verified":
        if unseen(tournament) < len(events(tournament, "match_played")):
            sentences.append(
                "Every verified match log here has the seal, the seed, the players, the settings "
                "and the result that the tournament’s own log names."
            )
        sentences.append(
            "Schedule and final table follow from the results by the rules; the seed is the one "
            "that was committed to before the first match."
        )
    if tournament.signer and all(verdict.fine for verdict in tournament.verdicts):
        key, origin = tournament.signer
        sentences.append(f"All files are those that the key {key} signed for {origin}.")
    return sentences


def _of_rules(tournament: Tournament, verdicts: Iterable[LogVerdict]) -> list[LogVerdict]:
    """Return the verdicts on logs that rules give; a contest's own log has no rules."""
    own = tournament.log_path if is_contest(tournament) else None
    return [verdict for verdict in verdicts if verdict.path != own]


def _checked_stages(tournament: Tournament) -> list[str]:
    """Return a sentence about the finished stages of a contest that were checked, if any were."""
    missing = unseen_stages(tournament)
    if tournament.log is None or missing == len(events(tournament, "stage_finished")):
        return []
    matches = "with exactly the matches that were missing"
    if tournament.log.start["plays"] == "tournaments":
        matches = "each as a whole tournament"
    return [
        f"Every stage{' that is here' if missing else ''} was played by the bots that were in, "
        f"{matches}; its seed follows from the published chain, and its files have the root that "
        "the contest’s log names."
    ]


def unchecked(tournament: Tournament) -> list[str]:
    """Return one sentence for each thing that was not checked, or cannot be."""
    sentences = []
    if any(verdict.verdict == "imported" for verdict in tournament.verdicts):
        sentences.append(
            "Imported logs record what was seen elsewhere. They have no seed, so there is nothing "
            "to re-run. The audit checks the rules that can be checked without a seed."
        )
    own = _own_verdict(tournament)
    if own is None:
        sentences.append(
            "The tournament’s own log is missing: nothing shows that these are all its matches."
        )
    elif unfinished(tournament):
        sentences.append(
            "A stage of the contest has not ended. `koth contest run` continues it."
            if is_contest(tournament)
            else "The tournament has not ended: its seed is not revealed yet, so its schedule was "
            "not checked. `koth resume` continues it."
        )
    elif own.verdict == "verified" and (missing := unseen_stages(tournament)):
        sentences.append(
            f"{count(missing, 'stage was', 'stages were')} not checked, because "
            f"{'its' if missing == 1 else 'their'} logs were not read."
        )
    elif own.verdict == "verified" and (missing := unseen(tournament)):
        sentences.append(
            f"{count(missing, 'match was', 'matches were')} not checked: "
            f"{'its result is' if missing == 1 else 'their results are'} the tournament’s own word."
        )
    if not tournament.signer:
        sentences.append(_unsigned(tournament))
    if any(verdict.verdict == "verified" for verdict in tournament.verdicts):
        sentences.append(
            "No log can show that a bot really gave an answer: `koth reask` asks the bot again. "
            "That a bot was too slow is the referee’s word."
        )
        sentences.append(
            "The organiser of a tournament can play it twice and keep one; only a commitment to "
            "the seed that was published beforehand limits that."
        )
    return sentences


def unfinished(tournament: Tournament) -> bool:
    """Return whether the tournament's own log is incomplete."""
    own = _own_verdict(tournament)
    return own is not None and own.verdict == "incomplete"


def relative(tournament: Tournament, path: str) -> str:
    """Return a path relative to the folder above the tournament, so that the page can move."""
    above = PurePath(tournament.path).parent.as_posix().removesuffix("/")
    return path.removeprefix(f"{above}/") if above != "." else path


def is_contest(tournament: Tournament) -> bool:
    """Return whether the page is that of a contest, whose stages are tournaments."""
    return tournament.log is not None and tournament.log.kind == "contest"


def is_open_contest(tournament: Tournament) -> bool:
    """Return whether the page is that of a contest that is not closed: its log has no seal."""
    return is_contest(tournament) and not events(tournament, "contest_sealed")


def events(tournament: Tournament, type: str) -> list[Mapping[str, Any]]:
    """Return the events of one type in the tournament's own log."""
    log = tournament.log
    return [event for event in (log.events if log else []) if event["type"] == type]


def unseen(tournament: Tournament) -> int:
    """Return the number of matches in the tournament's own log whose logs are not here."""
    files = {PurePath(verdict.path).name for verdict in tournament.verdicts}
    played = events(tournament, "match_played")
    return sum(f"{event['match']}.jsonl" not in files for event in played)


def unseen_stages(tournament: Tournament) -> int:
    """Return the number of finished stages of a contest whose tournaments are not here."""
    return sum(stage.seed is not None and stage.verdict is None for stage in tournament.stages)


def _unsigned(tournament: Tournament) -> str:
    if tournament.signed:
        return (
            "The signed checkpoint was not checked, because no key was given. `koth verify` with "
            "`--key` and `--origin` checks it."
        )
    if tournament.log_path is None:
        return "No signature was looked for: only a whole tournament or contest has one."
    return "These files are not signed: nothing shows that none was exchanged since."


def _own_verdict(tournament: Tournament) -> LogVerdict | None:
    """Return the verdict on the tournament's own log, if it has one."""
    own = tournament.log_path
    return next((verdict for verdict in tournament.verdicts if verdict.path == own), None)


def count(number: int, singular: str, plural: str) -> str:
    """Return a number with the words for one or for several."""
    return f"{number:,} {singular if number == 1 else plural}"


def split_code(sentences: Sequence[str]) -> list[list[tuple[bool, str]]]:
    """Split each sentence at backquotes into (is code, text)."""
    return [
        [(n % 2 == 1, part) for n, part in enumerate(sentence.split("`"))] for sentence in sentences
    ]
