"""The commands, in the groups in which the help shows them: where each lives, and what it does in a line.

A command is imported when it is asked for, so that `scenarii --help` needs none of them; a test holds the lines
here to what the commands say of themselves.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from dsl.catalogue import N_

if TYPE_CHECKING:
    import click


class Listed(NamedTuple):
    """A command: its module and name there, and its line in the help."""

    home: str
    attribute: str
    words: str

    def load(self) -> click.Command:
        """The command itself."""
        found: click.Command = getattr(import_module(f"dsl.cli.{self.home}"), self.attribute)
        return found


GROUPS: dict[str, dict[str, Listed]] = {
    N_("Play"): {
        "list": Listed("listing", "list_", "List the games that come with Scenarii."),
        "play": Listed("play", "play", "Play a game in the terminal."),
        "replay": Listed("replay", "replay", "Play a saved or recorded game again."),
        "simulate": Listed(
            "simulate",
            "simulate",
            "Play many games, by chance or by players that think: who wins, how they end, how long they are.",
        ),
        "compare": Listed(
            "compare",
            "compare",
            "Compare variants of a game: who is favoured, by how much, how sure that is, and after how many games.",
        ),
    },
    N_("Write"): {
        "new": Listed("new", "new", "Begin a game of your own."),
        "check": Listed("check", "check", "Check games, with their tests, and say what is wrong."),
        "explain": Listed("explain", "explain", "Explain an error by its code, such as E0201."),
        "test": Listed("test", "test", "Run the tests of games."),
        "labels": Listed("labels", "labels", "List what a game lacks in a language, or draft it."),
        "save-to-test": Listed("save_to_test", "save_to_test", "Turn a saved game into a test."),
        "format": Listed("format", "format_", "Lay sources out."),
        "compile": Listed("compile", "compile_", "Compile a game to one file."),
        "export": Listed(
            "export", "export", "Export a game as one page that any browser plays, without a network."
        ),
        "pack": Listed("pack", "pack_", "Pack a game's folder into one file to share."),
        "unpack": Listed("pack", "unpack", "Unpack a shared game into a new folder."),
    },
    N_("Look"): {
        "show": Listed("show", "show", "Show what a game holds."),
        "draw": Listed("draw", "draw", "Draw a board as it stands: as SVG, PNG or PDF."),
        "print": Listed(
            "print_",
            "print_",
            "Print a game to play on the table: boards, cards, counters, tables and rules.",
        ),
        "odds": Listed("odds", "odds", "Compute the odds of an action."),
        "resolve": Listed("resolve", "resolve", "Show all that bears on a name."),
        "rules": Listed("rules", "rules", "Print each rule of a rulebook."),
        "completion": Listed(
            "completion", "completion", "Print what completes commands and names in your shell."
        ),
    },
}

COMMANDS: dict[str, Listed] = {name: each for group in GROUPS.values() for name, each in group.items()}
