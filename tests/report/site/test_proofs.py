"""A site has a proof for each log of a signed tournament, and for no other log."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from replay.signatures import signing
from replay.signatures.signer import ExpectedSigner
from replay.signatures.verification import entries
from report.site.proofs import proof_path, proofs_of
from report.site.sections import find
from schema.signed_note import PrivateKey
from schema.tournament_tree import TOURNAMENT_ENTRY
from tests import contests
from tests.report.site.conftest import SIGNER
from tests.report.site.sites import CORPUS, Links, built

SIGNED = CORPUS / "signed_tournament"


def signed_contest(folder: Path) -> Path:
    """Hold a contest in ``folder`` that is signed after each stage."""
    key = PrivateKey("example.com/cup", b"\x07" * 32)
    return contests.two_stages(folder, lambda cup: signing.sign(cup, key, key.name))


@pytest.mark.parametrize("place", ["tournament", "stage"])
def test_the_proofs_of_the_command(place: str, tmp_path: Path) -> None:
    """The proofs of a tournament, and of a stage of a contest, are those of `koth prove`."""
    folder = SIGNED
    if place == "stage":
        [folder, _] = sorted((signed_contest(tmp_path) / "stages").iterdir())
    [section] = find([folder])
    proofs = proofs_of(section)
    assert [*proofs] == [*entries(folder)]
    for match, proof in proofs.items():
        signing.prove(folder, match, tmp_path / match)
        assert proof.data == (tmp_path / match).read_bytes()


def test_the_working_folder_changes_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site that is made in the folder of the matches has the same files, with the checkpoint."""
    [expected] = find([SIGNED / "matches"])
    monkeypatch.chdir(SIGNED / "matches")
    [section] = find([Path()])
    assert section == expected
    assert "checkpoint" in [file.target for file in section.files]


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


@pytest.mark.parametrize("kind", ["tournament", "contest"])
def test_the_checkpoint_on_a_site(kind: str, tmp_path: Path) -> None:
    """It is beside the overview, and among the raw files, which the overview links.

    So are the earlier checkpoints of a contest.
    """
    home = SIGNED if kind == "tournament" else signed_contest(tmp_path)
    built([home], site := tmp_path / "site")
    signed = (home / "checkpoint").read_bytes()
    assert (site / "checkpoint").read_bytes() == (site / "logs/checkpoint").read_bytes() == signed
    assert {*site.rglob("checkpoint")} == {site / "checkpoint", site / "logs/checkpoint"}
    links = Links((site / "index.html").read_text()).links
    earlier = {f"logs/checkpoints/{path.name}" for path in (home / "checkpoints").glob("*")}
    assert bool(earlier) == (kind == "contest")
    raw = {link for link in links if link.startswith("logs/")}
    assert raw == {"logs/checkpoint", f"logs/{kind}.jsonl", *earlier}


@pytest.mark.parametrize("sections", [1, 2])
def test_each_section_leads_to_the_key(sections: int, tmp_path: Path) -> None:
    """The site has the key that its logs were checked with, and each tournament leads to it."""
    paths = [Path(shutil.copytree(SIGNED, tmp_path / f"cup-{n}")) for n in range(sections)]
    built(paths, site := tmp_path / "site", signer=ExpectedSigner.of(*SIGNER))
    assert (site / "key.pub").read_text() == f"{SIGNER[0]}\n"
    pages = [*site.glob("index.html" if sections == 1 else "tournaments/*/index.html")]
    assert len(pages) == sections
    for page in pages:
        [link] = [link for link in Links(page.read_text()).links if link.endswith("key.pub")]
        assert (page.parent / link).resolve() == site / "key.pub"


@pytest.mark.parametrize("kinds", ["tournament", "contest", "tournament contest"])
def test_a_match_brings_its_proof(kinds: str, tmp_path: Path) -> None:
    """The page of each signed match leads to ``verify.html`` with its log and the proof of it."""
    paths, folders = [], []
    if "tournament" in kinds:
        paths, folders = [SIGNED], [SIGNED]
    if "contest" in kinds:
        paths.append(cup := signed_contest(tmp_path))
        folders += (cup / "stages").iterdir()
    site = tmp_path / "site"
    built(paths, site, tools=lambda folder, _: (folder / "verify.html").touch())
    brought = {}
    for page in site.rglob("matches/*.html"):
        [query] = filter(None, (urlsplit(link).query for link in Links(page.read_text()).links))
        files = parse_qs(query)
        [log], [proof] = files["log"], files["proof"]
        brought[(site / log).read_bytes()] = (site / proof).read_bytes()
    assert brought == {
        (folder / "matches" / f"{match}.jsonl").read_bytes(): proof.data
        for folder in folders
        for match, proof in signing.proofs(folder).items()
        if match != TOURNAMENT_ENTRY
    }
