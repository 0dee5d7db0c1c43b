"""The second verifier agrees with ``koth verify`` on contests, and on attacks on them."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from referee.contest.folder import opened
from replay.log_verdict import LogVerdict
from replay.parts import parts
from replay.signatures import contest_signing, signing
from replay.signatures.contest_checkpoint import check_consistency
from replay.signatures.signer import ExpectedSigner, read_since
from replay.signatures.verification import check_signatures
from replay.verify import verify_all
from schema import discovery
from schema.executor import serial
from schema.log_path import LogPath
from schema.merkle import consistency, root
from schema.signed_note import Checkpoint, ConsistencyProof, PrivateKey
from tests import contests
from tests.contests import Events
from tests.failures import refuse
from tests.independent.conftest import KEY, unsigned
from tests.independent.test_koth_check import loaded, verdicts
from tests.referee.interruptions import Disk, disk
from tests.sampling import one_in

OTHER = PrivateKey("example.com/cup", b"\x08" * 32)
SIGNER = ExpectedSigner(KEY.public, KEY.name)
PINNED = ["--key", str(KEY.public), "--origin", KEY.name]
SAME = {"verified": "sound", "diverged": "sound"}


def agreed(cup: Path, since: list[Path] | None = None, pinned: bool = False) -> str:
    """Return the verdict on a contest; both verifiers agree on it, and on all logs."""
    return agreed_on_all(cup, since, pinned)["contest.jsonl"]


def agreed_on_all(
    cup: Path, since: list[Path] | None = None, pinned: bool = False
) -> dict[str, str]:
    """Return the verdicts of both verifiers on all logs, also if they are verified in parts."""
    signer = SIGNER if pinned else None
    earlier = read_since(since or [], signer)

    def signed(logs: Sequence[LogPath], verdicts: Iterable[LogVerdict]) -> dict[str, str]:
        return {
            str(Path(log.path).relative_to(cup)): SAME.get(log.verdict, log.verdict)
            for log in check_signatures(logs, verdicts, signer, earlier)
        }

    logs = discovery.logs([cup])
    expected = signed(logs, verify_all(logs, given={cup}))
    in_parts = [signed(logs, [*found]) for logs, found in parts([cup], serial)]
    assert dict(chain.from_iterable(part.items() for part in in_parts)) == expected
    assert sum(map(len, in_parts)) == len(expected)
    words = [word for path in since or [] for word in ("--since", path)]
    assert verdicts(cup, *(PINNED if pinned else []), *words, cup) == expected
    return expected


def edited(edit: Callable[[Events], object]) -> Callable[[Path], None]:
    """Return an attack that edits the events of an unsigned contest's log."""

    def attack(cup: Path) -> None:
        unsigned(cup)
        events = contests.events(cup)
        edit(events)
        contests.rewrite(cup, events)

    return attack


def at(events: Events, **fields: Any) -> Any:
    """Return the first event with these fields."""
    return next(event for event in events if event | fields == event)


def finished(events: Events) -> Any:
    """Return the end of the first stage."""
    return at(events, type="stage_finished")


def copied(cup: Path) -> None:
    """Add a stage that the log does not know."""
    shutil.copytree(cup / "stages/0001", cup / "stages/0003")


def dropped(events: Events) -> None:
    """Drop the first stage, and close up the numbers."""
    first = events.index(at(events, type="stage_started"))
    del events[first : first + 2]
    for event in events[first:]:
        if "stage" in event:
            event["stage"] = 1


def moved(kind: str, name: str) -> Callable[[Events], None]:
    """Return an edit that dates an entry back, above the first stage."""

    def edit(events: Events) -> None:
        entry = at(events, type=kind, name=name)
        events.remove(entry)
        events.insert(events.index(at(events, stage=1)), entry)

    return edit


def rewritten(cup: Path) -> None:
    """Play the second stage again with another beacon, and sign it."""
    unsigned(cup)
    events = contests.events(cup)
    cut = events.index(at(events, type="stage_started", stage=2))
    contests.rewrite(cup, events[:cut])
    shutil.rmtree(cup / "stages/0002")
    contests.simulated(lambda: contests.run(cup, "luckier"))
    sign(cup)


def sign(cup: Path, key: PrivateKey = KEY) -> None:
    """Sign the contest as it is."""
    with disk(Disk()):
        signing.sign(cup, key, key.name)


def bot_changed(cup: Path) -> None:
    """Change a bot's file after it was entered."""
    [file] = (cup / "bots/anna").glob("*/anna.py")
    file.write_text("# stronger\n")


def renamed(cup: Path, old: str, new: str) -> None:
    """Move a part of the contest."""
    (cup / old).rename(cup / new)


