"""A second verifier of Koth's logs: one file that shares no code with Koth.

    python3 koth_check.py [--schema DIR] [--key VKEY --origin NAME [--proof FILE]] PATH…

It checks bytes, fields, seals, seeds, tournaments, checkpoints and proofs. It does not know the
rules: it says "sound" where `koth verify` says "verified" or "diverged". Every other verdict is
that of `koth verify`. Exit status: 0 all sound or imported, 1 something else, 2 wrong usage.

The order of the work, from the bottom of this file up:

1. find the logs, and examine each by itself: bytes, layout, sequence, seal, fields, seed;
2. hold each tournament's log against those of its matches;
3. hold tournaments against their checkpoints, or the one log against its proof.
"""

import argparse
import json
import os
import re
import stat
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FORMAT = "koth-log/1"
LINE_BYTES = 8 << 20  # maximum of a line of a log
NOTE_BYTES = 1_000_000  # maximum of a checkpoint, or of a proof
DEPTH = 254  # maximum of objects and arrays inside each other
INT_BITS = 63  # integers are from -2**63 to 2**63 - 1

STARTS = {"match_started": "match", "tournament_started": "tournament"}
SEALS = {"match_sealed": "match", "tournament_sealed": "tournament"}
TOURNAMENT_EVENTS = {
    *("tournament_started", "match_played", "disqualified", "voided", "tournament_finished"),
    "tournament_sealed",
}
UNREADABLE = ("corrupt", "unsupported", "incomplete")
FINE = ("sound", "imported")


class Finding(Exception):
    """Something is wrong with a log: the verdict, and why."""

    def __init__(self, verdict: str, reason: str) -> None:
        super().__init__(f"{verdict}: {reason}")
        self.verdict = verdict
        self.reason = reason


@dataclass
class Log:
    """What is kept of a log: its verdict, its two ends, and what a tournament needs of it."""

    path: Path
    verdict: str = "sound"
    reason: str = "bytes sound, rules not checked"
    start: dict[str, Any] = field(default_factory=dict)
    finish: dict[str, Any] = field(default_factory=dict)
    seal: dict[str, Any] = field(default_factory=dict)
    faults: list[dict[str, Any]] = field(default_factory=list)
    played: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def is_tournament(self) -> bool:
        """Whether it is a tournament's own log."""
        return self.start.get("type") == "tournament_started"

    @property
    def is_fine(self) -> bool:
        """Whether nothing is wrong so far."""
        return self.verdict in FINE

    def change(self, verdict: str, reason: str) -> None:
        """Give it another verdict."""
        self.verdict, self.reason = verdict, reason


@dataclass
class Signer:
    """The key that must have signed, and for which origin."""

    name: str
    id: bytes
    key: Ed25519PublicKey
    origin: str


# --- Files ----------------------------------------------------------------------------------------


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file; a pipe or a device might have no end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path}: not a regular file")
    return os.fdopen(descriptor, "rb")


def read_lines(path: Path) -> Any:
    """Yield the lines of a file one by one, with their LF."""
    with open_regular(path) as file:
        while line := file.readline(LINE_BYTES + 1):
            if len(line) > LINE_BYTES:
                raise Finding("corrupt", f"a line of more than {LINE_BYTES} bytes")
            yield line


def read_small(path: Path) -> bytes:
    """Return a file that holds a note or a proof."""
    with open_regular(path) as file:
        content = file.read(NOTE_BYTES + 1)
    if len(content) > NOTE_BYTES:
        raise Finding("forged", f"{path}: more than {NOTE_BYTES} bytes")
    return content


def hash_file(path: Path) -> bytes:
    """Return the SHA-256 of a file."""
    digest = sha256()
    with open_regular(path) as file:
        while piece := file.read(1 << 20):
            if b"\0" in piece:  # so that a file with a hole is not read to its end
                raise Finding("forged", f"{path}: a file with zero bytes, which no log has")
            digest.update(piece)
    return digest.digest()


def find_logs(path: Path) -> list[Path]:
    """Return the logs at a path: the file itself, or what a folder holds, without evidence."""
    if not path.is_dir():
        return [path]
    found = []
    for log in sorted(path.rglob("*.jsonl")):
        folders = list(log.relative_to(path).parts[:-1])
        if path.absolute().name == "matches":
            folders.insert(0, "matches")
        if "matches" in folders:  # whatever is below the matches counts as a match
            folders = folders[: folders.index("matches")]
        if "evidence" not in folders and log.is_file():
            found.append(log)
    return found or [path]


