"""The dice are exact, in range, named, and anybody can recompute them with a shell."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from math import ceil, floor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schema.dice import SPAN, Dice, Draw, threshold
from schema.seal import hex_digest
from tests.schema.shell import sh

SEEDS = st.text("0123456789abcdef", min_size=64, max_size=64)
LABELS = st.text(st.characters(codec="utf-8"), max_size=20)
ITEMS = st.lists(st.text(st.characters(codec="utf-8"), max_size=8), unique=True, max_size=12)
SEED = "5" * 64


def words(seed: str, label: str) -> list[int]:
    """Return the four words of a label: the hex digits 16w … 16w+12 of its hash."""
    digits = hex_digest(f"{seed}:{label}".encode())
    return [int(digits[16 * w : 16 * w + 13], 16) for w in range(4)]


@given(SEEDS, LABELS)
def test_a_word_is_the_first_52_bits_of_the_labels_hash(seed: str, label: str) -> None:
    """Word 0 of a label is 13 hex digits of sha256(seed:label)."""
    word = Dice(seed).word(label)
    assert word == words(seed, label)[0]
    assert 0 <= word < SPAN == 2**52


@given(SEEDS, LABELS, st.one_of(st.integers(1, 100), st.integers(1, 2**80)))
def test_below_is_exact_and_in_range(seed: str, label: str, n: int) -> None:
    """An integer below n is the floor of x·n/2⁵², in exact arithmetic, for any n."""
    value = Dice(seed).below(label, n)
    assert value == floor(Fraction(words(seed, label)[0] * n, 2**52))
    assert 0 <= value < n


@given(SEEDS, LABELS, st.integers(0, 2**70), st.integers(1, 2**70))
def test_chance_is_exact(seed: str, label: str, a: int, b: int) -> None:
    """A chance of a/b is true exactly if x/2⁵² is below a/b."""
    expected = Fraction(words(seed, label)[0], 2**52) < Fraction(a, b)
    assert Dice(seed).chance(label, a, b) == expected


@given(st.integers(0, 2**70), st.integers(1, 2**70), st.integers(0, 1))
def test_a_threshold_is_exact(a: int, b: int, above: int) -> None:
    """A chance of a/b holds for the word below the threshold, and not for the threshold."""
    word = threshold(a, b) - above
    assert (Fraction(word, 2**52) < Fraction(a, b)) == bool(above)


@given(SEEDS, LABELS)
def test_the_edge_of_a_chance(seed: str, label: str) -> None:
    """A chance of x/2⁵² is false, and (x+1)/2⁵² is true; 0 is always false, and 1 always true."""
    x = words(seed, label)[0]
    dice = Dice(seed)
    assert not dice.chance(label, x, SPAN)
    assert dice.chance(label, x + 1, SPAN)
    assert not dice.chance(label, 0, 1)
    assert dice.chance(label, 1, 1)


@given(SEEDS, LABELS, st.integers(0, 30))
def test_bulk_draw_i_is_word_i_mod_4_of_digest_i_div_4(seed: str, label: str, count: int) -> None:
    """Bulk draws take four words from each of the labels label#0, label#1, …"""
    expected = [words(seed, f"{label}#{i // 4}")[i % 4] for i in range(count)]
    assert Dice(seed).bulk(label, count) == expected


@given(SEEDS, LABELS, ITEMS, st.randoms())
def test_a_shuffle_does_not_depend_on_the_order_before(
    seed: str, label: str, items: list[str], luck: random.Random
) -> None:
    """A shuffle is a permutation, in the order of sha256(seed:label:item)."""
    shuffled = Dice(seed).shuffle(label, items)
    assert sorted(shuffled) == sorted(items)
    assert shuffled == sorted(items, key=lambda item: hex_digest(f"{seed}:{label}:{item}".encode()))
    mixed = list(items)
    luck.shuffle(mixed)
    assert Dice(seed).shuffle(label, mixed) == shuffled


@given(SEEDS, LABELS, ITEMS, st.integers(0, 15))
def test_a_sample_is_the_head_of_the_shuffle(
    seed: str, label: str, items: list[str], count: int
) -> None:
    """A sample is the start of the shuffled items, or all of them if there are no more."""
    dice = Dice(seed)
    assert dice.sample(label, items, count) == dice.shuffle(label, items)[:count]


@given(LABELS, ITEMS.filter(bool))
def test_equal_items_are_refused(label: str, items: list[str]) -> None:
    """A shuffle of items of which two are equal raises ValueError, which names the item."""
    problem = f"a shuffle needs distinct items, found {items[0]!r} twice"
    with pytest.raises(ValueError, match=re.escape(problem)):
        Dice(SEED).shuffle(label, [*items, items[0]])


