"""Attacks on a contest's folder: its log, its bots and its stages do not belong together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from games.contest import Stage
from tests.corpus.entries import Files, entry
from tests.corpus.honest import (
    CONTEST,
    TOURNAMENT,
    Cup,
    Honest,
    changed,
    imported,
    kept,
    match_path,
    root_of,
    sealed_without_seed,
    tournament,
    unsealed,
)
from tests.corpus.recipes.checkpoints import CHECKPOINT, KEY, PINNED, text
from tests.factories import Events, loads, sealed

BEACON = "drand 4711"
ONE, TWO, THREE = (f"stages/000{number}/" for number in (1, 2, 3))
FIRST, SECOND = map(match_path, range(2))
FORGED = {CONTEST: "forged"}
OTHER = "c" * 64


def begun() -> Cup:
    """A contest whose first stage is over, and for whose second stage a bot was entered."""
    cup = Cup()
    cup.enter("anna")
    cup.enter("bert")
    cup.run()
    cup.enter("cleo")
    return cup


def two_stages() -> Cup:
    """A contest of two stages; the second has a beacon, and only the missing pairings."""
    cup = begun()
    cup.run(BEACON)
    return cup


def three_stages() -> Cup:
    """The same with a third stage, before which a bot was revised and another one withdrawn."""
    cup = two_stages()
    cup.enter("bert", "better")
    cup.withdraw("anna")
    cup.run()
    return cup


@cache
def _files(hold: Callable[[], Cup]) -> Files:
    return hold().files


def honest(hold: Callable[[], Cup] = two_stages) -> Files:
    """The files of a contest that verifies."""
    return dict(_files(hold))


# --- Changes


def relogged(files: Files, change: Callable[[Events], Any]) -> Files:
    """``files`` with other events in the contest's log, numbered again."""
    events = loads(files[CONTEST])
    change(events)
    return files | {CONTEST: unsealed(events)}


def position(events: Events, **fields: Any) -> int:
    """The position of the first event with these fields."""
    return next(n for n, event in enumerate(events) if event | fields == event)


def edited(files: Files, where: dict[str, Any], /, **fields: Any) -> Files:
    """``files`` in whose log the first event with the fields ``where`` has other ``fields``."""
    return relogged(files, lambda events: events[position(events, **where)].update(fields))


def dated_back(files: Files, stage: int, **event: Any) -> Files:
    """``files`` in whose log the last event with these fields stands above a stage."""

    def move(events: Events) -> None:
        [*_, last] = [one for one in events if one | event == one]
        events.remove(last)
        events.insert(position(events, type="stage_started", stage=stage), last)

    return relogged(files, move)


def below(files: Files, folder: str) -> Files:
    """The files in a folder, by their paths there."""
    return {
        path.removeprefix(folder): data for path, data in files.items() if path.startswith(folder)
    }


def moved(files: Files, folder: str, new: str) -> Files:
    """``files`` with one folder in another place."""
    return dropped(files, folder) | {
        new + path: data for path, data in below(files, folder).items()
    }


def dropped(files: Files, folder: str) -> Files:
    """``files`` without a folder."""
    return kept(files, *(folder + path for path in below(files, folder)))


def refitted(files: Files, stage: int) -> Files:
    """``files`` with the right number and root of the files of a stage in the log."""
    return edited(
        files,
        {"type": "stage_finished", "stage": stage},
        **root_of(below(files, f"stages/000{stage}/")),
    )


def closed(files: Files) -> Files:
    """``files`` with a seal in the contest's log."""
    return files | {CONTEST: sealed_without_seed(loads(files[CONTEST]))}


def with_another_answer(files: Files) -> Files:
    """A match of the first stage and its tournament, edited where no rule looks: an output."""
    log, own = Honest(files[ONE + FIRST]), Honest(files[ONE + TOURNAMENT])
    events, results = log.events, own.events
    events[log.seq("answered")]["output"] = "hello"
    match = sealed(events, log.seed)
    results[1]["seal"] = loads(match)[-1]["sha256"]
    return files | {ONE + FIRST: match, ONE + TOURNAMENT: sealed(results, own.seed)}


