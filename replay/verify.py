"""Verdicts on logs. What is checked, in the order in which it decides:

1. ``corrupt``: the bytes are not a log (JSON, byte layout, sequence, events, fields, seal);
2. ``unsupported``: a newer format, or a game or rules version that is not installed;
3. ``incomplete``: no seal;
4. ``forged``: the seed is not the one that was committed to, or a tournament's log and those of
   its matches do not belong together;
5. ``diverged``: the rules do not lead from seed and answers to these events;
6. ``imported``: a record from elsewhere, with nothing to re-run;
7. ``verified``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain

import orjson

from replay import streaming_verify
from replay.faults import Counts, in_log, of_seats
from replay.rerun import Divergence, rerun
from replay.tournament_links import Fingerprints, Found, LogSummary, breaks
from schema import seal
from schema.discovery import MATCHES, TOURNAMENT, home
from schema.errors import GameError, LogError
from schema.executor import Mapper, serial
from schema.files import first_line
from schema.log_path import LogPath
from schema.reader import read
from schema.words import counted

FINE = ("verified", "imported")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is to be said of one log, and why."""

    path: str
    verdict: str
    reason: str
    line: int | None = None
    events: int | None = None
    divergence: Divergence | None = None
    faults: Counts = field(default_factory=dict)
    """A match's faults that are fine by the rules: how many by bot and kind."""

    @property
    def fine(self) -> bool:
        """Whether there is nothing to find fault with."""
        return self.verdict in FINE


def verify(path: LogPath) -> Verdict:
    """The verdict on the log at ``path``, by itself. Raises GameError when a game's rules fail."""
    verdict = _examine(path)[0]
    if isinstance(verdict, GameError):
        raise verdict
    return verdict


def verify_all(
    paths: Iterable[LogPath], each: Mapper = serial, given: Container[LogPath] = ()
) -> Iterator[Verdict]:
    """The verdicts on several logs, tournament by tournament, wherever ``each`` examines them.

    The log of a tournament comes after its matches, and is also held against them. ``given`` is
    where the logs were looked for: a tournament's log that is given itself, and not its folder,
    may be without its matches.

    Raises GameError after all other verdicts, when the rules of a game fail on some of the logs.
    """
    failed: list[GameError] = []
    logs = list(paths)
    homes = {at: [*_homes(at)] for at in {log.parent for log in logs}}
    groups: dict[LogPath, list[LogPath]] = defaultdict(list)
    for log in logs:
        groups[homes[log.parent][-1][0]].append(log)
    results = iter(each(_examine, [*chain.from_iterable(groups.values())]))
    for group in groups.values():
        matches: dict[LogPath, dict[str, Fingerprints | None]] = defaultdict(dict)
        held: list[tuple[LogPath, Verdict, Fingerprints]] = []
        for log, (verdict, links) in zip(group, results, strict=False):
            for above, inside in homes[log.parent][1:]:
                matches[above][inside + log.name] = links
            if isinstance(verdict, GameError):
                failed.append(verdict)
            elif links and (links.tournament or log.name == TOURNAMENT):
                held.append((log, verdict, links))
            else:
                yield verdict
        tournaments = {log.parent for log, _, links in held if links.tournament}
        for log, verdict, links in held:
            if any(above in tournaments for above, _ in homes[log.parent][1:]):
                yield verdict  # it lies among the matches of another, where it is found
            else:
                yield _chained(verdict, log, links, matches[log.parent], given)
    if failed:
        others = counted(len(failed) - 1, "other log")
        more = f" ({others} without a verdict, too.)" if failed[1:] else ""
        raise GameError(f"{failed[0]}{more}") from failed[0]


def _homes(folder: LogPath) -> Iterator[tuple[LogPath, str]]:
    """The folders of the tournaments that a log in ``folder`` may belong to, the nearest first.

    First ``folder`` itself, then each that it lies in among the matches, with the way from there.
    """
    yield folder, ""
    inside = ""
    for at in _and_above(folder):
        if at.name == MATCHES:
            yield at.parent, inside
        inside = f"{at.name}/{inside}"


def _and_above(folder: LogPath) -> Iterator[LogPath]:
    """``folder`` and all that it lies in."""
    yield folder
    while folder != folder.parent:
        folder = folder.parent
        yield folder


def _examine(path: LogPath) -> tuple[Verdict | GameError, Fingerprints | None]:
    """The verdict on a log; and if it is fine, what its tournament's chain needs of it.

    When the rules of a game fail there is their error in place of a verdict.
    """
    try:
        if ends := streaming_verify.verified(path):
            return _verified(path, ends)
        return _explained(path)
    except GameError as error:
        return GameError(f"{path}: {error}"), None
    except MemoryError:
        return Verdict(str(path), "corrupt", "it takes more memory than there is"), None


