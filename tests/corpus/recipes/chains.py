"""Attacks on a tournament's folder: its log and those of its matches do not belong together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from schema import seal
from tests.corpus.entries import Files, add, entry
from tests.corpus.honest import (
    GAMES,
    TOURNAMENT,
    Honest,
    chance,
    imported,
    kept,
    match_path,
    sealed_without_seed,
    tournament,
)
from tests.factories import Events, match_events, sealed

FIRST, SECOND, THIRD = map(match_path, range(3))
LATE = match_path(99)
OTHER = "c" * 64
FORGED = {TOURNAMENT: "forged"}


def edited(files: Files, path: str, change: Callable[[Events], Any]) -> Files:
    """``files`` with one log changed and sealed again."""
    log = Honest(files[path])
    events = log.events
    change(events)
    return files | {path: sealed(events, log.seed)}


def for_every_game(
    name: str, attack: str, verdicts: dict[str, str], change: Callable[[str], Files]
) -> None:
    """An entry for a tournament of each game."""
    for game in GAMES:
        add(f"{name}_in_{game}", attack, verdicts, lambda game=game: change(game))


for_every_game(
    "dropped_match",
    "The log of a match is gone.",
    FORGED,
    lambda game: kept(tournament(game), SECOND),
)
for_every_game(
    "match_from_another_tournament",
    "The log of a match is that of the same number in another tournament.",
    FORGED,
    lambda game: tournament(game) | {SECOND: tournament(game, OTHER)[SECOND]},
)
for_every_game(
    "extra_match",
    "There is the log of a match that the tournament does not know, out of another one.",
    FORGED,
    lambda game: tournament(game) | {LATE: tournament(game, OTHER)[SECOND]},
)


@entry(FORGED)
def two_matches_swapped() -> Files:
    """The logs of two matches changed their names."""
    files = tournament("coup")
    return files | {FIRST: files[SECOND], SECOND: files[FIRST]}


@entry(FORGED)
def match_twice() -> Files:
    """The log of a match lies there a second time, under another number."""
    files = tournament("coup")
    return files | {LATE: files[FIRST]}


@entry(FORGED)
def match_in_the_place_of_another() -> Files:
    """The log of a match lies in the place of another one, too."""
    files = tournament("coins")
    return files | {SECOND: files[FIRST]}


@entry(FORGED)
def match_renamed() -> Files:
    """The log of a match has a number that the tournament does not know."""
    files = tournament("coins")
    return kept(files, THIRD) | {LATE: files[THIRD]}


@entry(FORGED)
def match_of_another_attempt() -> Files:
    """The log of a match is named after a second attempt."""
    files = tournament("smallest_unique")
    return files | {"matches/2-000000.jsonl": files[FIRST]}


@entry(FORGED)
def all_matches_dropped_but_one() -> Files:
    """Of all matches one is left."""
    files = tournament("coins")
    return {TOURNAMENT: files[TOURNAMENT], FIRST: files[FIRST]}


@entry(FORGED)
def all_matches_dropped() -> Files:
    """Of all matches none is left, and their folder holds a note."""
    files = tournament("coins")
    return {TOURNAMENT: files[TOURNAMENT], "matches/readme.txt": b"Lost in a move.\n"}


@entry(FORGED)
def match_replaced_by_a_folder() -> Files:
    """A folder has the name of a match's log, so that something is there."""
    files = tournament("coins")
    return kept(files, SECOND) | {f"{SECOND}/readme.txt": b"Nothing to see here.\n"}


@entry(FORGED)
def matches_replaced_by_a_file() -> Files:
    """The folder of the matches is a file."""
    return {TOURNAMENT: tournament("coins")[TOURNAMENT], "matches": b"Nothing to see here.\n"}


@entry(FORGED)
def match_replaced_by_a_tournament() -> Files:
    """A match's log is the log of a tournament, which verifies by itself."""
    files = tournament("coins")
    return files | {SECOND: tournament("coins", OTHER)[TOURNAMENT]}


