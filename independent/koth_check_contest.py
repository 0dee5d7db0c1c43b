"""A second verifier of contests, on top of koth_check.py: it shares no code with Koth.

    python3 koth_check_contest.py [--schema DIR] DIR…

DIR is the folder of a contest (docs/log-format.md, "A contest on disk"). It checks the contest's
log, the files of each version of a bot, and the logs of all stages as koth_check.py does; then the
chain of seeds, and that each stage has the bots, the pairings, the seed and the files that the
contest's log names. It says "sound" where `koth verify` says "verified".
Exit status: 0 if all logs are sound, 1 if not, 2 for wrong usage.
"""

import argparse
import json
import unicodedata
from hashlib import sha256
from pathlib import Path
from typing import Any

import koth_check
from koth_check import Event, Finding, Log, Schemas

koth_check.STARTS["contest_started"] = "contest"
koth_check.SEALS["contest_sealed"] = "contest"


def examine(folder: Path, schemas: Schemas) -> list[Log]:
    """Return the logs of a contest with their verdicts, its own log last."""
    path = folder / "contest.jsonl"
    stages = folder / "stages"
    found = koth_check.find_logs(stages) if stages.is_dir() else []
    logs = {log: koth_check.examine(log, schemas) for log in found if log != stages}
    koth_check.check_tournaments(logs, {folder})
    contest = Log(path)
    try:
        events = read_contest(path, schemas)
        is_open = check_contest(folder, events, logs)
        if is_open or not path.read_bytes().endswith(b"\n"):
            raise Finding("incomplete", "a stage is open, or the last line is torn")
    except Finding as finding:
        contest.verdict, contest.reason = finding.args
    except OSError as error:
        contest.verdict, contest.reason = "corrupt", f"cannot be read: {error}"
    return [*logs.values(), contest]


def read_contest(path: Path, schemas: Schemas) -> list[Event]:
    """Return the events of a contest's log; check its bytes and its fields."""
    events = [*koth_check.read_events(path)]
    if events[0]["type"] != "contest_started":
        raise Finding("forged", "not the log of a contest")
    definitions = koth_check.schema_for(events[0], schemas)
    for event in events:
        schema = definitions.get(event["type"].title().replace("_", ""))
        if schema is None or not koth_check.conforms(event, schema, definitions):
            raise Finding("corrupt", f"line {event['seq'] + 1}: not as the schema has it")
    return events


def check_contest(home: Path, events: list[Event], logs: dict[Path, Log]) -> bool:
    """Check the events of a contest in their order; return whether a stage is not finished.

    ``logs`` are the logs of its stages, with the verdict on each.
    """
    start = events[0]
    link, finished, beacon = start["seed_commitment"], 0, ""
    names: list[str] = []  # in the order in which they were entered first
    bots: dict[str, str] = {}  # the hash of each bot that is in
    stages: list[list[tuple[str, str]]] = []  # the versions that were in each finished stage
    entrants: list[tuple[str, str]] | None = None  # of the stage that is open
    for event in events[1:]:
        event_type, name = event["type"], event.get("name", "")
        if event_type in ("entered", "revised"):
            alike = [other for other in names if other != name and folded(other) == folded(name)]
            again = bots.get(name) == event["bot"]
            if (name in bots) != (event_type == "revised") or alike or again:
                raise Finding("forged", f"{name}: an entry that cannot be")
            check_files(home / "bots", event)
            bots[name] = event["bot"]
            names += [] if name in names else [name]
        elif event_type == "withdrawn":
            if bots.pop(name, None) is None:
                raise Finding("forged", f"{name}: withdrawn, and not in")
        elif event_type == "stage_started":
            if entrants is not None or event["stage"] != finished + 1:
                raise Finding("forged", f"stage {event['stage']}: not the next one")
            entrants = [(name, bots[name]) for name in names if name in bots]
            beacon = event.get("beacon", "")
        elif event_type == "stage_finished":
            if entrants is None or event["stage"] != finished + 1:
                raise Finding("forged", f"stage {event['stage']}: not begun")
            if sha256(event["seed"].encode()).hexdigest() != link:
                raise Finding("forged", f"stage {event['stage']}: a seed that is not in the chain")
            stage_log = home / "stages" / f"{finished + 1:04}" / "tournament.jsonl"
            check_stage(start, event, beacon, entrants, stages, stage_log, logs.get(stage_log))
            stages.append(entrants)
            link, finished, entrants = event["seed"], finished + 1, None
        elif entrants is not None:
            raise Finding("forged", "sealed while a stage is open")
    begun = finished + (entrants is not None)
    folders = {log.relative_to(home / "stages").parts[0] for log in logs}
    if added := sorted(folders - {f"{number:04}" for number in range(1, begun + 1)}):
        raise Finding("forged", f"stages/{added[0]}: no stage of this contest")
    return entrants is not None


