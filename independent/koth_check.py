"""A second verifier of Koth's logs: one file that shares no code with Koth.

    python3 koth_check.py [--schema DIR] [--key VKEY --origin NAME [--proof FILE]] PATH…

It checks, in this order:

1. each line: its bytes, its number, and the seal (docs/log-format.md, "Bytes" and "The seal");
2. each event: its fields, and the seats and entrants that it names ("A match log");
3. each log: the seed is the one that its first line committed to ("Seeds");
4. each tournament: its log and its match logs belong together ("A tournament on disk");
5. each contest: its entries, seeds, stages and bots belong together ("A contest on disk");
6. each checkpoint and proof: the files are those that were signed, and a contest extends earlier
   checkpoints of it (docs/trust.md, "Sign, prove").

It does not know the rules of any game: it says "sound" where `koth verify` says "verified" or
"diverged". A log that diverged is also compared with others, which `koth verify` does not do: then
it, its tournament or its contest can be "forged". All other verdicts are those of `koth verify`.
Exit status: 0 if all logs are sound or imported, 1 if not, 2 for wrong usage.
"""

import argparse
import json
import os
import re
import stat
import unicodedata
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from errno import EACCES, EIO, ESTALE
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "koth-log/1"
MAX_LINE_BYTES = 8 << 20
MAX_NOTE_BYTES = 1_000_000  # of a checkpoint, a proof or a key
MAX_BOT_BYTES = 16 << 20  # of all files of a bot
MAX_DEPTH = 254  # of objects and arrays inside each other

# The first and the last event of a log, and the kind of log that they belong to.
STARTS = {f"{kind}_started": kind for kind in ("match", "tournament", "contest")}
SEALS = {f"{kind}_sealed": kind for kind in ("match", "tournament", "contest")}
KINDS = STARTS | SEALS | {"tournament_finished": "tournament"}  # others are of a match
KINDS |= dict.fromkeys(("match_played", "disqualified", "voided"), "tournament")
KINDS |= dict.fromkeys(("entered", "revised", "withdrawn"), "contest")
KINDS |= dict.fromkeys(("stage_started", "stage_finished"), "contest")
PLAYS = {"coup": "pairings", "coins": "tournaments"}  # what a stage of a contest plays, by game
PLAYS |= {"bank_heist": "tournaments", "smallest_unique": "tournaments"}
STAGE_END = re.compile(  # seq, stage, files, root
    rb'\{"seq":(\d{1,19}),"type":"stage_finished","stage":(\d{1,19}),"seed":"[0-9a-f]{64}",'
    rb'"files":(\d{1,19}),"root":"([0-9a-f]{64})"\}\n'
)
JSON_TYPES = {"integer": "int", "string": "str", "array": "list", "object": "dict"}

Event = dict[str, Any]
Schemas = dict[str, Event]
Signature = tuple[str, bytes]  # the name of a key, and its id before the signature
Note = tuple[str, int, bytes]  # the origin, the size and the root in a checkpoint


class Finding(Exception):
    """Raised with a verdict and a reason when something is wrong with a log."""


@dataclass
class Log:
    """The verdict on a log, and the events that the check of its tournament needs."""

    path: Path
    verdict: str = "sound"
    reason: str = "bytes sound, rules not checked"
    start: Event = field(default_factory=dict)
    finish: Event = field(default_factory=dict)  # match_finished, of a match's log
    seal: Event = field(default_factory=dict)
    faults: list[Event] = field(default_factory=list)
    played: dict[str, Event] = field(default_factory=dict)  # match_played by match id
    events: list[Event] = field(default_factory=list)  # all, of a contest's log

    @property
    def kind(self) -> str | None:
        """The kind of log that its first line begins, if any."""
        return STARTS.get(self.start.get("type", ""))

    @property
    def is_good(self) -> bool:
        """Whether no check has failed so far."""
        return self.verdict in ("sound", "imported")


class Signer(NamedTuple):
    """The public key that must have signed, and the origin that it must have signed for."""

    name: str
    key_id: bytes
    key: Ed25519PublicKey
    origin: str


# --- Files ----------------------------------------------------------------------------------------


def find_logs(path: Path) -> list[Path]:
    """Return the logs at a path: the file itself, or the logs in a folder.

    Evidence and a contest's bots are no logs, but every file below a folder ``matches`` is a match.
    """
    logs, around = list[Path](), ("matches",) if path.absolute().name == "matches" else ()
    folders: list[tuple[Path, tuple[str, ...]]] = [(path, around)]  # and the names around each
    for folder, inside in folders:
        try:
            entries = list(folder.iterdir())
            below = [entry for entry in entries if entry.is_dir() and not entry.is_symlink()]
        except (NotADirectoryError, FileNotFoundError):  # no folder, or one that was removed
            continue
        if "matches" not in inside and {folder / "contest.jsonl"} & ({*entries} - {*below}):
            below = [entry for entry in below if entry.name != "bots"]
        folders += [(entry, (*inside, entry.name)) for entry in below]
        if "evidence" not in (inside[: inside.index("matches")] if "matches" in inside else inside):
            logs += [entry for entry in entries if entry.name.endswith(".jsonl")]
    return sorted(log for log in logs if os.path.isfile(log)) or [path]  # noqa: PTH113


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file. Raises OSError for a pipe or a device, which might have no end."""
    flags = ("O_BINARY", "O_NONBLOCK", "O_NOCTTY")  # each system has some
    descriptor = os.open(path, sum(getattr(os, flag, 0) for flag in flags))
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(f"{path}: not a regular file")


def blame(error: Exception) -> str:
    """Return "corrupt" if a disk, a server or a missing permission withheld a file; or "forged"."""
    return "corrupt" if getattr(error, "errno", None) in (EIO, ESTALE, EACCES) else "forged"


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, with their LF."""
    with open_regular(path) as file:
        while line := file.readline(MAX_LINE_BYTES + 1):
            if len(line) > MAX_LINE_BYTES:
                raise Finding("corrupt", f"a line of more than {MAX_LINE_BYTES} bytes")
            yield line


