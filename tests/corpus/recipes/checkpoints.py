"""Attacks on signed checkpoints and proofs.

The verifier has pinned key and origin. In an entry with a proof its one log is ``log.jsonl``.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from schema import merkle
from schema.signed_note import Checkpoint, PrivateKey, Proof
from tests.corpus.entries import LOG, Files, add
from tests.corpus.honest import (
    TOURNAMENT,
    Honest,
    changed,
    imported,
    kept,
    match_path,
    refielded,
    sealed_without_seed,
    tournament,
)
from tests.factories import sealed

NAME = "spring.example/2026"
KEY = PrivateKey(NAME, b"k" * 32)
SAME_NAME = PrivateKey(NAME, b"o" * 32)
STRANGER = PrivateKey("autumn.example/2026", b"s" * 32)
CHECKPOINT, PROOF = "checkpoint", "proof"
FORGED = {TOURNAMENT: "forged"}
FIRST, SECOND, THIRD = map(match_path, range(3))
OTHER = "c" * 64

FILES = tournament("coins")
ORDER = (FIRST, SECOND, THIRD, TOURNAMENT)
"""Matches in their order, then the tournament's log: the entries of the tree."""


def hashes(files: Files, order: Sequence[str] = ORDER) -> list[bytes]:
    """The entries of a tree."""
    return [sha256(files[path]).digest() for path in order]


def text(entries: Sequence[bytes], origin: str = NAME) -> str:
    """Return the text that is signed for a tree."""
    return Checkpoint(origin, len(entries), merkle.root(entries)).text


RIGHT = text(hashes(FILES))
NOTE = KEY.sign(RIGHT)


PINNED = {"key": str(KEY.public), "origin": NAME}
"""Values that the verifier knows from elsewhere."""


def uncovered(files: Files) -> Mapping[str, str]:
    """All logs are forged: with a pinned key, none of them is shown to be signed."""
    return {path: "forged" for path in files if path.endswith(".jsonl")}


def signed(name: str, attack: str, note: bytes, files: Files = FILES, bad: bool = True) -> None:
    """An entry: a tournament with this checkpoint."""
    expected = uncovered(files) if bad else {}
    add(name, attack, expected, lambda: {**files, CHECKPOINT: note}, PINNED)


def resigned(name: str, attack: str, content: str) -> None:
    """An entry: a tournament with a checkpoint of another content, signed with the right key."""
    signed(name, attack, KEY.sign(content))


# --- Controls

signed("signed_tournament", "Nothing was done to this signed tournament.", NOTE, bad=False)
signed(
    "checkpoint_with_an_extension_line",
    "The checkpoint has a fourth line, which the format allows.",
    KEY.sign(RIGHT + "matches of spring\n"),
    bad=False,
)
signed(
    "checkpoint_with_a_signature_more",
    "A witness signed the checkpoint, too.",
    NOTE + STRANGER.sign(RIGHT).partition(b"\n\n")[2],
    bad=False,
)

# --- Who signed

signed("checkpoint_by_another_key", "Somebody else signed.", STRANGER.sign(RIGHT))
signed(
    "checkpoint_by_another_key_of_the_same_name",
    "Somebody else signed under the same name.",
    SAME_NAME.sign(RIGHT),
)


SIGNED = NOTE.rpartition(b" ")[2].rstrip()


def flipped(data: bytes) -> bytes:
    """``data`` with a bit of its last byte flipped."""
    return data[:-1] + bytes([data[-1] ^ 1])


def by_its_id() -> bytes:
    """Return a signature of another key after the pinned key's id."""
    head, _, line = SAME_NAME.sign(RIGHT).rpartition(b" ")
    return head + b" " + b64encode(KEY.public.id + b64decode(line)[4:]) + b"\n"


signed(
    "signature_of_another_key_under_the_id", "The key's id stands before another's.", by_its_id()
)
signed(
    "signature_of_another_text",
    "The signature is the key's, of another tournament.",
    RIGHT.encode() + b"\n" + KEY.sign(text(hashes(tournament("coins", OTHER)))).split(b"\n\n")[1],
)
signed("signature_missing", "The checkpoint is not signed.", RIGHT.encode())
signed("signature_missing_after_the_empty_line", "No signature follows.", RIGHT.encode() + b"\n")
signed("signature_cut_short", "The signature lacks its last bytes.", NOTE[:-9] + b"\n")
signed(
    "flipped_bit_in_a_signature",
    "One bit of the signature is flipped.",
    changed(NOTE, SIGNED, b64encode(flipped(b64decode(SIGNED)))),
)
resigned("origin_of_another", "The right key signed for another.", text(hashes(FILES), "autumn"))
resigned("origin_with_a_slash_more", "The origin ends in a slash.", text(hashes(FILES), NAME + "/"))
add(
    "checkpoint_missing",
    "There is no checkpoint, although a key is pinned.",
    uncovered(FILES),
    lambda: dict(FILES),
    PINNED,
)

