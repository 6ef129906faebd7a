"""The story of a game: what was chosen, what followed from it, and what it changed, under round and phase.

Lines are made first and shown second. What changed stands under what changed it. A phase in which nothing
happens is passed over, and so is an action that is told in the words of the one that orders it, and a throw that
the row of a table behind it tells again: the story is for reading, and the log has the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from dsl.cli.lines import folded
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.changes import changes, drawn
from dsl.engine.decision import Decision, Option
from dsl.engine.display import HIDDEN, member_name, text_of
from dsl.engine.log import Entry
from dsl.engine.machine import Machine
from dsl.engine.outcome import Outcome, outcome_of
from dsl.engine.public_words import open_label
from dsl.ir.nodes import Decide
from dsl.ir.types import Int

if TYPE_CHECKING:
    from rich.console import Console

MOST_CHANGES = 12
JOINT = " · "
DEFAULT_ROUND = "round {0}"
"""How the compiler calls a round that the author gave no label."""

STYLES = {
    "round": "bold",
    "phase": "cyan",
    "choice": "",
    "pass": "dim",
    "say": "italic",
    "do": "",
    "row": "",
    "roll": "dim",
    "pick": "dim",
    "refused": "dim",
    "change": "dim",
    "drawn": "dim",
}
_MARGINS = {"phase": "  ", "choice": "    ", **dict.fromkeys(("change", "drawn", "roll", "pick"), "        ")}
_SIGNS = {"row": "▸ ", "refused": "✗ "}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the story: what it is (a key of `STYLES`), its text, and the rules that it cites."""

    kind: str
    text: str
    cited: tuple[str, ...] = ()
    what: str = ""
    """The text without who did it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A choice that has been made, before it is put into words: at which decision, and the option."""

    decision: Decision
    option: Option
    sealed: tuple[Answer, ...] = ()
    """The choices that were made in secret before, and are told with this one."""
    apart: str = ""
    """What told the option from others that read alike, if anything did."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice in words: who made it and what he chose, as the reader may know it."""

    player: int
    text: str
    what: str
    quiet: bool = False
    """Was nothing done?"""
    whole: str = ""
    """What he chose, with what the reader may not know: to be compared, and never shown."""


