"""The terminal viewer of a running tournament: standings, current matches, and last results."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from replay.watch.lines import Line
from replay.watch.running import RunningTournament
from replay.watch.tail import SECONDS
from replay.watch.tournament_screen import screen
from replay.watch.widgets import Body, content
from schema.canonical import Event
from schema.errors import LogError

RECENT = 100
"""Number of last results that are kept for the screen."""


class WatchTournament(App[None]):
    """The viewer of the tournament in ``folder``. Raises UsageError if there is none."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = """
    #body { height: 1fr; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    #status { height: 1; text-style: reverse; text-wrap: nowrap; text-overflow: ellipsis; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q", "quit", priority=True),
        Binding("ctrl+c", "interrupt", priority=True),
    ]

    def __init__(self, folder: Path) -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"  # the terminal's own colours
        self.tournament = RunningTournament(folder)
        self.recent = deque[Event](maxlen=RECENT)
        self.interrupted = False
        self.problem = ""
        """Why the tournament is not followed any more, if a log is damaged."""

    def compose(self) -> ComposeResult:
        """Yield the body and the last line."""
        yield Body(id="body", markup=False)
        yield Static(id="status", markup=False)

    def on_mount(self) -> None:
        """Look at the logs, and again at times."""
        self.timer = self.set_interval(SECONDS, self.poll)
        self.call_after_refresh(self.update)

    def on_resized(self) -> None:
        """Fit the contents to the new size."""
        self.update()

    def poll(self) -> None:
        """Show what is new; stop looking when the tournament is over."""
        try:
            events = self.tournament.poll()
        except (LogError, OSError) as error:
            self.problem = Line(str(error)).text
            self.timer.stop()
        else:
            results = ("match_played", "disqualified", "voided")
            self.recent += [event for event in events if event["type"] in results]
            if self.tournament.unread:
                self.call_after_refresh(self.poll)
        if self.tournament.over:
            self.timer.stop()
        self.update()

    def update(self) -> None:
        """Show the current state of the tournament."""
        body = self.query_one(Body)
        body.update(content(screen(self.tournament, list(self.recent), body.size.height)))
        following = "over" if self.tournament.over else "following"
        self.query_one("#status", Static).update(f"{self.problem or following} · q quit")

    def action_interrupt(self) -> None:
        """Quit as interrupted."""
        self.interrupted = True
        self.exit()
