"""A second verifier of Koth's logs: one file that shares no code with Koth.

    python3 koth_check.py [--schema DIR] [--key VKEY --origin NAME [--proof FILE]] PATH…

It checks bytes, fields, seals, seeds, tournaments, checkpoints and proofs. It does not know the
rules: it says "sound" where `koth verify` says "verified" or "diverged". Every other verdict is
that of `koth verify`. Exit status: 0 all sound or imported, 1 something else, 2 wrong usage.
"""

import argparse
import json
import os
import re
import stat
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "koth-log/1"
LINE_BYTES = 8 << 20  # maximum of a line of a log
NOTE_BYTES = 1_000_000  # maximum of a checkpoint, or of a proof
DEPTH = 254  # maximum of objects and arrays inside each other
TYPES = {"integer": "int", "string": "str", "array": "list", "object": "dict"}
STARTS = {"match_started": "match", "tournament_started": "tournament"}
SEALS = {"match_sealed": "match", "tournament_sealed": "tournament"}
RESULTS = {"match_played", "disqualified", "voided", "tournament_finished"}
TOURNAMENT_EVENTS = {"tournament_started", "tournament_sealed"} | RESULTS
UNREADABLE = ("corrupt", "unsupported", "incomplete")

Event = dict[str, Any]


class Finding(Exception):
    """Something is wrong with a log: the verdict, and the reason."""


@dataclass
class Log:
    """A log's verdict, and the events that its tournament's check needs."""

    path: Path
    verdict: str = "sound"
    reason: str = "bytes sound, rules not checked"
    start: Event = field(default_factory=dict)
    finish: Event = field(default_factory=dict)
    seal: Event = field(default_factory=dict)
    faults: list[Event] = field(default_factory=list)
    played: dict[str, Event] = field(default_factory=dict)

    @property
    def is_tournament(self) -> bool:
        """Whether it is a tournament's own log."""
        return self.start.get("type") == "tournament_started"

    @property
    def is_fine(self) -> bool:
        """Whether nothing is wrong so far."""
        return self.verdict in ("sound", "imported")


class Signer(NamedTuple):
    """The key that must have signed, and for which origin."""

    name: str
    id: bytes
    key: Ed25519PublicKey
    origin: str


# --- Files ----------------------------------------------------------------------------------------


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file; a pipe or a device might have no end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(f"{path}: not a regular file")


