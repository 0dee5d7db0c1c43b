"""Notes, keys, checkpoints and proofs: examples of Go and C2SP, properties, and refusals."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema.signed_note import (
    MAX_BYTES,
    PROOF_HEADER,
    Checkpoint,
    ConsistencyProof,
    NoteError,
    PrivateKey,
    Proof,
    PublicKey,
    split_note,
    verify_note,
)
from tests.sampling import LONG_RUN

# From the tests of golang.org/x/mod/sumdb/note.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
ENOCH = "EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop"
TEXT = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
)
PETER_SIGNED = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6"
    "KE6RyyBwJnAM=\n"
)
ENOCH_SIGNED = (
    "— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33"
    "WWd1RvMc+QQ=\n"
)
peter, enoch = PublicKey.parse(PETER), PublicKey.parse(ENOCH)

# From c2sp.org/tlog-checkpoint and c2sp.org/tlog-proof.
SOFA = """\
example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
"""  # noqa: E501
PROOF = """\
c2sp.org/tlog-proof@v1
extra YWdlLXYxLjIuMQ==
index 73894
gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
B95lDa8R83lS8n0eG+o0buTxRKQTYFi//1U8anccXmA=

example.com/fancylog
109482
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

— example.com/fancylog hI2DJwAA
"""

# From c2sp.org/tlog-witness.
WITNESSED = f"""\
old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

{SOFA}"""

KEY = PrivateKey("example.com/spring", b"\x07" * 32)
OTHER = PrivateKey("example.com/spring", b"\x08" * 32)
NAMES = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters="+"), min_size=1, max_size=60
)
SECRETS = st.binary(min_size=32, max_size=32)
LINES = st.text(st.characters(exclude_categories=["C"]), max_size=20)
HASHES = st.binary(min_size=32, max_size=32)


def refused(note: bytes | str, key: PublicKey = peter) -> str:
    """Return the reason why a note is refused."""
    with pytest.raises(NoteError) as error:
        verify_note(note.encode() if isinstance(note, str) else note, key)
    return str(error.value)


# --- Known answers -------------------------------------------------------------------------------


def test_go_keys_are_read_and_written() -> None:
    """Go's keys give the same text again, and the private key has the right public key."""
    assert (str(peter), str(enoch)) == (PETER, ENOCH)
    secret = PrivateKey.parse(PETER_SECRET)
    assert (secret.text(), secret.public) == (PETER_SECRET, peter)


def test_signing_gives_go_s_bytes() -> None:
    """Text signed with Go's key gives Go's note, and both signatures verify."""
    note = PrivateKey.parse(PETER_SECRET).sign(TEXT)
    assert note.decode() == f"{TEXT}\n{PETER_SIGNED}"
    both = note + ENOCH_SIGNED.encode()
    assert verify_note(both, peter) == verify_note(both, enoch) == TEXT


@pytest.mark.parametrize("text", [PETER, PETER_SECRET])
def test_a_mangled_key_is_refused(text: str) -> None:
    """A part of a key, or a key with a character changed, is refused and not shown.

    After the tests of Go.
    """
    parse = PrivateKey.parse if text == PETER_SECRET else PublicKey.parse
    parts = [text[i:j] for i in range(len(text) + 1) for j in range(i, len(text) + 1)]
    changed = [f"{text[:n]}{chr(ord(text[n]) + 1)}{text[n + 1 :]}" for n in range(len(text))]
    more = [
        f"{text}\n",
        f" {text}",
        text.replace("c74f20a3", "C74F20A3"),
        text + "=",
        "\0",
        "é" * 9,
    ]
    for bad in {*parts, *changed, *more} - {text}:
        with pytest.raises(NoteError) as error:
            parse(bad)
        assert len(bad) < 20 or bad[-20:] not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        PETER_SECRET,
    ],
    ids=["length", "algorithm", "private"],
)
def test_what_is_no_ed25519_key(text: str) -> None:
    """A key of another length or algorithm, or a private key, is refused, even if its id fits."""
    with pytest.raises(NoteError):
        PublicKey.parse(text)


def test_a_public_key_is_no_private_one() -> None:
    """A public key is refused as a private key."""
    with pytest.raises(NoteError, match="expected a private key"):
        PrivateKey.parse(PETER)


