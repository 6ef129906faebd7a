"""Routines: blocks, their terminators, and which locals are set when a block begins."""

from __future__ import annotations

from typing import assert_never

from dsl.ir import limits
from dsl.ir import nodes as ir
from dsl.ir.kinds import Bad, Excess, TooMuch, inside
from dsl.ir.program import FRAME_HEAD, Routine
from dsl.ir.types import Id, Int
from dsl.ir.verify.assigned import Way, spread, targets
from dsl.ir.verify.code import Code, choices, params, told, unset
from dsl.ir.verify.expressions import Known, Scope
from dsl.records import record


@record(frozen=True, slots=True)
class Flow:
    """A checked block: the locals that it needs, and those set on the way to each block after it."""

    needs: int
    ways: tuple[Way, ...]


def check_routine(known: Known, index: int, chancy: frozenset[int]) -> None:
    """A routine of the program."""
    routine = known.program.routines[index]
    params(routine.params, routine.locals)
    if not 1 <= len(routine.blocks) <= limits.MAX_BLOCKS:
        raise TooMuch(f"{len(routine.blocks)} blocks are not between 1 and {limits.MAX_BLOCKS}")
    if routine.result is not None and not isinstance(known.kinds.stored(routine.result), Int | Id):
        raise Bad("the result of a routine is one number or member")
    _frame(known, routine)
    scope = Scope(known, routine.locals, zeroed=True)
    returned = _returned(routine)
    flows = []
    for number, block in enumerate(routine.blocks):
        with inside("block", number):
            flows.append(_Block(known, scope, routine, chancy).flow(block, returned.get(number)))
    _set_in_time(flows, (1 << routine.params) - 1)


class _Block:
    def __init__(self, known: Known, scope: Scope, routine: Routine, chancy: frozenset[int]) -> None:
        self.known = known
        self.scope = scope
        self.routine = routine
        self.code = Code(known, scope, None, chancy=chancy)

    def flow(self, block: ir.Block, entered: ir.Enter | None) -> Flow:
        body, after = block.body, 0
        result = None if entered is None else self.known.program.routines[entered.routine].result
        if result is not None:
            if not body or not isinstance(body[0], ir.TakeResult):
                raise Bad("it does not take the result of the routine that returns to it")
            after = self.scope.bind(body[0].index, result, "result")
            body = body[1:]
        after = self.code.body(body, after)
        ways = self._end(block, after)
        if self.code.depth > limits.MAX_CALL_NESTING:
            raise TooMuch(f"it goes deeper than {limits.MAX_CALL_NESTING} levels", Excess.LEVELS)
        return Flow(self.code.needs, ways if after >= 0 else ())

    def _end(self, block: ir.Block, after: int) -> tuple[tuple[int, int], ...]:
        end = block.end
        match end:
            case ir.Jump():
                return ((end.block, after),)
            case ir.Branch():
                self.code.use(self.scope.truth(end.condition), after)
                return ((end.then, after), (end.other, after))
            case ir.Enter():
                called = self.known.program.routines[end.routine]
                kinds = called.locals[: called.params]
                self.code.use(self.scope.arguments(end.args, kinds, f"routine {end.routine}"), after)
                return ((end.block, after),)
            case ir.Return():
                self._return(end, after)
                return ()
            case ir.Decide():
                if block.body:
                    raise Bad("a block that ends in a decision has no statements")
                return self._decide(end)
            case _:
                assert_never(end)

    def _return(self, end: ir.Return, after: int) -> None:
        result = self.routine.result
        if (end.value is None) != (result is None):
            raise Bad("it returns what its result does not say")
        if end.value is not None and result is not None:
            self.code.use(self.scope.value(end.value, result, "result"), after)

    def _decide(self, end: ir.Decide) -> tuple[tuple[int, int], ...]:
        player = Id(self.known.program.players, optional=True)
        self.code.use(self.scope.value(end.player, player, "player"), 0)
        self.code.use(self.scope.all(end.prompt_args), 0)
        told(self.known, end.prompt, len(end.prompt_args))
        ways = [(offer.block, self._offer(offer)) for offer in end.offers]
        if end.empty is not None:
            ways.append((end.empty, 0))
        if not ways:
            raise Bad("a decision with nothing to choose, ever")
        return tuple(ways)

    def _offer(self, offer: ir.Offer) -> int:
        bound, codes = 0, 1
        for each in offer.variables:
            self.code.use(self.scope.check(each.domain), bound)
            element = self.scope.element(each.domain)
            codes *= choices(each.domain.type, self.known)
            bit = self.scope.bind(each.index, element, f"local {each.index}")
            if bound & bit:
                raise Bad(f"local {each.index} is bound twice by one offer")
            bound |= bit
            if each.where is not None:
                self.code.use(self.scope.truth(each.where), bound)
        if codes > limits.MAX_CODES:
            raise TooMuch(
                f"an offer has {codes} combinations, more than {limits.MAX_CODES}", Excess.COMBINATIONS
            )
        if offer.guard is not None:
            self.code.use(self.scope.truth(offer.guard), bound)
        self._done(offer, bound)
        self.code.use(self.scope.all(offer.label_args), bound)
        told(self.known, offer.label, len(offer.label_args))
        return bound

    def _done(self, offer: ir.Offer, bound: int) -> None:
        match offer.kind, offer.action, offer.args:
            case "do", int(action), args:
                kinds = self.known.program.actions[action].params
                self.code.use(self.scope.arguments(args, kinds, f"action {action}"), bound)
            case "take", None, (_,):
                self.code.use(self.scope.all(offer.args), bound)
            case (("pass" | "stop"), None, ()):
                pass
            case _:
                raise Bad(f"an offer to `{offer.kind}` has other arguments")


def _frame(known: Known, routine: Routine) -> None:
    """Are the locals side by side in a frame of the declared width?"""
    if len(routine.offsets) != len(routine.locals):
        raise Bad(f"{len(routine.locals)} locals have {len(routine.offsets)} offsets")
    at = 0
    for index, (offset, kind) in enumerate(zip(routine.offsets, routine.locals, strict=True)):
        known.kinds.stored(kind)
        if offset != at:
            raise Bad(f"local {index} begins at {offset}, not at {at}")
        at += known.kinds.slots(kind)
    if routine.width != FRAME_HEAD + at:
        raise Bad(f"its frames are {FRAME_HEAD + at} slots wide, not {routine.width}")


def _returned(routine: Routine) -> dict[int, ir.Enter]:
    """The blocks that routines return to, each of which has this one way in."""
    ways_in = [target for block in routine.blocks for target in targets(block.end)]
    for target in ways_in:
        if not 0 <= target < len(routine.blocks):
            raise Bad(f"there is no block {target}")
    enters = {block.end.block: block.end for block in routine.blocks if isinstance(block.end, ir.Enter)}
    ways = [0] * len(routine.blocks)
    ways[0] = 1
    for target in ways_in:
        ways[target] += 1
    for target in enters:
        if ways[target] != 1:
            raise Bad(f"block {target}, to which a routine returns, has another way in")
    return enters


def _set_in_time(flows: list[Flow], given: int) -> None:
    """Is every local set before it is read?"""
    for number, before in _spread(flows, given).items():
        with inside("block", number):
            unset(flows[number].needs & ~before)


def _spread(flows: list[Flow], given: int) -> dict[int, int]:
    """What is set on every way to a block, from the first block on."""
    return spread([flow.ways for flow in flows], given)
