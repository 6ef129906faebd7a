"""What is printed on the cards that a person may choose."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.engine.decision import Option
from dsl.engine.display import member_name
from dsl.engine.kinds import kind_of
from dsl.ir.program import Data, Program
from dsl.ir.types import NONE, Id


def texts(option: Option, language: str) -> Iterator[str]:
    """The texts of the cards and rows that the label of an option names, without those that stand in it."""
    offer, decision = option.declared, option.decision
    program = decision.machine.program
    label = option.label(language)
    values = decision.values_of(option.offer, "label", offer.label_args, option.values) or ()
    for each, value in zip(offer.label_args, values, strict=False):
        if isinstance(each.type, Id) and isinstance(value, int) and value != NONE:
            domain = each.type.domain
            if member_name(program, domain, value, language) in label:
                found = _texts(program, decision.state, domain, value, language)
                yield from (text for text in found if text not in label)


def printed_names(option: Option, language: str) -> list[str]:
    """What the label of an option names, by what it is called there."""
    offer, decision = option.declared, option.decision
    program = decision.machine.program
    label = option.label(language)
    values = decision.values_of(option.offer, "label", offer.label_args, option.values) or ()
    names = (
        member_name(program, each.type.domain, value, language)
        for each, value in zip(offer.label_args, values, strict=False)
        if isinstance(each.type, Id) and isinstance(value, int) and value != NONE
    )
    return list(dict.fromkeys(each for each in names if each in label))


def _texts(program: Program, state: list[int], domain: int, member: int, language: str) -> Iterator[str]:
    for pool in program.pools:
        if pool.domain == domain and pool.kinds is not None:
            domain, member = kind_of(program, state, pool, member) or (domain, member)
            break
    table = program.domains[domain].name
    for data in program.data:
        if data.name.partition(".")[0] == table and isinstance(data.type, Id):
            printed = data.type.domain
            text = _at(program, state, data, member)
            if text > 0 and program.domains[printed].kind == "text":
                yield member_name(program, printed, text, language)


def _at(program: Program, state: list[int], data: Data, member: int) -> int:
    """What a column prints for a row; the first dimension of one that modes change is the mode."""
    *modes, (_, height) = data.dims
    mode = next(
        (state[each.offset] for each in program.vars if each.role == "option" and each.name == "mode"), 0
    )
    found = data.values[(mode if modes else 0) * height + member]
    return found if isinstance(found, int) else 0
