"""Checks a contest: its entries, its chain of seeds, and that its stages belong to it.

1. Each event can follow the events above it: names, versions, and the numbers of stages.
2. The files of each version of a bot have the hash that the log names. Without the folder of bots,
   which a site does not publish, the reason says that this was not checked.
3. The chain seed of each stage leads back to the head of the chain in the first line.
4. The tournament of each stage has the id, the game, the settings, the bots that were in and the
   missing pairings, and its seed follows from the chain seed and the beacon.
5. The Merkle root over the files of a stage is the one that its end names.
6. In a game of Koth's, the stages play what the game's card says: missing pairings, or all.

The first failure makes the contest ``forged``; a file that a disk or a missing permission withholds
makes it ``corrupt``. A stage is read, checked and forgotten before the next.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from games.contest import Contest, ContestError, Entry, Event, Stage, entry_of, stage_seed
from games.narration import listed
from replay.errors import problem_of
from replay.log_verdict import LogVerdict
from replay.places import is_closed, with_ancestors
from schema import merkle, reader, seal, tournament_tree
from schema.discovery import BOTS, STAGES, TOURNAMENT, files_below, stage_name
from schema.errors import LogError
from schema.files import LINE_BYTES, first_line, last_line, open_regular, refuse_links
from schema.log_path import LogPath
from schema.reader import IncompleteLog, Log
from schema.system_errors import is_unreadable, raise_exhaustion
from schema.words import counted

StageVerdicts = Mapping[str, str]
"""The verdict on the tournament of each stage that was verified, by the name of its folder."""


class Outcome(NamedTuple):
    """The verdict on a contest, with its reason."""

    verdict: str
    reason: str
    line: int | None = None
    events: int | None = None


class Forged(Exception):
    """Raised for a stage or a bot that does not belong to the contest."""

    verdict = "forged"


class Unreadable(Forged):
    """Raised for a file that cannot be read, and so cannot be compared with the contest."""

    verdict = "corrupt"


def check(path: LogPath, stages: StageVerdicts, given: Container[LogPath]) -> LogVerdict:
    """Return the verdict on the contest whose log is at ``path``.

    ``stages`` has the verdicts on its stages. ``given`` holds the absolute paths that were searched
    for logs: the folders of its stages must be there, unless only the contest's log was looked at.
    """

    def is_missing(stage: LogPath) -> bool:
        if is_closed(stage.parent) or _is_played(stage, path.parent):
            return False  # it came after the search for logs, or the search left it out
        return bool(stages) or any(above in given for above in with_ancestors(path.parent))

    return LogVerdict(str(path), *_outcome(path, stages, is_missing))


def _is_played(stage: LogPath, contest: LogPath) -> bool:
    """Return whether the folder of a stage holds its tournament, and is no link."""
    log = stage / TOURNAMENT
    try:
        refuse_links(log, contest)
    except OSError:
        return False
    return isinstance(log, Path) and log.is_file()


def _outcome(
    path: LogPath, stages: StageVerdicts, is_missing: Callable[[LogPath], bool]
) -> Outcome:
    """Check the contest; ``is_missing`` says whether a stage's folder should be there."""
    unfinished = ""
    try:
        log = reader.read(path)
    except IncompleteLog as error:
        if error.log is None or error.log.kind != "contest":
            return Outcome(error.verdict, error.found, error.line)
        log, unfinished = error.log, error.found if error.partial_line else ""
    except LogError as error:
        return Outcome(error.verdict, error.found, error.line)
    except OSError as error:
        raise_exhaustion(error)
        return Outcome("corrupt", f"cannot be read: {error.strerror}")
    if log.kind != "contest":
        return Outcome("forged", f"expected the log of a contest, found a {log.kind}'s", 1)
    return _Check(log, stages, is_missing).run(unfinished)