@given(SEEDS, LABELS, ITEMS)
def test_a_trace_changes_nothing(seed: str, label: str, items: list[str]) -> None:
    """A trace gets each draw, and the dice have the same values as without it."""
    heard: list[Draw] = []

    def cast(dice: Dice) -> list[object]:
        return [
            dice.below(label, 6),
            dice.chance(label, 1, 2),
            dice.shuffle(label, items),
            dice.sample(label, items, 2),
            dice.bulk(label, 5),
        ]

    assert cast(Dice(seed, heard.append)) == cast(Dice(seed))
    assert [draw.label for draw in heard] == [label] * 4 + [f"{label}#0", f"{label}#1"]


@given(st.integers(0, 30))
def test_a_trace_of_a_bulk_draw_has_each_digest_once(count: int) -> None:
    """A bulk draw is traced as the digests that it needs, of four words each."""
    heard: list[Draw] = []
    assert len(Dice(SEED, heard.append).bulk("deal", count)) == count
    assert heard == [Draw(f"deal#{block}", "four words") for block in range(ceil(count / 4))]


def test_one_die_never_shifts_another() -> None:
    """A die depends on its name only, not on earlier dice."""
    fresh, used = Dice(SEED), Dice(SEED)
    used.below("other", 6)
    used.shuffle("cards", ["a", "b"])
    assert used.below("game/1", 1000) == fresh.below("game/1", 1000)


# --- By hand -------------------------------------------------------------------------------------

AWKWARD = [
    "game/13/success/4",
    "",
    "two words",
    "it's",
    '"quoted"',
    "$HOME `id` $(id)",
    "back\\slash\\n",
    "100 %s %d",
    "*",
    "-n",
    "#7; echo no & false | true",
    "line\nbreak",
    "Dürer 🂡",
]


@pytest.mark.parametrize("label", AWKWARD[:1])
def test_the_one_liner_of_the_design_recomputes_a_die(label: str) -> None:
    """The documented command, printf … | sha256sum | cut, prints the word of a die."""
    printed = sh(f"printf '%s' '{SEED}:{label}' | sha256sum | cut -c1-13")
    assert int(printed, 16) == Dice(SEED).word(label)


@pytest.mark.parametrize("label", AWKWARD)
def test_a_draws_command_recomputes_it(label: str) -> None:
    """The command of a single draw prints the hash that starts with the die."""
    heard: list[Draw] = []
    value = Dice(SEED, heard.append).below(label, 1000)
    [draw] = heard
    assert int(sh(draw.command(SEED))[:13], 16) * 1000 >> 52 == value
    assert draw.outcome == f"{value} of 0 … 999"


def test_a_bulk_draws_commands_recompute_it() -> None:
    """The commands of a bulk draw print all its words, four per line."""
    heard: list[Draw] = []
    drawn = Dice(SEED, heard.append).bulk("round/7", 10)
    printed = [sh(draw.command(SEED)) for draw in heard]
    found = [int(digits[16 * w : 16 * w + 13], 16) for digits in printed for w in range(4)]
    assert found[:10] == drawn


def ordered_by_shell(label: str, items: list[str]) -> tuple[list[str], list[str]]:
    """Return the items as the dice order them, and as the command of that draw prints them."""
    heard: list[Draw] = []
    shuffled = Dice(SEED, heard.append).shuffle(label, items)
    [draw] = heard
    return shuffled, [line[66:] for line in sh(draw.command(SEED)).splitlines()]


@pytest.mark.parametrize("label", AWKWARD)
def test_a_shuffles_command_orders_the_cards(label: str) -> None:
    """The command of a shuffle prints the items in shuffled order."""
    shuffled, printed = ordered_by_shell(label, [f"Duke{n}" for n in range(1, 16)])
    assert printed == shuffled


AWKWARD_ITEMS = [
    *("it's", '"quoted"', "$HOME", "`id`", "*", "-n", "-", "Dürer", "a/b", "a&b", "a\\b", "\\1"),
    *(";", "#", "%s", "[a-z]*", "~", "'", "^"),
]


@pytest.mark.parametrize("item", AWKWARD_ITEMS)
def test_a_shuffles_command_copes_with_any_item(item: str) -> None:
    """The command of a shuffle prints its items unchanged, also with special characters."""
    shuffled, printed = ordered_by_shell("deck", [item, f"{item} {item}", "one", "another"])
    assert printed == shuffled


@settings(max_examples=25)
@given(st.lists(st.text("ab -'$\\/&*\"", min_size=1, max_size=4), unique=True, min_size=1))
def test_a_shuffles_command_copes_with_any_items(items: list[str]) -> None:
    """The command also prints any mixture of such items."""
    shuffled, printed = ordered_by_shell("deck", items)
    assert printed == shuffled