def read_lines(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file, with their LF."""
    with open_regular(path) as file:
        while line := file.readline(LINE_BYTES + 1):
            if len(line) > LINE_BYTES:
                raise Finding("corrupt", f"a line of more than {LINE_BYTES} bytes")
            yield line


def read_small(path: Path) -> bytes:
    """Return the content of a checkpoint, a proof or a key."""
    with open_regular(path) as file:
        content = file.read(NOTE_BYTES + 1)
    if len(content) > NOTE_BYTES:
        raise Finding("forged", f"{path}: more than {NOTE_BYTES} bytes")
    return content


def leaf(path: Path) -> bytes:
    """Return the hash of a file as a leaf of the Merkle tree."""
    digest = sha256()
    for line in read_lines(path):
        digest.update(line)
    return sha256(b"\0" + digest.digest()).digest()


def find_logs(path: Path) -> list[Path]:
    """Return the logs at a path: the file itself, or those in a folder, without evidence."""
    found = []
    for log in sorted(path.rglob("*.jsonl")) if path.is_dir() else []:
        folders = list(log.relative_to(path).parts[:-1])
        if path.absolute().name == "matches":
            folders.insert(0, "matches")
        if "matches" in folders:  # everything below the matches counts as a match
            folders = folders[: folders.index("matches")]
        if "evidence" not in folders and log.is_file():
            found.append(log)
    return found or [path]


# --- One log --------------------------------------------------------------------------------------


def examine(path: Path, schemas: Event) -> Log:
    """Return a log with the verdict on it alone."""
    log = Log(path)
    try:
        check_log(log, schemas)
    except Finding as finding:
        log.verdict, log.reason = finding.args
    except OSError as error:
        log.verdict, log.reason = "corrupt", f"cannot be read: {error}"
    return log


def check_log(log: Log, schemas: Event) -> None:
    """Check all events of a log, its seal and its seed; keep what its tournament needs."""
    refs: Event = {}
    problem = None  # in the fields; reported if no byte is wrong
    for event in read_events(log.path):
        try:
            if not log.start:
                log.start = event
                refs = schema_of(event, schemas)
            if not problem:
                check_event(log, event, refs)
                keep(log, event)
        except Finding as finding:
            problem = finding
    if problem:
        raise problem
    imported = "source" in log.start
    if not log.seal:
        raise Finding("incomplete", "no seal")
    if imported:
        log.verdict, log.reason = "imported", "seen elsewhere, nothing to check"
        home = log.path.parent.parent if log.path.parent.name == "matches" else log.path.parent
        if not log.is_tournament and has_commitment(home / "tournament.jsonl"):
            raise Finding("forged", "imported, into a tournament that committed to a seed")
    elif sha256(log.seal["seed"].encode()).hexdigest() != log.start["seed_commitment"]:
        raise Finding("forged", "the seed is not the one that was committed to")


def read_events(path: Path) -> Iterator[Event]:
    """Yield the events of a log; check layout, sequence and seal."""
    digest = sha256()
    first: Event = {}
    last: Event = {}
    for seq, line in enumerate(read_lines(path)):
        head = b'{"seq":%d,"type":"' % seq
        if last.get("type") in SEALS:
            raise Finding("corrupt", "more after the seal")
        if not line.endswith(b"\n"):  # a torn tail: the beginning of the next event
            if not line.startswith(head[: len(line)]):
                raise Finding("corrupt", "garbage after the last whole line")
            return
        last = parse_line(line[:-1], head, first.get("format", FORMAT) != FORMAT)
        first = first or last
        if (last["type"] in STARTS) != (seq == 0):
            raise Finding("corrupt", f"line {seq + 1}: a misplaced start")
        if last["type"] in SEALS:
            seal = {"events": seq, "sha256": digest.hexdigest()}
            if SEALS[last["type"]] != STARTS[first["type"]] or last | seal != last:
                raise Finding("corrupt", "changed after it was sealed")
        digest.update(line)
        yield last
    if not last:
        raise Finding("incomplete", "no event")


def parse_line(line: bytes, head: bytes, newer: bool) -> Event:
    """Return the event in a line, which must be written as Koth writes it."""
    try:
        event = json.loads(line.decode())
        again = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        raise Finding("corrupt", f"no JSON: {error!s:.80}") from None
    if again != line or not line.startswith(head) or not is_plain(event, 1, newer):
        raise Finding("corrupt", f"not a line of a log that begins with {head.decode()}")
    return dict(event)


def is_plain(value: Any, depth: int, newer: bool) -> bool:
    """Return whether numbers are those of a log (more in a newer format), nested not too deep."""
    if isinstance(value, float):
        return newer and abs(value) < float("inf")
    if isinstance(value, int):
        return -(1 << 63) <= value < 1 << 63 + newer
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return depth <= DEPTH and all(is_plain(part, depth + 1, newer) for part in parts)
    return True


def keep(log: Log, event: Event) -> None:
    """Keep an event that the check of its tournament needs."""
    if event["type"] == "fault":
        log.faults.append({"seat": event["seat"], "kind": event["kind"]})
    elif event["type"] == "match_finished":
        log.finish = event
    elif event["type"] == "match_played":
        log.played[event["match"]] = event
    elif event["type"] in SEALS:
        log.seal = event


def schema_of(start: Event, schemas: Event) -> Event:
    """Return the definitions for a log with this start."""
    version, game = start.get("format"), start.get("game")
    if not (isinstance(version, str) and re.fullmatch("koth-log/[1-9][0-9]{0,8}", version)):
        raise Finding("corrupt", "no format")
    if version != FORMAT:
        raise Finding("unsupported", f"{version}: a newer format")
    if isinstance(game, str) and game in schemas and start.get("rules") == f"{game}/1":
        return dict(schemas[game])
    refs = dict(schemas[min(schemas)])  # the fields of a start are those of all games
    name, people = "MatchStarted", "players"
    if start["type"] == "tournament_started":
        name, people = "TournamentStarted", "entrants"
    fields = dict(refs[name]["properties"])
    fields[people] = {"type": "array", "items": fields[people]["items"]}
    fields["settings"] = {"type": "object"}
    if not conforms(start, refs[name] | {"properties": fields}, refs) or any(
        type(value) not in (int, str) for value in start["settings"].values()
    ):
        raise Finding("corrupt", "line 1: not the start of a log")
    raise Finding("unsupported", f"the game {game!s:.40} or its rules are not known")


def check_event(log: Log, event: Event, refs: Event) -> None:
    """Check one event: its fields, and the seats and entrants that it names."""
    kind, where = event["type"], f"line {event['seq'] + 1}"
    schema = refs.get(kind.title().replace("_", ""))  # that of match_played is MatchPlayed
    fitting_log = (kind in TOURNAMENT_EVENTS) == log.is_tournament
    if schema is None or not fitting_log or not conforms(event, schema, refs):
        raise Finding("corrupt", f"{where}: not as the schema of the game has it")
    if kind in STARTS:
        check_start(event)
    if kind in SEALS and ("seed" in event) == ("source" in log.start):
        raise Finding("corrupt", f"{where}: a seed in an imported log, or none in another")
    entrants = [row["entrant"] for row in event.get("standings", [])]
    if log.is_tournament:
        entrants += [*event.get("seats", []), event.get("entrant", 0)]
    if any(entrant >= max(1, len(log.start.get("entrants", []))) for entrant in entrants):
        raise Finding("corrupt", f"{where}: an entrant that there is not")
    if kind in ("match_played", "match_finished"):
        seats = len(event["seats"] if kind == "match_played" else log.start["players"])
        named = event["winners"] + [fault["seat"] for fault in event.get("faults", [])]
        if len(event["scores"]) != seats or len(set(event["winners"])) != len(event["winners"]):
            raise Finding("corrupt", f"{where}: not one score a seat, or a winner twice")
        if any(seat >= seats for seat in named):
            raise Finding("corrupt", f"{where}: a seat that there is not")


def check_start(start: Event) -> None:
    """Check what a start must hold beyond its schema."""
    people, number = start.get("players"), "seat"
    seats = start["settings"].get("seats", 0)
    wrong = people is not None and seats not in (0, len(people))
    if people is None:
        people, number = start["entrants"], "entrant"
    wrong |= [person[number] for person in people] != list(range(len(people)))
    wrong |= len({person["name"] for person in people}) != len(people)
    wrong |= ("seed_commitment" in start) == ("source" in start)
    settings = start["settings"]
    if "games_per_entrant" in settings:
        wrong |= settings.get("min_games_per_entrant", 0) > settings["games_per_entrant"] * seats
    if "games_min" in settings:
        wrong |= settings["games_min"] > settings["games_max"]
    if wrong:
        raise Finding("corrupt", "line 1: players, settings or commitment do not fit together")


def conforms(value: Any, schema: Event, refs: Event) -> bool:
    """Return whether a value conforms to a JSON Schema, its fields in the order declared there."""
    if "$ref" in schema:
        schema = refs[schema["$ref"].removeprefix("#/$defs/")]
    if type(value).__name__ != TYPES[schema["type"]] or value != schema.get("const", value):
        return False
    if value not in schema.get("enum", [value]):
        return False
    if "pattern" in schema and not re.fullmatch(schema["pattern"], value):
        return False
    size = len(value) if hasattr(value, "__len__") else value
    if any(size < schema.get(limit, size) for limit in ("minimum", "minLength", "minItems")):
        return False
    if any(size > schema.get(limit, size) for limit in ("maximum", "maxLength", "maxItems")):
        return False
    if "items" in schema:
        return all(conforms(item, schema["items"], refs) for item in value)
    if "properties" not in schema:
        return True
    fields: Event = schema["properties"]
    needed: set[str] = {*schema.get("required", fields), *value}  # of the settings, all are
    if list(value) != [name for name in fields if name in needed]:
        return False
    return all(conforms(value[name], fields[name], refs) for name in needed)


def has_commitment(path: Path) -> bool:
    """Return whether a tournament's log begins with a commitment to a seed."""
    try:
        return "seed_commitment" in json.loads(next(read_lines(path)))
    except (OSError, ValueError, RecursionError, TypeError, StopIteration, Finding):
        return False


# --- A tournament and its matches -----------------------------------------------------------------


def check_tournaments(logs: dict[Path, Log], given: set[Path]) -> None:
    """Compare each log in the place of a tournament's with the logs among its matches."""
    inside: dict[Path, dict[str, Log]] = {}  # by the tournament's folder: logs below its matches
    for path, log in logs.items():
        for folder in path.parents:
            if folder.name == "matches":
                inside.setdefault(folder.parent, {})[path.relative_to(folder).as_posix()] = log
    fine = [log for log in logs.values() if log.is_fine]
    homes = {log.path.parent for log in fine if log.is_tournament}
    for log in fine:
        above = {folder.parent for folder in log.path.parents if folder.name == "matches"}
        owns = log.is_tournament or log.path.name == "tournament.jsonl"
        if owns and not homes & above:  # else it is one of another tournament's matches
            problem = find_problem(log, inside.get(log.path.parent, {}), given)
            if problem:
                log.verdict, log.reason = "forged", problem


def find_problem(own: Log, matches: dict[str, Log], given: set[Path]) -> str | None:
    """Return why a tournament's log and its matches do not belong together, if they do not."""
    folder = own.path.parent / "matches"
    present = bool(matches) or folder.exists()
    if not own.is_tournament:
        return "the log of a match in the place of the tournament's" if present else None
    if own.verdict == "imported":
        wrong = any(log.verdict == "sound" or log.is_tournament for log in matches.values())
        return "imported, over matches that committed to seeds" if wrong else None
    alone = own.path in given and not given.intersection((folder, *folder.parents))
    # A log that was named without its folder may be without its matches.
    needed = bool(matches) if alone else present or own.path.name == "tournament.jsonl"
    for match, line in own.played.items():
        log = matches.get(f"{match}.jsonl")
        if log is None and needed and not (alone and (folder / f"{match}.jsonl").exists()):
            return f"missing: the log of the match {match}"
        different = compare(own, line, log) if log and log.is_fine else None
        if different:
            return f"{match}: another {different} than in the tournament's log"
    known = {f"{match}.jsonl" for match in own.played}
    added = [name for name, log in matches.items() if log.is_fine and name not in known]
    return f"added: {added[0]} is no match of this tournament" if added else None


def compare(own: Log, line: Event, match: Log) -> str | None:
    """Return the first thing in which a match's log does not fit its line in the tournament's."""
    if match.is_tournament or match.verdict != "sound":
        return "log"
    entrants = [own.start["entrants"][entrant] for entrant in line["seats"]]
    said, found = (
        [(one["name"], one["bot"]) for one in who] for who in (entrants, match.start["players"])
    )
    seed = f"{own.seal['seed']}:match:{line['match']}"
    facts: dict[str, tuple[Any, Any]] = {
        "match": (line["match"], match.start["match"]),
        "players": (said, found),
        "seed": (sha256(seed.encode()).hexdigest(), match.seal["seed"]),
        "seal": (line["seal"], match.seal["sha256"]),
        "faults": (line["faults"], match.faults),
    }
    facts |= {key: (own.start[key], match.start[key]) for key in ("tournament", "game", "rules")}
    settings = [list(log.start["settings"].items()) for log in (own, match)]
    facts["settings"] = settings[0], settings[1]
    facts |= {key: (line[key], match.finish.get(key)) for key in ("reason", "scores", "winners")}
    return next((key for key, (said, found) in facts.items() if said != found), None)


# --- Checkpoints and proofs -----------------------------------------------------------------------


def check_signatures(logs: dict[Path, Log], signer: Signer | None, proof: bytes | None) -> None:
    """Check every checkpoint, or the one log's proof; with a key, each log must be covered."""
    covered: set[Path] = set()
    for path, log in logs.items():
        try:
            if proof is not None and signer:
                check_proof(path, proof, signer)
                covered.add(path)
            elif path.name == "tournament.jsonl" and log.verdict not in UNREADABLE:
                files = [path.parent / "matches" / f"{match}.jsonl" for match in log.played]
                check_checkpoint(path, files, signer)
                covered.update([path, *files])
        except (Finding, OSError, ValueError) as error:
            if log.is_fine:
                log.verdict, log.reason = "forged", str(error.args[-1])
    for path, log in logs.items():
        if signer and log.is_fine and path not in covered:
            log.verdict, log.reason = "forged", "not signed: no valid checkpoint covers it"


def check_checkpoint(own: Path, files: list[Path], signer: Signer | None) -> None:
    """Check the checkpoint beside a tournament's log, if there is one or a key asks for it."""
    path = own.with_name("checkpoint")
    if signer or path.exists():
        size, root = read_note(read_small(path), signer)
        leaves = [leaf(file) for file in [*files, own]]
        if size != len(leaves) or root != tree_root(leaves):
            raise Finding("forged", "the files are not those that were signed")


def check_proof(path: Path, proof: bytes, signer: Signer) -> None:
    """Check that a proof leads from a file to a signed root (RFC 6962, section 2.1.1)."""
    head, empty, note = proof.partition(b"\n\n")
    header, *lines = head.decode("ascii").split("\n")
    if lines and lines[0].startswith("extra "):
        decode(lines.pop(0).removeprefix("extra "))
    if header != "c2sp.org/tlog-proof@v1" or not (empty and lines and lines[0][:6] == "index "):
        raise Finding("forged", "no proof, or no index in it")
    index = number(lines[0][6:])
    hashes = [decode(line, 32) for line in lines[1:]]
    size, root = read_note(note, signer)
    inner = (index ^ (size - 1)).bit_length()  # levels from which on all siblings are on the left
    if index >= size or len(hashes) != inner + (index >> inner).bit_count():
        raise Finding("forged", "an index or a number of hashes that the tree does not have")
    node = leaf(path)
    for level, sibling in enumerate(hashes):
        on_the_left = level >= inner or index >> level & 1
        pair = sibling + node if on_the_left else node + sibling
        node = sha256(b"\1" + pair).digest()
    if node != root:
        raise Finding("forged", "the proof does not lead from this file to the signed root")


def read_note(note: bytes, signer: Signer | None) -> tuple[int, bytes]:
    """Return size and root of a checkpoint, signed by ``signer`` if there is one."""
    text = note.decode()
    body, empty, tail = text.rpartition("\n\n")
    lines, signed = body.split("\n"), tail.split("\n")
    if any(char < " " for char in set(text) - {"\n"}) or not empty or signed.pop() != "":
        raise Finding("forged", "no checkpoint: expected text, an empty line, signatures")
    if len(lines) < 3 or not all(lines) or len(signed) > 100:
        raise Finding("forged", "no checkpoint: expected three lines, and up to 100 signatures")
    signatures = [read_signature(line) for line in signed]
    size, root = number(lines[1]), decode(lines[2], 32)
    if signer:
        by_signer = [code[4:] for name, code in signatures if (name, code[:4]) == signer[:2]]
        if not by_signer or lines[0] != signer.origin:
            raise Finding("forged", "not signed by this key for this origin")
        try:
            for signature in by_signer:
                signer.key.verify(signature, f"{body}\n".encode())
        except InvalidSignature:
            raise Finding("forged", "the text or its signature was changed") from None
    return size, root


def read_signature(line: str) -> tuple[str, bytes]:
    """Return the name in a signature's line, and key id and signature as bytes."""
    match = re.fullmatch(r"— ([^\s+]+) ([A-Za-z0-9+/=]+)", line)
    code = decode(match[2]) if match else b""
    if not match or len(code) <= 4:
        raise Finding("forged", "a line that is no signature")
    return match[1], code


def decode(text: str, size: int | None = None) -> bytes:
    """Return the bytes of canonical base64."""
    content = b64decode(text, validate=True)
    if b64encode(content).decode() != text or len(content) != (size or len(content)):
        raise Finding("forged", "base64 that is not canonical, or of another length")
    return content


def number(text: str) -> int:
    """Return a decimal number without leading zeros."""
    if not re.fullmatch("0|[1-9][0-9]{0,18}", text):
        raise Finding("forged", "a number that is not written as one")
    return int(text)


def tree_root(leaves: list[bytes]) -> bytes:
    """Return the root over the hashes of leaves (RFC 6962, section 2.1)."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\1" + tree_root(leaves[:half]) + tree_root(leaves[half:])).digest()


# --- The command ----------------------------------------------------------------------------------


def read_signer(key: str, origin: str) -> Signer:
    """Return the key that is this text, or is in the file of this name."""
    if Path(key).is_file():
        key = read_small(Path(key)).decode()
    name, id, code = key.strip().split("+", 2)
    content = b64decode(code)
    expected = sha256(f"{name}\n".encode() + content).digest()[:4]
    if id != expected.hex() or content[:1] != b"\1":
        raise ValueError("--key: no Ed25519 key, or changed")
    return Signer(name, expected, Ed25519PublicKey.from_public_bytes(content[1:]), origin)


def read_schemas(folder: Path) -> Event:
    """Return the definitions of every game, by its name."""
    schemas = {file.stem: json.loads(file.read_bytes())["$defs"] for file in folder.glob("*.json")}
    if not schemas:
        raise ValueError(f"{folder}: no JSON Schemas there; `koth schema GAME` prints them")
    return schemas


def main() -> int:
    """Check what the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    for option in ("--schema", "--key", "--origin", "--proof"):
        parser.add_argument(option)
    parser.add_argument("paths", nargs="+", type=Path)
    options = parser.parse_args()
    if (options.key is None) != (options.origin is None) or (options.proof and not options.key):
        parser.error("expected --key with --origin, and --proof with both")
    default = Path(__file__).resolve().parents[1] / "schema" / "json"
    try:
        schemas = read_schemas(Path(options.schema or default))
        signer = read_signer(options.key, options.origin) if options.key else None
        proof = read_small(Path(options.proof)) if options.proof else None
        for path in options.paths:
            path.stat()
        found = [log for path in options.paths for log in find_logs(path)]
    except (OSError, ValueError, LookupError, Finding) as error:
        parser.error(str(error))
    if proof is not None and len(found) != 1:
        parser.error(f"--proof: expected one log, found {len(found)}")
    logs = {path: examine(path, schemas) for path in found}
    check_tournaments(logs, set(options.paths))
    check_signatures(logs, signer, proof)
    for log in logs.values():
        text = f"{log.path}: {log.verdict}: {log.reason}"
        print("".join(char if char.isprintable() else ascii(char)[1:-1] for char in text))
    return 0 if all(log.is_fine for log in logs.values()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