def test_unknown_signatures_are_ignored() -> None:
    """Signatures by other keys are ignored, but one by the key is needed; it may be repeated."""
    lines = [ENOCH_SIGNED, PETER_SIGNED, ENOCH_SIGNED.replace("/5n2t", "/5nABCD2t"), PETER_SIGNED]
    assert verify_note(f"{TEXT}\n{''.join(lines)}".encode(), peter) == TEXT
    assert "found those by 'EnochRoot+af0cfe78'" in refused(f"{TEXT}\n{ENOCH_SIGNED}")
    misnamed = PETER_SIGNED.replace("PeterNeumann", "CarmenSandiego")
    other_id = PETER_SIGNED.replace("x08g", "xxxx")
    for line in (misnamed, other_id):
        assert "expected a signature by PeterNeumann+c74f20a3" in refused(f"{TEXT}\n{line}")


def test_a_wrong_signature_spoils_the_note() -> None:
    """A wrong signature by the key is refused, also next to a right one."""
    bad = PETER_SIGNED.replace("9UG/", "9UG+")
    long = PETER_SIGNED.replace("/Sff", "/ABCDSff")
    for lines in (bad, bad + PETER_SIGNED, PETER_SIGNED + bad, long, PETER_SIGNED + long):
        assert "the text or the signature was changed" in refused(f"{TEXT}\n{lines}")


@pytest.mark.parametrize(
    "note",
    [
        "",
        "\n",
        "\n\n",
        TEXT,
        f"{TEXT}\n",
        f"{TEXT}\n{PETER_SIGNED[:-1]}",
        f"{TEXT}{PETER_SIGNED}",
        PETER_SIGNED,
        f"\x01{TEXT}\n{PETER_SIGNED}",
        f"{TEXT}\n{PETER_SIGNED}".encode() + b"\xff",
        b"\xff" + f"{TEXT}\n{PETER_SIGNED}".encode(),
        f"{TEXT}\n{PETER_SIGNED.replace('PeterNeumann', 'Bad Name')}",
        f"{TEXT}\n{PETER_SIGNED.replace('PeterNeumann', 'Bad+Name')}",
        f"{TEXT}\n{PETER_SIGNED}Unexpected line.\n",
        f"{TEXT}\n{PETER_SIGNED}{'x' * 999}\n",
        f"{TEXT}\n{PETER_SIGNED}\n",
        f"{TEXT}\n\n{PETER_SIGNED}",
        f"{TEXT}\n{PETER_SIGNED}".replace("\n", "\r\n"),
        f"{TEXT}\n{PETER_SIGNED}".replace("— ", "- "),
        f"{TEXT}\n{PETER_SIGNED.replace('AM=', 'AN=')}",
        f"{TEXT}\n{PETER_SIGNED.replace('AM=', 'AM')}",
        f"{TEXT}\n— PeterNeumann x08goA==\n",
        f"{TEXT}\n{PETER_SIGNED}— EnochRoot rwz+eA==\n",
        f"{TEXT}\n{PETER_SIGNED}— EnochRoot rwz+eB\n",
        f"{TEXT}\n— PeterNeumann\n",
        "\ufeff" + f"{TEXT}\n{PETER_SIGNED}",
        f"{TEXT}\n{PETER_SIGNED * 101}",
        f"{'x' * 1_000_000}\n\n{PETER_SIGNED}",
    ],
)
def test_a_malformed_note_is_refused(note: bytes | str) -> None:
    """A malformed note is refused, also if its signature is right (after the tests of Go).

    The message stays short.
    """
    assert len(refused(note)) < 200


@pytest.mark.parametrize("char", sorted({*map(chr, range(32))} - {"\n"}))
def test_a_signed_control_character_is_refused(char: str) -> None:
    """A control character is refused in a text and in a name, also under a right signature."""
    assert "control character" in refused(OTHER.sign(f"a{char}b\n"), OTHER.public)
    named = PrivateKey(f"a{char}b", OTHER.seed)
    assert "control character" in refused(named.sign("a\n"), named.public)


def test_a_signature_without_a_text_is_refused() -> None:
    """A note needs an empty line, also if its signature is one of a text that is not there."""
    note = OTHER.sign("\n")
    assert verify_note(note, OTHER.public) == "\n"
    assert "an empty line" in refused(note.removeprefix(b"\n\n"), OTHER.public)


def test_c2sp_s_checkpoint() -> None:
    """The checkpoint in the specification has its origin, its size and its root."""
    text, [(name, signature)] = split_note(SOFA.encode())
    found = Checkpoint.parse(text)
    assert (found.origin, found.size, found.text) == ("example.com/behind-the-sofa", 20852163, text)
    assert (name, signature[:4].hex(), len(signature)) == (found.origin, "033de0ae", 68)