# --- Controls


@entry({})
def honest_contest() -> Files:
    """Nothing was done to this open contest of two stages."""
    return honest()


@entry({})
def honest_contest_that_is_closed() -> Files:
    """Nothing was done to this contest, whose log has a seal."""
    return closed(honest())


@entry({})
def honest_contest_with_a_revised_and_a_withdrawn_bot() -> Files:
    """Nothing was done to this contest, in which bots came late, were revised, and left."""
    return honest(three_stages)


@entry({})
def honest_contest_of_whole_tournaments() -> Files:
    """Nothing was done to this contest of a game in which each stage is a whole tournament."""
    cup = Cup("coins")
    cup.enter("anna")
    cup.enter("bert")
    cup.run()
    cup.enter("bert", "better")
    cup.run(BEACON)
    return cup.files


# --- Stages


@entry(FORGED)
def stage_dropped() -> Files:
    """The folder of a stage is gone."""
    return dropped(honest(), TWO)


@entry(FORGED)
def all_stages_dropped() -> Files:
    """The folders of all stages are gone."""
    return dropped(honest(), "stages/")


@entry(FORGED)
def stage_dropped_with_its_lines() -> Files:
    """The first stage is gone from the folder and from the log, and the second has its number."""

    def drop(events: Events) -> None:
        start = position(events, type="stage_started")
        del events[start : start + 2]
        for event in events[start:]:
            event |= {"stage": 1} if "stage" in event else {}

    return relogged(moved(dropped(honest(), ONE), TWO, ONE), drop)


@entry("verified")
def last_stage_dropped_with_its_lines() -> Files:
    """The last stage is gone from the folder and from the log: only a checkpoint can tell."""
    return last_stage_dropped()


def last_stage_dropped() -> Files:
    """A contest without its last stage."""
    drop = lambda events: events.__delitem__(slice(-2, None))  # noqa: E731
    return relogged(dropped(honest(), TWO), drop)


@entry(FORGED)
def stages_swapped() -> Files:
    """The folders of two stages changed their names."""
    return moved(moved(moved(honest(), ONE, "stages/x/"), TWO, ONE), "stages/x/", TWO)


@entry(FORGED)
def stage_added() -> Files:
    """There is the folder of a stage that the log does not know."""
    files = honest()
    return files | {THREE + path: data for path, data in below(files, TWO).items()}


@entry(FORGED)
def stage_moved_below_another() -> Files:
    """The folder of a stage lies in the folder of another one."""
    return moved(honest(), TWO, f"{ONE}{TWO}")


@entry(FORGED)
def stage_played_with_another_seed() -> Files:
    """A stage was played with a seed that does not follow from the chain; its root fits."""
    cup = begun()
    cup.record(cup.play(cup.begin(BEACON), OTHER))
    return cup.files


@entry(FORGED)
def stage_with_more_pairings() -> Files:
    """In a stage all play all, although some of them had met; its root fits."""
    cup = begun()
    cup.record(cup.play(replace(cup.begin(BEACON), pairings=None)))
    return cup.files


@entry(FORGED)
def stage_without_missing_matches() -> Files:
    """A stage follows in which all play all again, although all had met; its seed and root fit."""
    cup = two_stages()
    cup.events.append({"type": "stage_started", "stage": 3})
    cup.events.append(cup.play(Stage(3, [*cup.state.current.values()])))
    return cup.files


IMPORTED = dict.fromkeys([ONE + FIRST, ONE + SECOND, ONE + TOURNAMENT], "imported")


@entry(FORGED | IMPORTED)
def stage_that_is_imported() -> Files:
    """All logs of a stage lost their seeds and are said to be imported; the root fits."""
    files = honest()
    for path in IMPORTED:
        files[path] = sealed_without_seed(imported(Honest(files[path]).events))
    return refitted(files, 1)


@entry(FORGED)
def chain_seed_exchanged() -> Files:
    """The chain seed of a stage is one that was chosen."""
    return edited(honest(), {"type": "stage_finished"}, seed=OTHER)


@entry(FORGED)
def beacon_exchanged() -> Files:
    """The beacon of a stage is another one than when it was played."""
    return edited(honest(), {"beacon": BEACON}, beacon="drand 4712")


