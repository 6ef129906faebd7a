"""The story of a game: what was chosen, what followed from it, and what it changed, under round and phase.

Lines are made first and shown second. A phase in which nothing happens is passed over, and so is what only
repeats the line before it: the story is for reading, and the log has the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.cli.changes import changes
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.decision import Decision, Option
from dsl.engine.log import Entry
from dsl.engine.machine import Machine
from dsl.engine.outcome import Outcome, outcome_of

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
    "refused": "dim",
    "change": "dim",
}
_MARGINS = {"phase": "  ", "choice": "    ", "change": "        "}
_SIGNS = {"row": "▸ ", "refused": "✗ "}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the story: what it is (a key of `STYLES`), its text, and the rules that it cites."""

    kind: str
    text: str
    cited: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice on its way: who made it and what he chose, in words."""

    player: int
    text: str
    what: str
    quiet: bool = False
    """Was nothing done?"""


class Teller:
    """Tells a game to a viewer (none: all of it) in a language, stretch by stretch."""

    def __init__(self, machine: Machine, language: str = "", viewer: int | None = None) -> None:
        self.machine = machine
        self.language = language
        self.viewer = viewer
        program = machine.program
        self.spoken = language or program.language
        self.several = len(program.domains[program.players].members) > 1
        self.secrets = any(var.audience is not None or var.role == "order" for var in program.vars)
        self._actions = {action.name for action in program.actions} | {""}
        self._headings: list[Line] = []

    # ------------------------------------------------------------ making lines

    def chosen(self, decision: Decision, option: Option) -> Chosen:
        """A choice, to be told when its effects are known."""
        player = decision.player
        if self.viewer is not None and player != self.viewer and self.secrets:
            words = word("chooses", self.spoken, player=decision.player_label(self.language))
            return Chosen(player, words, words)
        text = option.label(self.language)
        if not text or text == option.kind:
            text = word(option.kind, self.spoken)
        if option.kind == "take" and (prompt := decision.prompt_in(self.language)):
            text = f"{prompt} {text}"
        told = text
        if self.several:
            told = word("who", self.spoken, player=decision.player_label(self.language), text=text)
        return Chosen(player, told, text, option.kind in {"pass", "stop"})

    def stretch(
        self, chosen: Chosen | None, entries: Iterable[Entry], before: list[int], after: list[int]
    ) -> list[Line]:
        """What a choice led to, up to the next decision."""
        told = [self._line(each) for each in entries if each.kind != "end" and not self._unnamed(each)]
        lines = [Line("pass" if chosen.quiet else "choice", chosen.text)] if chosen is not None else []
        lines += self._fresh(told, chosen)
        changed = self._changes(before, after)
        at = max((n + 1 for n, line in enumerate(lines) if line.kind not in {"round", "phase"}), default=0)
        return list(self._headed([*lines[:at], *changed, *lines[at:]]))

    def pending(self) -> list[Line]:
        """The heading under which nothing stands yet: where the game is now."""
        headings, self._headings = self._headings, []
        return headings

    def _unnamed(self, entry: Entry) -> bool:
        """Is it about an action that the author gave no label? Why it was refused, "why" tells."""
        return entry.kind == "refused" and entry.text(self.language) in self._actions

    def _line(self, entry: Entry) -> Line:
        text = entry.text(self.language, self.viewer)
        program = entry.program
        if entry.kind == "phase" and not entry.clauses:
            texts = dict(program.texts[entry.label].texts) if entry.label is not None else {}
            if texts.get("") == DEFAULT_ROUND and entry.args:
                text = word("round", self.spoken, round=entry.args[0])
            return Line("round", text)
        kind = entry.kind if entry.kind in STYLES else "say"
        return Line(kind, text, entry.citations)

    def _fresh(self, told: list[Line], chosen: Chosen | None) -> Iterator[Line]:
        """The lines that say something new: not the choice again, no empty ones."""
        known = {chosen.what} if chosen is not None else set()
        for line in told:
            if line.kind in {"round", "phase"}:
                yield line
                continue
            repeated = line.text in known or _behind(line.text) in known
            if line.text and not (repeated and line.kind in {"do", "row"}):
                yield line
            known.add(line.text)

    def _changes(self, before: list[int], after: list[int]) -> list[Line]:
        found = list(changes(self.machine, before, after, self.viewer, self.language))
        if len(found) > MOST_CHANGES:
            more = word("more changes", self.spoken, count=len(found) - MOST_CHANGES)
            found = [*found[:MOST_CHANGES], more]
        return [Line("change", JOINT.join(found))] if found else []

    def _headed(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Headings wait until something stands under them; a round is always told."""
        for line in lines:
            if line.kind == "round":
                self._headings = []
                yield line
            elif line.kind == "phase":
                self._headings = [line]
            else:
                yield from self._headings
                self._headings = []
                yield line


def _behind(text: str) -> str:
    """What stands behind the name that a line begins with; all of it where it begins with none."""
    return text.partition(": ")[2] or text


# ---------------------------------------------------------------- showing them


def show(console: Console, lines: Iterable[Line]) -> None:
    """Prints lines of a story, their citations in a quiet style."""
    from rich.text import Text

    for line in lines:
        style = STYLES[line.kind]
        if line.kind == "round":
            console.print()
        text = Text(_MARGINS.get(line.kind, "" if line.kind == "round" else "    "))
        text.append(_SIGNS.get(line.kind, ""), style="dim")
        margin = len(text)
        first, *more = _folded(printable(line.text).replace("\n", " "), line.kind, console.width - margin)
        text.append(first, style=style)
        for each in more:
            text.append(f"\n{' ' * margin}{each}", style=style)
        if line.cited:
            text.append(f"  [{', '.join(line.cited)}]", style="dim")
        console.print(text, soft_wrap=True)


def _folded(text: str, kind: str, width: int) -> list[str]:
    """A line of changes in as many lines as it needs, broken between changes."""
    if kind != "change":
        return [text]
    lines: list[str] = []
    for part in text.split(JOINT):
        if lines and len(lines[-1]) + len(JOINT) + len(part) <= width:
            lines[-1] += JOINT + part
        else:
            lines.append(part)
    return lines


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
