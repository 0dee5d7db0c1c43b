"""Each refusal of the second verifier alone, because the suite tries only a part of the corpus."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schema import discovery, merkle, seal, signed_note
from schema.signed_note import PrivateKey
from tests.corpus.honest import plain
from tests.independent.test_koth_check import ORIGIN, loaded


def refused(call: Callable[[Any], object]) -> str:
    """Return the reason why a call of the module, which it gets, is refused."""
    module = loaded()
    with pytest.raises((module.Finding, ValueError)) as caught:
        call(module)
    return str(caught.value.args[-1])


RIGHT = b'{"seq":0,"type":"match_started"}\n'


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no event"),
        (RIGHT + b"x", "garbage after the last whole line"),
        (RIGHT + b'{"seq":2', "garbage after the last whole line"),
        (RIGHT + b'{"seq":1,"type":"match_started"}\n', "line 2: a misplaced start"),
        (b'{"seq":0,"type":"dealt"}\n', "line 1: a misplaced start"),
        (RIGHT + b'{"seq":1,"type":"match_sealed"}\n', "changed after it was sealed"),
        (RIGHT + b'{"seq":1,"type": "dealt"}\n', "not a line of a log"),
        (RIGHT + b'{"seq":2,"type":"dealt"}\n', "not a line of a log"),
        (RIGHT + b'{"seq":1,"type":"dealt","x":1.5}\n', "not a line of a log"),
        (RIGHT + b'{"seq":1,"type":"dealt","x":9223372036854775808}\n', "not a line of a log"),
    ],
)
def test_bytes_that_are_no_log(data: bytes, reason: str, tmp_path: Path) -> None:
    """A line in the wrong place, with other bytes, or cut off differently, is refused."""
    (tmp_path / "log.jsonl").write_bytes(data)
    assert reason in refused(lambda module: [*module.read_events(tmp_path / "log.jsonl")])


def test_nothing_follows_a_seal(tmp_path: Path) -> None:
    """More after the seal of a whole log is refused."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(plain("coup").data)
    assert [*loaded().read_events(log)][-1]["type"] == "match_sealed"
    log.write_bytes(plain("coup").data + b"{")
    assert refused(lambda module: [*module.read_events(log)]) == "more after the seal"


NOTE = PrivateKey(ORIGIN, b"k" * 32).sign(signed_note.Checkpoint(ORIGIN, 3, bytes(32)).text)
SIGNED = NOTE.split(b"\n\n")[1]


@pytest.mark.parametrize(
    "note",
    [
        NOTE.replace(b"2026", b"20\t26"),
        NOTE.replace(b"\n", b"\r\n"),
        NOTE + SIGNED * 100,
        NOTE.replace(b"\n3\n", b"\n3\n\n"),
        NOTE.replace(b"\n3\n", b"\n"),
        NOTE.replace(b"\n3\n", b"\n03\n"),
        NOTE.replace(b"AAA=\n", b"AAB=\n"),
        NOTE.replace(b"AAAA", b"", 1),
        NOTE.replace("— ".encode(), b"- "),
        NOTE.removesuffix(SIGNED) + f"— {ORIGIN} AAAA\n".encode(),
        NOTE[:-1],
        NOTE + b"\n",
        NOTE.removesuffix(SIGNED),
        b"x" * 1_000_000 + NOTE,
    ],
)
def test_what_is_no_checkpoint(note: bytes) -> None:
    """A checkpoint with another byte layout is refused, also without a key."""
    assert loaded().read_note(NOTE, None) == (ORIGIN, 3, bytes(32))
    assert refused(lambda module: module.read_note(note, None))


PROVED = signed_note.Proof(0, [bytes(32)], NOTE).data


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"@v1", b"@v2"),
        (b"index 0\n", b""),
        (b"index 0", b"index 00"),
        (b"AAA=\n\n", b"AAB=\n\n"),
        (b"\n\n", b"\n"),
        (b"index", b"extra %b\nindex" % (b"AAAA" * 250_000)),
        (b"\n\n" + NOTE, b""),
    ],
)
def test_what_is_no_proof(old: bytes, new: bytes) -> None:
    """A proof with another header, index, hash or length is refused."""
    assert loaded().read_proof(PROVED) == (0, [bytes(32)], b"", NOTE)
    assert refused(lambda module: module.read_proof(PROVED.replace(old, new)))