def read_small(path: Path) -> bytes:
    """Return the content of a checkpoint, a proof or a key; one byte more if it is too long."""
    with open_regular(path) as file:
        return file.read(MAX_NOTE_BYTES + 1)


# --- 1. The lines of a log ------------------------------------------------------------------------


def read_events(path: Path) -> Iterator[Event]:
    """Yield the events of a log; check the bytes and the number of each line, and the seal."""
    digest = sha256()  # of all lines above
    first, event = Event(), Event()
    for seq, line in enumerate(read_lines(path)):
        if event.get("type") in SEALS:
            raise Finding("corrupt", "more after the seal")
        head = b'{"seq":%d,"type":"' % seq
        if not line.endswith(b"\n"):  # a torn line, which must be the beginning of the next event
            if not line.startswith(head[: len(line)]):
                raise Finding("corrupt", "garbage after the last whole line")
            return
        event = parse_line(line[:-1], head, newer_format=first.get("format", FORMAT) != FORMAT)
        first = first or event
        if (event["type"] in STARTS) != (seq == 0):
            raise Finding("corrupt", f"line {seq + 1}: a misplaced start")
        if event["type"] in SEALS:
            check_seal(first, event, lines_above=seq, digest_above=digest.hexdigest())
        digest.update(line)
        yield event
    if not event:
        raise Finding("incomplete", "no event")


def parse_line(line: bytes, head: bytes, newer_format: bool) -> Event:
    """Return the event in a line. There is one way to write a line ("Bytes", 1 to 4)."""
    try:
        event = json.loads(line.decode())
        rewritten = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        raise Finding("corrupt", f"no JSON: {error!s:.80}") from None
    if rewritten != line or not line.startswith(head) or not is_plain(event, 1, newer_format):
        raise Finding("corrupt", f"not a line of a log that begins with {head.decode()}")
    return dict(event)


def is_plain(value: Any, depth: int, newer_format: bool) -> bool:
    """Return whether a value is not too deep, and has numbers that its format may have."""
    if isinstance(value, float):
        return newer_format and abs(value) < float("inf")
    if isinstance(value, int):
        return -(1 << 63) <= value < (1 << 64 if newer_format else 1 << 63)
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return depth <= MAX_DEPTH and all(is_plain(part, depth + 1, newer_format) for part in parts)
    return True


def check_seal(first: Event, seal: Event, lines_above: int, digest_above: str) -> None:
    """Check that the seal counts the lines above it and hashes their bytes ("The seal")."""
    same_kind = SEALS[seal["type"]] == STARTS[first["type"]]
    if not same_kind or (seal.get("events"), seal.get("sha256")) != (lines_above, digest_above):
        raise Finding("corrupt", "changed after it was sealed")


# --- 2. The fields of an event --------------------------------------------------------------------


def schema_for(start: Event, schemas: Schemas) -> Event:
    """Return the definitions of a log's game, of its rules version where they differ."""
    log_format, game = start.get("format"), start.get("game")
    if not (isinstance(log_format, str) and re.fullmatch("koth-log/[1-9][0-9]{0,8}", log_format)):
        raise Finding("corrupt", "no format")
    if log_format != FORMAT:
        raise Finding("unsupported", f"{log_format}: a newer format")
    if isinstance(game, str) and game in schemas:
        definitions = {
            name: schema
            for name, choice in schemas[game].items()
            for schema in choice.get("anyOf", [choice])
            if schema is choice or schema["title"] == start.get("rules")
        }
        if "Settings" in definitions:
            return definitions
    check_unknown_start(start, schemas[min(schemas)])
    raise Finding("unsupported", f"the game {game!s:.40} or its rules are not known")


def check_unknown_start(start: Event, definitions: Event) -> None:
    """Check the first line of an unknown game, with settings and numbers of its own."""
    schema = definitions[start["type"]]
    fields = dict(schema["properties"])
    for people, fewest in (("players", 0), ("pairings", 1)):
        if people in fields:
            fields[people] = fields[people] | {"minItems": fewest, "maxItems": MAX_LINE_BYTES}
    fields["settings"] = {"type": "object"}
    is_start = conforms(start, schema | {"properties": fields}, definitions)
    if not is_start or any(type(value) not in (int, str) for value in start["settings"].values()):
        raise Finding("corrupt", "line 1: not the start of a log")