# --- One log: bytes, layout, sequence, seal -------------------------------------------------------


def parse_line(line: bytes, seq: int, newer: bool) -> dict[str, Any]:
    """Return the event in a line, which must be written as Koth writes it."""
    try:
        if newer and re.search(rb"[0-9][.e]", line):  # a newer format may have fractions
            return dict(json.loads(line))
        event = json.loads(line.decode(), parse_float=refuse, parse_constant=refuse)
        again = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError) as error:
        raise Finding("corrupt", f"line {seq + 1}: no JSON: {error!s:.80}") from None
    head = b'{"seq":%d,"type":"' % seq
    if again != line or not line.startswith(head) or not is_plain(event, 1, newer):
        raise Finding("corrupt", f"line {seq + 1}: not written as line {seq + 1} of a log is")
    return dict(event)


def refuse(text: str) -> None:
    """Refuse a number that is no integer."""
    raise ValueError(f"{text}: numbers are integers")


def is_plain(value: Any, depth: int, newer: bool) -> bool:
    """Return whether integers fit 64 bits (a newer format: unsigned), nested not too deep."""
    if isinstance(value, int):
        return bool(-(2**INT_BITS) <= value < 2 ** (INT_BITS + newer))
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return depth <= DEPTH and all(is_plain(part, depth + 1, newer) for part in parts)
    return True


def check_bytes(path: Path) -> bool:
    """Check layout, sequence and seal of a log; return whether it is sealed."""
    digest = sha256()
    first: dict[str, Any] = {}
    last: dict[str, Any] = {}
    last_line = b""
    count = 0
    for line in read_lines(path):
        if not line.endswith(b"\n"):  # a torn tail: the beginning of the next event
            head = b'{"seq":%d,"type":"' % count
            if not line.startswith(head[: len(line)]) or last.get("type") in SEALS:
                raise Finding("corrupt", "garbage after the last whole line")
            return False
        newer = first.get("format", FORMAT) != FORMAT
        event = parse_line(line[:-1], count, newer)
        if (event["type"] in STARTS) != (count == 0) or last.get("type") in SEALS:
            raise Finding("corrupt", f"line {count + 1}: a start or a seal is misplaced")
        digest.update(last_line)
        first = first or event
        last, last_line = event, line
        count += 1
    if last.get("type") not in SEALS:
        return False
    expected = {"events": count - 1, "sha256": digest.hexdigest()}
    if SEALS[last["type"]] != STARTS[first["type"]] or last | expected != last:
        raise Finding("corrupt", "changed after it was sealed")
    return True


# --- One log: fields and seed ---------------------------------------------------------------------


def check_fields(log: Log, sealed: bool, schemas: dict[str, Any]) -> None:
    """Check every event of a log against the schema of its game, and keep what is needed."""
    refs: dict[str, Any] = {}
    count = 0
    for line in read_lines(log.path):
        if not line.endswith(b"\n"):
            break
        event = json.loads(line)
        if count == 0:
            log.start = event
            refs = schema_of(event, schemas)
        check_event(log, event, refs)
        keep(log, event)
        count += 1
    if count == 0:
        raise Finding("incomplete", "no event")
    check_start(log.start)
    imported = "source" in log.start
    if ("seed_commitment" in log.start) == imported:
        raise Finding("corrupt", "a seed commitment in an imported log, or none in another")
    if not sealed:
        raise Finding("incomplete", f"no seal after {count} events")
    if ("seed" in log.seal) == imported:
        raise Finding("corrupt", "a seed in an imported log, or none in another")
    if not imported:
        seed = log.seal["seed"]
        if sha256(seed.encode()).hexdigest() != log.start["seed_commitment"]:
            raise Finding("forged", "the seed is not the one that was committed to")


def keep(log: Log, event: dict[str, Any]) -> None:
    """Keep what the chain needs of an event."""
    if event["type"] == "fault":
        log.faults.append({"seat": event["seat"], "kind": event["kind"]})
    elif event["type"] == "match_finished":
        log.finish = event
    elif event["type"] == "match_played":
        log.played[event["match"]] = event
    elif event["type"] in SEALS:
        log.seal = event


