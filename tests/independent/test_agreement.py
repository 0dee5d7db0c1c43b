"""The second verifier and ``koth verify`` agree where one of them once read more laxly."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import tracemalloc
from base64 import b64encode
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from koth.cli.main import status
from replay.signatures import signing
from schema import merkle, registry
from schema.jsonschema import dumps, of_game
from schema.signed_note import Checkpoint, PrivateKey
from tests import contests
from tests.corpus.entries import Files
from tests.corpus.honest import (
    Honest,
    imported,
    refielded,
    sealed_without_seed,
    tournament,
)
from tests.factories import loads, match_events, printed, sealed
from tests.game_factory import install
from tests.independent.conftest import KEY
from tests.independent.test_contests import sign
from tests.independent.test_koth_check import run

PINNED = ["--key", str(KEY.public), "--origin", KEY.name]
OWN, FIRST = "tournament.jsonl", "matches/1-000000.jsonl"


def answers(*words: object) -> tuple[int, dict[str, str], dict[str, str]]:
    """Return the exit status of both programs, and their verdicts by path."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        expected = status(["verify", "--format", "json", *map(str, words)])
    logs = json.loads(out.getvalue())["logs"] if out.getvalue() else []
    found, text = run(*words)
    verdicts = dict(re.findall(r"^(.+?): ([a-z]+): ", text, re.MULTILINE)) if found != 2 else {}
    assert found == expected, text
    return found, {log["path"]: log["verdict"] for log in logs}, verdicts


def agreed(home: Path, *words: object) -> dict[str, str]:
    """Return the verdicts on the logs at ``home``, on which both programs agree."""
    _, expected, verdicts = answers(*words, home)
    same = {path: {"verified": "sound"}.get(name, name) for path, name in expected.items()}
    assert verdicts == same
    return {Path(path).relative_to(home).as_posix(): name for path, name in same.items()}


def written(home: Path, files: Files) -> Path:
    """Write files to a folder, and return it."""
    for name, data in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(data)
    return home


def seen_elsewhere(data: bytes) -> bytes:
    """Return a log as if it was imported."""
    return sealed_without_seed(imported(Honest(data).events))


# --- Logs -----------------------------------------------------------------------------------------


def paired(game: str, pairings: object, seen: bool) -> bytes:
    """Return the log of a tournament with these pairings; imported if it was ``seen``."""
    [start, *events] = Honest(tournament(game)[OWN]).events
    commitment = start.pop("seed_commitment")
    start |= {"pairings": pairings}
    start |= {"source": "imported"} if seen else {"seed_commitment": commitment}
    return sealed_without_seed([start, *events]) if seen else sealed([start, *events])


@pytest.mark.parametrize("seen", [True, False])
@pytest.mark.parametrize(
    ("game", "pairings"),
    [
        ("coins", [[0, 1]]),
        ("smallest_unique", [[0, 1]]),
        ("coup", []),
        ("coup", [[1, 0]]),
        ("coup", [[0, 0]]),
        ("coup", [[0, 2]]),
        ("coup", [[0, 1], [0, 1]]),
        ("coup", [[0, 1, 1]]),
    ],
)
def test_wrong_pairings_are_corrupt(
    game: str, pairings: object, seen: bool, tmp_path: Path
) -> None:
    """Pairings that a tournament cannot have are corrupt, also in an imported log."""
    home = written(tmp_path, {"log.jsonl": paired(game, pairings, seen)})
    assert agreed(home) == {"log.jsonl": "corrupt"}


def test_right_pairings_are_accepted(tmp_path: Path) -> None:
    """An imported tournament of Coup may have pairings; those of an unknown game are not known."""
    log = paired("coup", [[0, 1]], True)
    assert agreed(written(tmp_path, {"log.jsonl": log})) == {"log.jsonl": "imported"}
    for pairings, verdict in (([[1, 0]], "unsupported"), ([], "corrupt")):
        [start, *events, _] = loads(paired("coup", pairings, True))
        log = sealed_without_seed([start | {"game": "chess"}, *events])
        assert agreed(written(tmp_path, {"log.jsonl": log})) == {"log.jsonl": verdict}


def test_a_tournament_without_entrants_has_no_first_one(tmp_path: Path) -> None:
    """A tournament without entrants that names entrant 0 is corrupt."""
    log = refielded(Honest(tournament("coins")[OWN]), 0, lambda start: start.update(entrants=[]))
    home = written(tmp_path, tournament("coins") | {OWN: log})
    assert agreed(home)[OWN] == "corrupt"


