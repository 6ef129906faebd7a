"""The sheet of rules: what there is to do, what stands against it and how a game ends, each with the rules it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.catalogue import N_, nearest, told
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import filled, member_name, text_of, title_of
from dsl.ir.program import Action, Program
from dsl.ir.types import Id, Type
from dsl.scene.model import Point
from dsl.sheets.page import FAINT, Flow, Page

HEADINGS = {
    "course": N_("The course of a turn"),
    "actions": N_("What can be done"),
    "endings": N_("How the game ends"),
    "options": N_("What may be chosen before it begins"),
    "book": N_("The rules of the book"),
}
KINDS = {"victory": N_("victory"), "defeat": N_("defeat"), "draw": N_("a draw")}
TITLE, HEAD, TEXT, SMALL = 16.0, 11.0, 8.0, 7.0
_HOLE = re.compile(r"\{\d+\}")
_HOLES = re.compile(r"\{+[^{}]*\}+|\?(?=\))")


def rules_of(program: Program, paper: Point, language: str) -> list[Page]:
    """The pages of the sheet."""
    return _Sheet(program, paper, language).pages()


class _Sheet:
    """The sheet on its way to pages."""

    def __init__(self, program: Program, paper: Point, language: str) -> None:
        self.program = program
        self.language = language
        self.spoken = nearest(language or program.language)
        self.title = printable(text_of(program, program.title, language) or program.name)
        self.flow = Flow(paper, self.title)

    def pages(self) -> list[Page]:
        program, flow = self.program, self.flow
        flow.say(self.title, TITLE, bold=True, after=4)
        players = program.domains[program.players].members
        names = (member_name(program, program.players, n, self.language) for n in range(len(players)))
        flow.say(printable(", ".join(names)), TEXT, fill=FAINT, after=6)
        self._list("course", self._course())
        self._actions()
        self._list("endings", self._endings())
        self._list("options", self._options())
        self._list("book", self._book())
        return flow.finished()

    def _head(self, which: str) -> None:
        self.flow.say(told(HEADINGS[which], self.spoken), HEAD, bold=True, after=3, keep=4 * TEXT)

    def _list(self, which: str, lines: Iterator[str]) -> None:
        found = list(dict.fromkeys(lines))
        if found:
            self._head(which)
            for line in found:
                self.flow.say(printable(line), TEXT, indent=6, after=1.5)
            self.flow.say("", SMALL)

    def _course(self) -> Iterator[str]:
        """The phases that have words, in the order in which they stand."""
        for action in self.program.actions:
            if action.kind == "phase" and action.label is not None:
                yield self._called(action) + self._cited(action.clause)

    def _actions(self) -> None:
        """What players may do, each with what stands against it."""
        program, headed = self.program, False
        for action in program.actions:
            if action.kind == "phase" or action.label is None or action.by is None:
                continue
            if not headed:
                self._head("actions")
                headed = True
            self.flow.say(
                printable(self._called(action) + self._cited(action.clause)),
                TEXT,
                bold=True,
                indent=6,
                keep=TEXT,
            )
            reasons = []
            for each in action.prohibitions:
                if each.kind != "allow" and each.reason is not None:
                    words = _HOLE.sub("…", text_of(program, each.reason, self.language))
                    reasons.append(f"– {words}{self._cited(each.clause)}")
            for line in dict.fromkeys(reasons):
                self.flow.say(printable(line), SMALL, indent=14)
            self.flow.say("", 2.0)
        if headed:
            self.flow.say("", SMALL)

    def _endings(self) -> Iterator[str]:
        for ending in self.program.endings:
            words = text_of(self.program, ending.label, self.language)
            kind = told(KINDS.get(ending.kind, ending.kind), self.spoken)
            yield (f"{kind}: {words}" if words else kind) + self._cited(ending.clause)

    def _options(self) -> Iterator[str]:
        for option in self.program.options:
            words = text_of(self.program, option.label, self.language) or option.name.replace("_", " ")
            if option.choices:
                choices = " / ".join(each.replace("_", " ") for each in option.choices)
            elif option.range is not None:
                choices = f"{option.range[0]}–{option.range[1]}"
            else:
                choices = ""
            yield f"{words}: {choices}{self._cited(option.clause)}"

    def _book(self) -> Iterator[str]:
        for rule in self.program.rules:
            yield f"{rule.id}  {title_of(rule, self.language)}"

    def _called(self, action: Action) -> str:
        """The words of an action, with what it takes by the words of its type, or dots where that has none."""
        names = [self._type(each) for each in action.params]
        told = filled(self.program, action.label, action.params, None, self.language, names)
        return _HOLES.sub("…", told)

    def _type(self, kind: Type) -> str:
        if not isinstance(kind, Id):
            return "…"
        return text_of(self.program, self.program.domains[kind.domain].label, self.language) or "…"

    def _cited(self, clause: int | None) -> str:
        ids = self.program.clauses[clause].ids if clause is not None else ()
        return f" [{', '.join(ids)}]" if ids else ""
