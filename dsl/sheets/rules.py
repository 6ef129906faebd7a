"""The sheet of rules: what there is to do, what stands against it and how a game ends, each with the rules it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.catalogue import N_, nearest, told
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import choice_words, filled, member_name, text_of, title_in, title_of
from dsl.ir.nodes import Call, Enter
from dsl.ir.program import Action, Option, Program
from dsl.ir.types import Id, Type
from dsl.ir.walk import within
from dsl.scene.lettering import paired
from dsl.scene.model import Point
from dsl.sheets.page import FAINT, Flow, Page

HEADINGS = {
    "course": N_("The course of a turn"),
    "actions": N_("What can be done"),
    "endings": N_("How the game ends"),
    "options": N_("What may be chosen before it begins"),
    "book": N_("The rules of the book"),
}
THINGS = {"player": N_("player"), "cell": N_("cell")}
"""What types without words for players are called, by their kind."""
USUAL = N_("What stands first holds unless something else is chosen.")
MODE = N_("What is played")
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
        self.title = title_in(program, language)
        self.flow = Flow(paper, self.title)

    def pages(self) -> list[Page]:
        program, flow = self.program, self.flow
        flow.say(self.title, TITLE, bold=True, after=4)
        players = program.domains[program.players].members
        names = (member_name(program, program.players, n, self.language) for n in range(len(players)))
        flow.say(printable(", ".join(names)), TEXT, fill=FAINT, after=0 if program.mods else 6)
        mods = [text_of(program, each.label, self.language) or each.name for each in program.mods]
        if mods:
            flow.say(printable(f"+ {', '.join(mods)}"), TEXT, fill=FAINT, after=6)
        self._list("course", self._course())
        self._actions()
        self._list("endings", self._endings())
        self._options()
        self._list("book", self._book())
        return flow.finished()

    def _head(self, which: str, keep: float = 4 * TEXT) -> None:
        self.flow.say(told(HEADINGS[which], self.spoken), HEAD, bold=True, after=3, keep=keep)

    def _list(self, which: str, lines: Iterator[str]) -> None:
        found = list(dict.fromkeys(lines))
        if found:
            self._head(which)
            for line in found:
                self.flow.say(_begun(printable(line)), TEXT, indent=6, after=1.5)
            self.flow.say("", SMALL)

    def _course(self) -> Iterator[str]:
        """The phases that have words, in the order in which they are played; what no round comes to stands last."""
        actions = self.program.actions
        order = {each: place for place, each in enumerate(played_in_order(self.program))}
        for number in sorted(range(len(actions)), key=lambda each: order.get(each, len(order))):
            action = actions[number]
            if action.kind == "phase" and action.label is not None:
                yield self._called(action) + self._cited(action.clause)

    def _actions(self) -> None:
        """What players may do, each with what stands against it; what is called alike is told apart by the title of the
        rule that it is of.
        """
        done = [
            each
            for each in self.program.actions
            if each.kind != "phase" and each.label is not None and each.by is not None
        ]
        called = [self._called(each) for each in done]
        if done:
            self._head("actions")
        for action, words in zip(done, called, strict=True):
            title = self._rule(action.clause) if called.count(words) > 1 else ""
            told_apart = f"{words} – {title}" if title else words
            self.flow.say(
                _begun(printable(told_apart + self._cited(action.clause))),
                TEXT,
                bold=True,
                indent=6,
                keep=3 * TEXT,
            )
            reasons = []
            for each in action.prohibitions:
                if each.kind != "allow" and each.reason is not None:
                    reason = _HOLE.sub("…", text_of(self.program, each.reason, self.language))
                    reasons.append(f"– {reason}{self._cited(each.clause)}")
            for line in dict.fromkeys(reasons):
                self.flow.say(printable(line), SMALL, indent=14)
            self.flow.say("", 2.0)
        if done:
            self.flow.say("", SMALL)

    def _endings(self) -> Iterator[str]:
        for ending in self.program.endings:
            words = text_of(self.program, ending.label, self.language)
            kind = told(KINDS.get(ending.kind, ending.kind), self.spoken)
            yield (paired(kind, words, self.spoken) if words else kind) + self._cited(ending.clause)

    def _options(self) -> None:
        """What may be chosen, with its choices below, the usual first. Choices that have no words for players are told
        by what the option is about, or not at all.
        """
        program, told_of = self.program, []
        for option in program.options:
            words = text_of(program, option.label, self.language)
            if option.name == "mode" and option.kind == "mode":
                words = told(MODE, self.spoken)
            if words:
                told_of.append((words + self._cited(option.clause), self._choices(option)))
        if not told_of:
            return
        self._head("options", HEAD * 1.3 + 8 * TEXT)
        if any(choices for _, choices in told_of):
            self.flow.say(told(USUAL, self.spoken), TEXT, indent=6, after=3)
        for words, choices in told_of:
            self.flow.say(_begun(printable(words)), TEXT, indent=6, keep=3 * TEXT if choices else 0.0)
            if choices:
                self.flow.say(printable(f"– {choices}"), SMALL, indent=14)
            self.flow.say("", 2.0)
        self.flow.say("", SMALL)

    def _choices(self, option: Option) -> str:
        if option.range is not None:
            low, high = option.range
            return f"{option.default} ({low}–{high})"
        words = choice_words(self.program, option, self.language)
        own = [words[option.default], *(each for n, each in enumerate(words) if n != option.default)]
        return " / ".join(own) if all(own) else ""

    def _book(self) -> Iterator[str]:
        for rule in self.program.rules:
            yield f"{rule.id}  {title_of(rule, self.language or self.program.language)}"

    def _called(self, action: Action) -> str:
        """The words of an action, with what it takes by the words of its type, or dots where that has none. Where its
        words are but what it takes (`{c} {x}`), its name stands before them.
        """
        names = [self._type(each) for each in action.params]
        told = filled(self.program, action.label, action.params, None, self.language, names)
        told = _HOLES.sub("…", told)
        if any(map(str.isalpha, _HOLE.sub("", text_of(self.program, action.label, self.language)))):
            return told
        own = action.name.rpartition(".")[2].replace("_", " ")
        return paired(own, told[:1].lower() + told[1:], self.spoken)

    def _type(self, kind: Type) -> str:
        if not isinstance(kind, Id):
            return "…"
        domain = self.program.domains[kind.domain]
        words = text_of(self.program, domain.label, self.language)
        if not words and domain.kind in THINGS:
            words = told(THINGS[domain.kind], self.spoken)
        if not words and domain.parts:
            parts = [self._type(Id(each)) for each in domain.parts]
            return " / ".join(parts) if "…" not in parts else "…"
        return words[:1].lower() + words[1:] if words[1:].lower() == words[1:] and words else words or "…"

    def _rule(self, clause: int | None) -> str:
        """The title of the first rule that a clause cites."""
        ids = self.program.clauses[clause].ids if clause is not None else ()
        found = (each for each in self.program.rules if each.id in ids[:1])
        return next((title_of(each, self.language or self.program.language) for each in found), "")

    def _cited(self, clause: int | None) -> str:
        ids = self.program.clauses[clause].ids if clause is not None else ()
        return f" [{', '.join(ids)}]" if ids else ""


def _begun(text: str) -> str:
    """A line with a capital in front."""
    return text[:1].upper() + text[1:]


def played_in_order(program: Program) -> list[int]:
    """The actions and phases that a game comes to from its beginning, in the order in which it first calls them."""
    by_procedure = {each.procedure: n for n, each in enumerate(program.actions) if each.procedure is not None}
    by_routine = {each.routine: n for n, each in enumerate(program.actions) if each.routine is not None}
    found: dict[int, None] = {}
    seen: set[tuple[str, int]] = set()
    ahead: list[tuple[str, int]] = [("routine", program.main)]
    while ahead:
        sort, number = ahead.pop()
        if (sort, number) in seen:
            continue
        seen.add((sort, number))
        action = (by_routine if sort == "routine" else by_procedure).get(number)
        if action is not None:
            found.setdefault(action)
        called: list[tuple[str, int]] = []
        if sort == "routine":
            for block in program.routines[number].blocks:
                called += (
                    ("procedure", each.procedure) for each in within(block.body) if isinstance(each, Call)
                )
                if isinstance(block.end, Enter):
                    called.append(("routine", block.end.routine))
        else:
            body = program.procedures[number].body
            called += (("procedure", each.procedure) for each in within(body) if isinstance(each, Call))
        ahead += reversed(called)
    return list(found)