def schema_of(start: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the definitions for a log with this start, which is checked."""
    version = start.get("format")
    if not (isinstance(version, str) and re.fullmatch("koth-log/[1-9][0-9]{0,8}", version)):
        raise Finding("corrupt", "no format")
    if version != FORMAT:
        raise Finding("unsupported", f"{version}: a newer format")
    game = start.get("game")
    if isinstance(game, str) and game in schemas and start.get("rules") == f"{game}/1":
        return dict(schemas[game])
    check_unknown_start(start, schemas)
    raise Finding("unsupported", f"the game {game!s:.40} or its rules are not known")


def check_unknown_start(start: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Check the start of an unknown game: its fields are those of all games."""
    refs = dict(schemas[min(schemas)])
    name = "MatchStarted" if start["type"] == "match_started" else "TournamentStarted"
    fields = dict(refs[name]["properties"])
    people = "players" if name == "MatchStarted" else "entrants"
    fields[people] = {"type": "array", "items": fields[people]["items"]}
    fields["settings"] = {"type": "object"}
    schema = refs[name] | {"properties": fields}
    wrong = not conforms(start, schema, refs)
    if wrong or any(type(value) not in (int, str) for value in start["settings"].values()):
        raise Finding("corrupt", "line 1: not the start of a log")


def check_event(log: Log, event: dict[str, Any], refs: dict[str, Any]) -> None:
    """Check one event: its fields, and the seats and entrants that it names."""
    kind, where = event["type"], f"line {event['seq'] + 1}"
    schema = refs.get(kind.title().replace("_", ""))  # that of match_played is MatchPlayed
    fitting_log = (kind in TOURNAMENT_EVENTS) == log.is_tournament
    if schema is None or not fitting_log or not conforms(event, schema, refs):
        raise Finding("corrupt", f"{where}: not as the schema of the game has it")
    entrants = [row["entrant"] for row in event.get("standings", [])]
    if log.is_tournament:
        entrants += [*event.get("seats", []), event.get("entrant", 0)]
    if kind in ("match_played", "match_finished"):
        seats = len(event["seats"] if kind == "match_played" else log.start["players"])
        winners = event["winners"]
        named = winners + [fault["seat"] for fault in event.get("faults", [])]
        if len(event["scores"]) != seats or len(set(winners)) != len(winners):
            raise Finding("corrupt", f"{where}: not one score a seat, or a winner twice")
        if any(seat >= seats for seat in named):
            raise Finding("corrupt", f"{where}: a seat that there is not")
    if any(entrant >= max(1, len(log.start.get("entrants", []))) for entrant in entrants):
        raise Finding("corrupt", f"{where}: an entrant that there is not")


def check_start(start: dict[str, Any]) -> None:
    """Check what a start must hold beyond its schema."""
    people = start["players"] if "players" in start else start["entrants"]
    numbers = [one["seat"] if "players" in start else one["entrant"] for one in people]
    settings = start["settings"]
    wrong = numbers != list(range(len(people)))
    wrong |= len({one["name"] for one in people}) != len(people)
    if "players" in start:
        wrong |= settings.get("seats", len(people)) != len(people)
    if "games_per_entrant" in settings:
        most = settings["games_per_entrant"] * settings.get("seats", 0)
        wrong |= settings.get("min_games_per_entrant", 0) > most
    if "games_min" in settings:
        wrong |= settings["games_min"] > settings["games_max"]
    if wrong:
        raise Finding("corrupt", "players or settings that do not fit together")


def conforms(value: Any, schema: dict[str, Any], refs: dict[str, Any]) -> bool:
    """Return whether a value conforms to a JSON Schema, its fields in the order declared there."""
    if "$ref" in schema:
        schema = refs[schema["$ref"].removeprefix("#/$defs/")]
    types: dict[str, type] = {"integer": int, "string": str, "array": list, "object": dict}
    if type(value) is not types[schema["type"]]:
        return False
    whole: Any = value
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "pattern" in schema and not re.fullmatch(schema["pattern"], whole):
        return False
    size: int = whole if isinstance(whole, int) else len(whole)
    for limit in ("minimum", "minLength", "minItems"):
        if size < schema.get(limit, size):
            return False
    for limit in ("maximum", "maxLength", "maxItems"):
        if size > schema.get(limit, size):
            return False
    if isinstance(value, list) and "items" in schema:
        return all(conforms(item, schema["items"], refs) for item in value)
    if isinstance(value, dict) and "properties" in schema:
        fields = schema["properties"]
        needed = set(schema.get("required", fields)) | set(value)  # of the settings, all are
        if list(value) != [name for name in fields if name in needed]:
            return False
        return all(conforms(value[name], fields[name], refs) for name in value)
    return True


def examine(path: Path, schemas: dict[str, Any]) -> Log:
    """Return a log with the verdict on it, by itself."""
    log = Log(path)
    try:
        sealed = check_bytes(path)
        check_fields(log, sealed, schemas)
        if "source" in log.start:
            log.change("imported", "seen elsewhere, nothing to check")
            home = path.parent.parent if path.parent.name == "matches" else path.parent
            if not log.is_tournament and has_commitment(home / "tournament.jsonl"):
                raise Finding("forged", "imported, into a tournament that committed to a seed")
    except Finding as finding:
        log.change(finding.verdict, finding.reason)
    except OSError as error:
        log.change("corrupt", f"cannot be read: {error}")
    return log


def has_commitment(path: Path) -> bool:
    """Return whether a tournament's log begins with a commitment to a seed."""
    try:
        return "seed_commitment" in json.loads(next(read_lines(path)))
    except (OSError, ValueError, RecursionError, TypeError, StopIteration, Finding):
        return False


# --- A tournament and its matches -----------------------------------------------------------------


def check_tournaments(logs: dict[Path, Log], given: set[Path]) -> None:
    """Hold every log in the place of a tournament's against the logs among its matches."""
    inside: dict[Path, dict[str, Log]] = {}  # by the tournament's folder: logs below its matches
    for log in logs.values():
        for folder in (log.path.parent, *log.path.parent.parents):
            if folder.name == "matches":
                name = log.path.relative_to(folder).as_posix()
                inside.setdefault(folder.parent, {})[name] = log
    fine = [log for log in logs.values() if log.is_fine]
    homes = {log.path.parent for log in fine if log.is_tournament}
    for log in fine:
        if not log.is_tournament and log.path.name != "tournament.jsonl":
            continue
        above = [one.parent for one in log.path.parents if one.name == "matches"]
        if not homes.intersection(above):  # else it is one of another tournament's matches
            problem = find_problem(log, inside.get(log.path.parent, {}), logs, given)
            if problem:
                log.change("forged", problem)


def find_problem(
    own: Log, matches: dict[str, Log], logs: dict[Path, Log], given: set[Path]
) -> str | None:
    """Return why a tournament's log and its matches do not belong together, if they do not."""
    folder = own.path.parent / "matches"
    if not own.is_tournament:
        there = matches or folder.exists()
        return "the log of a match in the place of the tournament's" if there else None
    if own.verdict == "imported":
        committed = any(log.verdict == "sound" for log in matches.values())
        imported = any(log.is_fine and log.is_tournament for log in matches.values())
        return "imported, over matches that committed to seeds" if committed or imported else None
    files = {f"{match}.jsonl": line for match, line in own.played.items()}
    alone = own.path in given and not given.intersection((folder, *folder.parents))
    if alone:  # the log was named itself, without its folder: the matches may be elsewhere
        needed = bool(matches)
    else:
        needed = own.path.name == "tournament.jsonl" or bool(matches) or folder.exists()
    for name, line in files.items():
        if name not in matches:
            if needed and not (alone and (folder / name).exists()):
                return f"missing: the log of the match {name}"
        elif matches[name].is_fine:
            different = compare(own, line, matches[name])
            if different:
                return f"{folder / name}: another {different} than in the tournament's log"
    for name, log in matches.items():
        if log.is_fine and name not in files:
            return f"added: {folder / name} is no match of this tournament"
    return None


def compare(own: Log, line: dict[str, Any], match: Log) -> str | None:
    """Return the first thing in which a match's log does not fit its line in the tournament's."""
    if match.is_tournament or match.verdict != "sound":
        return "log"
    players = [own.start["entrants"][entrant] for entrant in line["seats"]]
    seed = f"{own.seal['seed']}:match:{line['match']}"
    same = ("tournament", "game", "rules", "settings")
    facts: dict[str, Any] = {key: (own.start[key], match.start[key]) for key in same}
    facts["settings"] = tuple(list(one["settings"].items()) for one in (own.start, match.start))
    facts["match"] = line["match"], match.start["match"]
    facts["players"] = tuple(
        [(one["name"], one["bot"]) for one in people]
        for people in (players, match.start["players"])
    )
    facts["seed"] = sha256(seed.encode()).hexdigest(), match.seal["seed"]
    facts["seal"] = line["seal"], match.seal["sha256"]
    facts["faults"] = line["faults"], match.faults
    for key in ("reason", "scores", "winners"):
        facts[key] = line[key], match.finish.get(key)
    return next((key for key, (said, found) in facts.items() if said != found), None)


# --- Checkpoints and proofs -----------------------------------------------------------------------


def check_signatures(logs: dict[Path, Log], signer: Signer | None, proof: bytes | None) -> None:
    """Hold tournaments against their checkpoints, or the one log against its proof."""
    if signer and proof is not None:
        for log in logs.values():
            hold(log, lambda log=log: check_proof(log.path, proof, signer))
        return
    covered: set[Path] = set()
    for log in logs.values():
        if log.path.name == "tournament.jsonl" and log.verdict not in UNREADABLE:
            files = [log.path.parent / "matches" / f"{match}.jsonl" for match in log.played]
            if hold(log, lambda log=log, files=files: check_checkpoint(log.path, files, signer)):
                covered.update(files)
    for log in logs.values():
        own = log.path.name == "tournament.jsonl"
        if signer and log.is_fine and not own and log.path not in covered:
            log.change("forged", "not shown to be signed: no valid checkpoint covers it")


def hold(log: Log, check: Any) -> bool:
    """Run a check; return whether it passes, and make a log that is fine so far forged if not."""
    try:
        check()
    except (Finding, OSError, ValueError) as error:
        if log.is_fine:
            log.change("forged", error.reason if isinstance(error, Finding) else str(error))
        return False
    return True


def check_checkpoint(own: Path, files: list[Path], signer: Signer | None) -> None:
    """Check the checkpoint beside a tournament's log, if there is one or a key asks for it."""
    path = own.with_name("checkpoint")
    if not signer and not path.exists():
        return
    size, root = read_note(read_small(path), signer)
    leaves = [sha256(b"\0" + hash_file(file)).digest() for file in [*files, own]]
    if size != len(leaves) or root != tree_root(leaves):
        raise Finding("forged", "the files are not those that were signed")


def check_proof(path: Path, proof: bytes, signer: Signer) -> None:
    """Check that a proof leads from a file to a signed root (RFC 6962, section 2.1.1)."""
    head, empty, note = proof.partition(b"\n\n")
    header, *lines = head.decode("ascii").split("\n")
    if header != "c2sp.org/tlog-proof@v1" or not empty:
        raise Finding("forged", "no proof")
    if lines and lines[0].startswith("extra "):
        decode(lines.pop(0).removeprefix("extra "))
    if not lines or not lines[0].startswith("index "):
        raise Finding("forged", "no index in the proof")
    index = number(lines[0].removeprefix("index "))
    hashes = [decode(line, 32) for line in lines[1:]]
    size, root = read_note(note, signer)
    node = sha256(b"\0" + hash_file(path)).digest()
    if index >= size:
        raise Finding("forged", "the proof's index is not below the tree's size")
    inner = (index ^ (size - 1)).bit_length()  # levels from which on all siblings are on the left
    if len(hashes) != inner + (index >> inner).bit_count():
        raise Finding("forged", "not as many hashes as the proof needs")
    for level, sibling in enumerate(hashes):
        on_the_left = level >= inner or index >> level & 1
        pair = sibling + node if on_the_left else node + sibling
        node = sha256(b"\1" + pair).digest()
    if node != root:
        raise Finding("forged", "the proof does not lead from this file to what was signed")


def read_note(note: bytes, signer: Signer | None) -> tuple[int, bytes]:
    """Return size and root of a checkpoint, signed by ``signer`` if there is one."""
    text = note.decode()
    if any(char < " " for char in set(text) - {"\n"}):
        raise Finding("forged", "a control character in the checkpoint")
    body, empty, tail = text.rpartition("\n\n")
    lines = body.split("\n")
    if not empty or not tail.endswith("\n") or len(lines) < 3 or not all(lines):
        raise Finding("forged", "no checkpoint: expected three lines, an empty one, signatures")
    signatures = [read_signature(line) for line in tail[:-1].split("\n")]
    if len(signatures) > 100:
        raise Finding("forged", "more than 100 signatures")
    size, root = number(lines[1]), decode(lines[2], 32)
    if signer:
        own = [
            code[4:] for name, code in signatures if (name, code[:4]) == (signer.name, signer.id)
        ]
        if not own or lines[0] != signer.origin:
            raise Finding("forged", "not signed by this key for this origin")
        try:
            for signature in own:
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
    """Return the key that is this text, or lies in the file of this name."""
    if Path(key).is_file():
        key = read_small(Path(key)).decode()
    name, id, code = key.strip().split("+", 2)
    content = b64decode(code)
    expected = sha256(f"{name}\n".encode() + content).digest()[:4]
    if id != expected.hex() or content[:1] != b"\1":
        raise ValueError("--key: no Ed25519 key, or changed")
    return Signer(name, expected, Ed25519PublicKey.from_public_bytes(content[1:]), origin)


def read_schemas(folder: Path) -> dict[str, Any]:
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