def conforms(value: Any, schema: Event, definitions: Event) -> bool:
    """Return whether a value conforms to a JSON Schema, with its fields in the declared order."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].removeprefix("#/$defs/")]
    if "anyOf" in schema:
        return any(conforms(value, one, definitions) for one in schema["anyOf"])
    allowed = schema.get("enum", [schema.get("const", value)])
    is_of_type = "type" not in schema or type(value).__name__ == JSON_TYPES.get(schema["type"])
    if not is_of_type or value not in allowed:
        return False
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        return False
    size = value if isinstance(value, int) else len(value)
    least = max(schema.get(limit, size) for limit in ("minimum", "minLength", "minItems"))
    most = min(schema.get(limit, size) for limit in ("maximum", "maxLength", "maxItems"))
    lower = schema.get("exclusiveMinimum", size - 1)
    upper = schema.get("exclusiveMaximum", size + 1)
    if not (least <= size <= most and lower < size < upper) or size % schema.get("multipleOf", 1):
        return False
    if "items" in schema:
        return all(conforms(item, schema["items"], definitions) for item in value)
    if "properties" not in schema:
        return True
    fields: Event = schema["properties"]
    required = set(schema.get("required", fields))  # a log records every setting
    if list(value) != [name for name in fields if name in required or name in value]:
        return False
    return all(conforms(value[name], fields[name], definitions) for name in value)


def check_event(log: Log, event: Event, definitions: Event) -> None:
    """Check one event: its fields, and the seats and entrants that it names."""
    event_type, where = event["type"], f"line {event['seq'] + 1}"
    schema = definitions.get(event_type)
    in_its_log = KINDS.get(event_type, "match") == log.kind
    if schema is None or not in_its_log or not conforms(event, schema, definitions):
        raise Finding("corrupt", f"{where}: not as the schema of the game has it")
    if event_type in STARTS:
        check_start(event)
    if log.kind == "contest":
        return
    if event_type in SEALS and ("seed" in event) == ("source" in log.start):
        raise Finding("corrupt", f"{where}: a seed in an imported log, or none in another")
    if log.kind == "tournament":
        check_entrants(log, event, where)
    if event_type in ("match_played", "match_finished"):
        check_result(log, event, where)


def check_start(start: Event) -> None:
    """Check the first line of a log beyond its schema."""
    number = "seat" if "players" in start else "entrant"
    people = start["players"] if "players" in start else start.get("entrants", [])
    settings, pairings = start["settings"], start.get("pairings", [])
    game, seats = start["game"], settings.get("seats", 0)
    wrong = [
        not all(one < two < len(people) for one, two in pairings),
        any(pair >= later for pair, later in pairwise(pairings)),
        [person[number] for person in people] != list(range(len(people))),
        len({person["name"] for person in people}) != len(people),
        ("seed_commitment" in start) == ("source" in start),
        game == "smallest_unique" and number == "seat" and seats != len(people),  # SU-1
        game == "smallest_unique"  # SU-7
        and settings.get("min_games_per_entrant", 0) > settings["games_per_entrant"] * seats,
        game == "bank_heist" and settings["games_min"] > settings["games_max"],  # BH-1
    ]
    if any(wrong):
        raise Finding("corrupt", "line 1: players, settings or commitment do not fit together")


def check_entrants(log: Log, event: Event, where: str) -> None:
    """Check that an event of a tournament names only entrants of its first line."""
    entrants = [row["entrant"] for row in event.get("standings", [])]
    entrants += event.get("seats", []) + ([event["entrant"]] if "entrant" in event else [])
    if any(entrant >= len(log.start["entrants"]) for entrant in entrants):
        raise Finding("corrupt", f"{where}: an entrant that there is not")


def check_result(log: Log, event: Event, where: str) -> None:
    """Check that a result has one score per seat, and names only seats of the match."""
    players = event["seats"] if event["type"] == "match_played" else log.start["players"]
    winners, seats = event["winners"], len(players)
    named = winners + [fault["seat"] for fault in event.get("faults", [])]
    if len(event["scores"]) != seats or len({*winners}) < len(winners) or max([0, *named]) >= seats:
        raise Finding("corrupt", f"{where}: not one score per seat, or other winners or faults")


# --- 3. One log -----------------------------------------------------------------------------------


def examine(path: Path, schemas: Schemas) -> Log:
    """Return a log with the verdict on it alone, without its tournament."""
    log = Log(path)
    try:
        check_events(log, schemas)
        check_commitment(log)
    except Finding as finding:
        log.verdict, log.reason = finding.args
    except OSError as error:
        log.verdict, log.reason = "corrupt", f"cannot be read: {error}"
    return log


def check_events(log: Log, schemas: Schemas) -> None:
    """Check all events of a log, and keep those that its tournament needs.

    A wrong field is reported only if no byte is wrong, in any line ("Verdicts").
    """
    definitions: Event = {}
    wrong_field = None
    for event in read_events(log.path):
        try:
            if not log.start:
                log.start = event
                definitions = schema_for(event, schemas)
            if not wrong_field:
                check_event(log, event, definitions)
                keep(log, event)
        except Finding as finding:
            wrong_field = finding
    if wrong_field:
        raise wrong_field
    if not log.seal and log.kind != "contest":
        raise Finding("incomplete", "no seal")


def keep(log: Log, event: Event) -> None:
    """Keep an event that the check of its tournament needs."""
    if log.kind == "contest":
        log.events.append(event)
    elif event["type"] == "fault":
        log.faults.append({"seat": event["seat"], "kind": event["kind"]})
    elif event["type"] == "match_finished":
        log.finish = event
    elif event["type"] == "match_played":
        log.played[event["match"]] = event
    elif event["type"] in SEALS:
        log.seal = event


def check_commitment(log: Log) -> None:
    """Check that the seed is the one that the first line committed to ("Seeds")."""
    if log.kind == "contest":
        return  # it reveals one seed per stage
    if "source" not in log.start:
        if sha256(log.seal["seed"].encode()).hexdigest() != log.start["seed_commitment"]:
            raise Finding("forged", "the seed is not the one that was committed to")
        return
    log.verdict, log.reason = "imported", "seen elsewhere, nothing to check"
    folder = log.path.parent.parent if log.path.parent.name == "matches" else log.path.parent
    if log.kind != "tournament" and has_commitment(folder / "tournament.jsonl"):
        raise Finding("forged", "imported, into a tournament that committed to a seed")


def has_commitment(path: Path) -> bool:
    """Return whether the first line of a tournament's log has a commitment, valid or not."""
    try:
        with open_regular(path) as file:
            return bool(re.search(rb'"seed_commitment"\s*:', file.readline(MAX_LINE_BYTES)))
    except OSError:
        return False


# --- 4. A tournament and its matches --------------------------------------------------------------


