"""A site has a proof for each log of a signed tournament, and for no other log."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from replay.signatures import signing
from replay.signatures.verification import entries
from report.site.proofs import proof_path, proofs_of
from report.site.sections import find
from schema.signed_note import PrivateKey
from tests import contests
from tests.report.site.sites import CORPUS, built

SIGNED = CORPUS / "signed_tournament"


@pytest.mark.parametrize("place", ["tournament", "stage"])
def test_the_proofs_of_the_command(place: str, tmp_path: Path) -> None:
    """The proofs of a tournament, and of a stage of a contest, are those of `koth prove`."""
    folder = SIGNED
    if place == "stage":
        key = PrivateKey("example.com/cup", b"\x07" * 32)
        cup = contests.two_stages(tmp_path, lambda cup: signing.sign(cup, key, key.name))
        [folder, _] = sorted((cup / "stages").iterdir())
    [section] = find([folder])
    proofs = proofs_of(section)
    assert [*proofs] == [*entries(folder)]
    for match, proof in proofs.items():
        signing.prove(folder, match, tmp_path / match)
        assert proof.data == (tmp_path / match).read_bytes()


def test_a_log_that_was_not_signed(tmp_path: Path) -> None:
    """After a change of one log there is no proof at all: the checkpoint is of other files."""
    folder = tmp_path / "spring"
    shutil.copytree(SIGNED, folder)
    log = folder / "matches/1-000001.jsonl"
    log.write_bytes(log.read_bytes() + b"\n")
    [section] = find([folder])
    assert proofs_of(section) == {}
    (folder / "checkpoint").unlink()
    [section] = find([folder])
    assert proofs_of(section) == {}


def test_proofs_on_a_site(tmp_path: Path) -> None:
    """The site of a signed tournament has the proofs as files."""
    built([SIGNED], tmp_path / "site")
    [section] = find([SIGNED])
    for match, proof in proofs_of(section).items():
        assert (tmp_path / "site" / proof_path(match)).read_bytes() == proof.data
    assert len([*(tmp_path / "site/proofs").iterdir()]) == 4