def _explained(path: LogPath) -> tuple[Verdict, Fingerprints | None]:
    """The same, by the strict reader and the replay that tells the first difference."""
    where = str(path)
    try:
        log = read(path)
    except LogError as error:
        return Verdict(where, error.verdict, error.found, error.line), None
    except OSError as error:
        return Verdict(where, "corrupt", f"cannot be read: {error.strerror}"), None
    events = len(log.events)
    if log.imported:
        if log.kind == "match" and _commits(home(path) / TOURNAMENT):
            reason = "an imported log, in a tournament that committed to a seed"
            return Verdict(where, "forged", reason, 1, events), None
        links = Fingerprints(matches={} if log.kind == "tournament" else None)
        reason = "seen elsewhere, nothing to re-run"
        return Verdict(where, "imported", reason, None, events, faults=in_log(log)), links
    committed, revealed = log.start["seed_commitment"], seal.commitment(log.seal["seed"])
    if committed != revealed:
        reason = f"the log committed to a seed with the hash {committed}, this one has {revealed}"
        return Verdict(where, "forged", reason, events, events), None
    if found := rerun(log, kept=0).divergence:
        return Verdict(where, "diverged", _told(found), found.line, events, found), None
    return _verified(path, LogSummary.of(log))


def _verified(path: LogPath, ends: LogSummary) -> tuple[Verdict, Fingerprints]:
    events = ends.seal["events"] + 1
    reason = f"{events} events follow from seed and answers{exposed(ends.seal['seed'])}"
    faults = of_seats(ends.start, ends.faults)
    return Verdict(str(path), "verified", reason, None, events, faults=faults), ends.links()


def exposed(seed: str) -> str:
    """What a short seed says of its commitment, as the end of a sentence."""
    digits = seal.significant(seed)
    if digits >= seal.ENOUGH:
        return ""
    many = "1 significant digit" if digits == 1 else f"{digits} significant digits"
    return f"; the commitment hid nothing: the seed has only {many}"


def _commits(tournament: LogPath) -> bool:
    """Whether there is a tournament's log that begins with a commitment."""
    try:
        return "seed_commitment" in orjson.loads(first_line(tournament))
    except (OSError, LogError, orjson.JSONDecodeError, TypeError):
        return False


def _chained(
    verdict: Verdict, path: LogPath, links: Fingerprints, matches: Found, given: Container[LogPath]
) -> Verdict:
    """The verdict on a log in the place of a tournament's, held against those of its matches."""
    if links.matches is None:
        if matches or (path.parent / MATCHES).exists():
            reason = "expected the log of the tournament whose matches are here, found a match's"
            return replace(verdict, verdict="forged", reason=reason, line=1)
        return verdict
    if verdict.verdict == "imported":
        if any(match and (match.own or match.matches) for match in matches.values()):
            reason = "an imported log, of a tournament whose matches committed to seeds"
            return replace(verdict, verdict="forged", reason=reason, line=1)
        return verdict
    if found := list(breaks(path, links, matches, _is_missing(path, matches, given))):
        wrong = found[0].told(path)
        more = f"; and {len(found) - 1} more" if len(found) > 1 else ""
        return replace(verdict, verdict="forged", reason=wrong + more, line=found[0].seq + 1)
    unseen = sum(f"{match}.jsonl" not in matches for match in links.matches)
    if unseen:
        were = "was" if unseen == 1 else "were"
        told = f"; {unseen} of its {counted(len(links.matches), 'match')} {were} not looked at"
        return replace(verdict, reason=verdict.reason + told)
    return verdict


def _is_missing(
    path: LogPath, matches: Found, given: Container[LogPath]
) -> Callable[[LogPath], bool]:
    """Whether the log of a match is missing if it is not among ``matches``."""
    home = path.parent
    if path not in given or any(at in given for at in _and_above(home / MATCHES)):
        whole = path.name == TOURNAMENT or bool(matches) or (home / MATCHES).exists()
        return lambda match: whole
    return lambda match: bool(matches) and not match.exists()


def _told(divergence: Divergence) -> str:
    clause = f" ({divergence.clause})" if divergence.clause else ""
    return (
        f"event {divergence.seq}, field {divergence.field}: recorded {divergence.recorded!r}, "
        f"recomputed {divergence.recomputed!r}{clause}"
    )