# --- What was signed

resigned("checkpoint_for_fewer_matches", "A match came later.", text(hashes(FILES, ORDER[1:])))
resigned("checkpoint_for_more_matches", "A match was taken out.", text(hashes(FILES) * 2))
resigned("checkpoint_of_nothing", "The tree has no entries.", text([]))
resigned(
    "checkpoint_without_the_tournaments_log",
    "Only the matches were signed.",
    text(hashes(FILES, ORDER[:3])),
)
resigned(
    "checkpoint_of_another_tournament",
    "The checkpoint is that of another tournament.",
    text(hashes(tournament("coins", OTHER))),
)
resigned(
    "root_of_swapped_matches",
    "Two matches changed places in the tree.",
    text(hashes(FILES, (SECOND, FIRST, THIRD, TOURNAMENT))),
)
resigned(
    "root_with_the_tournaments_log_in_front",
    "The tournament's log is the first entry of the tree.",
    text(hashes(FILES, (TOURNAMENT, FIRST, SECOND, THIRD))),
)


def root_without_prefixes() -> str:
    """A tree in which leaves and nodes are hashed alike."""
    level = hashes(FILES)
    while len(level) > 1:
        level = [
            sha256(one + other).digest() for one, other in zip(level[::2], level[1::2], strict=True)
        ]
    return Checkpoint(NAME, 4, level[0]).text


resigned(
    "root_without_prefixes",
    "Leaves and nodes are hashed alike, so that a node can pass for a leaf.",
    root_without_prefixes(),
)
resigned(
    "root_of_two_nodes",
    "The tree has two entries, which are the nodes below the root of the right one.",
    text(
        [
            merkle.node_hash(*map(merkle.leaf_hash, pair))
            for pair in (hashes(FILES)[:2], hashes(FILES)[2:])
        ]
    ),
)
signed(
    "size_edited_after_signing",
    "The size of the tree was edited and not signed again.",
    changed(NOTE, b"\n4\n", b"\n5\n"),
)
signed(
    "whole_tournament_played_again_after_signing",
    "All matches were played again with another seed, and the checkpoint is as before.",
    NOTE,
    tournament("coins", OTHER),
)


def with_another_answer() -> Files:
    """A match and its tournament's log, edited where no rule looks: an output of Coup."""
    files = tournament("coup")
    log = Honest(files[FIRST])
    new = refielded(log, log.seq("answered"), lambda event: event.update(output="hello"))
    seals = [data.splitlines()[-1].split(b'"')[-2] for data in (files[FIRST], new)]
    own = Honest(changed(files[TOURNAMENT], *seals))
    return {**files, FIRST: new, TOURNAMENT: sealed(own.events, own.seed)}


COUP_ORDER = (*map(match_path, range(4)), TOURNAMENT)
signed(
    "answer_edited_in_all_logs_after_signing",
    "An answer is another one, and all seals fit: without the checkpoint all is verified.",
    KEY.sign(text(hashes(tournament("coup"), COUP_ORDER))),
    with_another_answer(),
)
add(
    "answer_edited_in_all_logs",
    "An answer is another one, and all seals fit: only a checkpoint or the bot itself tells.",
    "verified",
    with_another_answer,
)
add(
    "checkpoint_of_other_files_without_a_pinned_key",
    "Nobody pinned a key, but the checkpoint is of other files than these.",
    FORGED,
    lambda: {**tournament("coins", OTHER), CHECKPOINT: NOTE},
)
add(
    "match_dropped_from_a_signed_tournament",
    "A match of a signed tournament is gone.",
    uncovered(kept(FILES, SECOND)),
    lambda: {**kept(FILES, SECOND), CHECKPOINT: NOTE},
    PINNED,
)
add(
    "match_corrupt_in_a_signed_tournament",
    "A match of a signed tournament was edited.",
    {**uncovered(FILES), FIRST: "corrupt"},
    lambda: {**FILES, FIRST: changed(FILES[FIRST], b"bot0", b"bot9"), CHECKPOINT: NOTE},
    PINNED,
)
add(
    "imported_tournament_that_was_signed_before",
    "A signed tournament lost its seed and is said to be imported.",
    uncovered(FILES),
    lambda: {
        **FILES,
        TOURNAMENT: sealed_without_seed(imported(Honest(FILES[TOURNAMENT]).events)),
        CHECKPOINT: NOTE,
    },
    PINNED,
)

