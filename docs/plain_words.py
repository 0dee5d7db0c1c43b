"""Find phrases that are not plain English: ``python docs/plain_words.py [PATH…]``.

Prints file and line, the phrase, and what to write instead. The exit status is 1 if there is a
finding, else 0. Without paths it checks ``CHECKED``.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent

CHECKED = (
    "docs",
    "README.md",
    "CONTRIBUTING.md",
    "schema",
    "games",
    "referee",
    "replay",
    "audit",
    "report",
    "koth",
    "tests",
    "independent",
    "benchmarks",
)
"""Files and folders that must hold none of the phrases."""

SUFFIXES = {".py", ".md", ".sql", ".toml", ".js", ".html", ".css", ".template"}

EXCLUDED = re.compile(
    r"(^|/)(CHANGELOG\.md|plain_words\.py|test_plain_words\.py)$"
    r"|(^|/)(\.\w[^/]*|__pycache__|site|bots|golden|data)/"
    r"|(^|/)tests/corpus/[^/]+/[^/]+$"
)
"""Paths that are not checked: history, example bots, and data of the tests.

The corpus never changes, and its sentences come from its recipes.
"""

GENERATED = re.compile(r"<!-- generated: .*?<!-- end -->", re.S)
"""Parts of pages that come from the code, where they are checked."""

PLACE = "in|at|on|above|below|beside|between|before|behind|under|within|outside|there|here|where"
NOUN = (
    "archive|batch|benchmark|bot|bundle|call|command|core|decision|event|field|file|folder|game|"
    "line|match|member|question|round|row|seat|step|subcommand|table|tournament|turn|worker"
)

PHRASES = {
    r"be had": "be available",
    r"let be": "ignored, or unchanged",
    r"as ever": "unchanged",
    r"for want of": "without, or because of missing",
    r"(is|are|was|were|be|been) told(?! (the|that|to|what|apart)\b)": "reported, or named",
    r"(tells?|telling|told) of": "describe",
    r"(what|that|which|it) stands?(?! for\b)": "is",
    rf"stands? ({PLACE})": "is",
    r"held against|holds? [\w\s]{1,20}? against": "compared with",
    r"at hand": "available",
    rf"(lies|lie|lying|lay) ({PLACE}|elsewhere|anywhere|together)|where (it|they) lies?": "is",
    r"thereof": "of it",
    r"whoever": "anyone who, or a noun",
    r"be it": "whether",
    r"of (theirs|ours|hers)": "their, our, her",
    r"by then": "at that time",
    r"not so(?! (many|much|long|far)\b)": "otherwise",
    r"in doubt": "uncertain",
    r"(is|are|was|were|be) in order(?! (of|to|by)\b)": "valid",
    rf"(?<!\bin\s)(?<!\bof\s)(?<!\bfor\s)(one|an?) \w+ an? ({NOUN})": "one … per …",
    r"behind (it|its|them|the|which|each|[`'])": "after",
    r"after (Wilson|Student|Weng|Clopper)": "Wilson interval, Student's interval, …",
    r"the same ones": "the same, with a noun",
    r"(is|are|was|were|be) gone(?! before\b)": "missing, or removed",
    r"once more": "again",
    r"right here": "here",
    r"walls|walls? of the kernel": "kernel namespaces",
    r"(a|any|this) heap of": "many, or any number of",
    r'"""(what|whatever|who|whoever|how|all that)': "a verb or a concrete noun",
}
"""Phrases as regular expressions of whole words, and what to write instead.

Where a word has a technical sense, such as the lies of a player, the expression names the words
around it. A space in an expression is any white space within a paragraph or a comment.
"""

SPACE = r"(?:\ +|\ *\n[\ #]*)"
PATTERNS = {
    re.compile(rf"(?<![\w`-])(?:{phrase.replace(' ', SPACE)})(?!\w)", re.IGNORECASE): plain
    for phrase, plain in PHRASES.items()
}


def findings(text: str) -> list[tuple[int, str, str]]:
    """Return the line, the phrase and what to write instead, for each phrase in a text."""
    text = GENERATED.sub(lambda part: re.sub(r"[^\n]", "", part[0]), text)
    return sorted(
        (text.count("\n", 0, match.start()) + 1, " ".join(match[0].split()), plain)
        for pattern, plain in PATTERNS.items()
        for match in pattern.finditer(text)
    )


def files(path: Path) -> Iterator[Path]:
    """Yield the files to check at a path, which is a file or a folder."""
    for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
        name = file.resolve().relative_to(ROOT).as_posix()
        if file.is_file() and file.suffix in SUFFIXES and not EXCLUDED.search(name):
            yield file


def main(words: list[str]) -> int:
    """Print the findings in the files at these paths; return the exit status."""
    paths = [Path(word) for word in words] or [ROOT / path for path in CHECKED]
    total = 0
    for path in paths:
        for file in files(path):
            for line, phrase, plain in findings(file.read_text()):
                print(f"{file}:{line}: '{phrase}'; write instead: {plain}")
                total += 1
    return 1 if total else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
