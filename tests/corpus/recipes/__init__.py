"""Recipes of bad logs: a module for each kind of attack; importing them fills ``ENTRIES``."""

from __future__ import annotations

from tests.corpus.entries import ENTRIES
from tests.corpus.recipes import (
    answers,
    chains,
    checkpoints,
    contests,
    controls,
    fields,
    formats,
    imports,
    json_text,
    lines,
    mirrored,
    raw_bytes,
    results,
    seals,
    seeds,
)

__all__ = ["ENTRIES"]
_MODULES = (
    raw_bytes,
    json_text,
    lines,
    seals,
    formats,
    fields,
    results,
    seeds,
    answers,
    chains,
    mirrored,
    checkpoints,
    contests,
    imports,
    controls,
)
