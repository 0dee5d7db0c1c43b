"""A second verifier of Koth's logs: one file that shares no code with Koth, to read at a sitting.

    python3 koth_check.py [--schema DIR] [--key VKEY --origin NAME [--proof FILE]] PATH…

It checks bytes, fields, seals, seeds, tournaments, checkpoints and proofs, not the rules: it says
sound where `koth verify` says verified or diverged. Exit: 0 all sound or imported, 1 not, 2 usage.
"""

import argparse
import json
import re
from base64 import b64decode
from hashlib import sha256
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

STARTS, SEALS = ("match_started", "tournament_started"), ("match_sealed", "tournament_sealed")
OWN = (STARTS[1], SEALS[1], "match_played", "disqualified", "voided", "tournament_finished")
SAME = "tournament game rules settings match players seed faults reason scores winners seal"
TYPES: dict[str, Any] = {"integer": int, "string": str, "array": list, "object": dict}
LINE, NUMBER, CODE = "([^\0-\x1f]+)\n", "(0|[1-9][0-9]{0,18})", "[A-Za-z0-9+/]"
HASH, SIGNED = f"({CODE}{{42}}[AEIMQUYcgkosw048]=)", f"— ([^\\s+\0-\x1f]+) ({CODE}+={{0,2}})\n"
NOTE = f"({LINE}{NUMBER}\n{HASH}\n(?:{LINE})*)\n((?:{SIGNED}){{1,100}})"
PROOF = f"c2sp\\.org/tlog-proof@v1\n(?:extra .*\n)?index {NUMBER}\n((?:{HASH}\n)*)\n((?s:.*))"


def _must(truth: object, otherwise: str) -> None:  # otherwise: the verdict, and why
    if not truth:
        raise AssertionError(otherwise)


def _read(data: bytes, schemas: Any) -> list[Any]:  # the events of a log, which is sound by itself
    *lines, torn = data.split(b"\n")
    events = [json.loads(line.decode(), parse_constant=int) for line in lines]  # int refuses NaN
    again = [json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() for one in events]
    heads = [b'{"seq":%d,"type":"' % seq for seq in range(len(lines) + 1)]
    fits = again == lines and all(map(bytes.startswith, lines, heads))
    _must(fits and torn.startswith(heads[-1][: len(torn)]), "corrupt: not written as a log is")
    marks = dict(zip((*STARTS, *SEALS), "([)]", strict=True))
    order = "".join(marks.get(one["type"], ".") for one in events) + "~" * bool(torn)
    _must(re.fullmatch(r"([(\[]\.*)?~?|\(\.*\)|\[\.*\]", order), "corrupt: start or seal misplaced")
    _must(events, "incomplete: no event")
    start, end, sealed = events[0], events[-1], order[-1] in ")]"
    seal = {"events": len(lines) - 1, "sha256": sha256(data[: -len(lines[-1]) - 1]).hexdigest()}
    _must(not sealed or end | seal == end, "corrupt: changed after it was sealed")
    _must(re.fullmatch("koth-log/[1-9][0-9]{0,8}", str(start.get("format"))), "corrupt: format")
    _must(start["format"] == "koth-log/1", "unsupported: a newer format")
    _check_fields(events, schemas)
    seeds = [start.get("seed_commitment"), end.get("seed")][: 1 + sealed]
    _must({one is None for one in seeds} == {"source" in start}, "corrupt: seed or commitment")
    _must(sealed, f"incomplete: no seal after {len(events)} events")
    _must("source" in start or sha256(seeds[1].encode()).hexdigest() == seeds[0], "forged: seed")
    return events


