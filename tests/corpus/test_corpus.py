"""The corpus of bad logs: every entry gets exactly its verdict, and nobody sees a traceback."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from replay.signatures import verification
from replay.signatures.signer import ExpectedSigner
from replay.verify import verify_all
from schema import discovery
from schema.errors import NothingToDo
from schema.log_path import LogPath
from tests.corpus.entries import EXPECTED, HERE, VERDICTS
from tests.corpus.recipes import ENTRIES
from tests.koth.commands import ROOT, Koth, typed

NAMES = sorted(path.parent.name for path in HERE.glob(f"*/{EXPECTED}"))
NO_LOG = "log_that_is_a_folder"
"""The entry in which a search finds no log at all."""

UNFOUND: dict[str, str] = {}
"""Attacks that ``koth verify`` does not find, with reasons; remove an entry once it is found."""


def expected(name: str) -> dict[str, Any]:
    """Return the expectations of an entry."""
    return tomllib.loads((HERE / name / EXPECTED).read_text())


def pinned(name: str) -> ExpectedSigner | None:
    """Return the key and the origin that the verifier of an entry knows from elsewhere."""
    found = expected(name)
    proof = HERE / name / found["proof"] if "proof" in found else None
    return ExpectedSigner.of(found.get("key"), found.get("origin"), proof)


def options(name: str) -> list[str]:
    """The same, as options of the command."""
    found = expected(name)
    if "proof" in found:
        found["proof"] = str(HERE / name / found["proof"])
    named = [(f"--{key}", found[key]) for key in ("key", "origin", "proof") if key in found]
    return [word for option in named for word in option]


def verdicts(name: str) -> dict[str, str]:
    """The verdicts on all logs of an entry that are not verified, by path."""
    home = HERE / name
    found: Sequence[LogPath] = ()
    with suppress(NothingToDo):
        found = discovery.logs([home])
    named = [home / path for path in expected(name).get("verdicts", {})]
    logs = list(dict.fromkeys([*found, *named]))
    told = verification.check_signatures(logs, verify_all(logs, given={home}), pinned(name))
    return {
        str(Path(one.path).relative_to(home)): one.verdict
        for one in told
        if one.verdict != "verified"
    }


def contents(home: Path) -> Mapping[str, bytes]:
    """All files below a folder, by path."""
    files = (path for path in home.rglob("*") if path.is_file())
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in files}


def marked(names: Iterable[str]) -> list[Any]:
    """``names`` as parameters; those that are not found have to fail."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=UNFOUND[name]))
        if name in UNFOUND
        else name
        for name in names
    ]


@pytest.mark.parametrize("name", marked(NAMES))
def test_an_entry_gets_exactly_its_verdicts(name: str) -> None:
    """Each log of the entry gets the verdict that is expected, and all others are verified."""
    assert verdicts(name) == expected(name).get("verdicts", {})


def test_the_corpus_is_made_again_byte_for_byte() -> None:
    """The recipes give exactly the committed entries, byte for byte."""
    assert sorted(ENTRIES) == NAMES
    for name, entry in ENTRIES.items():
        assert contents(HERE / name) == entry.files(), name


def test_every_verdict_is_in_the_corpus() -> None:
    """No verdict is without an entry of which it is the worst."""
    assert len(NAMES) >= 120
    assert {expected(name)["verdict"] for name in NAMES} == set(VERDICTS)


def test_what_an_entry_says_of_itself_fits() -> None:
    """Its verdict is the worst of its logs, and one sentence says what was done."""
    for name in NAMES:
        found = expected(name)
        worst = min(found.get("verdicts", {}).values(), key=VERDICTS.index, default="verified")
        assert found["verdict"] == worst, name
        assert found["attack"].endswith("."), name
        assert not set(found) - {"verdict", "attack", "verdicts", "key", "origin", "proof"}, name


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="there is no repository")
def test_git_leaves_the_corpus_alone() -> None:
    """No line end in there is ever rewritten, which `.gitattributes` sees to."""
    assert "tests/corpus/** -text" in (ROOT / ".gitattributes").read_text().splitlines()


def fine(name: str) -> bool:
    """Whether there is nothing to find in an entry."""
    return expected(name)["verdict"] in ("verified", "imported")


SAMPLE = sorted({*NAMES[::9], *filter(fine, NAMES)} - {NO_LOG})


@pytest.mark.parametrize("name", marked(SAMPLE))
def test_the_command_says_so_in_sentences(name: str, koth: Koth) -> None:
    """``koth verify`` ends with 1 for findings and 0 without, and prints what it found."""
    told = koth("verify", "--format", "json", *options(name), HERE / name)
    assert told.code == (0 if fine(name) else 1)
    assert all(line.startswith("koth: ") for line in told.err.splitlines())
    found = {
        str(Path(one["path"]).relative_to(HERE / name)): one["verdict"]
        for one in told.json["logs"]
        if one["verdict"] != "verified"
    }
    assert found == expected(name).get("verdicts", {})


def test_the_working_folder_changes_no_verdict(koth: Koth, monkeypatch: pytest.MonkeyPatch) -> None:
    """A match is checked with the tournament around it, also in the folder of its matches."""
    monkeypatch.chdir(HERE / "imported_match_beside_a_committing_tournament/matches")
    for path in ("1-000000.jsonl", "."):
        assert "forged  1-000000.jsonl:1: an imported log" in koth("verify", path).out


def test_a_folder_in_place_of_a_log_is_nothing_to_work_on(koth: Koth) -> None:
    """The command finds no log in a folder that bears the name of one, and says so."""
    assert "expected a log" in koth.complaint("verify", HERE / NO_LOG, code=3)


def test_the_command_in_its_own_process() -> None:
    """The process ends with findings and without a traceback for every entry."""
    names = ("nested_50000_deep", "five_thousand_digits", "three_matches_bad")
    told = typed("verify", *(HERE / name for name in names))
    assert (told.code, told.err) == (1, "")
    for name in names:
        assert f"corrupt  {HERE / name}/" in told.out