def test_c2sp_s_proof() -> None:
    """The proof in the specification has its index, hashes, checkpoint and extra data."""
    found = Proof.parse(PROOF.encode())
    assert (found.index, len(found.hashes)) == (73894, 2)
    assert Checkpoint.parse(split_note(found.checkpoint)[0]).origin == "example.com/fancylog"
    assert (found.extra, found.data.decode()) == (b"age-v1.2.1", PROOF)


def test_c2sp_s_consistency_proof() -> None:
    """The proof in the specification of witnesses has its old size, its hashes and its note."""
    found = ConsistencyProof.parse(WITNESSED.encode())
    assert (found.old, len(found.hashes), found.data.decode()) == (20852014, 4, WITNESSED)
    assert Checkpoint.parse(split_note(found.checkpoint)[0]).size == 20852163


# --- Properties ----------------------------------------------------------------------------------


@given(NAMES, SECRETS)
def test_a_key_is_its_text(name: str, secret: bytes) -> None:
    """A key is the same after it is written and read."""
    key = PrivateKey(name, secret)
    assert PrivateKey.parse(key.text()) == key
    assert PublicKey.parse(str(key.public)) == key.public


def test_a_key_is_new_every_time_and_shows_nothing() -> None:
    """Two generated keys differ, and their printed form does not show the secret."""
    one, two = (PrivateKey.generate("spring") for _ in range(2))
    assert one.seed != two.seed
    for shown in (repr(one), str(one), f"{one}"):
        assert shown == "PrivateKey(name='spring')"


@given(st.lists(LINES).map(lambda lines: "".join(f"{line}\n" for line in [*lines, "end"])))
def test_what_is_signed_is_verified(text: str) -> None:
    """A signed text verifies with its key only, and signing gives the same bytes every time."""
    note = KEY.sign(text)
    assert note == KEY.sign(text)
    assert verify_note(note, KEY.public) == text
    refused(note, OTHER.public)


def test_any_changed_bit_is_found() -> None:
    """A note with any bit changed, or any byte removed or repeated, is refused."""
    note = KEY.sign(Checkpoint("example.com/spring", 13, sha256(b"").digest()).text)
    for place in range(len(note)):
        for bit in range(8):
            refused(note[:place] + bytes([note[place] ^ 1 << bit]) + note[place + 1 :], KEY.public)
        refused(note[:place] + note[place + 1 :], KEY.public)
        refused(note[: place + 1] + note[place:], KEY.public)


@given(LINES.filter(bool), st.integers(0, 2**63 - 1), HASHES, st.lists(LINES.filter(bool)))
def test_a_checkpoint_is_its_text(origin: str, size: int, root: bytes, more: list[str]) -> None:
    """A checkpoint is the same after it is written and read; later lines are ignored."""
    checkpoint = Checkpoint(origin, size, root)
    extended = checkpoint.text + "".join(f"{line}\n" for line in more)
    assert Checkpoint.parse(checkpoint.text) == Checkpoint.parse(extended) == checkpoint


@given(
    st.integers(0, 2**63 - 1),
    st.lists(HASHES, max_size=64),
    st.binary(max_size=200),
    st.binary(max_size=99),
)
def test_a_proof_is_its_bytes(index: int, hashes: list[bytes], note: bytes, extra: bytes) -> None:
    """A proof is the same after it is written and read, with any bytes as note and as extra."""
    proof = Proof(index, hashes, note, extra)
    assert Proof.parse(proof.data) == proof
    assert proof.data.split(b"\n", 2)[1].startswith(b"extra " if extra else b"index ")


@given(st.integers(0, 2**63 - 1), st.lists(HASHES, max_size=64), st.binary(max_size=200))
def test_a_consistency_proof_is_its_bytes(old: int, hashes: list[bytes], note: bytes) -> None:
    """A consistency proof is the same after it is written and read."""
    proof = ConsistencyProof(old, hashes, note)
    assert ConsistencyProof.parse(proof.data) == proof