def check_tournaments(logs: dict[Path, Log], named: set[Path]) -> None:
    """Compare each tournament's log with its matches; ``named`` are the paths typed by the user."""
    matches: dict[Path, dict[str, Log]] = {}  # by a tournament's folder, and by path in matches/
    for path, log in logs.items():
        for folder in path.parents:
            if folder.name == "matches":
                matches.setdefault(folder.parent, {})[path.relative_to(folder).as_posix()] = log
    good = [log for log in logs.values() if log.is_good and log.path.name != "contest.jsonl"]
    tournament_folders = {log.path.parent for log in good if log.kind == "tournament"}
    for log in [log for log in good if "tournament.jsonl" in (f"{log.kind}.jsonl", log.path.name)]:
        folders_above = {folder.parent for folder in log.path.parents if folder.name == "matches"}
        if tournament_folders & folders_above:
            continue  # it counts as a match of the tournament above
        if problem := find_problem(log, matches.get(log.path.parent, {}), named):
            log.verdict, log.reason = "forged", problem


def find_problem(tournament: Log, matches: dict[str, Log], named: set[Path]) -> str | None:
    """Return the reason why a tournament's log and its matches do not belong together, if any."""
    folder = tournament.path.parent / "matches"
    has_matches = bool(matches) or folder.exists()
    if tournament.kind != "tournament":
        return "another log in the place of the tournament's" if has_matches else None
    if tournament.verdict == "imported":
        committed = any(log.verdict == "sound" for log in matches.values())
        return "imported, over matches that committed to seeds" if committed else None
    # A log that was named without its folder may be without its matches.
    alone = tournament.path in named and not named.intersection((folder, *folder.parents))
    in_its_place = tournament.path.name == "tournament.jsonl"
    needed = bool(matches) if alone else has_matches or in_its_place
    for match, line in tournament.played.items():
        log = matches.get(f"{match}.jsonl")
        if log is None and needed and not (alone and (folder / f"{match}.jsonl").exists()):
            return f"missing: the log of the match {match}"
        if log and log.is_good and (difference := compare(tournament, line, log)):
            return f"{match}: another {difference} than in the tournament's log"
    known = {f"{match}.jsonl" for match in tournament.played}
    for name, log in matches.items():
        if name not in known and (log.is_good or log.path.name == "contest.jsonl"):
            return f"added: {name} is no match of this tournament"
    return None


def compare(tournament: Log, line: Event, match: Log) -> str | None:
    """Return the first difference from the tournament's log ("A tournament on disk", 1 to 4)."""
    if match.kind != "match" or match.verdict != "sound":
        return "log"
    entrants = [tournament.start["entrants"][number] for number in line["seats"]]
    expected_players = [(entrant["name"], entrant["bot"]) for entrant in entrants]
    players = [(player["name"], player["bot"]) for player in match.start["players"]]
    dice = line.get("dice", line["match"])  # of an earlier match if they share their dice
    seed = sha256(f"{tournament.seal['seed']}:match:{dice}".encode()).hexdigest()
    fields: list[tuple[str, Any, Any]] = [  # name, expected, actual
        ("match", line["match"], match.start["match"]),
        ("players", expected_players, players),
        ("seed", seed, match.seal["seed"]),
        ("seal", line["seal"], match.seal["sha256"]),
        ("faults", line["faults"], match.faults),
    ]
    same = ("tournament", "game", "rules")
    fields += [(name, tournament.start[name], match.start[name]) for name in same]
    settings = [list(log.start["settings"].items()) for log in (tournament, match)]  # in order
    fields.append(("settings", settings[0], settings[1]))
    fields += [(key, line[key], match.finish.get(key)) for key in ("reason", "scores", "winners")]
    return next((name for name, expected, actual in fields if expected != actual), None)


# --- 5. A contest and its stages ------------------------------------------------------------------


@dataclass
class Contest:
    """A contest after some of its events."""

    log: Log
    stages: dict[str, Log]  # by the folder's name; the log of the stage's tournament, or any other
    whole: bool  # whether the folder must have all stages
    link: str  # the last chain seed that was revealed
    bots: dict[str, Event] = field(default_factory=dict)  # the last version of each name
    versions: dict[tuple[str, str], str] = field(default_factory=dict)  # hashes by first digits
    inside: set[str] = field(default_factory=set)  # names that are not withdrawn
    folded: dict[str, str] = field(default_factory=dict)  # names by their folded form
    together: list[set[tuple[str, str]]] = field(default_factory=list)  # bots in each stage
    stage: Event = field(default_factory=dict)  # stage_started of a stage that is not finished
    unreadable: Log | None = None  # the first tournament of a stage that cannot be compared

    def playing(self) -> list[tuple[str, str]]:
        """Return the names and the hashes of the bots that are in."""
        return [(name, bot["bot"]) for name, bot in self.bots.items() if name in self.inside]

    def missing(self) -> list[list[int]] | None:
        """Return the pairs of bots that have not met, two of the last stage have; None if all."""
        bots, last, pairs = self.playing(), [set(), *self.together][-1], set[tuple[int, int]]()
        if len(bots) > 1 and all(stage.isdisjoint(bots) for stage in self.together):
            return None  # without a list, which may have millions of pairs
        for late in [n for n, bot in enumerate(bots) if bot not in last]:
            met = {bots[late]}.union(*(stage for stage in self.together if bots[late] in stage))
            pairs |= {(min(late, n), max(late, n)) for n, bot in enumerate(bots) if bot not in met}
        whole = pairs and len(pairs) == len(bots) * (len(bots) - 1) // 2
        return None if whole else [list(pair) for pair in sorted(pairs)]

    def is_due(self, missing: list[list[int]] | None) -> bool:
        """Return whether a stage can begin: of missing pairs, or of all bots if they changed."""
        is_changed = {*self.playing()} != [set(), *self.together][-1]
        return is_changed if self.log.start["plays"] == "tournaments" else missing != []