def _check_fields(events: list[Any], schemas: Any) -> None:  # and numbers that refer to others
    start, game = events[0], str(events[0].get("game"))
    known = game in schemas and start.get("rules") == f"{game}/1"
    refs = schemas[game] if known else max(schemas.items())[1] | {"Settings": {"type": "object"}}
    people = start.get("players", start.get("entrants"))
    for event in events:
        kind, at = event["type"], f"corrupt: line {event['seq'] + 1}"
        schema = refs.get(kind.title().replace("_", ""))  # that of match_played is MatchPlayed
        fits = schema and (kind in OWN) == (start["type"] in OWN) and _conforms(event, schema, refs)
        _must(fits, f"{at}: not as the schema of the game has it")
        _must(known, f"unsupported: the game {game:.40} or its rules")
        if kind in ("match_finished", *OWN):
            table, winners = event.get("seats", people), event.get("winners", [])
            rows = [row for row in event.get("standings", [event]) if "entrant" in row]
            entrants = [row["entrant"] for row in rows] + event.get("seats", [])
            seats = winners + [fault["seat"] for fault in event.get("faults", [])]
            fits = max(entrants, default=-1) < len(people) and max(seats, default=-1) < len(table)
            many = len(event.get("scores", table)), len({*winners})
            _must(fits and many == (len(table), len(winners)), f"{at}: not of those who play")
    get, numbers = start["settings"].get, range(len({one["name"] for one in people}))
    fits = [one.get("seat", one.get("entrant")) for one in people] == [*numbers]
    fits &= "entrants" in start or len(people) == get("seats", len(people))
    fits &= get("min_games_per_entrant", 0) <= get("games_per_entrant", 0) * get("seats", 0)
    _must(fits and get("games_min", 0) <= get("games_max", 0), "corrupt: players or settings")