@entry(FORGED)
def tournament_hidden_behind_a_copy() -> Files:
    """Beside the tournament's log, in which entrants changed names, lies a copy as it was."""
    files = tournament("coins")
    return entrants_swapped() | {"tournament-copy.jsonl": files[TOURNAMENT]}


@entry({"final.jsonl": "forged"})
def tournament_under_another_name() -> Files:
    """The tournament's log, in which entrants changed names, is called otherwise."""
    files = entrants_swapped()
    return {**kept(files, TOURNAMENT), "final.jsonl": files[TOURNAMENT]}


@entry({TOURNAMENT: "forged"})
def match_in_the_place_of_the_tournament() -> Files:
    """The tournament's log is that of a match, so that nothing holds the others together."""
    files = tournament("coins")
    return files | {TOURNAMENT: files[FIRST]}


@entry(FORGED)
def match_with_its_suffix_changed() -> Files:
    """The log of a match has another suffix, so that nobody reads it."""
    files = tournament("coins")
    return kept(files, SECOND) | {f"{SECOND}.bak": files[SECOND]}


@entry(FORGED)
def extra_match_in_a_folder_below() -> Files:
    """A match that the tournament does not know lies in a folder below its matches."""
    extra = tournament("coins", OTHER)[FIRST]
    return tournament("coins") | {"matches/more/1-000099.jsonl": extra}


@entry({FIRST: "corrupt"})
def match_corrupt() -> Files:
    """The log of a match was edited and not sealed again."""
    files = tournament("coup")
    return files | {FIRST: files[FIRST].replace(b'"answered"', b'"answerer"', 1)}


@entry({FIRST: "incomplete"})
def match_truncated() -> Files:
    """The log of a match breaks off."""
    files = tournament("coup")
    return files | {FIRST: files[FIRST][:-300]}


@entry({FIRST: "unsupported"})
def match_under_newer_rules() -> Files:
    """A match says that it was played under newer rules."""
    change = lambda events: events[0].update(rules="coup/3")  # noqa: E731
    return edited(tournament("coup"), FIRST, change)


@entry({FIRST: "diverged"})
def match_with_an_edited_result() -> Files:
    """The result of a match was edited and sealed again."""
    return edited(tournament("coins"), FIRST, lambda events: events[-1]["scores"].reverse())


@entry({FIRST: "forged"})
def match_with_another_seed() -> Files:
    """The seal of a match reveals another seed than it committed to."""
    files = tournament("coins")
    return files | {FIRST: sealed(Honest(files[FIRST]).events, OTHER)}


@entry({FIRST: "corrupt", SECOND: "incomplete", THIRD: "diverged"})
def three_matches_bad() -> Files:
    """Three matches are bad, each otherwise."""
    files = edited(tournament("coup"), THIRD, lambda events: events.pop(2))
    return files | {FIRST: files[FIRST] + b"\n", SECOND: files[SECOND][:-1]}


@entry({TOURNAMENT: "incomplete"})
def tournament_truncated() -> Files:
    """The tournament's log breaks off; all matches are whole."""
    files = tournament("coup")
    return files | {TOURNAMENT: files[TOURNAMENT][:-250]}


@entry({TOURNAMENT: "corrupt"})
def tournament_edited_without_a_new_seal() -> Files:
    """An entrant of the tournament is called otherwise, and the seal left as it was."""
    files = tournament("coup")
    return files | {TOURNAMENT: files[TOURNAMENT].replace(b"bot1", b"bot2", 1)}


@entry(FORGED)
def tournament_of_another_seed() -> Files:
    """The tournament's log is that of another one, of the same bots."""
    return tournament("coins") | {TOURNAMENT: tournament("coins", OTHER)[TOURNAMENT]}


@entry({TOURNAMENT: "forged"})
def tournament_seed_exchanged() -> Files:
    """The tournament reveals another seed than it committed to."""
    files = tournament("coins")
    return files | {TOURNAMENT: sealed(Honest(files[TOURNAMENT]).events, OTHER)}