def torn(cup: Path) -> None:
    """Leave a part of a line at the end."""
    seq = len(contests.events(cup))
    with (cup / "contest.jsonl").open("ab") as file:
        file.write(b'{"seq":%d,"ty' % seq)


def closed(cup: Path) -> None:
    """Close the contest."""
    with disk(Disk()), opened(cup) as held:
        held.close()


def exchanged(cup: Path) -> None:
    """Put a match of the first stage in the place of one of the second."""
    first, second = (cup / f"stages/{stage}/matches/1-000001.jsonl" for stage in ("0001", "0002"))
    shutil.copy(first, second)


def linked(cup: Path) -> None:
    """Put a link in the place of a stage."""
    renamed(cup, "stages/0001", "first")
    (cup / "stages/0001").symlink_to("../first")


def hidden(cup: Path, name: str) -> None:
    """Copy a match to a new place in the contest."""
    (cup / name).parent.mkdir(parents=True)
    shutil.copy(cup / "stages/0001/matches/1-000001.jsonl", cup / name)


def hidden_by_a_contest(cup: Path) -> None:
    """Hide a match in the folder of the bots of a contest that is among the matches."""
    hidden(cup, "stages/0001/matches/bots/1-000009.jsonl")
    shutil.copy(cup / "contest.jsonl", cup / "stages/0001/matches")


def hidden_by_a_folder(cup: Path) -> None:
    """Do the same with a folder that has the name of a contest's log."""
    hidden(cup, "stages/0001/matches/bots/1-000009.jsonl")
    (cup / "stages/0001/matches/contest.jsonl").mkdir()


def of_all_after_one_stage(cup: Path) -> None:
    """Drop the second stage, and let the contest say that all play all in every stage."""
    shutil.rmtree(cup / "stages/0002")
    events = contests.events(cup)
    del events[events.index(at(events, type="stage_started", stage=2)) :]
    events[0]["plays"] = "tournaments"
    contests.rewrite(cup, events)


ATTACKS: dict[str, tuple[Callable[[Path], object], str]] = {
    "none": (lambda cup: None, "sound"),
    "unsigned": (unsigned, "sound"),
    "torn": (torn, "incomplete"),
    "closed": (closed, "sound"),
    "match exchanged": (exchanged, "forged"),
    "head": (edited(lambda es: es[0].update(seed_commitment="ab" * 32)), "forged"),
    "id": (edited(lambda es: es[0].update(contest="pot")), "forged"),
    "entered later": (edited(lambda es: es.append(es.pop(1))), "forged"),
    "stage dropped": (edited(dropped), "forged"),
    "chain seed": (
        edited(lambda es: at(es, type="stage_finished").update(seed="ab" * 32)),
        "forged",
    ),
    "beacon": (edited(lambda es: at(es, stage=2).update(beacon="drand 1")), "forged"),
    "root": (edited(lambda es: at(es, type="stage_finished").update(root="ab" * 32)), "forged"),
    "entry dated back": (edited(moved("entered", "dora")), "forged"),
    "revision dated back": (edited(moved("revised", "bert")), "forged"),
    "withdrawal dated back": (edited(moved("withdrawn", "cleo")), "forged"),
    "entered twice": (edited(lambda es: es.append(at(es, name="anna"))), "forged"),
    "withdrawn twice": (edited(lambda es: es.append(at(es, type="withdrawn"))), "forged"),
    "same revision": (edited(lambda es: es.append(at(es, type="revised"))), "forged"),
    "look-alike": (edited(lambda es: es.append(at(es, name="anna") | {"name": "ANNA"})), "forged"),
    "no pairings": (edited(lambda es: es[0].update(plays="tournaments")), "forged"),
    "no pairings, one stage": (of_all_after_one_stage, "forged"),
    "end cut off": (edited(lambda es: es.pop()), "incomplete"),
    "stage cut off": (edited(lambda es: (es.pop(), es.pop())), "forged"),
    "signed end cut off": (lambda cup: contests.rewrite(cup, contests.events(cup)[:-1]), "forged"),
    "stage missing": (lambda cup: shutil.rmtree(cup / "stages/0001"), "forged"),
    "stage added": (
        lambda cup: shutil.copytree(cup / "stages/0001", cup / "stages/0003"),
        "forged",
    ),
    "stages in others' places": (lambda cup: renamed(cup, "stages/0002", "stages/0003"), "forged"),
    "match missing": (lambda cup: (cup / "stages/0001/matches/1-000002.jsonl").unlink(), "forged"),
    "stage linked": (linked, "forged"),
    "stage in a stage": (lambda cup: hidden(cup, "stages/9/stages/0001/log.jsonl"), "forged"),
    "contest among matches": (hidden_by_a_contest, "forged"),
    "folder among matches": (hidden_by_a_folder, "forged"),
    "bot changed": (bot_changed, "forged"),
    "bot missing": (lambda cup: shutil.rmtree(cup / "bots/dora"), "forged"),
    "all bots missing": (lambda cup: shutil.rmtree(cup / "bots"), "sound"),
    "checkpoint of a fork": (lambda cup: (cup / "checkpoint").write_bytes(note(9)), "forged"),
    "kept fork": (lambda cup: (cup / "checkpoints/8").write_bytes(note(8)), "forged"),
}