def _conforms(value: Any, schema: Any, refs: Any) -> bool:  # to JSON Schema; fields in its order
    schema = refs[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    if type(value) is not TYPES[schema["type"]]:
        return False
    size = value if type(value) is int else len(value)
    fits = all(schema[key] <= size for key in schema if key.startswith("min"))
    fits &= all(schema[key] >= size for key in schema if key.startswith("max"))
    fits &= value in schema.get("enum", [schema.get("const", value)])
    fits &= "pattern" not in schema or bool(re.fullmatch(schema["pattern"], value))
    parts = [(item, schema["items"]) for item in value] if "items" in schema else []
    if fields := schema.get("properties"):
        needed = {*schema.get("required", fields), *value}  # of the settings, all are
        fits &= [*value] == [key for key in fields if key in needed]
        parts = [(value[key], fields[key]) for key in fields if key in value]
    return fits and all(_conforms(part, its, refs) for part, its in parts)


def _check_chain(path: Path, own: list[Any], given: Any) -> list[Path]:  # all files of a tournament
    start, folder = own[0], path.with_name("matches")
    lines = {folder / f"{one['match']}.jsonl": one for one in own if one["type"] == "match_played"}
    here = "source" in start or not folder.exists() or all(file.is_file() for file in lines)
    _must(here, "forged: the log of a match is missing")
    for file in [file for file in given.sound if folder in file.parents]:
        first, *faults, finish, end = given.sound[file]
        _must(file in lines and "source" not in start, f"forged: {file} is no match of it")
        said, found = start | lines[file], finish | end | first | {"seal": end["sha256"]}
        said["seed"] = sha256(f"{own[-1]['seed']}:match:{said['match']}".encode()).hexdigest()
        said["players"] = [[*start["entrants"][number].values()][1:] for number in said["seats"]]
        found["players"] = [[*one.values()][1:] for one in first["players"]]
        found["faults"] = [{"seat": one["seat"], "kind": one["kind"]} for one in faults]
        wrong = [key for key in SAME.split() if said[key] != found.get(key)]
        _must(not wrong, f"forged: {file} has another {', '.join(wrong)}")
    return [*lines, path]


def _check_signed(files: list[Path], given: Any) -> None:  # by the checkpoint, or the proof
    proof: Any = re.match(PROOF, given.proof or "")
    note = proof[4] if proof else files[-1].with_name("checkpoint").read_bytes().decode()
    found: Any = (proof or given.proof is None) and re.fullmatch(NOTE, note)
    _must(found, "forged: no proof, or no signed checkpoint")
    if given.key:  # name, id, key
        signed = [(whose, b64decode(code)) for whose, code in re.findall(SIGNED, found[6])]
        mine = [code[4:] for whose, code in signed if (whose, code[:4]) == given.key[:2]]
        _must(mine and found[2] == given.origin, "forged: not signed by this key for this origin")
        for signature in mine:
            given.key[2].verify(signature, found[1].encode())
    size, files = int(found[3]), files[-1:] if proof else files
    nodes = [sha256(b"\0" + sha256(file.read_bytes()).digest()).digest() for file in files]
    node, fits = _root(nodes), size == len(nodes)
    if proof:  # RFC 6962, 2.1.1: level by level, from the leaf to the root
        index, path = int(proof[1]), [b64decode(code) for code in proof[2].split()]
        inner = (index ^ (size - 1)).bit_length()  # from there up, all others are on the left
        fits = index < size and len(path) == inner + (index >> inner).bit_count()
        for level, other in enumerate(path):
            left = level >= inner or index >> level & 1
            node = sha256(b"\1" + (other + node if left else node + other)).digest()
    _must(fits and node == b64decode(found[4]), "forged: not what was signed")


def _root(nodes: list[bytes]) -> bytes:  # over the hashes of leaves (RFC 6962, 2.1)
    half = 1 << (len(nodes) - 1).bit_length() >> 1
    return sha256(b"\1" + _root(nodes[:half]) + _root(nodes[half:])).digest() if half else nodes[0]


def _check(path: Path, given: Any) -> str:  # the verdict on a log, and why
    events: list[Any] = []
    try:
        events = _read(path.read_bytes(), given.schemas)
        start, home = events[0], path.parents[path.parent.name == "matches"]
        own = home / "tournament.jsonl"
        files = _check_chain(path, events, given) if path == own or "entrants" in start else [path]
        if "source" in start and "players" in start and own.is_file():
            committed = b',"seed_commitment":' in own.read_bytes().split(b"\n")[0]
            _must(not committed, "forged: imported, into a tournament that committed to a seed")
        kept = [start, *(one for one in events if one["type"] == "fault"), *events[-2:]]
        given.sound |= {path: kept} if "source" not in start else {}
        if given.key and given.proof is None and path != own:
            named = b'"match":"%b","seats":' % path.stem.encode() in own.read_bytes()
            fits = named and own in given.logs and path.parent == home / "matches"
            _must(fits, "forged: nothing here shows that it was signed")
        elif given.key or (path == own and (home / "checkpoint").exists()):
            _check_signed(files, given)
    except Exception as error:  # whatever it is, something is not in order
        known = isinstance(error, AssertionError)
        return str(error) if known else f"{'forged' if events else 'corrupt'}: {error!r:.99}"
    return "imported: not ours" if "source" in start else "sound: bytes sound, rules not checked"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    for option in ("--schema", "--key", "--origin", "--proof"):
        parser.add_argument(option)
    parser.add_argument("paths", nargs="+", type=Path)
    given = parser.parse_args(namespace=argparse.Namespace(logs=[], sound={}))
    try:
        folder = Path(given.schema or Path(__file__).resolve().parents[1] / "schema" / "json")
        given.schemas = {f.stem: json.loads(f.read_bytes())["$defs"] for f in folder.glob("*.json")}
        for path in given.paths:
            path.stat()
            found = [log for log in sorted(path.rglob("*.jsonl")) if log.is_file()]
            given.logs += [log for log in found if log.parent.name != "evidence"] or [path]
        if given.key:
            text = Path(given.key).read_text() if Path(given.key).is_file() else given.key
            name, _, code = text.strip().split("+", 2)
            id = sha256(f"{name}\n".encode() + b64decode(code)).digest()[:4]
            given.key = name, id, Ed25519PublicKey.from_public_bytes(b64decode(code)[1:])
        given.proof = given.proof and Path(given.proof).read_bytes().decode()
    except (OSError, ValueError, LookupError) as error:
        parser.error(str(error))
    key, origin, proof = bool(given.key), bool(given.origin), given.proof is not None
    if not given.schemas or key != origin or proof > key:
        parser.error("expected JSON Schemas; --key with --origin; --proof with both and one log")
    logs = sorted(given.logs, key=lambda path: (path.parent.name != "matches", path))
    told = {path: _check(path, given) for path in dict.fromkeys(logs)}
    for line in (f"{path}: {verdict}" for path, verdict in told.items()):
        print("".join(char if char.isprintable() else ascii(char)[1:-1] for char in line))
    raise SystemExit(not all(one.startswith(("sound", "imported")) for one in told.values()))