@entry(FORGED)
def tournament_seed_and_commitment_exchanged() -> Files:
    """Seed and commitment of a tournament were exchanged together: its matches do not follow."""
    files = tournament("coins")
    events = Honest(files[TOURNAMENT]).events
    events[0]["seed_commitment"] = seal.commitment(OTHER)
    return files | {TOURNAMENT: sealed(events, OTHER)}


# --- A match that verifies, but is not the one that was played


def replaced(game: str, change: Callable[[Events], Any], adopt: bool = False) -> Files:
    """A tournament in which one match is changed and sealed again.

    With ``adopt`` the tournament's log has the new seal.
    """
    files = edited(tournament(game), FIRST, change)
    if not adopt:
        return files
    new = Honest(files[FIRST]).lines[-1].split(b'"')[-2].decode()
    return edited(files, TOURNAMENT, lambda events: events[1].update(seal=new))


def player(change: dict[str, Any]) -> Callable[[Events], Any]:
    """Changes the first player of a match."""
    return lambda events: events[0]["players"][0].update(change)


@entry(FORGED)
def player_renamed_in_a_match() -> Files:
    """A player of a match is called otherwise."""
    return replaced("coup", player({"name": "somebody"}))


@entry(FORGED)
def player_renamed_in_a_match_and_its_seal_adopted() -> Files:
    """A player of a match is called otherwise, and the tournament names the new seal."""
    return replaced("coup", player({"name": "somebody"}), adopt=True)


@entry(FORGED)
def bot_exchanged_in_a_match_and_its_seal_adopted() -> Files:
    """A match was played by another bot, and the tournament names the new seal."""
    return replaced("coup", player({"bot": "0" * 64}), adopt=True)


@entry(FORGED)
def another_setting_in_a_match_and_its_seal_adopted() -> Files:
    """A match had another time limit, and the tournament names the new seal."""
    change = lambda events: events[0]["settings"].update(time_limit_s=3)  # noqa: E731
    return replaced("coup", change, adopt=True)


@entry(FORGED)
def another_tournament_in_a_match_and_its_seal_adopted() -> Files:
    """A match says that it is of another tournament, and the tournament names the new seal."""
    return replaced("coup", lambda events: events[0].update(tournament="autumn"), adopt=True)


@entry(FORGED)
def another_number_in_a_match_and_its_seal_adopted() -> Files:
    """A match says that it has another number, and the tournament names the new seal."""
    return replaced("coup", lambda events: events[0].update(match="1-000001"), adopt=True)


@entry(FORGED)
def unread_output_edited_in_a_match() -> Files:
    """What a bot printed and nobody reads is edited in a match of Coup."""
    change = lambda events: events[2].update(output="hello")  # noqa: E731
    return replaced("coup", change)


def with_its_own_seed(seed: str) -> Files:
    """A tournament in which the first match was played again with a seed that was chosen."""
    files = tournament("coins")
    old = Honest(files[FIRST]).events[0]
    events = match_events(chance(seed), seed, "coins", 2, **old["settings"])
    events[0] = old | {"seed_commitment": seal.commitment(seed)}
    new = sealed(events, seed)
    digest = Honest(new).lines[-1].split(b'"')[-2].decode()
    finish = {key: events[-1][key] for key in ("reason", "scores", "winners")}

    def adopt(own: Events) -> None:
        own[1] |= {**finish, "seal": digest}
        sums = [sum(event["scores"][n] for event in own[1:-1]) for n in range(2)]
        order = sorted(range(2), key=lambda n: -sums[n])
        own[-1]["standings"] = [
            {"rank": 1 + sum(s > sums[n] for s in sums), "entrant": n, "score": sums[n], "games": 3}
            for n in order
        ]

    return edited(files | {FIRST: new}, TOURNAMENT, adopt)


@entry(FORGED)
def match_with_a_seed_that_was_chosen() -> Files:
    """A match was played with a seed that does not follow from the tournament's; results and final
    table fit it."""
    return with_its_own_seed("7" * 64)


# --- The tournament's log, which only takes over some things