def check_contests(logs: dict[Path, Log], named: set[Path]) -> None:
    """Check each contest's log, and the stages and bots in its folder."""
    good = [log for log in logs.values() if log.is_good]
    for log in [log for log in good if "contest.jsonl" in (f"{log.kind}.jsonl", log.path.name)]:
        folder, is_named = log.path.parent, log.path.name == "contest.jsonl"
        stages: dict[str, Log] = {}
        for path, other in logs.items() if is_named else ():
            if folder / "stages" in path.parents[1:]:
                name = path.relative_to(folder / "stages").parts[0]
                if path == folder / "stages" / name / "tournament.jsonl" or name not in stages:
                    stages[name] = other
        whole = is_named and bool(stages or named.intersection((folder, *folder.parents)))
        try:
            if log.kind != "contest":
                raise Finding("forged", "the log of something else in the place of a contest's")
            if log.start["plays"] != PLAYS.get(log.start["game"], log.start["plays"]):
                raise Finding("forged", "its stages play other matches than contests of this game")
            check_contest(Contest(log, stages, whole, log.start["seed_commitment"]))
        except (Finding, OSError, ValueError, RecursionError) as error:
            finding = error if isinstance(error, Finding) else Finding(blame(error), str(error))
            log.verdict, log.reason = finding.args


def check_contest(contest: Contest) -> None:
    """Check a contest event by event, then its folder."""
    for event in contest.log.events[1:]:
        number = len(contest.together) + 1
        if event["type"] in ("entered", "revised", "withdrawn"):
            check_entry(contest, event)
        elif event["type"] == "stage_started":
            pairs, excess = contest.missing(), number > contest.log.start["stages"]
            if contest.stage or event["stage"] != number or excess or not contest.is_due(pairs):
                raise Finding("forged", f"stage {number}: it cannot begin")
            contest.stage = event | {"bots": contest.playing(), "pairs": pairs}
        elif event["type"] == "stage_finished":
            if not contest.stage or event["stage"] != number:
                raise Finding("forged", f"stage {event['stage']}: finished, and did not begin")
            check_stage(contest, event)
        elif contest.stage:
            raise Finding("forged", "sealed before the end of a stage")
    begun = len(contest.together) + bool(contest.stage)
    if added := {*contest.stages} - {f"{number:04}" for number in range(1, begun + 1)}:
        raise Finding("forged", f"added: {min(added)} is no stage of this contest")
    if contest.bots and not (contest.log.path.parent / "bots").exists():
        contest.log.reason += "; the files of the bots are not here, and were not checked"
    if contest.unreadable:
        raise Finding(contest.unreadable.verdict, f"{contest.unreadable.path}: not sound")
    if contest.stage or not contest.log.path.read_bytes().endswith(b"\n"):
        raise Finding("incomplete", "a stage or a line is not finished")


def check_entry(contest: Contest, event: Event) -> None:
    """Check that a bot can be entered, revised or withdrawn, and its files."""
    kind, name = event["type"], event["name"]
    folded = unicodedata.normalize("NFKC", name).casefold()
    alike = kind == "entered" and contest.folded.setdefault(folded, name) != name
    same = kind == "revised" and contest.bots.get(name, event)["bot"] == event["bot"]
    if (name in contest.inside) == (kind == "entered") or alike or same:
        raise Finding("forged", f"line {event['seq'] + 1}: {name} cannot be {kind}")
    if kind == "withdrawn":
        contest.inside.remove(name)
        return
    contest.inside.add(name)
    contest.bots[name] = event
    if contest.versions.setdefault((name, event["bot"][:12]), event["bot"]) != event["bot"]:
        raise Finding("forged", f"two versions of {name} have hashes that begin alike")
    folder = (bots := contest.log.path.parent / "bots") / name / event["bot"][:12]
    if bots.exists() and bot_hash(folder, event) != event["bot"]:
        raise Finding("forged", f"{folder}: not the files that were entered, or missing")


def bot_hash(folder: Path, bot: Event) -> str:
    """Return the hash of a bot from its files ("The hash of a bot")."""
    text, room = b"", MAX_BOT_BYTES
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if path.is_symlink():
            raise Finding("forged", f"{path}: a link")
        if not path.is_dir():
            with open_regular(path) as file:
                content = file.read(room + 1)
            if (room := room - len(content)) < 0:
                raise Finding("forged", f"{folder}: more bytes than a bot has")
            name = path.relative_to(folder).as_posix()
            plain = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
            mark = "\\" if plain != name else ""
            text += os.fsencode(f"{mark}{sha256(content).hexdigest()}  {plain}\n")
    for word, value in (("command", bot.get("command")), ("class", bot.get("class_name"))):
        if value:
            line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            text += os.fsencode(f"{word} {line}\n")
    return sha256(text).hexdigest()


