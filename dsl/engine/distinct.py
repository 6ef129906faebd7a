"""What tells apart options that read alike: where the piece stands, what else they are about, or their number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from dsl.engine.decision import Decision, Option
from dsl.engine.display import member_name, worded
from dsl.engine.layout import Plain
from dsl.engine.piles import in_play
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id, Int, Type

MOST = 1_000
"""Options that are held against each other; nobody reads on."""


def told_apart(decision: Decision, options: Sequence[Option], language: str = "") -> list[str]:
    """For each of some options what to add to its label: what tells it from those of its decision that read alike, or
    else where the pieces stand that share the name it has for them.
    """
    numbers = {option.raw: number for number, option in enumerate(decision.options)}
    alike = distinctions(decision, language)
    places = among_namesakes(decision, options, language)
    return [alike[numbers[each.raw]] or place for each, place in zip(options, places, strict=True)]


def distinctions(decision: Decision, language: str = "") -> tuple[str, ...]:
    """For each option what tells it from others of the same label: nothing where there is none."""
    alike: dict[str, list[int]] = defaultdict(list)
    for number, option in enumerate(decision.options[:MOST]):
        alike[option.label(language)].append(number)
    found = [""] * len(decision.options)
    for numbers in alike.values():
        if len(numbers) > 1:
            group = [decision.options[number] for number in numbers]
            for number, text in zip(numbers, _apart(group, language), strict=True):
                found[number] = text
    return tuple(found)


def chosen_apart(decision: Decision, option: Option, language: str = "") -> str:
    """The same of one option, once it has been chosen: without its number among those that read alike."""
    return _chosen_alone(decision, option, language) or next(among_namesakes(decision, [option], language))


def _chosen_alone(decision: Decision, option: Option, language: str) -> str:
    """What tells it from others of its decision that read alike: nothing where that is only its number among them."""
    label = option.label(language)
    alike = [each for each in decision.options[:MOST] if each.label(language) == label]
    numbers = [number for number, each in enumerate(alike) if each.raw == option.raw]
    if len(alike) < 2 or not numbers:
        return ""
    return (_words_apart(alike, language) or [""] * len(alike))[numbers[0]]


def among_namesakes(decision: Decision, options: Iterable[Option], language: str = "") -> Iterator[str]:
    """For each option where the pieces stand that its label names, of those that share their name with another piece of
    the same owner whose place all see; without those whose place it has already.
    """
    program = decision.machine.program
    pools = {each.domain: each for each in program.pools}
    standing: dict[int, dict[int, tuple[tuple[str, int], str]]] = {}
    """By type of piece the name, the owner and the place of each in play."""
    for option in options:
        offer, label = option.declared, option.label(language)
        values = decision.values_of(option.offer, "label", offer.label_args, option.values) or ()
        found: dict[str, None] = {}
        for each, value in zip(offer.label_args, values, strict=False):
            if not isinstance(each.type, Id) or each.type.domain not in pools or not isinstance(value, int):
                continue
            domain = each.type.domain
            if domain not in standing:
                standing[domain] = {
                    piece: (
                        (
                            member_name(program, domain, piece, language),
                            _owner(program, decision.state, domain, piece),
                        ),
                        place_of(program, decision.state, domain, piece, language),
                    )
                    for piece in in_play(program, decision.state, pools[domain])
                }
            called, place = standing[domain].get(value, (("", NONE), ""))
            shared = sum(other == called and there != "" for other, there in standing[domain].values()) > 1
            told = re.search(rf"(?<!\w){re.escape(place)}(?!\w)", label) is not None
            if place and shared and called[0] in label and not told:
                found[place] = None
        yield ", ".join(found)


def _owner(program: Program, state: list[int], domain: int, member: int) -> int:
    """Whose a piece is, if all see that."""
    for var in program.vars:
        if var.of == domain and var.name == "owner" and isinstance(var.type, Id) and var.audience is None:
            return state[var.offset + member]
    return NONE


def place_of(program: Program, state: list[int], domain: int, member: int, language: str = "") -> str:
    """Where a piece stands, if all see that; else the empty text."""
    return _place(program, state, domain, member, language) or ""


def _apart(group: Sequence[Option], language: str) -> list[str]:
    """A text for each of some options, no two alike."""
    return _words_apart(group, language) or [str(number) for number in range(1, len(group) + 1)]


def _words_apart(group: Sequence[Option], language: str) -> list[str]:
    """The same by what they are about; none where that does not tell them apart."""
    told = [_about(option, language) for option in group]
    if len({len(each) for each in told}) == 1:
        for texts in zip(*told, strict=True):
            if len(set(texts)) == len(group) and all(texts):
                return list(texts)
        different = [texts for texts in zip(*told, strict=True) if len(set(texts)) > 1 and all(texts)]
        joined = [", ".join(parts) for parts in zip(*different, strict=True)]
        if len(set(joined)) == len(group):
            return joined
    return []


def _about(option: Option, language: str) -> list[str]:
    """What the arguments of an option stand for: of a piece where it is, if all see that."""
    declared = option.declared
    found: list[str] = []
    for each, value in zip(declared.args, option.args, strict=False):
        found.append(_told(option.decision, each.type, value, language))
    return found


def _told(decision: Decision, kind: Type, value: Plain, language: str) -> str:
    program = decision.machine.program
    if isinstance(kind, Id) and isinstance(value, int) and value != NONE:
        where = _place(program, decision.state, kind.domain, value, language)
        return where if where is not None else member_name(program, kind.domain, value, language)
    return worded(program, kind, value, language) if isinstance(kind, Int) else ""


def _place(program: Program, state: list[int], domain: int, member: int, language: str) -> str | None:
    """Where a piece stands, none for what is no piece: the empty text where that is hidden, or nowhere."""
    for part in program.domains[domain].parts:
        size = len(program.domains[part].members)
        if member < size:
            return _place(program, state, part, member, language)
        member -= size
    if not any(pool.domain == domain for pool in program.pools):
        return None
    for var in program.vars:
        if var.of == domain and var.name == "at" and isinstance(var.type, Id) and var.audience is None:
            place = state[var.offset + member]
            return member_name(program, var.type.domain, place, language) if place != NONE else ""
    return ""