# --- How it is written

signed("checkpoint_that_is_empty", "The checkpoint is an empty file.", b"")
signed("checkpoint_with_crlf", "Its lines end in CRLF.", NOTE.replace(b"\n", b"\r\n"))
resigned("checkpoint_signed_with_crlf", "CRLF was signed.", RIGHT.replace("\n", "\r\n"))
signed("checkpoint_with_a_byte_order_mark", "A BOM stands in front.", b"\xef\xbb\xbf" + NOTE)
signed(
    "checkpoint_with_invalid_utf8", "A byte is no UTF-8.", changed(NOTE, b"spring", b"spr\xffng")
)
signed("checkpoint_without_its_last_line_feed", "The last LF is missing.", NOTE[:-1])
signed("checkpoint_with_a_tail", "A line follows the signature.", NOTE + b"the end\n")
signed("checkpoint_with_a_blank_line_at_the_end", "A blank line follows.", NOTE + b"\n")
signed("checkpoint_with_a_hyphen", "A hyphen is no dash.", changed(NOTE, "—".encode(), b"-"))
signed("two_checkpoints", "The checkpoint stands twice.", NOTE * 2)
signed(
    "two_checkpoints_of_two_tournaments",
    "The checkpoint of another tournament follows, by the same key.",
    NOTE + KEY.sign(text(hashes(tournament("coins", OTHER)))),
)
resigned("size_with_a_leading_zero", "The size is 04.", RIGHT.replace("\n4\n", "\n04\n"))
resigned("size_with_a_sign", "The size is +4.", RIGHT.replace("\n4\n", "\n+4\n"))
resigned("size_with_a_space", "A space follows the size.", RIGHT.replace("\n4\n", "\n4 \n"))
resigned("size_in_other_digits", "The size is a full-width 4.", RIGHT.replace("\n4\n", "\n４\n"))
resigned(
    "size_that_wraps_round", "The size is 2^64 + 4.", RIGHT.replace("\n4\n", f"\n{2**64 + 4}\n")
)
resigned(
    "size_of_5000_digits",
    "The size has 5,000 digits.",
    RIGHT.replace("\n4\n", "\n" + "4" * 5_000 + "\n"),
)
resigned("root_missing", "There is no root.", "\n".join(RIGHT.split("\n")[:2]) + "\n")
resigned(
    "root_in_hex", "The root is in hex digits.", f"{NAME}\n4\n{merkle.root(hashes(FILES)).hex()}\n"
)
resigned(
    "root_without_padding", "The base64 of the root lacks its padding.", RIGHT.replace("=", "")
)
resigned(
    "root_that_is_longer", "The root has 33 bytes.", f"{NAME}\n4\n{b64encode(b'x' * 33).decode()}\n"
)


