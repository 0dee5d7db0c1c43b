"""The subcommands in groups, as ``koth --help`` lists them, each with an example."""

from __future__ import annotations

import re
import sys
from keyword import iskeyword
from typing import Any

from typer import BadParameter
from typer.core import TyperArgument, TyperCommand, TyperGroup

from koth.cli import output

GROUPS = {
    "Run": {
        "demo": "koth demo -o demo",
        "play": "koth play coup examples/taxman examples/bandit -o match.jsonl --seed 2a",
        "tournament": "koth tournament coup examples/taxman examples/lawyer examples/mask "
        "-o spring --set rounds=1 --jobs 2",
        "resume": "koth resume spring",
        "try": "koth try coup mine.py --against examples/taxman",
        "contest": "koth contest new cup coup",
        "bots": "koth bots coup",
    },
    "Check": {
        "verify": "koth verify spring --jobs 2",
        "audit": "koth audit spring",
        "reask": "koth reask match.jsonl examples",
        "diff": "koth diff match.jsonl other.jsonl",
    },
    "Understand": {
        "explain": "koth explain match.jsonl 5",
        "faults": "koth faults spring taxman",
        "replay": "koth replay match.jsonl --at 10 --answer E",
        "watch": "koth watch spring --follow",
        "report": "koth report spring -o spring.html",
        "rules": "koth rules coup CP-17",
    },
    "Improve": {
        "again": "koth again match.jsonl mine.py --seat 0",
        "debug": "koth debug match.jsonl 10 mine.py",
        "blame": "koth blame match.jsonl --seat 0 --jobs 2",
    },
    "Query": {
        "sql": 'koth sql spring "SELECT name, avg(score) FROM players GROUP BY name"',
        "leaderboard": "koth leaderboard spring --compare taxman lawyer",
        "export": "koth export transcript match.jsonl",
    },
    "Publish": {
        "site": "koth site spring -o site",
        "pack": "koth pack spring -o archive",
        "unpack": "koth unpack archive -o again",
        "keygen": "koth keygen example.com/spring -o spring.key",
        "sign": "koth sign spring --key spring.key",
        "prove": "koth prove spring 1-000003 -o 3.proof",
    },
    "Extend": {
        "games": "koth games coup",
        "new-game": "koth new-game dice_duel",
        "import": "koth import results old.txt -o old",
        "schema": "koth schema coup",
    },
}
"""The subcommands by group, each with its example."""

COMMANDS = {name: example for group in GROUPS.values() for name, example in group.items()}
"""All subcommands; only the one that is typed is imported."""

EXAMPLES = {
    **COMMANDS,
    "contest new": "koth contest new cup coup --set rounds=2",
    "contest enter": "koth contest enter cup bots/",
    "contest withdraw": "koth contest withdraw cup fox",
    "contest run": "koth contest run cup --jobs 2",
    "contest standings": "koth contest standings cup --at 1",
    "contest close": "koth contest close cup",
}
"""The examples of all commands, also of those below a subcommand."""


PATHS = ("ARCHIVE", "BASE…", "BOT…", "CHECKPOINT", "DIR", "FILE", "LOG", "PATH")
"""Metavars of options for paths and bots; an empty one would be the current folder."""


BEGINS_WITH_COMMENT = re.compile(r"--[^=\s]*\s")
"""The start of a query that is no option: the name of an option has no white space."""


def module_of(name: str) -> str:
    """Return the name of the module of a subcommand, and of its function there: ``try_``."""
    word = name.replace("-", "_")
    return f"{word}_" if iskeyword(word) else word


class Group(TyperGroup):
    """The command ``koth``, whose help lists subcommands in groups."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write what to type next."""
        formatter.write_paragraph()
        formatter.write_text("Begin with `koth demo`. `koth COMMAND --help` explains a command.")

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write one section per group."""
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            rows = [
                (name.ljust(width), command.get_short_help_str(sys.maxsize))  # wrapped, not cut
                for name in group
                if (command := self.get_command(ctx, name)) is not None
            ]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class WithExample:
    """A command whose help has an example."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the example, which has a line of its own."""
        _, _, words = ctx.command_path.partition(" ")
        with formatter.section("Example"):
            formatter.write(f"{'':>{formatter.current_indent}}$ {EXAMPLES[words]}\n")


class Command(WithExample, TyperCommand):
    """A subcommand whose help shows arguments without Python types.

    An option whose metavar ends in an ellipsis takes all words up to the next option. A query may
    begin with a comment.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the words of the command, with such an option before each of its words."""
        many = {
            name
            for parameter in self.params
            if (parameter.metavar or "").endswith("…")
            for name in parameter.opts
        }
        has_query = any("QUERY" in (parameter.metavar or "") for parameter in self.params)
        words: list[str] = []
        option = ""
        for word in args:
            if has_query and BEGINS_WITH_COMMENT.match(word):
                word = f" {word}"
            if option and not word.startswith("-") and words[-1] != option:
                words.append(option)
            elif word.startswith("-"):
                option = word if word in many else ""
            words.append(word)
        if not ctx.resilient_parsing and any(not word or word.endswith("=") for word in words):
            self._check_words(ctx, words)
        taken = next((word for word in words if word in many and words.count(word) > 1), "")
        try:
            return super().parse_args(ctx, words)
        except BadParameter as error:
            if isinstance(error.param, TyperArgument) and not error.message and taken:  # missing
                error.message = f"{taken} takes all words up to the next option; type it last."
            raise

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        with output.reserved():
            return super().invoke(ctx)

    def _check_words(self, ctx: Any, words: list[str]) -> None:
        """Raise BadParameter for an empty argument, and for an option with an empty path."""
        values, *_ = self.make_parser(ctx).parse_args([*words])
        parameter: Any
        for parameter in self.params:
            value: Any = values.get(parameter.name)
            given = value if isinstance(value, (list, tuple)) else [value]
            is_path = isinstance(parameter, TyperArgument) or parameter.metavar in PATHS
            if is_path and "" in given:
                problem = "expected no empty word, found one. Is a variable of your shell not set?"
                raise BadParameter(problem, ctx, parameter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the words of the usage line, without arguments that the help hides."""
        hidden = [
            piece
            for parameter in self.params
            if isinstance(parameter, TyperArgument) and parameter.hidden
            for piece in parameter.get_usage_pieces(ctx)
        ]
        return [piece for piece in super().collect_usage_pieces(ctx) if piece not in hidden]

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with the types of arguments hidden."""
        parameters = super().get_params(ctx)
        for parameter in parameters:
            if isinstance(parameter, TyperArgument):
                vars(parameter)["display_type_rich"] = lambda ctx: None
        return parameters


class Subgroup(WithExample, TyperGroup):
    """A subcommand with commands below it."""