def played_contest(cup: Path) -> Files:
    """Return the log of a new contest."""
    contests.new(cup)
    return {"matches/contest.jsonl": (cup / "contest.jsonl").read_bytes()}


@pytest.mark.parametrize("kind", ["match", "tournament", "contest"])
def test_nothing_played_is_hidden_under_the_name_of_a_contest(kind: str, tmp_path: Path) -> None:
    """An imported tournament is forged if a log that committed to a seed is among its matches.

    An imported log there changes nothing, nor does a damaged one.
    """
    files = tournament("coins")
    home = written(tmp_path / "home", {OWN: seen_elsewhere(files[OWN])})
    hidden = {"match": files[FIRST], "tournament": files[OWN]}
    log = hidden.get(kind) or played_contest(tmp_path / "cup")["matches/contest.jsonl"]
    written(home, {"matches/contest.jsonl": log})
    assert agreed(home)[OWN] == "forged"
    for other in (seen_elsewhere(files[FIRST]), b"{}\n"):
        written(home, {"matches/contest.jsonl": other})
        assert agreed(home)[OWN] == "imported"


def test_what_is_named_as_a_contest_among_matches_is_added(tmp_path: Path) -> None:
    """A tournament that was played has no contest among its matches, not even a damaged one."""
    files = tournament("coins") | {"matches/contest.jsonl": b"{}\n"}
    assert agreed(written(tmp_path, files))[OWN] == "forged"


@pytest.mark.parametrize("name", [FIRST, "matches/other.jsonl", OWN])
def test_the_log_of_a_contest_is_no_other(name: str, tmp_path: Path) -> None:
    """A tournament is forged if a contest's log is in the place of a match's, or of its own."""
    [log] = played_contest(tmp_path / "cup").values()
    home = written(tmp_path / "home", tournament("coins") | {name: log})
    assert agreed(home)[OWN] == "forged"


@pytest.mark.parametrize(
    ("end", "verdict"),
    [
        (b'{"seq":1,"type":"stage_started","stage":1}\n', "forged"),
        (b'{"seq":1,"type":"stage_sta', "incomplete"),
    ],
)
@pytest.mark.parametrize("name", [FIRST, "matches/other.jsonl"])
def test_a_contest_with_a_finding_is_no_match(
    end: bytes, verdict: str, name: str, tmp_path: Path
) -> None:
    """A tournament is forged if a match's log is that of a contest, also of a bad contest."""
    [log] = played_contest(tmp_path / "cup").values()
    log += end
    home = written(tmp_path / "home", tournament("coins") | {name: log})
    verdicts = agreed(home)
    assert (verdicts[OWN], verdicts[name]) == ("forged", verdict)


def test_a_contest_among_matches_has_stages(unsigned_cup: Path, tmp_path: Path) -> None:
    """A contest with its stages among the matches of a tournament is read as anywhere else."""
    home = written(tmp_path / "home", tournament("coins"))
    unsigned_cup.rename(home / "matches/cup")
    verdicts = agreed(home)
    assert (verdicts[OWN], verdicts["matches/cup/contest.jsonl"]) == ("forged", "sound")


@pytest.mark.parametrize("played", [True, False])
def test_a_tournament_among_imported_matches(played: bool, tmp_path: Path) -> None:
    """An imported tournament is forged if a tournament among its matches was played."""
    own = Honest(tournament("coins")[OWN])
    empty = sealed(own.events, own.seed) if played else seen_elsewhere(own.data)
    files = {OWN: seen_elsewhere(own.data), "matches/inner/tournament.jsonl": empty}
    assert agreed(written(tmp_path, files))[OWN] == ("forged" if played else "imported")


FIRST_LINES: dict[str, Callable[[bytes], bytes]] = {
    "NaN": lambda line: line.replace(b"{", b'{"x":NaN,', 1),
    "large": lambda line: line.replace(b"{", b'{"x":1e400,', 1),
    "mark": lambda line: b"\xef\xbb\xbf" + line,
    "surrogate": lambda line: line.replace(b"{", rb'{"x":"\ud800",', 1),
    "cut": lambda line: line[:-9],
    "utf-16": lambda line: line.decode().encode("utf-16"),
    "space": lambda line: line.replace(b":", b" : "),
    "list": lambda line: b'["seed_commitment"]\n',
    "value": lambda line: line.replace(b"seed_commitment", b"other").replace(b"bot0", b"seed_c"),
}