def loose(base64: str) -> str:
    """The same bytes in base64 whose spare bits are not zero."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    last = len(base64.rstrip("=")) - 1
    return base64[:last] + digits[digits.index(base64[last]) + 1] + base64[last + 1 :]


ROOT = b64encode(merkle.root(hashes(FILES))).decode()
resigned(
    "root_in_base64_that_is_not_canonical",
    "The bits that the base64 of the root leaves over are not zero.",
    RIGHT.replace(ROOT, loose(ROOT)),
)
add(
    "checkpoint_that_is_a_folder",
    "A folder bears the name of the checkpoint.",
    uncovered(FILES),
    lambda: {**FILES, f"{CHECKPOINT}/readme.txt": b"Signed, believe me.\n"},
    PINNED,
)

# --- Proofs


def proof(index: int, files: Files = FILES, note: bytes = NOTE) -> Proof:
    """The right proof of a file."""
    return Proof(index, merkle.inclusion(hashes(files), index), note)


def proven(
    name: str, attack: str, make: Callable[[], bytes], log: bytes = FILES[SECOND], bad: bool = True
) -> None:
    """An entry: a log, by default the second match, with this proof."""
    verdict = "forged" if bad else "verified"
    add(name, attack, verdict, lambda: {LOG: log, PROOF: make()}, PINNED | {"proof": PROOF})


HONEST = proof(1)
proven("proven_match", "Nothing was done to this match.", lambda: HONEST.data, bad=False)
proven(
    "proven_tournament",
    "Nothing was done to this log of a tournament.",
    lambda: proof(3).data,
    FILES[TOURNAMENT],
    bad=False,
)
proven(
    "proof_with_an_extra_line",
    "The proof has a line of its own, which the format allows.",
    lambda: changed(HONEST.data, b"index", b"extra aGVsbG8=\nindex"),
    bad=False,
)
proven("proof_for_another_leaf", "The proof is that of another match.", lambda: proof(0).data)
proven(
    "proof_for_another_leaf_under_the_right_index",
    "The hashes are those of another match.",
    lambda: Proof(1, proof(0).hashes, NOTE).data,
)
proven(
    "proof_of_another_tournament",
    "The proof is that of the same number in another tournament, by the same key.",
    lambda: (
        proof(
            1, tournament("coins", OTHER), KEY.sign(text(hashes(tournament("coins", OTHER))))
        ).data
    ),
)
proven("proof_with_another_index", "The index is 0.", lambda: Proof(0, HONEST.hashes, NOTE).data)
proven(
    "proof_with_an_index_too_high", "The index is 5.", lambda: Proof(5, HONEST.hashes, NOTE).data
)
proven(
    "proof_with_an_index_that_is_negative",
    "The index is -3.",
    lambda: Proof(-3, HONEST.hashes, NOTE).data,
)
proven(
    "proof_with_a_changed_hash",
    "A hash of the proof is another one.",
    lambda: Proof(1, [HONEST.hashes[0], bytes(32)], NOTE).data,
)
proven(
    "proof_with_a_hash_less", "A hash is missing.", lambda: Proof(1, HONEST.hashes[:1], NOTE).data
)
proven(
    "proof_with_a_hash_more",
    "A hash more follows.",
    lambda: Proof(1, [*HONEST.hashes, bytes(32)], NOTE).data,
)
proven(
    "proof_with_swapped_hashes",
    "The hashes stand in the other order.",
    lambda: Proof(1, HONEST.hashes[::-1], NOTE).data,
)
proven("proof_without_hashes", "There are no hashes.", lambda: Proof(1, [], NOTE).data)
proven(
    "proof_by_another_key",
    "The checkpoint in the proof was signed by somebody else.",
    lambda: Proof(1, HONEST.hashes, STRANGER.sign(RIGHT)).data,
)
proven(
    "proof_for_another_origin",
    "The checkpoint in the proof is for another origin.",
    lambda: Proof(1, HONEST.hashes, KEY.sign(text(hashes(FILES), "autumn"))).data,
)
proven(
    "proof_not_signed",
    "The checkpoint in the proof is not signed.",
    lambda: Proof(1, HONEST.hashes, RIGHT.encode()).data,
)
proven(
    "proof_without_a_checkpoint", "There is no checkpoint.", lambda: HONEST.data.split(b"\n\n")[0]
)
proven("proof_that_is_empty", "The proof is an empty file.", lambda: b"")
proven("proof_that_is_a_checkpoint", "A checkpoint is no proof.", lambda: NOTE)
proven("proof_of_a_newer_kind", "Its header is v2.", lambda: changed(HONEST.data, b"@v1", b"@v2"))
proven("proof_with_crlf", "Its lines end in CRLF.", lambda: HONEST.data.replace(b"\n", b"\r\n"))
proven(
    "proof_index_with_a_leading_zero",
    "The index is 01.",
    lambda: changed(HONEST.data, b"index 1", b"index 01"),
)
proven(
    "proof_in_base64_that_is_not_canonical",
    "The bits that the base64 of a hash leaves over are not zero.",
    lambda: changed(
        HONEST.data,
        b64encode(HONEST.hashes[0]),
        loose(b64encode(HONEST.hashes[0]).decode()).encode(),
    ),
)
proven(
    "proven_match_of_another_seal",
    "The log is another one of the same number.",
    lambda: HONEST.data,
    tournament("coins", OTHER)[SECOND],
)
proven(
    "proven_match_edited_and_resealed",
    "The name of a player was edited and the log sealed again.",
    lambda: HONEST.data,
    refielded(Honest(FILES[SECOND]), 0, lambda start: start["players"][0].update(name="somebody")),
)
add(
    "proven_match_edited",
    "The log was edited: corrupt comes before forged.",
    "corrupt",
    lambda: {LOG: changed(FILES[SECOND], b"bot0", b"bot9"), PROOF: HONEST.data},
    PINNED | {"proof": PROOF},
)
add(
    "proven_match_truncated",
    "The log breaks off: incomplete comes before forged.",
    "incomplete",
    lambda: {LOG: FILES[SECOND][:-1], PROOF: HONEST.data},
    PINNED | {"proof": PROOF},
)
