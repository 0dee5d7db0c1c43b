"""Sites for the tests, and a tournament of bots whose names and outputs are hostile."""

from __future__ import annotations

import random
import shutil
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import orjson

from games.table import Answer, Ask, Fault, JointAsk, Match, Reply, Result
from report.site.build import Built, Site, build
from schema import seal
from schema.executor import Mapper, serial
from tests import contests
from tests.factories import SEED, at_random, match_events, sealed, tournament_events

CORPUS = Path(__file__).parent.parent.parent / "corpus"
GAMES = ("bank_heist", "coins", "coup", "smallest_unique")

NAMES = (
    *("<img\u00adonerror=console.error(1)>", "..", "Ducal", "ducal", "\u202etxt.con'\"&{{7*7}}"),
)
"""Names that a log may have: no white space, no slash, no control character."""

CONTEST_NAME = "<b>{{7*7}}\"'&.."
"""A name that a bot can have in a contest."""

BEACON = "</bdi><script>console.error(3)</script>"

STDERR = "</pre><script>console.error(2)</script>\n  at\x1b[31m\u202e"


def built(paths: Sequence[Path], folder: Path, mapper: Mapper = serial, **options: Any) -> Built:
    """Build a site."""
    return build(Site(paths, **options), folder, mapper, lambda done, total: None)


def contest(folder: Path) -> Path:
    """Hold a contest of Coup in ``folder``: faults, a hostile name and beacon, and versions.

    The bandit fails and is revised, the taxman is withdrawn, and dora comes late.
    """
    cup, bots = folder / "cup", folder / "bots"

    def hold() -> None:
        contests.new(cup)
        contests.enter(cup, [contests.bot(bots, name) for name in ("bandit", "taxman")])
        contests.enter(cup, [contests.bot(bots, "hostile")], CONTEST_NAME)
        contests.run(cup, BEACON)
        contests.withdraw(cup, "taxman")
        contests.enter(cup, [contests.bot(bots, "dora"), contests.bot(bots, "bandit", "better")])
        contests.run(cup)

    contests.simulated(hold)
    return cup


def hostile_contest(cup: Path, folder: Path) -> Path:
    """Copy a contest into ``folder``, with entries that its organiser invented."""
    copied = Path(shutil.copytree(cup, folder))
    invented = [{"type": "entered", "name": name, "bot": "0" * 64} for name in NAMES]
    contests.rewrite(copied, [*contests.events(copied), *invented])
    return copied


def hostile_tournament(folder: Path) -> Path:
    """Write a verified tournament of Coup with hostile names, answers and standard errors."""
    (folder / "matches").mkdir(parents=True)
    (folder / "evidence").mkdir()
    events = tournament_events(lambda match: _play(folder, match), NAMES, rounds=1)
    (folder / "tournament.jsonl").write_bytes(sealed(events))
    return folder


def _play(folder: Path, match: Match) -> Result:
    seed = seal.match_seed(SEED, match.id)
    rng = random.Random(seed)
    play, asked = at_random(rng), 0

    def answer(ask: Ask | JointAsk) -> Reply:
        nonlocal asked
        asked += 1
        if asked == 5:
            return Fault("crash")
        if asked == 9:
            return Answer({"output": STDERR.encode(), "appended": b"<b>"})
        reply: Reply = play(ask)
        return reply

    events = match_events(answer, seed, rounds=1)
    events[0]["match"] = match.id
    events[0]["tournament"] = seal.tournament_id(seal.commitment(SEED))
    for player, entrant in zip(events[0]["players"], match.seats, strict=True):
        player["name"] = NAMES[entrant]
    log = sealed(events, seed)
    (folder / "matches" / f"{match.id}.jsonl").write_bytes(log)
    notes = [
        {"seq": seq, "seat": event["seat"], "ask": event["ask"], "stderr": STDERR}
        for seq, event in enumerate(events)
        if event["type"] == "fault"
    ]
    lines = b"".join(orjson.dumps(note, option=orjson.OPT_APPEND_NEWLINE) for note in notes)
    (folder / "evidence" / f"{match.id}.jsonl").write_bytes(lines)
    finish = next(event for event in events if event["type"] == "match_finished")
    faults = [(event["seat"], event["kind"]) for event in events if event["type"] == "fault"]
    digest = orjson.loads(log.splitlines()[-1])["sha256"]
    return Result(
        finish["reason"],
        tuple(finish["scores"]),
        tuple(finish["winners"]),
        tuple(faults),
        digest,
    )


class Links(HTMLParser):
    """The addresses in a page, and the anchors that others may name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        """Of elements ``a``."""
        self.loaded: list[str] = []
        """Of scripts and styles."""
        self.ids: set[str] = set()
        self.inline: list[str] = []
        """Scripts, styles and handlers in the page itself."""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element names."""
        given = dict(attrs)
        if href := given.get("href"):
            (self.links if tag == "a" else self.loaded).append(href)
        if src := given.get("src"):
            self.loaded.append(src)
        if name := given.get("id"):
            self.ids.add(name)
        is_code = tag == "script" and "src" not in given
        if tag == "style" or (is_code and not str(given.get("type")).startswith("application/")):
            self.inline.append(tag)
        self.inline += [name for name in given if name == "style" or name.startswith("on")]


def target(page: Path, link: str) -> tuple[Path, str]:
    """The file and the anchor that a relative link of a page leads to."""
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc) == ("", ""), link
    path = page.parent / unquote(parts.path) if parts.path else page
    return path.resolve(), parts.fragment


def links_of(page: Path) -> set[tuple[Path, str]]:
    """The files and anchors that a page links to."""
    return {target(page, link) for link in Links(page.read_text()).links}


def linked(page: Path) -> set[Path]:
    """The files that a page links to."""
    return {path for path, _ in links_of(page)}