@entry(FORGED)
def root_of_a_stage_edited() -> Files:
    """The end of a stage has another root."""
    return edited(honest(), {"type": "stage_finished"}, root=OTHER)


# --- Entries and bots


@entry(FORGED)
def entry_dated_back() -> Files:
    """The entry of a bot stands above a stage that was played without it."""
    return dated_back(honest(), 1, type="entered", name="cleo")


@entry(FORGED)
def revision_dated_back() -> Files:
    """The revision of a bot stands above a stage that its first version played."""
    return dated_back(honest(three_stages), 1, type="revised")


@entry(FORGED)
def withdrawn_bot_plays() -> Files:
    """The withdrawal of a bot stands above a stage in which it played."""
    return dated_back(honest(three_stages), 2, type="withdrawn")


def path_of(bot: str) -> str:
    """Return the path of the file of a bot."""
    return next(path for path in honest() if path.endswith(f"/{bot}.sh"))


@entry(FORGED)
def files_of_a_bot_exchanged() -> Files:
    """The file of a bot is another one than when it was entered."""
    return honest() | {path_of("anna"): b"# stronger\n"}


@entry(FORGED)
def files_of_a_bot_missing() -> Files:
    """The files of a bot are gone."""
    return kept(honest(), path_of("anna"))


# --- Matches of a stage

STAGE_FORGED = FORGED | {TWO + TOURNAMENT: "forged"}


@entry(STAGE_FORGED)
def match_of_a_stage_dropped() -> Files:
    """The log of a match of a stage is gone."""
    return kept(honest(), TWO + SECOND)


@entry(STAGE_FORGED)
def match_added_to_a_stage() -> Files:
    """A match of another stage lies among those of a stage, under a number of its own."""
    files = honest()
    return files | {TWO + match_path(99): files[ONE + FIRST]}


@entry(STAGE_FORGED)
def match_of_another_stage() -> Files:
    """The log of a match is that of the same number in another stage; the root fits."""
    files = honest()
    return refitted(files | {TWO + FIRST: files[ONE + FIRST]}, 2)


@entry(FORGED)
def answer_edited_in_a_stage() -> Files:
    """An answer is another one, and the seals of match and tournament fit, but not the root."""
    return with_another_answer(honest())


# --- The log itself


@entry({CONTEST: "corrupt"})
def contest_edited_after_its_seal() -> Files:
    """A beacon was edited in the log of a closed contest, and the seal left as it was."""
    files = closed(honest())
    return files | {CONTEST: changed(files[CONTEST], b"4711", b"4712")}


@entry({CONTEST: "incomplete"})
def contest_with_a_torn_line() -> Files:
    """The last line of the contest's log is torn."""
    files = honest()
    return files | {CONTEST: files[CONTEST] + b'{"seq":8,"ty'}


@entry({CONTEST: "incomplete"})
def end_of_a_stage_missing() -> Files:
    """The last stage was played, and its end is not recorded."""
    return relogged(honest(), lambda events: events.pop())


@entry({CONTEST: "incomplete", TWO + TOURNAMENT: "incomplete"})
def stage_cut_off() -> Files:
    """The last stage breaks off after its second match."""
    files = relogged(honest(), lambda events: events.pop())
    start = b"".join(Honest(files[TWO + TOURNAMENT]).lines[:3])
    return kept(files, TWO + match_path(2), TWO + match_path(3)) | {TWO + TOURNAMENT: start}


@entry(FORGED)
def tournament_in_the_place_of_the_contest() -> Files:
    """The contest's log is that of a tournament, so that nothing holds the stages together."""
    files = honest()
    return files | {CONTEST: files[ONE + TOURNAMENT]}


def empty() -> bytes:
    """The log of a contest without bots and stages."""
    return Cup().files[CONTEST]


@entry({TOURNAMENT: "forged"})
def contest_beside_swapped_matches() -> Files:
    """The log of a contest lies beside a tournament in which two matches changed their names."""
    files = tournament("coup")
    return files | {FIRST: files[SECOND], SECOND: files[FIRST], CONTEST: empty()}


