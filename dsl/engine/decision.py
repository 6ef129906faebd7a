"""A decision as whoever chooses sees it: the player, the prompt, the options with their labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from dsl.catalogue import tr
from dsl.engine.display import filled, member_name, worded
from dsl.engine.failure import IllegalChoice, RuleFailure
from dsl.engine.kinds import calling
from dsl.engine.label_holes import source_form
from dsl.engine.layout import Plain
from dsl.engine.log import Entry
from dsl.engine.runtime import BESIDE, Run, frames
from dsl.ir import nodes as ir
from dsl.ir.program import TOP, Program
from dsl.ir.types import NONE, Id

if TYPE_CHECKING:
    from dsl.engine.machine import Choice, Machine


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen.

    `kind`: do, take, pass or stop; `values` are those of the offer's variables.
    """

    decision: Decision
    offer: int
    values: tuple[Plain, ...]

    @property
    def raw(self) -> Choice:
        return self.offer, self.values

    @property
    def declared(self) -> ir.Offer:
        return self.decision.end.offers[self.offer]

    @property
    def kind(self) -> str:
        return self.declared.kind

    @property
    def action(self) -> str | None:
        """The name of the action that would be done."""
        index = self.declared.action
        return None if index is None else self.decision.machine.program.actions[index].name

    @property
    def args(self) -> tuple[Plain, ...]:
        """The arguments of the action, or the value that would be taken; none where these fail (`fails`)."""
        return self._computed or ()

    @property
    def fails(self) -> bool:
        """Can its arguments not be computed? The rule then fails as it is chosen."""
        return self._computed is None

    @property
    def _computed(self) -> tuple[Plain, ...] | None:
        return self.decision.values_of(self.offer, "args", self.declared.args, self.values)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the rules, of what its label shows; none where that cannot be computed."""
        offer, program = self.declared, self.decision.machine.program
        values = self.decision.values_of(self.offer, "label", offer.label_args, self.values)
        if values is None:
            return ()
        return tuple(
            program.domains[each.type.domain].members[value]
            for each, value in zip(offer.label_args, values, strict=True)
            if isinstance(each.type, Id) and isinstance(value, int) and value != NONE
        )

    def label(self, language: str = "") -> str:
        """What choosing it means, in words."""
        offer = self.declared
        return self.decision.filled(self.offer, "label", offer.label, offer.label_args, self.values, language)


class Decision:
    """Somebody must choose. The options stand in a stable order: offer by offer, each variable ascending."""

    def __init__(self, machine: Machine, state: list[int], raw: list[Choice]) -> None:
        self.machine = machine
        self.state = state
        self.raw = raw
        frame = state[TOP]
        self.where = state[frame], state[frame + 1]
        self._failed = ""
        self._decider = machine.plain.deciders[self.where]
        self.end = self._decider.end

    @cached_property
    def player(self) -> int:
        """The number of the player who chooses."""
        return int(self._decider.player(self.state, Run(self.machine), self.state[TOP]))

    @property
    def player_name(self) -> str:
        program = self.machine.program
        return program.domains[program.players].members[self.player]

    @cached_property
    def options(self) -> tuple[Option, ...]:
        return tuple(Option(self, offer, values) for offer, values in self.raw)

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    @property
    def prompt(self) -> str:
        return self.prompt_in()

    def prompt_in(self, language: str = "") -> str:
        """What is asked, in words."""
        return self.filled(-1, "prompt", self.end.prompt, self.end.prompt_args, (), language)

    def player_label(self, language: str = "") -> str:
        program = self.machine.program
        return member_name(program, program.players, self.player, language)

    def by_label(self, label: str) -> Option:
        """The one option with a label, in any language that the game has."""
        languages = dict.fromkeys(("", *(name for text in self._texts() for name, _ in text)))
        for language in languages:
            found = [option for option in self.options if option.label(language) == label]
            if len(found) == 1:
                return found[0]
            if found:
                raise IllegalChoice(tr("{count} options are called `{label}`", count=len(found), label=label))
        raise IllegalChoice(tr("no option is called `{label}`", label=label))

    def values_of(
        self, offer: int, what: str, exprs: tuple[ir.Expr, ...], values: tuple[Plain, ...]
    ) -> tuple[Plain, ...] | None:
        """The values of some expressions at this decision, for the bindings of an offer; none where they fail, or need
        more than their share of the steps for all words here.
        """
        routine = self.machine.program.routines[self.where[0]]
        params = () if offer < 0 else tuple(each.index for each in self.end.offers[offer].variables)
        function = self.machine.function((what, *self.where, offer), exprs, params, routine)
        try:
            found: tuple[Plain, ...] = function(self.state, self._aside(), self.state[TOP], *values)
        except RuleFailure as failure:
            self._failed = failure.code
            return None
        return found

    def filled(
        self,
        offer: int,
        what: str,
        label: int | None,
        exprs: tuple[ir.Expr, ...],
        values: tuple[Plain, ...],
        language: str = "",
    ) -> str:
        """A label in words; in a hole that cannot be computed stands what the rules have there, in braces."""
        program = self.machine.program
        kinds = [each.type for each in exprs]
        found = self.values_of(offer, what, exprs, values)
        called = calling(self.machine, self.state, self._readers(offer))
        if found is not None:
            return filled(program, label, kinds, found, language, called=called)
        alone = [self.values_of(offer, f"{what} {n}", (each,), values) for n, each in enumerate(exprs)]
        self.machine.unsaid[self._failed] += 1
        parts = [
            source_form(program, expr)
            if part is None
            else worded(program, expr.type, part[0], language, called)
            for expr, part in zip(exprs, alone, strict=True)
        ]
        return filled(program, label, kinds, None, language, parts)

    def _readers(self, offer: int) -> Iterable[int]:
        """Who reads the words of an offer: who chooses; a question is read by all."""
        if offer >= 0:
            return (self.player,)
        return range(len(self.machine.program.domains[self.machine.program.players].members))

    def _aside(self) -> Run:
        """A run with the share of steps that one label has."""
        return Run.aside(self.machine, BESIDE // (len(self.raw) + 1))

    def _texts(self) -> list[tuple[tuple[str, str], ...]]:
        texts = self.machine.program.texts
        return [texts[each.label].texts for each in self.end.offers]


def tell_taken(machine: Machine, state: list[int], run: Run, options: list[Choice]) -> None:
    """Logs what is taken at once, as all see that there is nothing else: a value, or an action that has no words of
    its own, in those of the menu. Other actions tell what they do.
    """
    option = Decision(machine, state, options).options[0]
    offer = option.declared
    if not told_when_taken(machine.program, offer):
        return
    values = option.decision.values_of(option.offer, "label", offer.label_args, option.values)
    kinds = tuple(each.type for each in offer.label_args)
    clauses = () if offer.clause is None else (offer.clause,)
    scope = "routine", option.decision.where[0]
    bars = machine.readers.of_taken(scope, offer)
    asked = offer.kind == "take" and not option.decision.end.prompt_args
    entry = Entry(
        *(machine.program, "do", offer.label, kinds, values),
        *(tuple(0 if each else -1 for each in bars), clauses, frames(state)),
        player=option.decision.player,
        question=option.decision.end.prompt if asked else None,
        before=run.before(state),
        known=machine.known_kinds(state, kinds, values),
    )
    run.log.append(entry)


def told_when_taken(program: Program, offer: ir.Offer) -> bool:
    """Is the only option of a decision told in the words of its offer, as nothing else tells it?"""
    if offer.kind != "do" or offer.action is None:
        return offer.kind == "take"
    return program.actions[offer.action].label is None