class _Check:
    """A check in progress."""

    def __init__(
        self, log: Log, stages: StageVerdicts, is_missing: Callable[[LogPath], bool]
    ) -> None:
        self.log, self.stages, self.is_missing = log, stages, is_missing
        self.home = log.path.parent
        self.bots_folder = self.home / BOTS
        self.state = Contest(log.start)
        self.unseen = 0
        """Number of stages that were not verified."""
        self.bad: Outcome | None = None
        """The verdict on the first stage whose own verdict is a finding."""

    def run(self, unfinished: str) -> Outcome:
        """Check every event; ``unfinished`` is the reason why the last line is not whole."""
        events = len(self.log.events)
        try:
            for seq, event in enumerate(self.log.events):
                if seq:
                    self.apply(seq, event)
            self.check_folders()
            seq = 0
            self.check_plays()
        except ContestError as error:
            return Outcome("forged", str(error), seq + 1, events)
        except Forged as error:
            return Outcome(error.verdict, str(error), seq + 1, events)
        if self.bad is not None:
            return self.bad._replace(events=events)
        if unfinished:
            return Outcome("incomplete", unfinished, events + 1, events)
        if self.state.stage is not None:
            problem = f"stage {self.state.stage.number} is not finished; `koth contest run` goes on"
            return Outcome("incomplete", problem, events, events)
        end = "" if self.state.sealed else " so far"
        reason = f"{counted(self.state.finished, 'stage')}{end} by {self._bots()}"
        if self.unseen:
            reason += f"; {counted(self.unseen, 'stage')} not looked at"
        if self.state.versions and not self.bots_folder.exists():
            reason += (
                "; the files of the bots are not here, so they were not compared with their hashes"
            )
        return Outcome("verified", reason, None, events)

    def _bots(self) -> str:
        versions, bots = len(self.state.versions), len(self.state.names)
        return f"{counted(versions, 'version')} of {counted(bots, 'bot')}"

    def apply(self, seq: int, event: Event) -> None:
        """Check one event. Raises ContestError and Forged."""
        stage = self.state.stage
        self.state.apply(event)
        if event["type"] in ("entered", "revised"):
            self.check_bot(entry_of(event))
        elif event["type"] == "stage_finished":
            assert stage is not None  # the state has checked it
            try:
                self.check_stage(stage, event, seq)
            except Forged as error:
                raise type(error)(f"stage {stage.number}: {error}") from None

    def check_bot(self, entry: Entry) -> None:
        """Check that the files of a bot are those that were entered."""
        folder = self.bots_folder / entry.name / entry.digits
        if not self.bots_folder.exists():
            return
        try:
            files = _contents(folder)
        except (OSError, LogError) as error:
            raise _not_read(f"the files of {entry.name} cannot be read: ", error) from None
        actual = seal.bot_hash(files, entry.command, entry.class_name)
        if actual == entry.bot:
            return
        if not folder.exists():
            raise Forged(
                f"missing: expected the files of {entry.name} as they were entered at {folder}, "
                "found no such folder"
            )
        raise Forged(
            f"{folder}: expected the files of {entry.name} as they were entered, with the hash "
            f"{entry.bot}, found {actual} of {listed(files) or 'no file'}"
        )

    def check_stage(self, stage: Stage, finished: Event, seq: int) -> None:
        """Check the tournament of a stage that is finished."""
        folder = self.home / STAGES / stage.folder
        verdict = self.stages.get(stage.folder)
        if verdict is None:
            if self.is_missing(folder):
                raise Forged(f"missing: expected its tournament at {folder}, found none")
            self.unseen += 1
            return
        if verdict not in ("corrupt", "unsupported", "incomplete"):
            compare_stage(self.log.start, stage, finished["seed"], folder)
            _compare_files(finished, folder)
        if verdict != "verified":
            problem = f"stage {stage.number}: its tournament is {verdict}"
            self.bad = self.bad or Outcome(verdict, problem, seq + 1)

    def check_plays(self) -> None:
        """Check that stages play what the card says, in a game of Koth's.

        The card of a package may have said something else when the contest began.
        """
        card, plays = self.log.card, self.log.start["plays"]
        if card.built_in and plays != card.plays:
            raise Forged(f"plays: expected {card.plays} in {card.title}, found {plays}")

    def check_folders(self) -> None:
        """Check that every stage that was verified is one of the log."""
        begun = self.state.finished + (self.state.stage is not None)
        known = set(map(stage_name, range(1, begun + 1)))
        if added := sorted(self.stages.keys() - known):
            folder = self.home / STAGES / added[0]
            raise Forged(f"{folder}: expected no such stage in the contest, found one")


