"""The registry: cards of the installed games, and messages about wrong names and cards."""

from __future__ import annotations

import errno
from pathlib import Path
from unittest.mock import patch

import pytest

import games.coup.events
from schema import card, contract, registry
from schema.errors import KothError, UsageError
from schema.rules_version import CardError
from schema.words import suggest

CARD = """
name = "{name}"
title = "A made-up game"
seats = [1, 3]
protocol = "argv"
scratch = "decision"
rules = "{name}/2"
rulebook = "{name}:RULES.md"
bots = "{name}:bots"
audit = "{name}:rules"
leaderboard = "{name}:leaderboard.sql"
[versions."{name}/2"]
events = "games.coup.events:EVENTS"
settings = "games.coup.events:Settings"
match = "{name}.rules:play"
tournament = "{name}.nowhere:play"
"""


def install(folder: Path, name: str, card: str | bytes | None, package: str | None = None) -> None:
    """Write a package with a game's card, and its entry point, into ``folder``."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("")
    (folder / name / "rules.py").write_text("def play(table): yield []\n")
    (folder / name / "RULES.md").write_text("- **XX-1** Play.\n")
    (folder / name / "leaderboard.sql").write_text("SELECT 1\n")
    (folder / name / "bots").mkdir()
    (folder / name / "rules").mkdir()
    if card is not None:
        data = card if isinstance(card, bytes) else card.replace("{name}", name).encode()
        (folder / name / "game.toml").write_bytes(data)
    info = folder / f"{name}-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[koth.games]\n{name} = {package or name}\n")


@pytest.mark.parametrize("name", registry.names())
def test_the_games_of_koth_pass_the_checks_of_other_games(name: str) -> None:
    """Events, settings and rules of Koth's own games, which no run of Koth checks, are valid."""
    for version in registry.card(name).versions.values():
        contract.check_events(version.event_models())
        contract.check_settings(version.settings_model())
        contract.check_rules(version.match_rules())
        contract.check_rules(version.tournament_rules())


def test_coup_is_found() -> None:
    """The built-in game is found by its entry point, with all data of its card."""
    assert "coup" in registry.names()
    card = registry.card("coup")
    assert (card.name, card.title, card.seats) == ("coup", "Coup for two", (2, 2))
    assert (card.protocol, card.scratch, card.rules) == ("file", "match", "coup/2")
    assert card.rulebook.name == "RULES.md"
    assert card.rulebook.is_file()
    assert (card.bots / "taxman.py").is_file()
    assert card.audit.parts[-3:] == ("audit", "rules", "coup")
    assert card.leaderboard.parts[-3:] == ("audit", "leaderboards", "coup.sql")


@pytest.mark.parametrize("name", registry.names())
def test_every_reference_of_a_card_leads_somewhere(name: str) -> None:
    """All models, settings and rules that a card names exist, for each of its versions."""
    card = registry.card(name)
    assert card.name == name
    assert card.current is card.versions[card.rules]
    for version in card.versions.values():
        assert version.event_models()
        assert version.settings_model()()
        assert callable(version.match_rules())
        assert callable(version.tournament_rules())
    assert all(path.exists() for path in (card.rulebook, card.bots))


def test_a_package_brings_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package with an entry point and a card is a game like the built-in games."""
    install(tmp_path, "ludo_made_up", CARD)
    monkeypatch.syspath_prepend(tmp_path)
    assert "ludo_made_up" in registry.names()
    assert registry.names() == sorted(registry.names())
    card = registry.card("ludo_made_up")
    assert (card.seats, card.rules) == ((1, 3), "ludo_made_up/2")
    assert card.bots == tmp_path / "ludo_made_up" / "bots"
    assert card.current.event_models() == games.coup.events.EVENTS
    assert card.current.match_rules().__name__ == "play"


def test_a_reference_that_leads_nowhere_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card's reference to a missing module is reported when it is used, not before."""
    install(tmp_path, "chess_made_up", CARD)
    monkeypatch.syspath_prepend(tmp_path)
    version = registry.card("chess_made_up").current
    with pytest.raises(CardError, match=r"'chess_made_up\.nowhere:play': it cannot be imported"):
        version.tournament_rules()


def test_an_unknown_game_is_named_with_what_was_meant() -> None:
    """An unknown game is reported with a similar name, or with the list of all games."""
    with pytest.raises(UsageError, match=r"no game is called 'cuop'\. Did you mean 'coup'\?"):
        registry.card("cuop")
    with pytest.raises(UsageError, match=r"no game is called 'xyzzy'\. Available: .*coup"):
        registry.card("xyzzy")