@pytest.mark.parametrize("change", FIRST_LINES.values(), ids=FIRST_LINES)
def test_a_damaged_commitment_is_one(change: Callable[[bytes], bytes], tmp_path: Path) -> None:
    """Both read the commitment of a tournament whose first line is damaged in the same way."""
    files = tournament("coins")
    [start, *others] = files[OWN].splitlines(keepends=True)
    home = written(tmp_path, files | {FIRST: seen_elsewhere(files[FIRST])})
    written(home, {OWN: b"".join([change(start), *others])})
    _, expected, verdicts = answers(home / FIRST)
    assert verdicts == expected
    committed = b'"seed_commitment":' in change(start).replace(b" ", b"")
    assert [*verdicts.values()] == ["forged" if committed else "imported"]
    assert agreed(home)[OWN] == "corrupt"


def test_a_match_that_diverged_is_compared_too(tmp_path: Path) -> None:
    """A match with an edited result has diverged; the second verifier calls its tournament forged.

    It does not know that the match diverged, and `koth verify` compares no match that did.
    """
    files = tournament("coins")
    log = Honest(files[FIRST])
    score = log.seq("match_finished")
    files[FIRST] = refielded(log, score, lambda event: event.update(scores=[9, 9]))
    status, expected, verdicts = answers(written(tmp_path, files))
    assert status == 1
    own, first = str(tmp_path / OWN), str(tmp_path / FIRST)
    assert (expected[own], expected[first]) == ("verified", "diverged")
    assert (verdicts[own], verdicts[first]) == ("forged", "sound")


def test_the_log_of_a_contest_has_any_name(unsigned_cup: Path, tmp_path: Path) -> None:
    """The log of a contest whose events cannot follow each other is forged under every name."""
    events = contests.events(unsigned_cup)
    contests.rewrite(unsigned_cup, [*events, events[1]])
    for name in ("final.jsonl", "other/tournament.jsonl"):
        home = written(tmp_path / "home", {name: (unsigned_cup / "contest.jsonl").read_bytes()})
        assert agreed(home)[name] == "forged"


@pytest.mark.parametrize(("kept", "verdict"), [(False, "sound"), (True, "forged")])
@pytest.mark.parametrize("name", [".", ".."])
def test_the_name_of_a_bot_is_that_of_a_folder(
    name: str, kept: bool, verdict: str, tmp_path: Path
) -> None:
    """The files of a bot are looked for only beside others, also if its name leads elsewhere."""
    cup = tmp_path / "cup"
    contests.new(cup)
    if not kept:
        (cup / "bots").rmdir()
    bot = {"type": "entered", "name": name, "bot": "a" * 64}
    contests.rewrite(cup, [*contests.events(cup), bot])
    assert agreed(cup) == {"contest.jsonl": verdict}


def test_a_first_stage_of_many_bots_takes_little_memory(tmp_path: Path) -> None:
    """The pairs of the first stage are not listed: those of 10,000 bots would take gigabytes."""
    contests.new(tmp_path / "cup")
    events = contests.events(tmp_path / "cup")
    chain_seed = "7" * 64
    events[0]["seed_commitment"] = sha256(chain_seed.encode()).hexdigest()
    hashes = (sha256(b"%d" % number).hexdigest() for number in range(1000))
    events += [{"type": "entered", "name": bot[:12], "bot": bot} for bot in hashes]
    events += [
        {"type": "stage_started", "stage": 1},
        {"type": "stage_finished", "stage": 1, "seed": chain_seed, "files": 3, "root": "0" * 64},
    ]
    contests.rewrite(tmp_path / "cup", events)
    log = (tmp_path / "cup/contest.jsonl").rename(tmp_path / "log.jsonl")
    tracemalloc.start()
    try:
        assert agreed(log) == {".": "sound"}
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_versions_whose_hashes_begin_alike_are_forged(tmp_path: Path) -> None:
    """Two versions of a bot cannot have one folder."""
    contests.new(tmp_path / "cup")
    events = contests.events(tmp_path / "cup")
    for kind, digits in (("entered", "a"), ("revised", "b")):
        events.append({"type": kind, "name": "anna", "bot": "c" * 12 + digits * 52})
    contests.rewrite(tmp_path / "cup", events)
    (tmp_path / "cup/contest.jsonl").rename(tmp_path / "log.jsonl")
    assert agreed(tmp_path / "log.jsonl") == {".": "forged"}