@entry({TOURNAMENT: "forged"})
def contest_among_matches() -> Files:
    """The log of a contest lies among the matches of a tournament."""
    return tournament("coup") | {f"matches/{CONTEST}": empty()}


# --- Logs in the place of others


@entry({TOURNAMENT: "forged"})
def match_replaced_by_a_contest() -> Files:
    """A match's log is the log of a contest, which verifies by itself."""
    return tournament("coup") | {FIRST: empty()}


@entry({TOURNAMENT: "forged"})
def contest_under_another_name_among_matches() -> Files:
    """The log of a contest lies among the matches of a tournament, under the number of a match."""
    return tournament("coup") | {match_path(99): empty()}


@entry({TOURNAMENT: "forged"})
def contest_in_the_place_of_the_tournament() -> Files:
    """The tournament's log is that of a contest, so that nobody misses the match that is gone."""
    return kept(tournament("coup"), SECOND) | {TOURNAMENT: empty()}


@entry(STAGE_FORGED)
def match_in_the_place_of_the_tournament_of_a_stage() -> Files:
    """The log of a stage's tournament is that of one of its matches."""
    files = honest()
    return files | {TWO + TOURNAMENT: files[TWO + FIRST]}


@entry(STAGE_FORGED)
def contest_in_the_place_of_the_tournament_of_a_stage() -> Files:
    """The log of a stage's tournament is that of its contest."""
    files = honest()
    return files | {TWO + TOURNAMENT: files[CONTEST]}


@entry({"cup.jsonl": "forged"})
def contest_under_another_name() -> Files:
    """The log of a contest with a chain seed that was chosen is called otherwise."""
    files = edited(honest(), {"type": "stage_finished"}, seed=OTHER)
    return {"cup.jsonl": files[CONTEST]}


@entry({CONTEST: "corrupt", TWO + TOURNAMENT: "corrupt"})
def pairings_in_another_order() -> Files:
    """The pairings of a stage's tournament are not ascending; the root fits."""
    files = honest()
    log = Honest(files[TWO + TOURNAMENT])
    events = log.events
    events[0]["pairings"].reverse()
    return refitted(files | {TWO + TOURNAMENT: sealed(events, log.seed)}, 2)


# --- Signed contests


def signed(files: Files, now: Files | None = None) -> Files:
    """``now``, by default ``files``, with the checkpoint of a contest when it had ``files``."""
    lines = files[CONTEST].splitlines(keepends=True)
    return (files if now is None else now) | {CHECKPOINT: KEY.sign(text(lines))}


def logs(files: Files) -> list[str]:
    """Return the paths of all logs."""
    return [path for path in files if path.endswith(".jsonl")]


def all_forged(files: Files) -> dict[str, str]:
    """None of the logs is shown to be signed."""
    return dict.fromkeys(logs(files), "forged")


@entry({}, PINNED)
def signed_contest() -> Files:
    """Nothing was done to this signed contest."""
    return signed(honest())


@entry(all_forged(last_stage_dropped()), PINNED)
def last_stage_dropped_from_a_signed_contest() -> Files:
    """The last stage of a signed contest is gone from the folder and from the log."""
    return signed(honest(), last_stage_dropped())


@entry(all_forged(honest()), PINNED)
def answer_edited_in_a_signed_contest() -> Files:
    """An answer is another one, and all seals and roots fit: only the checkpoint tells."""
    return signed(honest(), refitted(with_another_answer(honest()), 1))


@entry(
    {**FORGED, **dict.fromkeys([TWO + path for path in logs(below(honest(), TWO))], "forged")},
    PINNED,
)
def stage_that_nobody_signed() -> Files:
    """A signed contest went on with a stage that was not signed."""
    return signed(begun().files, honest())


@entry(FORGED, PINNED)
def checkpoint_kept_of_another_history() -> Files:
    """A signed contest keeps an earlier checkpoint, in which another bot was entered."""
    cup = Cup()
    cup.enter("dora")
    lines = cup.files[CONTEST].splitlines(keepends=True)
    return signed(honest()) | {"checkpoints/2": KEY.sign(text(lines))}