def check_stage(contest: Contest, finished: Event) -> None:
    """Check the end of a stage: its chain seed, and its tournament."""
    stage, start, number = contest.stage, contest.log.start, finished["stage"]
    if sha256(finished["seed"].encode()).hexdigest() != contest.link:
        raise Finding("forged", f"stage {number}: not the chain seed before that of the last stage")
    contest.link, contest.stage = finished["seed"], {}
    contest.together.append({*stage["bots"]})
    log = contest.stages.get(f"{number:04}")
    if log is None:  # named otherwise, or added since the search for logs
        path = contest.log.path.parent.resolve() / "stages" / f"{number:04}" / "tournament.jsonl"
        if contest.whole and not (path.is_file() and path == path.resolve()):
            raise Finding("forged", f"stage {number}: missing")
        return
    if log.path != contest.log.path.parent / "stages" / f"{number:04}" / "tournament.jsonl":
        log = Log(log.path, "incomplete")
    if log.verdict in ("corrupt", "unsupported", "incomplete"):
        contest.unreadable = contest.unreadable or log
        return
    text = f"{finished['seed']}:beacon:{stage.get('beacon', '')}"
    pairings = None if start["plays"] == "tournaments" else stage["pairs"]
    entrants = [(bot["name"], bot["bot"]) for bot in log.start.get("entrants", [])]
    files = [log.path.parent / "matches" / f"{match}.jsonl" for match in log.played]
    leaves = [leaf_hash(file) for file in [*files, log.path]]
    fields: list[tuple[str, Any, Any]] = [  # name, expected, actual
        ("tournament", f"{start['contest']}/{number:04}", log.start.get("tournament")),
        ("seed", sha256(text.encode()).hexdigest(), log.seal.get("seed")),
        ("list of bots", stage["bots"], entrants),
        ("list of pairings", pairings, log.start.get("pairings")),
        ("number of files", finished["files"], len(leaves)),
        ("root", finished["root"], tree_root(leaves).hex()),
    ]
    fields += [(name, start[name], log.start[name]) for name in ("game", "rules", "settings")]
    for name, expected, actual in fields:
        if expected != actual:
            raise Finding("forged", f"stage {number}: another {name} than in the contest's log")
    if not log.is_good:
        contest.unreadable = contest.unreadable or log


# --- 6. Checkpoints and proofs --------------------------------------------------------------------


def check_signatures(
    logs: dict[Path, Log], signer: Signer | None, proof: bytes | None, since: list[Note]
) -> None:
    """Check every checkpoint, and those in ``since``, or the proof of the only log.

    With a signer, a log that no valid checkpoint or proof covers is forged.
    """
    covered: set[Path] = set()
    verdicts: dict[Path, str] = {}  # on tournaments that are not as they were signed
    for path, log in logs.items():
        readable = log.verdict not in ("corrupt", "unsupported")
        try:
            if proof is not None and signer:
                check_proof(path, proof, signer)
                covered.add(path)
            elif path.name == "contest.jsonl" and readable:
                check_contest_notes(path, signer, since)
                covered.add(path)
            elif path.name == "tournament.jsonl" and readable and log.verdict != "incomplete":
                files = [path.parent / "matches" / f"{match}.jsonl" for match in log.played]
                check_checkpoint(path, files, signer)
                covered.update([path, *files])
        except (Finding, OSError, ValueError, RecursionError) as error:
            if log.is_good or (path.name == "contest.jsonl" and log.verdict == "incomplete"):
                log.verdict, log.reason = blame(error), str(error.args[-1])
                verdicts[path.parent] = log.verdict
    for path, log in logs.items():
        if signer and log.is_good and path not in covered:
            log.verdict = verdicts.get(path.parent.parent, "forged")
            log.reason = "not signed: no valid checkpoint covers it"


def check_checkpoint(tournament: Path, matches: list[Path], signer: Signer | None) -> None:
    """Check the checkpoint beside a tournament's log; with a signer there must be one.

    Without its own, a stage is covered by the end of the stage in the checkpoint of its contest.
    """
    path, folder = tournament.with_name("checkpoint"), tournament.parent
    if not signer and not path.exists():
        return
    leaves = [leaf_hash(file) for file in [*matches, tournament]]
    contest = folder.parent.parent / "contest.jsonl"
    if folder.parent.name == "stages" and contest.exists() and not path.exists():
        lines = [line for line in read_lines(contest) if line.endswith(b"\n")]
        size = check_extends(lines, read_note(read_small(contest.with_name(path.name)), signer))
        ends = filter(None, map(STAGE_END.fullmatch, reversed(lines[:size])))  # the first counts
        roots = {int(end[2]): (int(end[3]), bytes.fromhex(end[4].decode())) for end in ends}
        size, root = {f"{stage:04}": roots[stage] for stage in roots}.get(folder.name, (0, b""))
    else:
        size, root = read_note(read_small(path), signer)[1:]
    if size != len(leaves) or root != tree_root(leaves):
        raise Finding("forged", "the files are not those that were signed")


def check_contest_notes(contest: Path, signer: Signer | None, since: list[Note]) -> None:
    """Check that a contest extends earlier checkpoints of it, and those in its folder.

    With a signer, ``checkpoint`` must cover all lines, and kept checkpoints by others are ignored.
    """
    lines = [line for line in read_lines(contest) if line.endswith(b"\n")]
    for note in since:
        check_extends(lines, note)
    kept = contest.with_name("checkpoints")
    for path in kept.rglob("*"):
        if path.is_symlink():
            raise Finding("forged", f"{path}: a link")
        if path.parent == kept and path.name.isdecimal() and not path.is_dir():
            content = read_small(path)
            try:
                note = read_note(content, signer)
            except (Finding, ValueError):
                if signer:
                    continue
                raise
            check_extends(lines, note)
    path = contest.with_name("checkpoint")
    if signer or path.exists():
        size = check_extends(lines, read_note(read_small(path), signer))
        if signer and size < len(lines):
            raise Finding("forged", f"not signed: the checkpoint covers only {size} lines")


def check_extends(lines: list[bytes], note: Note) -> int:
    """Check that the first lines of a contest are those in a checkpoint; return their number."""
    _, size, root = note
    leaves = [sha256(b"\0" + line).digest() for line in lines[:size]]
    if size != len(leaves) or root != (tree_root(leaves) if leaves else sha256().digest()):
        raise Finding("forged", f"its first {size} lines are not those that were signed")
    return size