@pytest.mark.parametrize(
    "since",
    [
        [(ORIGIN, 2, bytes(32))] * 2,
        [("autumn", 2, bytes(32))],
        [(ORIGIN, 4, bytes(32))],
        [(ORIGIN, 1, bytes(32))],
    ],
    ids=["two", "origin", "larger", "another"],
)
def test_a_consistency_proof_between_other_checkpoints(
    since: list[tuple[str, int, bytes]], tmp_path: Path
) -> None:
    """A proof is of one earlier checkpoint, of its origin and its size."""
    proof = tmp_path / "proof"
    proof.write_bytes(signed_note.ConsistencyProof(2 if since[0][1] < 4 else 4, [], NOTE).data)
    reason = refused(lambda module: module.check_consistency(proof, since, None))
    assert reason == "a proof between other checkpoints"


def test_a_changed_key_is_refused() -> None:
    """A key whose id is that of another name or key is refused."""
    name, id, key = str(PrivateKey(ORIGIN, b"k" * 32).public).split("+", 2)
    assert loaded().read_signer(f"{name}+{id}+{key}", ORIGIN).name == name
    for changed in (f"autumn+{id}+{key}", f"{name}+00000000+{key}", f"{name}+{id}+B{key[1:]}"):
        assert "changed" in refused(lambda module, text=changed: module.read_signer(text, ORIGIN))  # type: ignore[misc]


def test_a_hole_is_not_hashed(tmp_path: Path) -> None:
    """A file with zero bytes is no leaf of a tree."""
    (tmp_path / "log.jsonl").write_bytes(b"x\0")
    assert "zero bytes" in refused(lambda module: module.leaf_hash(tmp_path / "log.jsonl"))


def test_the_hash_of_a_bot_is_that_of_koth(tmp_path: Path) -> None:
    """It has the files, the command and the class; a link among the files is refused."""
    files = {"a b.py": b"x", "lib/back\\slash": b"", "ü.py": b"\0"}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    for command, kind in (([], ""), (["./bücher", "x"], ""), ([], "Bot"), (["x"], "Bot")):
        bot = {"command": command, "class_name": kind}
        assert loaded().bot_hash(tmp_path, bot) == seal.bot_hash(files, command, kind)
    (tmp_path / "link").symlink_to(tmp_path / "ü.py")
    assert refused(lambda module: module.bot_hash(tmp_path, {})).endswith("link: a link")


def test_faults_and_entrants_are_kept_and_checked() -> None:
    """A match's faults are compared with its tournament, whose events name its entrants only."""
    module = loaded()
    log = module.Log(Path("log.jsonl"), start={"type": "tournament_started", "entrants": [{}, {}]})
    module.keep(log, {"type": "fault", "seat": 1, "kind": "crash", "clause": "CP-17"})
    assert log.faults == [{"seat": 1, "kind": "crash"}]
    for name, right in (("entrant", 1), ("seats", [0, 1]), ("standings", [{"entrant": 1}])):
        module.check_entrants(log, {name: right}, "line 2")
    for name, wrong in (("entrant", 2), ("seats", [0, 2]), ("standings", [{"entrant": 2}])):
        with pytest.raises(module.Finding, match="an entrant that there is not"):
            module.check_entrants(log, {name: wrong}, "line 2")


def test_a_stage_ends_after_its_beginning() -> None:
    """The end of a stage that did not begin, or of another one, is refused."""
    module = loaded()
    start = {"type": "contest_started", "plays": "tournaments", "stages": 9}
    begun = {"bots": [], "pairs": [], "stage": 1}
    for number, stage in ((1, {}), (2, begun)):
        end = {"type": "stage_finished", "stage": number, "seed": ""}
        log = module.Log(Path("contest.jsonl"), start=start, events=[start, end])
        with pytest.raises(module.Finding, match="finished, and did not begin"):
            module.check_contest(module.Contest(log, {}, False, "", stage=stage))


def test_a_contest_is_not_sealed_within_a_stage() -> None:
    """The seal of a contest comes after the end of its last stage."""
    module = loaded()
    start = {"type": "contest_started", "plays": "tournaments", "stages": 9}
    log = module.Log(Path("contest.jsonl"), start=start, events=[start, {"type": "contest_sealed"}])
    contest = module.Contest(log, {}, False, "", stage={"bots": [], "pairs": [], "stage": 1})
    with pytest.raises(module.Finding, match="sealed before the end of a stage"):
        module.check_contest(contest)


NAMES = ("anna", "bert", "cleo", "dora", "emil")


