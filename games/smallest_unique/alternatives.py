"""The legal choices of Smallest Unique Number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.table import Answer, JointAsk


def alternatives(question: JointAsk, settings: Mapping[str, Any]) -> Sequence[Answer]:
    """SU-2: return each number that can be chosen."""
    return [Answer({"output": number.encode()}) for number in question.legal]
