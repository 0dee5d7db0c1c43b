"""The terminal viewer: a list of events, and the details of the event at the cursor."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from replay import seat_view, timeline
from replay.state import check_seq
from replay.timeline import Timeline
from replay.watch import lines
from replay.watch.lines import Line
from replay.watch.tail import SECONDS, Tail
from replay.watch.widgets import Events, Help, Side, content
from schema import reader
from schema.errors import KothError
from schema.log_path import LogPath
from schema.words import counted, typed_number

PAGE = 10
"""Number of events that a page key skips."""

WIDE = 120
"""Minimum columns to show the details beside the events instead of below."""


TALL = 20
"""Minimum rows to show the board."""


class Watch(App[None]):
    """The viewer of the log at ``path``; the cursor starts at event ``at``, by default the first.

    With ``follow`` it takes in what is appended to a log, until that is sealed. Then the rules run,
    and states, dice and the verdict are shown, which need the seed. The cursor
    starts at the last event, and goes on to each new one while it is there.

    It shows what ``seat`` could know, or everything if ``seat`` is None. Raises NoSuchEvent, and
    what :func:`replay.timeline.read` and :func:`replay.seat_view.read` raise.
    """

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (TALL, "-tall")]  # noqa: RUF012
    CSS = """
    #body { layout: vertical; height: 1fr; }
    Events { height: 1fr; }
    #side { height: 2fr; border-top: ascii $foreground; padding: 0 1; }
    .-wide #body { layout: horizontal; }
    .-wide Events { width: 1fr; height: 100%; }
    .-wide #side { width: 1fr; height: 100%; border-top: none; border-left: ascii $foreground; }
    #board { height: auto; text-wrap: nowrap; margin-bottom: 1; }
    .-short #board, #board.-empty { display: none; }
    #title { height: auto; text-wrap: nowrap; text-overflow: ellipsis; }
    #status { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    Events, #about { scrollbar-size: 1 1; overflow-x: hidden; }
    #status { text-style: reverse; }
    #prompt { display: none; border: none; height: 1; padding: 0; }
    Help { align: center middle; }
    #keys { width: auto; height: auto; border: ascii $foreground; padding: 1 2; }
    """
    # With priority, a key takes effect at once, even if other keys were typed before.
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(keys, action, priority=True)
        for keys, action in {
            "right,l,j,down": "step(1)",
            "left,h,k,up": "step(-1)",
            "pagedown": f"step({PAGE})",
            "pageup": f"step(-{PAGE})",
            "home": "first",
            "end": "last",
            "g": "prompt('go to event')",
            "slash": "prompt('filter')",
            "f": "fault(1)",
            "F": "fault(-1)",
            "space": "scroll_details(1)",
            "b": "scroll_details(-1)",
            "r": "read_again",
            "escape": "leave",
            "question_mark": "help",
            "q": "quit",
            "ctrl+q": "end",
            "ctrl+c": "end(True)",
        }.items()
    ]

    def __init__(
        self,
        path: LogPath,
        at: int | None = None,
        follow: bool = False,
        *,
        seat: int | None = None,
    ) -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"  # the terminal's own colours
        self.path = path
        self.seat = seat
        self.timeline: Timeline
        self.interrupted = False
        self.tail = Tail(path) if follow else None
        """The appended events of a followed log; None if the log is not followed any more."""
        self._read()
        if at is None:
            at = 0 if self.tail is None else len(self.timeline) - 1
        check_seq(self.timeline.log, at)
        self.seqs = list(range(len(self.timeline)))
        """The events that the filter shows."""
        self.cursor = at
        """An index in ``seqs``."""
        self.filter_text = ""
        self.message = ""
        """Shown once in place of the status."""
        self.prompting = ""
        """The question in the last line: ``filter`` or ``go to event``."""

    def _read(self) -> None:
        if self.tail is not None:
            new = self.tail.poll()
            if not new and self.tail.log is not None:
                return
            if self.seat is not None and self.tail.log is not None:
                # The view uses fields of events, whose layout alone is checked so far.
                for seq, event in enumerate(new, len(self.tail.log.events) - len(new)):
                    reader.check_event(self.tail.log, seq, event)
        if self.tail is None or self.tail.log is None or self.tail.sealed:
            self.tail, self.timeline = None, self._read_whole()
        elif self.seat is None:
            self.timeline = timeline.as_recorded(self.tail.log)
        else:
            self.timeline = seat_view.seat_view(self.tail.log, self.seat)
        self.faults = lines.faults(self.timeline)

    def _read_whole(self) -> Timeline:
        if self.seat is None:
            return timeline.read(self.path)
        return seat_view.read(self.path, self.seat)

    def compose(self) -> ComposeResult:
        """Yield the title, the events, the details, and the last line for status and input."""
        yield Static(id="title", markup=False)
        with Container(id="body"):
            yield Events()
            with Side(id="side"):
                yield Static(id="board", markup=False)
                with VerticalScroll(id="about", can_focus=False):
                    yield Static(id="details", markup=False)
        yield Input(id="prompt", select_on_focus=False)
        yield Static(id="status", markup=False)

    def on_mount(self) -> None:
        """Show the first event after the layout is known; look at a followed log at times."""
        if self.tail is not None:
            self.timer = self.set_interval(SECONDS, self.poll)
        self.call_after_refresh(self.update)

    def on_resized(self) -> None:
        """Fit the board to its new width."""
        main = self.screen_stack[0]
        board, width = main.query_one("#board", Static), main.query_one(Side).content_size.width
        drawn = lines.board(self.timeline, self.seq, width)
        board.update(content(drawn))
        board.set_class(not drawn, "-empty")

    def poll(self) -> None:
        """Show what was appended to a log, while it is followed."""
        if self.tail is None:
            return
        seq, at_end = self.seq, self.seq == len(self.timeline) - 1
        events = len(self.timeline)
        try:
            self._read()
        except (KothError, OSError) as error:
            self.tail, self.message = None, Line(str(error)).text
        if len(self.timeline) == events and self.tail is not None:
            return
        self._filter(self.filter_text, len(self.timeline) - 1 if at_end else seq)
        self.update()

    @property
    def seq(self) -> int:
        """The event at the cursor."""
        return self.seqs[self.cursor]

    def update(self) -> None:
        """Show the current state of the viewer."""
        main = self.screen_stack[0]
        main.query_one("#title", Static).update(content(lines.title(self.timeline)))
        self.events.update(self.timeline, self.seqs, self.cursor)
        self.on_resized()
        details = content(lines.details(self.timeline, self.seq))
        main.query_one("#details", Static).update(details)
        self.about.scroll_home(animate=False)
        self.status.update(Content(self.message or self._status()))
        self.message = ""

    def _status(self) -> str:
        faults = counted(len(self.faults), "fault")
        parts = [f"event {self.seq} of {len(self.timeline) - 1}", faults]
        if self.tail is not None:
            parts.insert(0, "following")
        if self.filter_text:
            parts.append(f"{len(self.seqs)} with '{self.filter_text}' (Esc: all)")
        return " · ".join([*parts, "? help", "q quit"])

    @property
    def events(self) -> Events:
        """The list of events."""
        return self.screen_stack[0].query_one(Events)

    @property
    def about(self) -> VerticalScroll:
        """The area of the details."""
        return self.screen_stack[0].query_one("#about", VerticalScroll)

    @property
    def status(self) -> Static:
        """The last line."""
        return self.screen_stack[0].query_one("#status", Static)

    @property
    def prompt(self) -> Input:
        """The input field in the last line."""
        return self.screen_stack[0].query_one("#prompt", Input)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key runs its action; in the input field or the help it does not."""
        return action in ("leave", "end") or not (self.prompt.display or self.helping)

    @property
    def helping(self) -> bool:
        """Whether the help is shown."""
        return isinstance(self.screen, Help)

    def action_end(self, interrupted: bool = False) -> None:
        """Quit at once, even while a text is typed."""
        self.interrupted = interrupted
        self.exit()

    def action_step(self, by: int) -> None:
        """Move the cursor by so many of the shown events."""
        self.cursor = max(0, min(len(self.seqs) - 1, self.cursor + by))
        self.update()

    def action_first(self) -> None:
        """Go to the first event."""
        self.action_step(-len(self.seqs))

    def action_last(self) -> None:
        """Go to the last event."""
        self.action_step(len(self.seqs))

    def action_fault(self, by: int) -> None:
        """Go to the next shown fault (``by`` = 1) or to the previous one (-1)."""
        index = {seq: index for index, seq in enumerate(self.seqs)}
        faults = [index[seq] for seq in self.faults[::by] if seq in index]
        target = next((fault for fault in faults if (fault - self.cursor) * by > 0), None)
        if target is None:
            self.message = f"no fault {'after' if by > 0 else 'before'} this event"
        else:
            self.cursor = target
        self.update()

    def action_scroll_details(self, by: int) -> None:
        """Scroll the details by so many pages."""
        self.about.scroll_relative(y=by * (self.about.size.height - 1), animate=False)

    def action_read_again(self) -> None:
        """Read the log again, which may have grown since."""
        seq = self.seq
        try:
            self._read()
        except (KothError, OSError) as error:
            self.message = Line(str(error)).text
        else:
            self.message = f"read again: {len(self.timeline)} events"
            self._filter(self.filter_text, seq)
        self.update()

    def action_prompt(self, question: str) -> None:
        """Ask for a text in the last line."""
        self.prompt.value = ""
        self.prompt.placeholder = f"{question}: (Esc: back)"
        self.prompt.display = True
        self.screen.set_focus(self.prompt)
        self.prompting = question

    def action_leave(self) -> None:
        """Leave the help, the input field, or else the filter."""
        if self.helping:
            self.pop_screen()
        elif self.prompt.display:
            self._close_prompt()
        else:
            self._filter("", self.seq)
            self.update()

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(Help())

    def on_input_submitted(self, answer: Input.Submitted) -> None:
        """Filter the events, or go to one, as typed."""
        self._close_prompt()
        if self.prompting == "filter":
            self._filter(answer.value, self.seq)
        else:
            self._go_to(answer.value)
        self.update()

    def _close_prompt(self) -> None:
        self.prompt.display = False
        self.screen.set_focus(None)

    def _go_to(self, typed: str) -> None:
        seq, last = typed_number(typed.strip()), len(self.timeline) - 1
        if seq is None or seq > last:
            self.message = f"expected an event from 0 to {last}, found '{Line(typed).text}'"
            return
        if seq not in self.seqs:
            self._filter("", self.seq)
        self.cursor = self.seqs.index(seq)

    def _filter(self, text: str, seq: int) -> None:
        """Show the events that contain ``text``; the cursor goes to ``seq`` or the next event.

        If no event does, the events shown stay; all are shown if the filter was for other events.
        """
        seqs = list(range(len(self.timeline)))
        matching = [
            other for other in seqs if not text or lines.contains(self.timeline, other, text)
        ]
        if not matching:
            self.message = f"no event contains '{Line(text).text}'"
            if text != self.filter_text:
                return
            text, matching = "", seqs
        self.filter_text, self.seqs = text, matching
        following = (index for index, other in enumerate(matching) if other >= seq)
        self.cursor = next(following, len(matching) - 1)
