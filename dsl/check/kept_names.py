"""Names that keep a secret while somebody is asked who may not see it.

What a `let`, a choice or a parameter holds stands in the frame of a routine, and is the same in all worlds which a
player cannot tell apart: a computer player would know it, and so would what is tried behind an option and whoever takes
his choice back. So a name that is still needed behind a question must hold nothing that the one who is asked may not
see: the rules can read it again from its field. Cards are dealt anew in names, too, and answers that are given in
secret are others in other worlds: those may be kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from dsl.check.options import Options, Place
from dsl.check.owners import handed, locals_of
from dsl.check.taint_state import Held, Secret, Whose
from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.ir.walk import within
from dsl.lower.control_flow import targets
from dsl.lower.rewrite import walk_ir
from dsl.source import Span

if TYPE_CHECKING:
    from dsl.check.secrets import Secrets

NOTHING = frozenset[int]()
Players = frozenset[ir.Expr | None]
"""Who is asked by a routine, in terms of its parameters; none where that is not known."""


class KeptNames:
    """Finds them, in the routines that secrets come to."""

    def __init__(self, secrets: Secrets, asking: set[int]) -> None:
        self._secrets, self._asking = secrets, asking
        self._asked: dict[int, Players] = {}

    def found(self) -> Iterator[tuple[Secret, int]]:
        """Each secret that is kept behind a question, with the site of that."""
        needed: dict[int, list[frozenset[int]]] = {}
        for (number, at), (held, _) in sorted(self._secrets.at.items()):
            routine = self._secrets.routines[number]
            assert routine is not None
            end = routine.blocks[at].end
            stops = isinstance(end, ir.Decide) or (isinstance(end, ir.Enter) and end.routine in self._asking)
            if not stops or not held.locals:
                continue
            if number not in needed:
                needed[number] = _needed(routine)
            kept = self._kept(routine, end, _behind(end, needed[number]), held)
            if kept:
                yield from self._hidden(number, end, kept, held)

    def _kept(
        self, routine: pr.Routine, end: ir.Terminator, needed: frozenset[int], held: Held
    ) -> dict[int, tuple[Secret, ...]]:
        """The locals that are needed behind a stop and hold a secret which is not drawn anew in other worlds."""
        sealed = {
            variable.index
            for block in routine.blocks
            if isinstance(block.end, ir.Decide) and block.end.sealed
            for offer in block.end.offers
            for variable in offer.variables
        }
        return {
            local: held.locals[local]
            for local in sorted(needed & held.locals.keys() - sealed)
            if not self._is_dealt(routine, local, held)
        }

    def _is_dealt(self, routine: pr.Routine, local: int, held: Held) -> bool:
        lying = all(each.var in self._secrets.lying for each in held.locals[local])
        return lying and self._secrets.lies(routine.locals[local])

    def _hidden(
        self, number: int, end: ir.Terminator, kept: dict[int, tuple[Secret, ...]], held: Held
    ) -> Iterator[tuple[Secret, int]]:
        assert isinstance(end, ir.Decide | ir.Enter)
        options = self._options(number, held)
        place = Place(routine=True)
        for player in self._players(number, end, options):
            options.player = ir.Local(options.player.type, next(options.fresh)) if player is None else player
            for local, secrets in kept.items():
                for secret in secrets:
                    if secret.owner is Whose.OWN:
                        hidden = self._is_of_another(number, local, options, place)
                    elif secret.var not in self._secrets.lying and self._is_his_choice(
                        number, local, options, place
                    ):
                        hidden = False  # wherever it is written
                    else:
                        hidden = options.is_hidden_of(secret.var, secret.owner, place)
                    if hidden:
                        at = secret.read or self._chosen_at(number, local)
                        yield replace(secret, read=at), end.site

    def _options(self, number: int, held: Held) -> Options:
        routine = self._secrets.routines[number]
        assert routine is not None
        does = self._secrets.effects.called("routine", number)
        origin = self._secrets.origins(number).get
        return Options(self._secrets, routine.params, does.writes | does.adds, origin, held)

    # ------------------------------------------------------------ who is asked

    def _players(self, number: int, end: ir.Decide | ir.Enter, options: Options) -> Iterator[ir.Expr | None]:
        if isinstance(end, ir.Decide):
            yield options.known(end.player, Place(routine=True))
            return
        for player in sorted(self._asked_by(end.routine), key=repr):
            given = None if player is None else handed(player, end.args)
            yield None if given is None else options.known(given, Place(routine=True))

    def _asked_by(self, number: int) -> Players:
        if number not in self._asked:
            self._asked[number] = frozenset()  # where it comes back to itself
            self._asked[number] = frozenset(self._asked_in(number))
        return self._asked[number]

    def _asked_in(self, number: int) -> Iterator[ir.Expr | None]:
        routine = self._secrets.routines[number]
        if routine is None:
            return
        options = self._options(number, Held())
        params = set(range(routine.params))
        for block in routine.blocks:
            if isinstance(block.end, ir.Decide) or (
                isinstance(block.end, ir.Enter) and block.end.routine in self._asking
            ):
                for player in self._players(number, block.end, options):
                    yield player if player is not None and locals_of(player) <= params else None

    # ------------------------------------------------------------ what was chosen

    def _choices(self, number: int, local: int) -> Iterator[ir.Decide]:
        routine = self._secrets.routines[number]
        assert routine is not None
        for block in routine.blocks:
            end = block.end
            if isinstance(end, ir.Decide) and any(
                variable.index == local for offer in end.offers for variable in offer.variables
            ):
                yield end

    def _is_of_another(self, number: int, local: int, options: Options, place: Place) -> bool:
        """Was it surely not the one who is asked that has chosen what a local holds?"""
        return any(
            options.are_same(each.player, options.player, place) is not True
            for each in self._choices(number, local)
        )

    def _is_his_choice(self, number: int, local: int, options: Options, place: Place) -> bool:
        """Is what a local holds surely what the one who is asked has chosen himself?"""
        routine = self._secrets.routines[number]
        assert routine is not None
        set_elsewhere = local < routine.params or any(
            getattr(each, "index", None) == local or (isinstance(each, ir.Call) and each.result == local)
            for block in routine.blocks
            for each in within(block.body)
        )
        chosen = bool([*self._choices(number, local)])
        return chosen and not set_elsewhere and not self._is_of_another(number, local, options, place)

    def _chosen_at(self, number: int, local: int) -> Span | None:
        sites = (each.site for each in self._choices(number, local))
        return next((self._secrets.world.site_spans[site] for site in sites if site >= 0), None)


# ---------------------------------------------------------------- what is needed later


def _needed(routine: pr.Routine) -> list[frozenset[int]]:
    """For each block the locals whose values are needed where it begins."""
    reads, sets = zip(*map(_of_block, routine.blocks), strict=True) if routine.blocks else ((), ())
    found = [NOTHING for _ in routine.blocks]
    changed = True
    while changed:
        changed = False
        for at in reversed(range(len(routine.blocks))):
            needed = reads[at] | (_behind(routine.blocks[at].end, found) - sets[at])
            if needed != found[at]:
                found[at], changed = needed, True
    return found


def _behind(end: ir.Terminator, needed: list[frozenset[int]]) -> frozenset[int]:
    """The locals whose values are needed where a block leads on."""
    found = frozenset[int]().union(*(needed[each] for each in targets(end)))
    if not isinstance(end, ir.Decide):
        return found
    return found - {variable.index for offer in end.offers for variable in offer.variables}


def _of_block(block: ir.Block) -> tuple[frozenset[int], frozenset[int]]:
    """The locals that a block reads before it sets them, and those that it surely sets."""
    given: set[int] = set()
    read = _reads(block.body, given) | (_named(block.end) - given)
    return frozenset(read), frozenset(given)


def _reads(body: tuple[ir.Stmt, ...], given: set[int]) -> set[int]:
    """What code reads of what was not `given` before; adds what it surely sets."""
    found: set[int] = set()
    for each in body:
        match each:
            case ir.If(condition=condition, then=then, other=other):
                found |= _named(condition) - given
                one, two = set(given), set(given)
                found |= _reads(then, one) | _reads(other, two)
                given |= one & two
            case ir.ForEach(index=index, domain=domain, body=inner):
                found |= _named(domain) - given
                found |= _reads(inner, given | {index})
            case ir.Loop(limit=limit, condition=condition, body=inner):
                found |= _named((limit, condition)) - given
                found |= _reads(inner, set(given))
            case ir.Guarded(body=inner):
                found |= _reads(inner, set(given))
            case ir.Batch(body=inner):
                found |= _reads(inner, given)
            case _:
                found |= _named(each) - given
                gives = each.result if isinstance(each, ir.Call) else getattr(each, "index", None)
                if gives is not None:
                    given.add(gives)
    return found


def _named(node: object) -> set[int]:
    """The locals that an expression, or several, read from outside."""
    found: set[int] = set()
    bound: set[int] = set()
    for each in walk_ir(node):
        match each:
            case ir.Local(index=index):
                found.add(index)
            case ir.Fold(index=index) | ir.LetIn(index=index) | ir.OfferVar(index=index):
                bound.add(index)
            case ir.Scan(index=index, kept=kept):
                bound |= {index, kept}
            case _:
                pass
    return found - bound
