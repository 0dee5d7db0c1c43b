"""Servers and sandboxes of a match start together; who takes one finds it as if started alone."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.bot import Bot
from referee.errors import RefereeError
from referee.pools import pool
from referee.processes.fork_client import ForkServer
from tests.referee.bot_factory import PATIENCE
from tests.referee.test_process import dies
from tests.referee.test_warm import SEEDS, make

BOTS = [make(f"print({number})") for number in range(3)]

ISOLATIONS = ["process", "sandbox"]


@pytest.fixture(autouse=True)
def _isolation(request: pytest.FixtureRequest) -> Iterator[None]:
    """Begin and end without servers; skip tests of sandboxes where there are none."""
    if request.getfixturevalue("isolation") == "sandbox":
        request.getfixturevalue("sandboxes")
    pool.close()
    yield
    pool.close()


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[ForkServer]:
    """Return a list of all servers whose start begins."""
    servers: list[ForkServer] = []
    begin = ForkServer.__init__

    def recorded(server: ForkServer, *arguments: object) -> None:
        servers.append(server)
        begin(server, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(ForkServer, "__init__", recorded)
    return servers


def printed(bot: Bot, isolation: str, home: Path) -> bytes:
    """Return what a bot prints in a decision."""
    server = pool.take(bot, isolation)
    where: Path | str = getattr(server, "home", home)
    if where is home:
        bot.install(home)
    try:
        return server.decide(bot, where, SEEDS[0], [], PATIENCE).output
    finally:
        pool.give_back(server)


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_the_servers_of_a_match_start_together(
    isolation: str, begun: list[ForkServer], tmp_path: Path
) -> None:
    """All starts begin before the first server is taken; later matches of these bots start none."""
    for _ in range(2):
        pool.expect(BOTS, isolation)
        assert [server.started for server in begun] in ([False] * 3, [True] * 3)
        for number, bot in enumerate(BOTS):
            output = printed(bot, isolation, tmp_path / str(number))
            assert output == b"%d\n" % number
        assert len(begun) == 3


@pytest.mark.parametrize(("isolation", "most"), [("process", 1), ("sandbox", 2)])
def test_each_seat_has_its_own_sandbox(isolation: str, most: int, begun: list[ForkServer]) -> None:
    """Two seats of the same bot get a sandbox each; without sandboxes, one server serves both."""
    pool.expect([BOTS[0], BOTS[0]], isolation)
    assert len(begun) == most


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_no_more_servers_start_than_are_kept(
    isolation: str, begun: list[ForkServer], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Servers that a match does not need make room; a match of many bots starts the rest later."""
    monkeypatch.setattr(pool, "MAX_SERVERS", 2)
    pool.expect(BOTS, isolation)
    assert len(begun) == 2
    pool.expect(BOTS[2:], isolation)
    assert len(begun) == 3
    assert [server.gone for server in begun].count(True) == 1
    for number, bot in enumerate(BOTS):
        assert printed(bot, isolation, tmp_path / str(number)) == b"%d\n" % number


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_servers_that_still_start_end_with_the_rest(
    isolation: str, begun: list[ForkServer]
) -> None:
    """A start that nobody waits for leaves no process and no descriptor."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    pool.expect(BOTS, isolation)
    pool.close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    for server in begun:
        assert server.process.returncode is not None
        assert dies(server.process.pid)


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_bot_whose_server_does_not_start_runs_without_it(isolation: str) -> None:
    """A program that is no interpreter runs once for each decision, as if nothing had begun."""
    bot = replace(BOTS[0], command=("/bin/false", "fox.py"))
    pool.expect([bot, bot], isolation)
    server = pool.take(bot, isolation)
    assert server.decide(bot, "/", SEEDS[0], [], PATIENCE).exit == 1
    pool.give_back(server)


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_who_takes_a_server_that_cannot_start_learns_why(
    isolation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error comes to the bot whose server it is, not to the match that begins the starts."""

    def refused(*_: object, **__: object) -> None:
        raise ValueError("/dev/fox: expected programs elsewhere")

    monkeypatch.setattr("subprocess.Popen", refused)
    pool.expect(BOTS, isolation)
    with pytest.raises(RefereeError, match=f"no {isolation} can be started for fox: /dev/fox"):
        pool.take(BOTS[0], isolation)


@pytest.mark.parametrize("isolation", ["sandbox"])
def test_a_lack_of_files_in_a_start_that_began_is_the_error_of_the_referee(
    isolation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no pipe can be opened for a sandbox that began earlier, the error names the limit."""

    def refused(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    pool.expect(BOTS[:1], isolation)
    monkeypatch.setattr(ForkServer, "ask_with_pipes", refused)
    with pytest.raises(RefereeError, match="ulimit -n"):
        pool.take(BOTS[0], isolation)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_an_interrupt_while_a_server_starts_ends_it(
    isolation: str, begun: list[ForkServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C in the wait for a server that began to start earlier leaves none of it."""
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    pool.expect(BOTS[:1], isolation)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ForkServer, "await_fork", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pool.take(BOTS[0], isolation)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert [server.process.returncode is None for server in begun] == [False]