def folded(name: str) -> str:
    """Return a name without its case and its encoding."""
    return unicodedata.normalize("NFKC", name).casefold()


def check_files(bots: Path, entry: Event) -> None:
    """Check that the files of a bot have the recorded hash ("The hash of a bot")."""
    folder = bots / entry["name"] / entry["bot"][:12]
    if not bots.exists():
        return
    lines = []
    for path in sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).as_posix()):
        if path.is_symlink():
            raise Finding("forged", f"{path}: a link")
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            quoted = name.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
            mark = "\\" if quoted != name else ""
            lines.append(f"{mark}{sha256(path.read_bytes()).hexdigest()}  {quoted}\n")
    for key, word in (("command", "command"), ("class_name", "class")):
        if key in entry:
            text = json.dumps(entry[key], ensure_ascii=False, separators=(",", ":"))
            lines.append(f"{word} {text}\n")
    content = "".join(lines).encode(errors="surrogateescape")
    if sha256(content).hexdigest() != entry["bot"]:
        raise Finding("forged", f"{entry['name']}: not the files that were entered")


def check_stage(
    start: Event,
    finished: Event,
    beacon: str,
    entrants: list[tuple[str, str]],
    earlier: list[list[tuple[str, str]]],
    path: Path,
    stage: Log | None,
) -> None:
    """Check the tournament of a finished stage; ``earlier`` are the versions in each before it."""
    number = finished["stage"]
    if stage is None:
        raise Finding("forged", f"stage {number}: missing")
    if stage.verdict in ("corrupt", "unsupported", "incomplete"):
        raise Finding(stage.verdict, f"stage {number}: its tournament is {stage.verdict}")
    pairs = [[one, two] for two in range(len(entrants)) for one in range(two)]
    missing = sorted(
        [one, two]
        for one, two in pairs
        if not any(entrants[one] in before and entrants[two] in before for before in earlier)
    )
    some = start["plays"] == "pairings" and len(missing) < len(pairs)
    pairings = missing if some else None
    files = [path.parent / "matches" / f"{match}.jsonl" for match in stage.played]
    leaves = [koth_check.leaf_hash(file) for file in [*files, path] if file.exists()]
    seed = sha256(f"{finished['seed']}:beacon:{beacon}".encode()).hexdigest()
    played = [(entrant["name"], entrant["bot"]) for entrant in stage.start["entrants"]]
    fields: list[tuple[str, Any, Any]] = [  # name, expected, actual
        ("tournament", f"{start['contest']}/{number:04}", stage.start["tournament"]),
        *((key, start[key], stage.start[key]) for key in ("game", "rules", "settings")),
        ("entrants", entrants, played),
        ("pairings", pairings, stage.start.get("pairings")),
        ("seed", seed, stage.seal.get("seed")),
        ("files", finished["files"], len(leaves)),
        ("root", finished["root"], koth_check.tree_root(leaves).hex()),
    ]
    for name, expected, actual in fields:
        if expected != actual:
            raise Finding("forged", f"stage {number}: another {name} than expected")
    if not stage.is_good:
        raise Finding(stage.verdict, f"stage {number}: its tournament is {stage.verdict}")


def main() -> int:
    """Check the contests that the command line names; return the exit status."""
    parser = argparse.ArgumentParser(description="Check contests of Koth without Koth's code.")
    parser.add_argument("--schema", metavar="DIR", help="folder of the files of `koth schema GAME`")
    parser.add_argument("paths", metavar="DIR", nargs="+", type=Path, help="folders of contests")
    options = parser.parse_args()
    folder = options.schema or Path(__file__).resolve().parents[1] / "schema" / "json"
    try:
        schemas = koth_check.read_schemas(Path(folder))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    logs = [log for path in options.paths for log in examine(path, schemas)]
    for log in logs:
        text = f"{log.path}: {log.verdict}: {log.reason}"
        print("".join(char if char.isprintable() else ascii(char)[1:-1] for char in text))
    return 0 if all(log.is_good for log in logs) else 1


if __name__ == "__main__":
    raise SystemExit(main())