def check_consistency(path: Path, since: list[Note], signer: Signer | None) -> None:
    """Check a proof that a later checkpoint extends an earlier one (RFC 6962, section 2.1.2)."""
    (header, *siblings), note = split_proof(read_small(path))
    old_origin, old_size, old_root = since[0]
    origin, size, root = read_note(note, signer)
    if len(since) != 1 or origin != old_origin or old_size > size or header != f"old {old_size}":
        raise Finding("forged", "a proof between other checkpoints")
    hashes = [decode_base64(line, 32) for line in siblings]
    try:
        roots = (empty := sha256().digest(), root if size else empty)  # of trees without lines
        if old_size:
            roots = both_roots(old_size, size, hashes, old_root)
    except LookupError:
        roots = (b"", b"")
    if hashes or roots != (old_root, root):
        raise Finding("forged", "a fork: the later tree does not begin with the earlier one")


def both_roots(
    old: int, size: int, hashes: list[bytes], old_root: bytes | None
) -> tuple[bytes, bytes]:
    """Return the roots of a tree and of its first leaves; take the hashes of a proof from its end.

    This is SUBPROOF of RFC 6962, section 2.1.2, read backwards: ``old_root`` is given as long as
    the earlier tree is a whole subtree of the later one.
    """
    if old == size:
        node = hashes.pop() if old_root is None else old_root
        return node, node
    half, other = 1 << (size - 1).bit_length() - 1, hashes.pop()
    if old <= half:
        first, both = both_roots(old, half, hashes, old_root)
        return first, node_hash(both, other)
    first, both = both_roots(old - half, size - half, hashes, None)
    return node_hash(other, first), node_hash(other, both)


def leaf_hash(path: Path) -> bytes:
    """Return the hash of a leaf, whose entry is the SHA-256 of a file (RFC 6962, section 2.1)."""
    digest = sha256()
    with open_regular(path) as file:
        while (chunk := file.read(MAX_LINE_BYTES)) and b"\0" not in chunk:
            digest.update(chunk)
    if chunk:  # a file with a hole is not read to its end
        raise Finding("forged", f"{path}: zero bytes")
    return sha256(b"\0" + digest.digest()).digest()


def tree_root(leaves: list[bytes]) -> bytes:
    """Return the root over the hashes of leaves (RFC 6962, section 2.1)."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1  # the largest power of two below the size
    return node_hash(tree_root(leaves[:half]), tree_root(leaves[half:]))


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of a node above two others (RFC 6962, section 2.1)."""
    return sha256(b"\1" + left + right).digest()


def check_proof(path: Path, proof: bytes, signer: Signer) -> None:
    """Check that a proof leads from a file to a signed root (RFC 6962, section 2.1.1).

    The extra data of the proof of a file in a stage is a proof, too: it leads from the file to the
    root in the line `stage_finished`, an entry of the contest's tree. Other data says nothing.
    """
    leaf, (index, siblings, extra, note) = leaf_hash(path), read_proof(proof)
    try:
        stage_index, stage_siblings, _, line = read_proof(extra)
    except (Finding, ValueError):
        line = b""
    if end := STAGE_END.fullmatch(line):
        if int(end[1]) != index:
            raise Finding("forged", "the line of the stage's end has another number")
        check_path(leaf, stage_index, stage_siblings, int(end[3]), bytes.fromhex(end[4].decode()))
        leaf = sha256(b"\0" + line).digest()
    check_path(leaf, index, siblings, *read_note(note, signer)[1:])


def split_proof(proof: bytes) -> tuple[list[str], bytes]:
    """Return the lines of a proof above the empty line, and the note below it."""
    head, empty, note = proof.partition(b"\n\n")
    if not empty or len(proof) > MAX_NOTE_BYTES:
        raise Finding("forged", "no proof, or too long")
    return head.decode("ascii").split("\n"), note


def read_proof(proof: bytes) -> tuple[int, list[bytes], bytes, bytes]:
    """Return the index, the hashes, the extra data and the note of a c2sp.org/tlog-proof."""
    (header, *lines), note = split_proof(proof)
    extra = decode_base64(lines.pop(0)[6:]) if lines and lines[0][:6] == "extra " else b""
    if header != "c2sp.org/tlog-proof@v1" or not (lines and lines[0][:6] == "index "):
        raise Finding("forged", "no proof, or no index in it")
    return parse_number(lines[0][6:]), [decode_base64(line, 32) for line in lines[1:]], extra, note


def check_path(node: bytes, index: int, siblings: list[bytes], size: int, root: bytes) -> None:
    """Check that hashes lead from a leaf to the root of a tree of this size."""
    # Up to this level the tree is complete around the leaf; above it all siblings are on the left.
    complete = (index ^ (size - 1)).bit_length()
    if index >= size or len(siblings) != complete + (index >> complete).bit_count():
        raise Finding("forged", "an index or a number of hashes that the tree does not have")
    for level, sibling in enumerate(siblings):
        on_the_left = level >= complete or index >> level & 1
        node = node_hash(sibling, node) if on_the_left else node_hash(node, sibling)
    if node != root:
        raise Finding("forged", "the proof does not lead from this file to the signed root")


def read_note(note: bytes, signer: Signer | None) -> Note:
    """Return the origin, the size and the root in a checkpoint (c2sp.org/tlog-checkpoint).

    With a signer, its signature must be there and valid, and the origin must be the expected one.
    """
    text = note.decode()
    body, empty, tail = text.rpartition("\n\n")
    lines, signature_lines = body.split("\n"), tail.split("\n")
    if len(note) > MAX_NOTE_BYTES or any(char < " " for char in text.replace("\n", "")):
        raise Finding("forged", "no checkpoint: too long, or with control characters")
    is_whole = empty and signature_lines.pop() == "" and len(lines) >= 3 and all(lines)
    if not is_whole or not 1 <= len(signature_lines) <= 100:
        raise Finding("forged", "no checkpoint: expected three lines and 1 to 100 signatures")
    signatures = [read_signature(line) for line in signature_lines]
    size, root = parse_number(lines[1]), decode_base64(lines[2], 32)
    if signer:
        check_note(f"{body}\n".encode(), lines[0], signatures, signer)
    return lines[0], size, root