class Teller:
    """Tells a game to a viewer (none: all of it) in a language, stretch by stretch."""

    def __init__(self, machine: Machine, language: str = "", viewer: int | None = None) -> None:
        self.machine = machine
        self.language = language
        self.viewer = viewer
        program = machine.program
        self.spoken = language or program.language
        self.several = len(program.domains[program.players].members) > 1
        sealed = any(
            isinstance(block.end, Decide) and block.end.sealed
            for routine in program.routines
            for block in routine.blocks
        )
        hidden = any(var.audience is not None or var.role == "order" for var in program.vars)
        self.secrets = hidden or sealed
        self._actions = {action.name for action in program.actions} | {""}
        self._headings: list[Line] = []
        self._piles = {
            pool.pile for pool in program.pools if any(owner == program.players for owner, _ in pool.owners)
        }

    # ------------------------------------------------------------ making lines

    def chosen(self, answer: Answer, after: list[int]) -> Chosen:
        """A choice in words, as the viewer may know it when the game stands at the state `after`."""
        decision, option, player = answer.decision, answer.option, answer.decision.player
        others = self.viewer is not None and player != self.viewer and self.secrets
        name = decision.player_label(self.language)
        if others and decision.end.sealed and not answer.sealed:
            words = word("chooses", self.spoken, player=name)
            return Chosen(player, words, words)
        assert self.viewer is not None or not others
        whole = option.label(self.language)
        text = open_label(option, after, self.viewer or 0, self.language) if others else whole
        prompt = decision.prompt_in(self.language)
        unsaid = not text or text == option.kind
        if unsaid:
            text = whole = word(option.kind, self.spoken)
        if others and option.kind == "take" and text == HIDDEN:
            text = f"({word('hidden', self.spoken)})"
        if prompt and (option.kind == "take" or unsaid):
            text, whole = f"{prompt} {text}", f"{prompt} {whole}"
        apart = f" ({printable(answer.apart)})" if answer.apart and not others else ""
        told = word("who", self.spoken, player=name, text=text + apart) if self.several else text + apart
        return Chosen(player, told, text, option.kind in {"pass", "stop"}, whole)

    def stretch(
        self, answer: Answer | None, entries: Iterable[Entry], before: list[int] | None, after: list[int]
    ) -> list[Line]:
        """What a choice led to, up to the next decision.

        Without a state `before` it begins with a game, of whose setup only what the rules say is told.
        """
        lines: list[Line] = []
        chosen = None
        if answer is not None:
            for each in (*answer.sealed, answer):
                if each is not answer and self.viewer in {None, each.decision.player}:
                    continue
                chosen = self.chosen(replace(each, sealed=answer.sealed), after)
                lines.append(Line("pass" if chosen.quiet else "choice", chosen.text))
            entries = list(entries)
            own = self._own(chosen, entries)
            if own is not None:
                lines[-1] = replace(lines[-1], text=own.text, cited=own.cited)
        since, drawn = before, before is not None
        for line, at in self._fresh(entries, chosen):
            if since is not None:
                lines += self._changes(since, at or since)
            ends = bool(at) and line.kind in {"round", "phase"} and self._lie_alike(at, after)
            if before is not None and drawn and ends:
                lines, drawn = [*lines, *self._drawn(before, after, lines)], False
            if since is not None or line.kind in {"round", "phase"}:
                since = at or since
            if since is not None or line.kind not in {"roll", "pick"}:
                lines.append(line)
        if since is not None:
            lines += self._changes(since, after)
        if before is not None and drawn:
            lines += self._drawn(before, after, lines)
        return list(self._headed(lines))

    def _own(self, chosen: Chosen | None, entries: list[Entry]) -> Line | None:
        """The words in which the rules themselves tell a choice of another player: they know best what to leave out."""
        if chosen is None or self.viewer in {None, chosen.player}:
            return None
        for entry in entries:
            if (
                entry.kind == "do"
                and entry.player == chosen.player
                and entry.text(self.language) == chosen.whole
            ):
                return self._line(entry)
        return None

    def pending(self) -> list[Line]:
        """The heading under which nothing stands yet: where the game is now."""
        headings, self._headings = self._headings, []
        return headings

    def _unnamed(self, entry: Entry) -> bool:
        """Is it about an action that the author gave no label? Why it was refused, "why" tells."""
        return entry.kind == "refused" and entry.text(self.language) in self._actions

    def _hidden(self, entry: Entry) -> bool:
        """May the viewer see nothing of what it tells? Then it would be words around question marks."""
        if self.viewer is None or entry.player is not None or not entry.args:
            return False
        return entry.kind in {"say", "do", "row"} and not any(
            mask >> self.viewer & 1 for mask in entry.seen_by
        )

    def _line(self, entry: Entry) -> Line:
        text = entry.text(self.language, self.viewer)
        program = entry.program
        if entry.kind == "phase" and not entry.clauses:
            texts = dict(program.texts[entry.label].texts) if entry.label is not None else {}
            if texts.get("") == DEFAULT_ROUND and entry.args:
                text = word("round", self.spoken, round=entry.args[0])
            return Line("round", text)
        kind = entry.kind if entry.kind in STYLES else "say"
        told = self._chance(entry, text) if kind in {"roll", "pick"} else text
        if entry.question is not None:
            told = text = f"{text_of(program, entry.question, self.language)} {text}"
        if entry.player is not None and self.several:
            name = member_name(program, program.players, entry.player, self.language)
            told = word("who", self.spoken, player=name, text=text)
        if kind == "refused":
            told = word("not done", self.spoken, what=told)
        return Line(kind, told, entry.citations, text)

    def _chance(self, entry: Entry, text: str) -> str:
        if entry.kind == "pick":
            return word("picked", self.spoken, what=text)
        dice, _, result = text.partition(": ")
        return word("die" if dice.startswith("1d") else "dice", self.spoken, dice=dice, result=result)

    def _fresh(self, entries: Iterable[Entry], chosen: Chosen | None) -> Iterator[tuple[Line, list[int]]]:
        """The lines that say something new, each with the state before it."""
        told = [each for each in entries if each.kind != "end" and not self._unnamed(each)]
        choice = chosen
        last: tuple[str, tuple[int, ...]] = "", ()
        for entry, behind in zip_longest(told, told[1:]):
            if self._hidden(entry):
                continue
            line = self._line(entry)
            if line.kind in {"do", "row"}:
                only = choice if line.kind == "do" else chosen
                if only is not None and self._says(line, entry, only):
                    choice, last = None, (line.text, entry.clauses)
                    continue
                if line.text == last[0] and entry.clauses != last[1]:
                    continue
            if line.text and not _told_again(entry, behind):
                yield line, entry.before
                last = line.text, entry.clauses

    def _says(self, line: Line, entry: Entry, choice: Chosen) -> bool:
        """Does a line only say what was chosen, with or without a name before it?"""
        whole = entry.text(self.language)
        if entry.player is not None:
            return entry.player == choice.player and (line.what == choice.what or whole == choice.whole)
        said = {line.text, line.text.partition(": ")[2], whole, whole.partition(": ")[2]}
        return choice.what in said or (choice.whole != "" and choice.whole in said)

    def _changes(self, before: list[int], after: list[int]) -> list[Line]:
        found = list(changes(self.machine, before, after, self.viewer, self.language, places=True))
        if len(found) > MOST_CHANGES:
            more = word("more changes", self.spoken, count=len(found) - MOST_CHANGES)
            found = [*found[:MOST_CHANGES], more]
        return [Line("change", JOINT.join(found))] if found else []

    def _lie_alike(self, one: list[int], other: list[int]) -> bool:
        """Do the cards that come to players lie in the same piles in two states?"""
        program = self.machine.program
        for index, var in enumerate(program.vars):
            size = var.width * (1 if var.of is None else len(program.domains[var.of].members))
            at = slice(var.offset, var.offset + size)
            if var.role == "pile" and index in self._piles and one[at] != other[at]:
                return False
        return True

    def _drawn(self, before: list[int], after: list[int], lines: list[Line]) -> list[Line]:
        """What players have drawn, unless the lines so far name all of it."""
        found = [
            str(each)
            for each in drawn(self.machine, before, after, self.viewer, self.language)
            if len(each.names) < each.count
            or not all(
                any(name in line.text for line in lines if line.kind != "change") for name in each.names
            )
        ]
        return [Line("drawn", JOINT.join(found))] if found else []

    def _headed(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Headings wait until something stands under them, other than what was drawn; a round is always told."""
        for line in lines:
            if line.kind == "round":
                self._headings = []
                yield line
            elif line.kind == "phase":
                self._headings = [line]
            elif line.kind == "drawn":
                yield line
            else:
                yield from self._headings
                self._headings = []
                yield line


def _told_again(entry: Entry, behind: Entry | None) -> bool:
    """Is a throw read off a table whose row says the number too? A member of the same number says nothing of it."""
    if entry.kind != "roll" or behind is None or behind.kind != "row" or not entry.args or not behind.args:
        return False
    return isinstance(behind.types[0], Int) and entry.args[-1] == behind.args[0]


# ---------------------------------------------------------------- showing them


def show(console: Console, lines: Iterable[Line]) -> None:
    """Prints lines of a story as wide as the terminal, their citations in a quiet style."""
    from rich.text import Text

    for line in lines:
        style = STYLES[line.kind]
        if line.kind == "round":
            console.print()
        text = Text(_MARGINS.get(line.kind, "" if line.kind == "round" else "    "))
        text.append(_SIGNS.get(line.kind, ""), style="dim")
        margin = len(text)
        first, *more = _folded(printable(line.text).replace("\n", " "), console.width - margin)
        text.append(first, style=style)
        for each in more:
            text.append(f"\n{' ' * margin}{each}", style=style)
        if line.cited:
            cited = f"[{', '.join(line.cited)}]"
            last = text.plain.rpartition("\n")[2]
            fits = len(last) + 2 + len(cited) <= console.width
            text.append(f"  {cited}" if fits else f"\n{' ' * (margin + 2)}{cited}", style="dim")
        console.print(text, soft_wrap=True)


def _folded(text: str, width: int) -> list[str]:
    """A line in as many as it needs: broken between changes, else between words, further in."""
    lines: list[str] = []
    for part in text.split(JOINT):
        if lines and len(lines[-1]) + len(JOINT) + len(part) <= width:
            lines[-1] += JOINT + part
        else:
            lines += folded(part, width) or [part]
    return lines or [text]


def ending(machine: Machine, state: list[int], language: str) -> str:
    """How a game ended, in one sentence."""
    outcome = outcome_of(machine.program, state, language)
    return "" if outcome is None else sentence(outcome, language or machine.program.language)


def sentence(outcome: Outcome, spoken: str) -> str:
    """An outcome in words."""
    if outcome.kind == "bound":
        return word("bound", spoken)
    names = ", ".join(outcome.winners)
    result = word("wins", spoken, names=names) if names else word("nobody wins", spoken)
    if outcome.kind == "draw" and not names:
        result = word("draw", spoken)
    return word("so", spoken, what=outcome.label, result=result) if outcome.label else result