REPORTS: dict[str, tuple[str, dict[str, Any]]] = {
    "reason": ("The tournament's log has another reason for the end of a match.", {"reason": "x"}),
    "seal": ("The tournament's log has another seal for a match.", {"seal": "0" * 64}),
    "fault": (
        "The tournament's log has a fault that its match does not have.",
        {"faults": [{"seat": 0, "kind": "crash"}]},
    ),
}

for what, (attack, fields) in REPORTS.items():
    add(
        f"{what}_of_a_match_edited_in_the_tournament",
        attack,
        FORGED,
        lambda fields=fields: edited(
            tournament("coup"), TOURNAMENT, lambda events: events[1].update(fields)
        ),
    )


@entry(FORGED)
def winners_of_a_match_edited_in_the_tournament() -> Files:
    """The tournament's log has other winners of a match; the final table is made of scores."""

    def change(events: Events) -> None:
        events[1]["winners"] = [0] if events[1]["winners"] != [0] else [1]

    return edited(tournament("coins"), TOURNAMENT, change)


@entry(FORGED)
def entrant_renamed_in_the_tournament() -> Files:
    """An entrant is called otherwise in the tournament's log."""
    change = lambda events: events[0]["entrants"][0].update(name="somebody")  # noqa: E731
    return edited(tournament("coup"), TOURNAMENT, change)


def entrants_swapped() -> Files:
    """A tournament whose first two entrants changed their names."""

    def change(events: Events) -> None:
        one, other = events[0]["entrants"]
        one["name"], other["name"] = other["name"], one["name"]

    return edited(tournament("coins"), TOURNAMENT, change)


@entry(FORGED)
def entrants_exchanged_in_the_tournament() -> Files:
    """Two entrants changed their names in the tournament's log, and with them their ranks."""
    return entrants_swapped()


@entry(FORGED)
def bot_exchanged_in_the_tournament() -> Files:
    """An entrant has other files in the tournament's log."""
    change = lambda events: events[0]["entrants"][0].update(bot="0" * 64)  # noqa: E731
    return edited(tournament("coup"), TOURNAMENT, change)


@entry(FORGED)
def setting_edited_in_the_tournament() -> Files:
    """The tournament's log has another time limit."""
    change = lambda events: events[0]["settings"].update(time_limit_s=3)  # noqa: E731
    return edited(tournament("coup"), TOURNAMENT, change)


@entry(FORGED)
def id_edited_in_the_tournament() -> Files:
    """The tournament's log has another id."""
    return edited(
        tournament("coup"), TOURNAMENT, lambda events: events[0].update(tournament="autumn")
    )


# --- Imports among what was played


@entry({FIRST: "forged"})
def imported_match_beside_a_committing_tournament() -> Files:
    """A match lost its seed and is said to be imported, in a tournament that committed to one."""
    files = tournament("coins")
    return files | {FIRST: sealed_without_seed(imported(Honest(files[FIRST]).events))}


@entry({FIRST: "forged"})
def imported_match_with_another_result() -> Files:
    """A match with an edited result is said to be imported, so that nobody re-runs it."""
    files = tournament("coins")
    events = imported(Honest(files[FIRST]).events)
    events[-1]["scores"].reverse()
    return files | {FIRST: sealed_without_seed(events)}


@entry({TOURNAMENT: "forged"})
def imported_tournament_over_matches_that_were_played() -> Files:
    """A tournament's log lost its seed and is said to be imported, so that its final table can be
    edited; its matches commit to their seeds."""
    files = tournament("coins")
    events = imported(Honest(files[TOURNAMENT]).events)
    events[-1]["standings"].reverse()
    return files | {TOURNAMENT: sealed_without_seed(events)}


# --- What a folder cannot show by itself


@entry("verified")
def whole_tournament_forged_by_its_operator() -> Files:
    """All matches were played again with a seed that the operator chose: only the commitment
    published beforehand, or a checkpoint, can tell."""
    return tournament("coins", OTHER)


@entry("verified")
def tournament_log_dropped_with_a_match() -> Files:
    """The tournament's log is gone, and with it what a match is missed by: only a checkpoint can
    tell."""
    return kept(tournament("coins"), TOURNAMENT, SECOND)
