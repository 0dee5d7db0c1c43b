"""The parts of the terminal viewers: styled lines, the list of events, and the help."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.screen import ModalScreen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from games.text_board import fit
from replay.timeline import Timeline
from replay.watch import lines
from replay.watch.lines import Line, LineStyle

STYLES: dict[LineStyle, str] = {
    "plain": "",
    "head": "bold",
    "changed": "bold green",
    "fault": "bold red",
    "faint": "dim",
}

KEYS = """\
→ l j ↓    next event
← h k ↑    previous event
PgDn PgUp  ten events on or back
Home End   first or last event
g          go to an event
f F        next or previous fault
/          only events with a text
Esc        all events again
Space b    more details, or back
r          read the log again
?          this help
q          quit

!  a fault      *  what changed"""


def content(shown: Iterable[Line]) -> Content:
    """Join styled lines; nothing in them is markup."""
    return Content("\n").join(Content.styled(line.text, STYLES[line.style]) for line in shown)


class Resized(Message):
    """Sent when a part of a viewer has its new size, which is later than the terminal has."""


class Side(Vertical):
    """The board and the details of an event."""

    def on_resize(self) -> None:
        """Tell the viewer."""
        self.post_message(Resized())


class Body(Static):
    """The whole of a tournament."""

    def on_resize(self) -> None:
        """Tell the viewer."""
        self.post_message(Resized())


class Events(ScrollView):
    """The list of events; only the visible lines are rendered, so that long logs stay fast."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self.timeline: Timeline | None = None
        self.seqs: list[int] = []
        self.cursor = 0

    def update(self, timeline: Timeline, seqs: list[int], cursor: int) -> None:
        """Show the events ``seqs``; ``cursor`` is an index in them."""
        self.timeline, self.seqs, self.cursor = timeline, seqs, cursor
        self.on_resize()

    def on_resize(self) -> None:
        """Bring the event at the cursor into sight."""
        self.virtual_size = Size(self.size.width, len(self.seqs))
        above = int(self.cursor > 0 and self.size.height > 1)  # a single row is that of the cursor
        around = Region(0, self.cursor - above, 1, above + 2)
        self.scroll_to_region(around, animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return the visible line ``y``."""
        index = y + self.scroll_offset.y
        if self.timeline is None or index >= len(self.seqs):
            return Strip.blank(self.size.width, self.rich_style)
        line = lines.row(self.timeline, self.seqs[index])
        at_cursor = index == self.cursor
        style = self.rich_style + Style.parse(STYLES[line.style]) + Style(reverse=at_cursor)
        text = fit(f"{'>' if at_cursor else ' '}{line.text}", self.scrollable_content_region.width)
        strip = Strip([Segment(text, style)])
        return strip.adjust_cell_length(self.size.width, style)


class Help(ModalScreen[None]):
    """A page with the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,question_mark,enter", "dismiss"),
        Binding("down,j,space,pagedown", "scroll_down"),
        Binding("up,k,b,pageup", "scroll_up"),
    ]

    def compose(self) -> ComposeResult:
        """Yield the list of keys."""
        yield Static(KEYS, id="keys", markup=False)