@settings(max_examples=300 if LONG_RUN else 60)
@given(st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_garbage_is_refused(data: bytes) -> None:
    """Garbage is refused as a note, proof, checkpoint or key."""
    parsers = (Proof.parse, ConsistencyProof.parse)
    for read in (split_note, *parsers, lambda data: verify_note(data, peter)):
        with pytest.raises(NoteError):
            read(data)
    text = data.decode("utf-8", "replace")
    for parse in (Checkpoint.parse, PublicKey.parse, PrivateKey.parse):
        with pytest.raises(NoteError):
            parse(text)


# --- Refusals ------------------------------------------------------------------------------------

ROOT = b64encode(bytes(32)).decode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "a\n3\n",
        f"a\n3\n{ROOT}\n\nmore\n",
        f"a\n\n3\n{ROOT}\n",
        f"\n3\n{ROOT}\n",
        f"a\n03\n{ROOT}\n",
        f"a\n-3\n{ROOT}\n",
        f"a\n+3\n{ROOT}\n",
        f"a\n3 \n{ROOT}\n",
        f"a\n٣\n{ROOT}\n",
        f"a\n1_0\n{ROOT}\n",
        f"a\n{'9' * 20}\n{ROOT}\n",
        f"a\n{'9' * 9999}\n{ROOT}\n",
        f"a\n3\n{ROOT[:-1]}\n",
        f"a\n3\n{ROOT[:-2]}B=\n",
        f"a\n3\n {ROOT}\n",
        f"a\n3\n{ROOT[4:]}\n",
        f"a\n3\nAAAA{ROOT}\n",
    ],
)
def test_a_malformed_checkpoint_is_refused(text: str) -> None:
    """A checkpoint has three lines, a size in plain decimal, and a root in canonical base64."""
    with pytest.raises(NoteError):
        Checkpoint.parse(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@v1", "@v2"),
        ("c2sp", " c2sp"),
        ("\n", "\r\n"),
        ("index 73894\n", ""),
        ("index 73894", "index 073894"),
        ("index 73894", "index -1"),
        ("index 73894", "index  73894"),
        ("index 73894", "Index 73894"),
        ("index 73894\n", "index 73894\nindex 73894\n"),
        ("extra YWdlLXYxLjIuMQ==", "extra !!"),
        ("extra YWdlLXYxLjIuMQ==", "extra YWdlLXYxLjIuMR=="),
        ("extra YWdlLXYxLjIuMQ==\n", "extra YWdl\nextra YWdl\n"),
        ("gSKy", "gSK"),
        ("PlQ=\n", "PlR=\n"),
        ("PlQ=\n", "PlQ=AAAA\n"),
        ("gSKy", "gSKé"),
        ("\n\n", "\n"),
        ("c2sp", "\ufeffc2sp"),
        ("— example", "— " + "x" * 1_000_000),
    ],
)
def test_a_malformed_proof_is_refused(old: str, new: str) -> None:
    """A proof has a header, at most one extra, an index, hashes in base64, and an empty line."""
    assert old in PROOF
    with pytest.raises(NoteError):
        Proof.parse(PROOF.replace(old, new).encode())


@pytest.mark.parametrize("parse", [Proof.parse, ConsistencyProof.parse])
@pytest.mark.parametrize(
    "data",
    [
        "1\n\n",
        f"{PROOF_HEADER}\n\n",
        f"{PROOF_HEADER}\n1\n\n",
        f"{PROOF_HEADER}\nindex 1",
        "old 1",
        b"old 1\n\xff\n\n",
    ],
)
def test_a_proof_without_one_of_its_parts_is_refused(
    parse: Callable[[bytes], object], data: str | bytes
) -> None:
    """A proof needs its header, the word before its number, ASCII, and an empty line."""
    with pytest.raises(NoteError):
        parse(data.encode() if isinstance(data, str) else data)


def test_the_limits_belong_to_what_is_allowed() -> None:
    """Names, notes, signatures and proofs may have exactly as many bytes as the limits say."""
    for name in ("a", "é" * 127 + "a"):
        assert PrivateKey.generate(name).name == name
    text = "x" * (MAX_BYTES - len(KEY.sign("\n"))) + "\n"
    assert verify_note(KEY.sign(text), KEY.public) == text
    refused(KEY.sign("x" + text), KEY.public)
    assert verify_note(f"{TEXT}\n{PETER_SIGNED * 100}".encode(), peter) == TEXT
    empty = Proof(0, [], b"")
    full = replace(empty, checkpoint=b"x" * (MAX_BYTES - len(empty.data)))
    assert Proof.parse(full.data) == full


@pytest.mark.parametrize("name", ["", " ", "a b", "a+b", "a\nb", "a\u00a0b", "a\u200bb", "é" * 128])
def test_a_bad_name_is_refused(name: str) -> None:
    """A key's name is printable, has no white space or plus signs, and at most 255 bytes."""
    with pytest.raises(NoteError, match="expected a name of 1 to 255 bytes"):
        PrivateKey.generate(name)