def test_a_hole_among_the_files_of_a_bot_is_forged(unsigned_cup: Path) -> None:
    """A contest is forged if a bot has more bytes than any bot can have, as in a file of holes."""
    [bot] = (unsigned_cup / "bots/anna").glob("*")
    with (bot / "hole").open("wb") as file:
        file.truncate(1 << 40)
    assert agreed(unsigned_cup)["contest.jsonl"] == "forged"


def test_a_hole_in_a_signed_contest_is_corrupt(cup: Path) -> None:
    """The log of a contest with a hole of a terabyte is corrupt, also where it should be signed."""
    with (cup / "contest.jsonl").open("r+b") as file:
        file.truncate(1 << 40)
    assert agreed(cup, *PINNED)["contest.jsonl"] == "corrupt"


def test_logs_beside_a_thousand_folders_inside_each_other(tmp_path: Path) -> None:
    """A log that is a thousand folders down gets a verdict, as all others do."""
    home = written(tmp_path, tournament("coins"))
    folder = home / "matches"
    for _ in range(1100):
        folder /= "d"
        folder.mkdir()
    (folder / "log.jsonl").write_bytes(b"{}\n")
    try:
        verdicts = agreed(home)
    finally:  # pytest cannot remove so many
        subprocess.run(["rm", "-r", str(home / "matches/d")], check=True)
    assert [*verdicts.values()].count("corrupt") == 1
    assert {*verdicts.values()} == {"corrupt", "sound"}


@pytest.mark.parametrize("own", [FIRST, "contest"])
def test_a_stage_has_the_log_of_a_tournament(own: str, unsigned_cup: Path) -> None:
    """A contest is forged if another log is in the place of that of a stage's tournament."""
    stage = unsigned_cup / "stages/0001"
    log = (
        unsigned_cup / "contest.jsonl" if own == "contest" else stage / "matches/1-000001.jsonl"
    ).read_bytes()
    (stage / OWN).write_bytes(log)
    shutil.rmtree(stage / "matches")
    assert agreed(unsigned_cup)["contest.jsonl"] == "forged"


@pytest.mark.parametrize("folder", ["evidence", "matches", "inner"])
def test_the_log_of_a_stage_elsewhere_in_its_folder(folder: str, unsigned_cup: Path) -> None:
    """A stage whose tournament's log is in another folder is incomplete."""
    stage = unsigned_cup / "stages/0001"
    (stage / folder).mkdir(exist_ok=True)
    (stage / OWN).rename(stage / folder / OWN)
    _, expected, verdicts = answers(unsigned_cup / "contest.jsonl", stage / folder / OWN)
    own = str(unsigned_cup / "contest.jsonl")
    assert expected[own] == verdicts[own] == "incomplete"