BROKEN = {
    "no_toml": "name = ",
    "no_text": b"\xff\xfe",
    "no_title": CARD.replace('title = "A made-up game"', ""),
    "no_rules": CARD.replace('rules = "{name}/2"\n', ""),
    "rules_without_versions": CARD.replace('rules = "{name}/2"', 'rules = "{name}/3"'),
    "one_seat_number": CARD.replace("[1, 3]", "[1]"),
    "seats_no_numbers": CARD.replace("[1, 3]", '["1", "3"]'),
    "seats_no_list": CARD.replace("[1, 3]", "2"),
    "version_without_settings": CARD.replace('settings = "games.coup.events:Settings"', ""),
    "version_with_more": CARD + 'luck = "games.coup.events:Luck"\n',
    "versions_no_table": CARD.partition("[versions")[0].replace(
        "name =", "versions = 2\nname =", 1
    ),
    "version_no_table": CARD.partition("[versions")[0] + '[versions]\n"{name}/2" = 3\n',
    "rulebook_no_text": CARD.replace('"{name}:RULES.md"', "7"),
    "rulebook_of_no_package": CARD.replace('"{name}:RULES.md"', '"no_such_package:RULES.md"'),
    "missing": None,
}


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_card_is_named(
    broken: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A broken card is an error that names its file, without a traceback."""
    name = f"broken_{broken}"
    install(tmp_path, name, BROKEN[broken])
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CardError, match="the card of a game is broken") as caught:
        registry.card(name)
    assert str(caught.value).startswith(f"{tmp_path / name / 'game.toml'}: ")


def test_a_card_that_the_system_does_not_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card is named, and not called broken, because no more files can be opened."""
    install(tmp_path, "unopened", CARD)
    monkeypatch.syspath_prepend(tmp_path)
    failed = OSError(errno.EMFILE, "Too many open files")
    with (
        patch.object(Path, "read_text", side_effect=failed),
        pytest.raises(OSError, match="Too many") as told,
    ):
        card.read("unopened", "unopened")
    assert told.value.filename == str(tmp_path / "unopened" / "game.toml")


def test_a_wrong_value_of_a_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that a key cannot have is shown after those that it can have."""
    install(tmp_path, "draughts_made_up", CARD.replace("[1, 3]", "2"))
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(CardError, match="seats: expected a valid list, found 2"):
        registry.card("draughts_made_up")


def test_an_entry_point_to_no_package_is_a_broken_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry point whose package cannot be imported is an error of Koth that names it."""
    install(tmp_path, "lost_made_up", None, package="lost_made_up.deep.package")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(KothError, match=r"lost_made_up\.deep"):
        registry.card("lost_made_up")


def test_settings_have_the_games_defaults() -> None:
    """Given settings replace the defaults of the game."""
    card = registry.card("coup")
    assert card.settings({}).model_dump() == {
        "rounds": 10,
        "time_limit_s": 10,
        "max_calls": 200,
        "mirrored": 0,
    }
    assert card.settings({"rounds": 3}).model_dump()["rounds"] == 3


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"round": 3}, "coup has no setting 'round'. Did you mean 'rounds'?"),
        (
            {"luck": 3},
            "no setting 'luck'. Available: rounds, time_limit_s, max_calls, mirrored.",
        ),
        ({"rounds": 0}, "setting rounds: expected greater than or equal to 1, found '0'."),
        ({"max_calls": "many"}, "found 'many'."),
    ],
)
def test_a_wrong_setting_is_named(given: dict[str, object], says: str) -> None:
    """A setting that is unknown or has a wrong value is reported with that value."""
    with pytest.raises(UsageError) as caught:
        registry.card("coup").settings(given)
    assert says in str(caught.value)


def test_suggestions() -> None:
    """A suggestion is a similar name, or else the available names, or else nothing."""
    assert suggest("tax", ["taxman", "miser"]) == " Did you mean 'taxman'?"
    assert suggest("xyz", ["taxman", "miser"]) == " Available: taxman, miser."
    assert suggest("xyz", []) == ""


def test_settings_that_do_not_go_together() -> None:
    """An error of several settings together is reported with the text of the model."""
    with pytest.raises(
        UsageError, match=r"^setting games_max: expected at least games_min, 5, found 4\.$"
    ):
        registry.card("bank_heist").settings({"games_min": 5, "games_max": 4})


@pytest.mark.parametrize(("games", "limit"), [(1, 1), (7, 4), (200, 100)])
def test_a_setting_that_follows_from_another(games: int, limit: int) -> None:
    """By default the fewest games of a tournament are half of those per entrant (SU-7)."""
    settings = registry.card("smallest_unique").settings({"games_per_entrant": str(games)})
    assert settings.model_dump()["min_games_per_entrant"] == limit


def test_the_number_of_bots_may_be_a_setting() -> None:
    """The number of bots may depend on a setting, and the error names that setting."""
    card = registry.card("smallest_unique")
    card.check_number("seats", 3, card.settings({"seats": 3}))
    with pytest.raises(ValueError, match=r"expected 3 bots \(setting seats\), found 4"):
        card.check_number("seats", 4, card.settings({"seats": 3}))