def read_signature(line: str) -> Signature:
    """Return the name in a line with a signature, and its key id and signature as bytes."""
    match = re.fullmatch(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)", line)
    code = decode_base64(match[2]) if match else b""
    if not match or len(code) <= 4:
        raise Finding("forged", "a line that is no signature")
    return match[1], code


def check_note(text: bytes, origin: str, signatures: list[Signature], signer: Signer) -> None:
    """Check that the signer signed this text for the expected origin (c2sp.org/signed-note)."""
    by_signer = [code[4:] for name, code in signatures if (name, code[:4]) == signer[:2]]
    if not by_signer or origin != signer.origin:
        raise Finding("forged", "not signed by this key for this origin")
    try:
        for signature in by_signer:
            signer.key.verify(signature, text)
    except InvalidSignature:
        raise Finding("forged", "the text or its signature was changed") from None


def decode_base64(text: str, size: int | None = None) -> bytes:
    """Return the bytes of canonical base64, which must have this size if one is given."""
    content = b64decode(text, validate=True)
    if b64encode(content).decode() != text or len(content) != (size or len(content)):
        raise Finding("forged", "base64 that is not canonical, or of another length")
    return content


def parse_number(text: str) -> int:
    """Return a decimal number without leading zeros."""
    if not re.fullmatch("0|[1-9][0-9]{0,18}", text):
        raise Finding("forged", "a number that is not written as one")
    return int(text)


# --- The command ----------------------------------------------------------------------------------


def read_signer(key: str, origin: str) -> Signer:
    """Return the signer of a public key: its text, or the name of a file that holds it."""
    pattern = r"([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})\n?"
    if not re.fullmatch(pattern, key) and Path(key).is_file():  # no file takes the place of a key
        key = read_small(Path(key)).decode(errors="replace")
    if not (parts := re.fullmatch(pattern, key)):
        raise ValueError("--key: expected a key, NAME+8 hex digits+base64, or the name of its file")
    name, key_id, content = parts[1], parts[2], decode_base64(parts[3], 33)
    expected = sha256(f"{name}\n".encode() + content).digest()[:4]
    if key_id != expected.hex() or content[:1] != b"\1":  # 1 stands for Ed25519
        raise ValueError("--key: no Ed25519 key, or changed")
    return Signer(name, expected, Ed25519PublicKey.from_public_bytes(content[1:]), origin)


def read_schemas(folder: Path) -> Schemas:
    """Return the definitions of every game, by its name; those of events by their types, too."""
    schemas: Schemas = {}
    for file in folder.glob("*.json"):
        schema = json.loads(file.read_bytes())
        schemas[file.stem] = definitions = schema["$defs"]
        for line in schema["oneOf"]:
            event = definitions[line["$ref"].removeprefix("#/$defs/")]
            variant = event.get("anyOf", [event])[0]  # of one rules version
            definitions[variant["properties"]["type"]["const"]] = event
    if not schemas:
        raise ValueError(f"{folder}: no JSON Schemas there; `koth schema GAME` prints them")
    return schemas


def main() -> int:
    """Check the logs that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description="Check logs of Koth without Koth's code.")
    option = parser.add_argument
    option("--schema", metavar="DIR", type=Path, help="folder of what `koth schema GAME` prints")
    option("--key", metavar="VKEY", help="public key, or the name of its file")
    option("--origin", metavar="NAME", help="origin that the key must have signed")
    option("--proof", metavar="FILE", help="proof that the only log is signed")
    option("--since", metavar="FILE", action="append", default=[], help="earlier checkpoint")
    option("paths", metavar="PATH", nargs="+", type=Path, help="logs, and folders of logs")
    options = parser.parse_args()
    if (options.key is None) != (options.origin is None) or (options.proof and not options.key):
        parser.error("expected --key with --origin, and --proof with both")
    try:
        schemas = read_schemas(
            options.schema or Path(__file__).resolve().parents[1] / "schema/json"
        )
        signer = read_signer(options.key, options.origin) if options.key else None
        proof = read_small(Path(options.proof)) if options.proof else None
        since = [read_note(read_small(Path(file)), signer) for file in options.since]
        for path in options.paths:
            path.stat()
        files = [path for path in options.paths if since and path.is_file()]
        proofs = [path for path in files if read_small(path).startswith(b"old ")]  # prove --from
        found = [log for path in options.paths if path not in proofs for log in find_logs(path)]
    except (OSError, ValueError, LookupError, Finding) as error:
        parser.error(str(error))
    # Whole paths name all folders around a log, also those above the working folder.
    named = {Path(os.path.abspath(path)) for path in options.paths}  # noqa: PTH100
    typed = {Path(os.path.abspath(path)): path for path in found}  # noqa: PTH100
    if proof is not None and len(typed) != 1:
        parser.error(f"--proof: expected one log, found {len(typed)}")
    if since and not proofs and [path.name for path in typed].count("contest.jsonl") != 1:
        parser.error("--since: expected one contest, or a proof")
    logs = {path: examine(path, schemas) for path in typed}
    check_tournaments(logs, named)
    check_contests(logs, named)
    check_signatures(logs, signer, proof, since)
    for path in proofs:
        logs[path] = Log(path, reason="the checkpoints are consistent")
        try:
            check_consistency(path, since, signer)
        except (Finding, ValueError) as error:
            logs[path].verdict, logs[path].reason = "forged", str(error.args[-1])
    for log in logs.values():
        text = f"{typed.get(log.path, log.path)}: {log.verdict}: {log.reason}"
        print("".join(char if char.isprintable() else ascii(char)[1:-1] for char in text))
    return 0 if all(log.is_good for log in logs.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