def compare_stage(contest: Event, stage: Stage, chain_seed: str, folder: LogPath) -> None:
    """Compare the tournament in ``folder`` with the plan of a stage. Raises Forged.

    ``contest`` is the first event of the contest. The matches are not looked at.
    """
    start, seed = _ends(folder / TOURNAMENT)
    _compare_start(contest, stage, start)
    if seed != stage_seed(chain_seed, stage.beacon):
        beacon = f"the beacon {stage.beacon!r}" if stage.beacon else "no beacon"
        raise Forged(f"expected the seed that follows from the chain and {beacon}, found {seed}")


def _compare_start(contest: Event, stage: Stage, start: Mapping[str, Any]) -> None:
    """Compare the first line of a stage's tournament with the contest."""
    if start["type"] != "tournament_started":
        raise Forged(f"expected the log of a tournament, found {start['type']}")
    expected = {
        "tournament": stage.tournament(contest["contest"]),
        **{key: contest[key] for key in ("game", "rules", "settings")},
    }
    for key, value in expected.items():
        if start.get(key) != value:
            raise Forged(f"{key}: expected {value!r}, found {start.get(key)!r}")
    entrants = {bot["name"]: bot["bot"] for bot in start["entrants"]}
    bots = {entry.name: entry.bot for entry in stage.entries}
    for name in entrants:
        if name not in bots:
            raise Forged(f"{name} plays, and is not in")
        if entrants[name] != bots[name]:
            raise Forged(f"expected the version {bots[name]} of {name}, found {entrants[name]}")
    for name in bots:
        if name not in entrants:
            raise Forged(f"{name} is in, and does not play")
    if list(entrants) != list(bots):
        raise Forged("expected the bots in the order of their entries, found another order")
    pairings = None if stage.pairings is None else [list(pair) for pair in stage.pairings]
    if start.get("pairings") != pairings:
        raise Forged("pairings: expected exactly those that are missing, found others")


def _ends(log: LogPath) -> tuple[Mapping[str, Any], str]:
    """Return the first event of a tournament's log, and its revealed seed. Raises Forged."""
    try:
        start = reader.read_start(first_line(log), log).start
        with open_regular(log) as file:
            seed = orjson.loads(last_line(file, LINE_BYTES)).get("seed", "none")
    except (orjson.JSONDecodeError, AttributeError) as error:
        raise Forged(f"expected to read its log, found {error}") from None
    except (OSError, LogError) as error:
        raise _not_read("expected to read its log, found ", error) from None
    return start, str(seed)


def _compare_files(finished: Event, folder: LogPath) -> None:
    """Compare the files of a stage with the event of its end. Raises Forged."""
    try:
        hashes = list(tournament_tree.entries(folder).values())
    except (OSError, LogError) as error:
        raise _not_read("expected to read its files, found ", error) from None
    actual = (len(hashes), merkle.root(hashes).hex())
    if actual != (finished["files"], finished["root"]):
        raise Forged(
            f"expected {finished['files']} files with the root {finished['root']}, found "
            f"{actual[0]} with {actual[1]}"
        )


def _not_read(problem: str, error: LogError | OSError) -> Forged:
    """Return the error for a file of the contest that was not read, for the reason ``error``."""
    kind = Unreadable if is_unreadable(error) else Forged
    return kind(problem + problem_of(error))


def _contents(folder: LogPath) -> dict[str, bytes]:
    """Return the files of a bot by name. Raises Forged if they are longer than those of any bot."""
    files: dict[str, bytes] = {}
    room = seal.MAX_BOT_BYTES
    for name, file in files_below(folder):
        with open_regular(file) as opened:
            files[name] = opened.read(room + 1)
        room -= len(files[name])
        if room < 0:
            most = seal.MAX_BOT_BYTES >> 20
            raise Forged(f"{folder}: expected files of up to {most} MiB together, found more")
    return files