HARMLESS = ("none", "torn", "all bots missing")
"""Changes that no signature finds."""


def note(size: int) -> bytes:
    """A signed checkpoint of other lines."""
    return KEY.sign(Checkpoint(KEY.name, size, bytes(32)).text)


@pytest.mark.parametrize("attack", one_in(2, {attack: attack for attack in ATTACKS}))
def test_it_agrees_on_every_attack(attack: str, cup: Path) -> None:
    """Both verifiers agree on each log of a contest that was changed, with a key and without."""
    change, expected = ATTACKS[attack]
    change(cup)
    assert agreed(cup) == expected
    assert agreed(cup, pinned=True) == (expected if attack in HARMLESS else "forged")


@pytest.mark.parametrize(
    ("place", "unread", "pinned"),
    [
        ("bots/anna/*/anna.py", ["contest.jsonl"], False),
        ("checkpoint", ["contest.jsonl"], True),
        ("stages/0001/checkpoint", ["tournament.jsonl", "matches/1-000001.jsonl"], True),
    ],
)
def test_it_agrees_on_files_that_cannot_be_read(
    place: str, unread: list[str], pinned: bool, cup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both verifiers call nothing forged because of a file that the disk does not give."""
    if place.startswith("stages"):
        shutil.copy(cup / "checkpoint", cup / place)
    [file] = cup.glob(place)
    refuse(file, errno.EIO, monkeypatch)
    verdicts = agreed_on_all(cup, pinned=pinned)
    home = Path(place).parent if pinned else Path()
    assert {verdicts[str(home / name)] for name in unread} == {"corrupt"}
    assert "forged" not in verdicts.values()


def test_a_contest_beside_a_tournament_hides_nothing(cup: Path, tmp_path: Path) -> None:
    """The matches of a tournament are compared with its log, also if a contest is there."""
    spring = shutil.copytree(cup / "stages/0001", tmp_path / "spring")
    contests.rewrite(spring, contests.events(cup)[:1])
    assert set(agreed_on_all(spring).values()) == {"sound"}
    (spring / "matches/1-000002.jsonl").unlink()
    found = agreed_on_all(spring)
    assert (found["contest.jsonl"], found["tournament.jsonl"]) == ("sound", "forged")


def test_it_agrees_on_stages_of_few_bots(tmp_path: Path) -> None:
    """A contest of whole tournaments has a stage whenever its bots changed, for one bot too."""
    cup = tmp_path / "cup"
    begun = {"type": "stage_started", "stage": 1}
    contests.new(cup, game="coins", rounds=1)
    events = contests.events(cup)
    assert events[0]["plays"] == "tournaments"
    contests.rewrite(cup, [*events, begun])
    assert agreed(cup) == "forged"
    contests.rewrite(cup, events)
    contests.simulated(lambda: contests.enter(cup, [contests.bot(tmp_path / "bots", "solo")]))
    contests.rewrite(cup, [*contests.events(cup), begun])
    assert agreed(cup) == "incomplete"


def test_it_agrees_on_earlier_checkpoints(cup: Path, signed: Path, tmp_path: Path) -> None:
    """Both verifiers agree on contests that extend earlier checkpoints or do not."""
    kept = [*(signed / "checkpoints").iterdir()]
    assert agreed(cup, kept) == agreed(cup, kept, pinned=True) == "sound"
    (tmp_path / "fork").write_bytes(note(7))
    assert agreed(cup, [tmp_path / "fork"]) == "forged"
    rewritten(cup)
    assert agreed(cup, pinned=True) == "sound"
    assert agreed(cup, kept) == "forged"


def test_it_agrees_on_another_key(cup: Path) -> None:
    """Both verifiers ignore kept checkpoints by others, and need one by the expected key."""
    (cup / "checkpoints/7").write_bytes(OTHER.sign(Checkpoint(KEY.name, 7, bytes(32)).text))
    assert agreed(cup, pinned=True) == "sound"
    assert agreed(cup) == "forged"
    text = (cup / "checkpoint").read_text().partition("\n\n")[0] + "\n"
    (cup / "checkpoint").write_bytes(OTHER.sign(text))
    assert agreed(cup, pinned=True) == "forged"


def test_it_agrees_on_proofs(cup: Path, tmp_path: Path) -> None:
    """A match with its proof is sound, and no other file is; a proof between checkpoints, too."""
    match, other = (cup / f"stages/0002/matches/1-00000{n}.jsonl" for n in (1, 2))
    signing.prove(*signing.tournament_of(match), tmp_path / "proof")
    words = [*PINNED, "--proof", tmp_path / "proof"]
    assert verdicts(match.parent, *words, match) == {match.name: "sound"}
    assert verdicts(match.parent, *words, other) == {other.name: "forged"}
    old, new = cup / "checkpoints/7", tmp_path / "extends"
    new.write_bytes(contest_signing.prove_consistency(cup, old, None).data)
    for pinned in ([], PINNED):
        assert verdicts(tmp_path, *pinned, "--since", old, new) == {"extends": "sound"}
        earlier = cup / "checkpoint"
        assert verdicts(tmp_path, *pinned, "--since", earlier, new) == {"extends": "forged"}


def test_it_agrees_on_names_of_stages(cup: Path, tmp_path: Path) -> None:
    """The files of a stage are signed only under the name that the stage has in the contest."""
    for name in ("1", "00001", "\u0660\u0660\u0660\u0661", "0003"):
        other = shutil.copytree(cup, tmp_path / f"as {name}")
        (other / "stages/0001").rename(other / "stages" / name)
        verdicts = agreed_on_all(other, pinned=True)
        renamed = {verdicts[path] for path in verdicts if path.startswith(f"stages/{name}/")}
        assert renamed == {"forged"}


def test_it_agrees_on_some_of_the_stages(cup: Path) -> None:
    """A stage that was not named is not looked at; a link or nothing in its place is forged."""
    given = [cup / discovery.CONTEST, cup / "stages/0001"]
    later = cup / "stages/0002"

    def both() -> set[str]:
        [*_, last] = verify_all(discovery.logs(given), given={*given})
        return {SAME.get(last.verdict, last.verdict), verdicts(cup, *given)[discovery.CONTEST]}

    assert both() == {"sound"}
    later.rename(cup.parent / "later")
    assert both() == {"forged"}
    later.symlink_to(cup.parent / "later")
    assert both() == {"forged"}


def test_it_agrees_on_a_stage_that_ends_twice(cup: Path) -> None:
    """A second end of a stage, signed, is forged, and no other files belong to that stage."""
    events = contests.events(cup)
    contests.rewrite(cup, [*events, finished(events) | {"root": "0" * 64}])
    lines = (cup / "contest.jsonl").read_bytes().splitlines(keepends=True)
    (cup / "checkpoint").write_bytes(KEY.sign(Checkpoint(KEY.name, len(lines), root(lines)).text))
    assert agreed(cup, pinned=True) == "forged"


@pytest.mark.parametrize("later", [b"", b"\1" * 32], ids=["empty", "other"])
@pytest.mark.parametrize("earlier", [b"", b"\1" * 32], ids=["empty", "other"])
def test_it_agrees_on_checkpoints_of_no_lines(earlier: bytes, later: bytes, tmp_path: Path) -> None:
    """A tree without lines has one root only, before a consistency proof and after it."""
    old, proof = tmp_path / "old", tmp_path / "proof"
    signed = [KEY.sign(Checkpoint(KEY.name, 0, hash or root([])).text) for hash in (earlier, later)]
    old.write_bytes(signed[0])
    proof.write_bytes(ConsistencyProof(0, [], signed[1]).data)
    verdict, _ = check_consistency(proof, read_since([old], SIGNER), SIGNER)
    assert verdict == ("forged" if earlier or later else "verified")
    checked = verdicts(tmp_path, *PINNED, "--since", old, proof)
    assert checked == {"proof": SAME.get(verdict, verdict)}


def test_consistency_proofs_are_those_of_rfc_6962() -> None:
    """Every proof between trees of up to 20 leaves leads to both roots, and no other does."""
    module = loaded()
    entries = [b"%d" % number for number in range(20)]
    for size in range(1, 21):
        for old in range(1, size + 1):
            roots = root(entries[:old]), root(entries[:size])
            hashes = consistency(entries[:size], old)
            left = [*hashes]
            assert module.both_roots(old, size, left, roots[0]) == roots
            assert not left
            for n in range(len(hashes)):
                changed = [*hashes[:n], bytes(32), *hashes[n + 1 :]]
                assert module.both_roots(old, size, changed, roots[0]) != roots