@given(stages=st.lists(st.sets(st.sampled_from(NAMES)), max_size=4))
def test_pairs_are_missing_that_were_in_no_stage(stages: list[set[str]]) -> None:
    """Two bots have met if one of the stages had both; if none have met, no pair is listed."""
    module = loaded()
    bots = {name: {"bot": name} for name in NAMES}
    contest = module.Contest(module.Log(Path()), {}, False, "", bots=bots, inside={*NAMES})
    contest.together = [{(name, name) for name in stage} for stage in stages]
    every = [*combinations(range(len(NAMES)), 2)]
    missing = [
        [one, two]
        for one, two in every
        if not any({NAMES[one], NAMES[two]} <= stage for stage in stages)
    ]
    assert contest.missing() == (None if len(missing) == len(every) else missing)


def test_a_stage_of_the_same_bots_is_not_due() -> None:
    """A contest of tournaments has another stage only after its bots changed."""
    module = loaded()
    log = module.Log(Path("contest.jsonl"), start={"plays": "tournaments"})
    contest = module.Contest(log, {}, False, "", bots={"anna": {"bot": "x"}}, inside={"anna"})
    for together, due in (([], True), ([{("anna", "x")}], False), ([{("anna", "w")}], True)):
        contest.together = together
        assert contest.is_due([]) == due


@pytest.mark.parametrize(("number", "seq"), [(0, 0), (1, 1), (1, 0), (0, 1)])
def test_the_end_of_a_stage_has_the_number_of_its_line(
    number: int, seq: int, tmp_path: Path
) -> None:
    """A proof of a file in a stage is that of the line with the end of the stage."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"x")
    line = b'{"seq":%d,"type":"stage_finished","stage":1,"seed":"%b","files":1,"root":"%b"}\n' % (
        seq,
        b"0" * 64,
        loaded().leaf_hash(log).hex().encode(),
    )
    lines = [line, b"another\n"] if number == 0 else [b"another\n", line]
    key = PrivateKey(ORIGIN, b"k" * 32)
    note = key.sign(signed_note.Checkpoint(ORIGIN, 2, merkle.root(lines)).text)
    extra = signed_note.Proof(0, [], line).data
    proof = signed_note.Proof(number, merkle.inclusion(lines, number), note, extra).data
    signer = loaded().read_signer(str(key.public), ORIGIN)
    if number == seq:
        loaded().check_proof(log, proof, signer)
    else:
        reason = refused(lambda module: module.check_proof(log, proof, signer))
        assert reason == "the line of the stage's end has another number"


@pytest.mark.parametrize(
    ("schema", "right", "wrong"),
    [
        ({"type": "string", "pattern": "[0-9]+"}, "12", "12x"),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "x", []),
        ({"type": "integer"}, 1, True),
        ({"type": "array", "items": {"const": 1}}, [1, 1], [1, 2]),
        ({"enum": ["a", "b"]}, "b", "c"),
        ({"type": "string", "maxLength": 2}, "ab", "abc"),
        ({"type": "array", "minItems": 1}, [1], []),
        ({"type": "integer", "minimum": 1, "maximum": 2}, 2, 3),
        ({"type": "object", "properties": {"a": {}, "b": {}}}, {"a": 1, "b": 1}, {"b": 1, "a": 1}),
        ({"type": "object", "properties": {"a": {}}, "required": []}, {}, {"b": 1}),
    ],
)
def test_what_a_schema_does_not_allow(schema: dict[str, Any], right: Any, wrong: Any) -> None:
    """Each keyword of the schemas refuses a value alone."""
    conforms = loaded().conforms
    assert conforms(right, schema, {})
    assert not conforms(wrong, schema, {})
    assert not conforms(wrong, {"$ref": "#/$defs/Part"}, {"Part": schema})


@pytest.mark.parametrize(
    ("format", "reason"),
    [(None, "no format"), ("koth-log/01", "no format"), ("koth-log/2", "newer")],
)
def test_a_format_that_it_does_not_read(format: object, reason: str) -> None:
    """Another form of the format is corrupt, and a newer format is unsupported."""
    assert reason in refused(lambda module: module.schema_for({"format": format}, {}))


def test_it_finds_the_logs_that_koth_finds(tmp_path: Path) -> None:
    """Evidence and the bots of a contest are no logs, but everything below matches is."""
    for name in ("", "bots/anna/", "evidence/", "stages/0001/evidence/", "stages/0001/matches/"):
        for inner in ("", "evidence/", "bots/"):
            (tmp_path / name / inner).mkdir(parents=True, exist_ok=True)
            (tmp_path / name / inner / "contest.jsonl").touch()
    for folder in (tmp_path, tmp_path / "stages/0001", tmp_path / "stages/0001/matches"):
        assert {*loaded().find_logs(folder)} == {*discovery.logs([folder])}