@pytest.mark.parametrize(("folder", "path"), [("", "."), ("matches", ".."), ("matches", ".")])
def test_a_stage_in_the_working_folder(
    folder: str, path: str, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stage is signed with its contest, also if only the working folder says where it is."""
    monkeypatch.chdir(cup / "stages/0001" / folder)
    code, expected, verdicts = answers(*PINNED, Path(path))
    assert verdicts == {log: {"verified": "sound"}.get(one, one) for log, one in expected.items()}
    assert code == (1 if (folder, path) == ("matches", ".") else 0)


@pytest.mark.parametrize(
    ("tail", "verdict"), [(b"\0", "forged"), (b"x" * (8 << 20) + b"\n", "sound")]
)
def test_a_contest_vouches_for_the_bytes_of_a_damaged_match(
    tail: bytes, verdict: str, unsigned_cup: Path
) -> None:
    """A contest with the root over a corrupt match is forged only if the match has zero bytes."""
    stage = unsigned_cup / "stages/0001"
    with (stage / FIRST).open("ab") as match:
        match.write(tail)
    events = contests.events(unsigned_cup)
    end = next(event for event in events if event["type"] == "stage_finished")
    files = [*sorted((stage / "matches").iterdir()), stage / OWN]
    end["root"] = merkle.root([sha256(file.read_bytes()).digest() for file in files]).hex()
    contests.rewrite(unsigned_cup, events)
    assert agreed(unsigned_cup)["contest.jsonl"] == verdict


# --- Signatures -----------------------------------------------------------------------------------


@pytest.fixture
def spring(tmp_path: Path) -> Path:
    """A signed tournament, with the proof of its first match beside it."""
    home = written(tmp_path / "spring", tournament("coins"))
    signing.sign(home, KEY, KEY.name)
    signing.prove(home, "1-000000", tmp_path / "proof")
    return home


def test_no_file_takes_the_place_of_a_key(spring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the working folder that is called like the key does not replace it."""
    other = PrivateKey(KEY.name, b"\x08" * 32)
    signing.sign(spring, other, KEY.name, overwrite=True)
    monkeypatch.chdir(spring.parent)
    written(Path(), {str(KEY.public): f"{other.public}\n".encode()})
    assert {*agreed(spring, *PINNED).values()} == {"forged"}


EXTRAS = [
    b"c2sp.org/",
    b"c2sp.org/tlog-proof@v1\nindex 0\n\n",
    b"c2sp.org/tlog-proof@v1\nindex 0\n\n{}\n",
    b'c2sp.org/tlog-proof@v1\nindex 0\n\n{"seq":0,"type":"stage_finished","stage":1}\n',
    b"\xff",
]


@pytest.mark.parametrize("extra", EXTRAS, ids=range(len(EXTRAS)))
def test_other_extra_data_says_nothing(extra: bytes, spring: Path) -> None:
    """A proof is valid with any extra data, unless it is the proof of a file in a stage."""
    proof = spring.parent / "proof"
    line = b"\nextra %b\nindex" % b64encode(extra)
    proof.write_bytes(proof.read_bytes().replace(b"\nindex", line, 1))
    assert agreed(spring / FIRST, *PINNED, "--proof", proof) == {".": "sound"}


def test_the_end_of_a_stage_has_numbers_that_fit(spring: Path) -> None:
    """A proof whose extra data has numbers of thousands of digits gets a verdict."""
    proof = spring.parent / "proof"
    for digits in (1, 19, 20, 5000):
        end = b'{"seq":%b,"type":"stage_finished","stage":1,"seed":"%b","files":1,"root":"%b"}\n'
        end %= b"9" * digits, b"0" * 64, b"0" * 64
        extra = b64encode(b"c2sp.org/tlog-proof@v1\nindex 0\n\n" + end)
        signing.prove(spring, "1-000000", proof.with_name(f"{digits}"))
        data = proof.read_bytes().replace(b"\nindex", b"\nextra %b\nindex" % extra, 1)
        proof.with_name("changed").write_bytes(data)
        expected = "forged" if digits < 20 else "sound"
        words = [*PINNED, "--proof", proof.with_name("changed")]
        assert agreed(spring / FIRST, *words) == {".": expected}


def test_a_proof_that_is_too_long_is_forged(spring: Path) -> None:
    """A proof of more than a million bytes is forged, and no wrong usage."""
    proof = spring.parent / "proof"
    with proof.open("ab") as file:
        file.write(b"\xe2\x80\x94 witness %b\n" % (b"A" * 1_000_000))
    assert agreed(spring / FIRST, *PINNED, "--proof", proof) == {".": "forged"}


@pytest.mark.parametrize("end", [b"\n\n", b"\n\n\n", b"\n", b""])
def test_a_checkpoint_has_a_signature(end: bytes, spring: Path) -> None:
    """A checkpoint without lines of signatures is forged, also if no key is given."""
    checkpoint = spring / "checkpoint"
    checkpoint.write_bytes(checkpoint.read_bytes().partition(b"\n\n")[0] + end)
    assert agreed(spring)[OWN] == "forged"


def test_an_earlier_checkpoint_is_one(spring: Path, cup: Path, tmp_path: Path) -> None:
    """It is wrong usage if --since names no signed checkpoint, or there is no contest."""
    (tmp_path / "none").write_text("none\n")
    wrong = PrivateKey(KEY.name, b"\x09" * 32).sign(Checkpoint(KEY.name, 1, bytes(32)).text)
    (tmp_path / "other").write_bytes(wrong)
    (tmp_path / "long").write_bytes(b"x" * 1_000_001)
    for words in (["none"], ["long"], ["nowhere"], [*PINNED, "other"]):
        assert answers(*words[:-1], "--since", tmp_path / words[-1], cup)[0] == 2
    assert answers("--since", cup / "checkpoint", spring)[0] == 2


def test_every_contest_extends_the_empty_one(cup: Path, tmp_path: Path) -> None:
    """A proof from a checkpoint without lines is valid if it has no hashes."""
    empty = Checkpoint(KEY.name, 0, merkle.EMPTY)
    (tmp_path / "empty").write_bytes(KEY.sign(empty.text))
    note = (cup / "checkpoint").read_bytes()
    for hashes, verdict in ((b"", "sound"), (b64encode(bytes(32)) + b"\n", "forged")):
        (tmp_path / "proof").write_bytes(b"old 0\n" + hashes + b"\n" + note)
        assert agreed(tmp_path / "proof", *PINNED, "--since", tmp_path / "empty") == {".": verdict}


def test_kept_checkpoints_are_files(cup: Path) -> None:
    """A link among the kept checkpoints makes a contest forged, and a folder does not."""
    (cup / "checkpoints/99").mkdir()
    assert agreed(cup)["contest.jsonl"] == "sound"
    (cup / "checkpoints/99/link").symlink_to("nowhere")
    assert agreed(cup)["contest.jsonl"] == "forged"


def test_kept_checkpoints_by_others_are_ignored(cup: Path) -> None:
    """With a key, a kept checkpoint that is too long is ignored, as all by others are."""
    (cup / "checkpoints/99").write_bytes(b"x" * 1_000_001)
    assert agreed(cup, *PINNED)["contest.jsonl"] == "sound"
    assert agreed(cup)["contest.jsonl"] == "forged"


def test_a_bot_may_have_the_name_of_an_event(tmp_path: Path) -> None:
    """A stage is signed by its contest, also if a bot has the name stage_finished."""
    cup = tmp_path / "cup"

    def hold() -> None:
        contests.new(cup)
        bots = [contests.bot(tmp_path / "bots", name) for name in ("stage_finished", "bert")]
        contests.enter(cup, bots)
        contests.run(cup)

    contests.simulated(hold)
    sign(cup)
    assert {*agreed(cup, *PINNED).values()} == {"sound"}


# --- Games of other packages ----------------------------------------------------------------------

NEW_EVENTS = """

class Entered(TypedDict):
    \"\"\"A part of an event, with the name of one of a contest's events.\"\"\"

    deal: Round


@event
class Points(TypedDict):
    \"\"\"The points of a match.\"\"\"

    type: Literal["scored"]
    entered: list[Entered]


OLD_EVENTS = (Dealt, Scored)
EVENTS = (Points, Dealt)
"""
OLD_VERSION = """[versions."NAME/0"]
events = "NAME.events:OLD_EVENTS"
settings = "NAME.events:Settings"
match = "NAME.rules:play"
tournament = "NAME.tournament:play"

[versions."NAME/1"]"""


def test_an_old_version_of_a_game_that_has_other_events_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its logs stay sound, and valid by the schema; an event of the new version is corrupt."""
    edits = {
        "events.py": ("\nEVENTS = (Dealt, Scored)\n", NEW_EVENTS),
        "game.toml": ('[versions."NAME/1"]', OLD_VERSION),
    }
    game = install(tmp_path / "site", monkeypatch, edits)
    schema = dumps(of_game(registry.card(game))).encode()
    schemas = written(tmp_path / "schemas", {f"{game}.json": schema})
    valid = Draft202012Validator(of_game(registry.card(game)))
    events = match_events(lambda ask: printed("roll"), game=f"{game}/0")
    new = [
        {"type": "scored", "entered": [{"deal": 1}]} if "points" in one else one for one in events
    ]
    for name, log, verdict in [("old", sealed(events), "sound"), ("new", sealed(new), "corrupt")]:
        for line in log.splitlines():
            valid.validate(json.loads(line))
        home = written(tmp_path / name, {"log.jsonl": log})
        code, text = run("--schema", schemas, home)
        assert text.startswith(f"{home / 'log.jsonl'}: {verdict}: ")
        with redirect_stdout(io.StringIO()):
            assert status(["verify", str(home)]) == code == (verdict == "corrupt")


def test_a_field_of_several_types(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A field may hold a number or a text; in a log of both kinds each is checked as such."""
    before = 'Round = Annotated[Positive, Field(description="From 1.")]'
    edits = {"events.py": (before, "Round = Positive | Literal['last', 7]")}
    game = install(tmp_path / "site", monkeypatch, edits)
    schema = dumps(of_game(registry.card(game))).encode()
    schemas = written(tmp_path / "schemas", {f"{game}.json": schema})
    events = match_events(lambda ask: printed("roll"), game=game)
    for round, verdict in [(1, "sound"), ("last", "sound"), (0, "corrupt"), ("first", "corrupt")]:
        log = sealed([one | {"round": round} if "dice" in one else one for one in events])
        _, text = run("--schema", schemas, written(tmp_path, {"log.jsonl": log}) / "log.jsonl")
        assert text.startswith(f"{tmp_path / 'log.jsonl'}: {verdict}: ")
