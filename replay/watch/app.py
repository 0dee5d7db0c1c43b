"""The terminal: a list of events, and all that is known of the one that the cursor is on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.geometry import Region, Size
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Input, Static

from replay import timeline
from replay.errors import NoSuchEvent
from replay.timeline import Timeline
from replay.watch import lines
from replay.watch.lines import Line, Look
from schema.errors import LogError
from schema.log_path import LogPath

STYLES: dict[Look, str] = {
    "plain": "",
    "head": "bold",
    "changed": "bold green",
    "fault": "bold red",
    "faint": "dim",
}

KEYS = """\
→  l  j  ↓     next event
←  h  k  ↑     previous event
PgDn  PgUp     ten events on, or back
Home  End      first, or last event
g              go to an event by its seq
f  F           next, or previous fault
/              filter: only events with this text
Esc            all events again
Space  b       more of the details, or back
r              read the log again
?              this help
q              quit

!  a fault          *  what changed
"""

PAGE = 10
"""How many events a page is."""

WIDE = 120
"""From how many columns on the details stand beside the events, and not below."""


class Events(ScrollView):
    """The list of events: only what is seen is made, so that a long log is as quick as a short."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self.shown: Timeline | None = None
        self.seqs: list[int] = []
        self.cursor = 0

    def show(self, shown: Timeline, seqs: list[int], cursor: int) -> None:
        """Show these events, with the cursor on one of them, by its place."""
        self.shown, self.seqs, self.cursor = shown, seqs, cursor
        self.virtual_size = Size(self.size.width, len(seqs))
        around = Region(0, max(0, cursor - 1), 1, 3)
        self.scroll_to_region(around, animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of what is seen."""
        place = y + self.scroll_offset.y
        if self.shown is None or place >= len(self.seqs):
            return Strip.blank(self.size.width, self.rich_style)
        line = lines.row(self.shown, self.seqs[place])
        here = place == self.cursor
        style = self.rich_style + Style.parse(STYLES[line.look]) + Style(reverse=here)
        strip = Strip([Segment(f"{'>' if here else ' '}{line.text}", style)])
        return strip.adjust_cell_length(self.size.width, style)


class Help(ModalScreen[None]):
    """The keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter", "dismiss")]

    def compose(self) -> ComposeResult:
        """The list of keys, on a page of its own."""
        yield Static(KEYS, id="keys", markup=False)


class Watch(App[None]):
    """Steps through the log at ``path``, from event ``at`` on.

    Raises NoSuchEvent, and what :func:`replay.timeline.read` raises.
    """

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012
    CSS = """
    #body { layout: vertical; height: 1fr; }
    Events { height: 2fr; }
    #about { height: 3fr; border-top: ascii $foreground; padding: 0 1; }
    .-wide #body { layout: horizontal; }
    .-wide Events { width: 2fr; height: 100%; }
    .-wide #about { width: 3fr; height: 100%; border-top: none; border-left: ascii $foreground; }
    #title { height: auto; text-wrap: nowrap; text-overflow: ellipsis; }
    #status { height: 1; text-wrap: nowrap; text-overflow: ellipsis; }
    Events, #about { scrollbar-size: 1 1; overflow-x: hidden; }
    #status { text-style: reverse; }
    #prompt { display: none; border: none; height: 1; padding: 0; }
    Help { align: center middle; }
    #keys { width: auto; height: auto; border: ascii $foreground; padding: 1 2; }
    """
    # With priority: a key counts at once, also where more have been typed already.
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
            "ctrl+c,ctrl+q": "interrupt",
        }.items()
    ]

    def __init__(self, path: LogPath, at: int = 0) -> None:
        super().__init__(ansi_color=True)
        self.theme = "ansi-dark"  # the terminal's own colours
        self.path = path
        self._read()
        self.seqs = list(range(len(self.shown)))
        if at not in self.seqs:
            raise NoSuchEvent(
                f"{path}: expected an event from 0 to {len(self.seqs) - 1}, found {at}."
            )
        self.place = at
        self.wanted = ""
        self.told = ""
        self.prompting = ""

    def _read(self) -> None:
        self.shown = timeline.read(self.path)
        self.faults = lines.faults(self.shown)

    def compose(self) -> ComposeResult:
        """Title, events, details, and a line for status and questions."""
        yield Static(id="title", markup=False)
        with Container(id="body"):
            yield Events()
            with VerticalScroll(id="about", can_focus=False):
                yield Static(id="details", markup=False)
        yield Input(id="prompt", select_on_focus=False)
        yield Static(id="status", markup=False)

    def on_mount(self) -> None:
        """Show where it begins, once there is a place for it."""
        self.call_after_refresh(self.renew)

    def on_resize(self) -> None:
        """Show as much as there is room for now."""
        self.call_after_refresh(self.renew)

    @property
    def seq(self) -> int:
        """The event that the cursor is on."""
        return self.seqs[self.place]

    def renew(self) -> None:
        """Show everything as it is now."""
        self.screen_stack[0].query_one("#title", Static).update(_content(lines.title(self.shown)))
        self.events.show(self.shown, self.seqs, self.place)
        about = _content(lines.details(self.shown, self.seq))
        self.screen_stack[0].query_one("#details", Static).update(about)
        self.about.scroll_home(animate=False)
        self.status.update(Content(self.told or self._status()))
        self.told = ""

    def _status(self) -> str:
        faults = f"{len(self.faults)} fault{'' if len(self.faults) == 1 else 's'}"
        parts = [f"event {self.seq} of {len(self.shown) - 1}", faults]
        if self.wanted:
            parts.append(f"{len(self.seqs)} with '{Line(self.wanted).text}' (Esc: all)")
        return " · ".join([*parts, "? help", "q quit"])

    @property
    def events(self) -> Events:
        """The list of events."""
        return self.screen_stack[0].query_one(Events)

    @property
    def about(self) -> VerticalScroll:
        """Where the details are."""
        return self.screen_stack[0].query_one("#about", VerticalScroll)

    @property
    def status(self) -> Static:
        """The last line."""
        return self.screen_stack[0].query_one("#status", Static)

    @property
    def prompt(self) -> Input:
        """Where an answer is typed."""
        return self.screen_stack[0].query_one("#prompt", Input)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key means what it says, and not a letter of an answer."""
        return action in ("leave", "interrupt") or not (self.prompt.display or self.helping)

    @property
    def helping(self) -> bool:
        """Whether the keys are shown."""
        return isinstance(self.screen, Help)

    def action_interrupt(self) -> None:
        """End it, whatever is on the screen."""
        self.exit()

    def action_step(self, by: int) -> None:
        """Go on by so many of the events shown."""
        self.place = max(0, min(len(self.seqs) - 1, self.place + by))
        self.renew()

    def action_first(self) -> None:
        """Go to the first event."""
        self.action_step(-len(self.seqs))

    def action_last(self) -> None:
        """Go to the last event."""
        self.action_step(len(self.seqs))

    def action_fault(self, by: int) -> None:
        """Go to the next fault that is shown, or to the previous one."""
        places = {seq: place for place, seq in enumerate(self.seqs)}
        beyond = [places[seq] for seq in self.faults[::by] if seq in places]
        found = next((place for place in beyond if (place - self.place) * by > 0), None)
        if found is None:
            self.told = f"there is no fault {'after' if by > 0 else 'before'} this event"
        else:
            self.place = found
        self.renew()

    def action_scroll_details(self, by: int) -> None:
        """Show more of the details."""
        self.about.scroll_relative(y=by * (self.about.size.height - 1), animate=False)

    def action_read_again(self) -> None:
        """Read the log again: a match may be going on, or may have ended."""
        seq = self.seq
        try:
            self._read()
        except (LogError, OSError) as error:
            self.told = Line(str(error)).text
        else:
            self.told = f"read again: {len(self.shown)} events"
            self._filter(self.wanted, seq)
        self.renew()

    def action_prompt(self, what: str) -> None:
        """Ask for something in the last line."""
        self.prompt.value = ""
        self.prompt.placeholder = f"{what}: (Esc: back)"
        self.prompt.display = True
        self.screen.set_focus(self.prompt)
        self.prompting = what

    def action_leave(self) -> None:
        """Leave a question, or a filter."""
        if self.helping:
            self.pop_screen()
        elif self.prompt.display:
            self._close_prompt()
        else:
            self._filter("", self.seq)
            self.renew()

    def action_help(self) -> None:
        """Show the keys."""
        self.push_screen(Help())

    def on_input_submitted(self, answer: Input.Submitted) -> None:
        """What was asked for has been typed."""
        self._close_prompt()
        if self.prompting == "filter":
            self._filter(answer.value, self.seq)
        else:
            self._go_to(answer.value)
        self.renew()

    def _close_prompt(self) -> None:
        self.prompt.display = False
        self.screen.set_focus(None)

    def _go_to(self, typed: str) -> None:
        last = len(self.shown) - 1
        if not typed.strip().isdecimal() or int(typed) > last:
            self.told = f"expected an event from 0 to {last}, found '{Line(typed).text}'"
            return
        if int(typed) not in self.seqs:
            self._filter("", self.seq)
        self.place = self.seqs.index(int(typed))

    def _filter(self, wanted: str, seq: int) -> None:
        """Show the events with ``wanted`` in them, with the cursor at ``seq`` or the next."""
        every = range(len(self.shown))
        found = [one for one in every if not wanted or lines.matches(self.shown, one, wanted)]
        if not found:
            self.told = f"there is no event with '{Line(wanted).text}'"
            return
        self.wanted, self.seqs = wanted, found
        self.place = next((n for n, one in enumerate(found) if one >= seq), len(found) - 1)


def _content(shown: Iterable[Line]) -> Content:
    """Lines as one text; nothing in them is markup."""
    return Content("\n").join(Content.styled(line.text, STYLES[line.look]) for line in shown)
