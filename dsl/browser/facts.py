"""What a page knows of a program, as JSON: its texts, domains, the layout of the vector, its decisions, what it tells.

Nothing here is computed twice: what follows from rules is asked of the module (`dsl.wasm.telling`); this says what the
numbers in the vector, and those that the module gives, are called.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, assert_never

from dsl.browser.boards import looks
from dsl.browser.phrases import phrases
from dsl.browser.worlds import worlds
from dsl.catalogue import languages as spoken_languages
from dsl.diagnostics.excerpt import printable
from dsl.engine.card_knowledge import secret_pools
from dsl.engine.display import languages, text_of, title_in, title_of
from dsl.engine.foresight import (
    FEWEST_SPANNED,
    MOST_IN_ALL,
    MOST_ODDS,
    MOST_SURE,
    MOST_TOGETHER,
    MOST_VALUES,
    MOST_WAYS,
    WORLDS,
    WORLDS_OF_VALUES,
)
from dsl.engine.goals import counted, is_round
from dsl.engine.kinds import kinds_at_first
from dsl.engine.label_holes import source_form
from dsl.engine.layout import bounds, slots
from dsl.engine.machine import Machine
from dsl.engine.piles import player_of
from dsl.engine.readers import Readers
from dsl.engine.runtime import BESIDE
from dsl.engine.settings import player_counts
from dsl.ir import nodes as ir
from dsl.ir.program import Option, Program
from dsl.ir.types import BagOf, Id, Int, ListOf, Record, SetOf, Type
from dsl.ir.walk import inside, locals_in
from dsl.saves import compressed
from dsl.search.searcher import DRAWING, LEAST_BITS, PER_WORLD, limits
from dsl.search.thinker import APART
from dsl.wasm.attempts import MOST_QUESTIONS
from dsl.wasm.memory import info_at
from dsl.wasm.options import Shapes
from dsl.wasm.searching import DEEPEST, MOST_BITS, MOST_ROOTS, hides
from dsl.wasm.telling import Site, Telling, hashed

VERSION = 1
Json = dict[str, Any]


def facts(
    machine: Machine, told: Telling, target: str, mods: Sequence[str] = (), printed: Json | None = None
) -> Json:
    """All that the page knows, as JSON; `target` and `mods` are what its saves name as the game, `printed` is what is
    printed of kinds (`dsl.authoring.printed`).
    """
    program = machine.program
    spoken = languages(program)
    cut, eager = limits(program)
    seats = next((var for var in program.vars if var.role == "seats"), None)
    return {
        "version": VERSION,
        "name": program.name,
        "target": target,
        "mods": list(mods),
        "title": {each: title_in(program, each) for each in ("", *spoken)},
        "language": program.language,
        "languages": list(dict.fromkeys((*spoken, *spoken_languages()))),
        "hash": machine.hash,
        "rules": base64.b64encode(compressed(machine.given)).decode(),
        "budget": machine.budget,
        "beside": BESIDE,
        "decisions": program.decisions,
        "players": program.players,
        "size": program.size,
        "frames": program.frames,
        "info": info_at(program),
        "events": told.events,
        "standing": list(hashed(program)),
        "seats": None if seats is None else seats.offset,
        "hides": hides(program),
        "thinks": {
            "deep": DEEPEST,
            "cut": cut,
            "eager": eager,
            "apart": APART,
            "bits": [LEAST_BITS, MOST_BITS],
            "shares": [MOST_ROOTS, PER_WORLD, DRAWING],
            "worlds": worlds(machine),
        },
        "texts": _texts(program, spoken),
        "clauses": [list(each.ids) for each in program.clauses],
        "domains": [
            {
                "name": each.name,
                "kind": each.kind,
                "label": each.label,
                "members": list(each.members),
                "labels": list(each.labels),
                "parts": list(each.parts),
            }
            for each in program.domains
        ],
        "vars": [
            {
                "name": each.name,
                "of": each.of,
                "type": _type(program, each.type),
                "offset": each.offset,
                "width": each.width,
                "role": each.role if each.drawn else "undrawn",
                "label": each.label,
                "hidden": each.audience is not None or each.role == "order",
            }
            for each in program.vars
        ],
        "pools": [_pool(program, number) for number in range(len(program.pools))],
        "options": [
            {
                "name": each.name,
                "kind": each.kind,
                "choices": list(each.choices),
                "range": list(each.range) if each.range is not None else None,
                "least": _least(program, each),
                "default": each.default,
                "at": program.vars[each.var].offset,
                "type": _type(program, program.vars[each.var].type),
                "label": each.label,
                "rules": _rules(program, each.clause, spoken),
            }
            for each in program.options
        ],
        "endings": [
            {"kind": each.kind, "label": each.label, "clause": each.clause} for each in program.endings
        ],
        "asked": _decisions(machine, told),
        "attempts": _attempts(told),
        "goals": [
            {
                "kind": program.endings[each.ending].kind,
                "who": program.endings[each.ending].who,
                "label": program.endings[each.ending].label,
                "open": each.open,
                "near": [
                    [
                        *([word, _type(program, told.words[word].type)] for word in (now, aim)),
                        *(op, fixed, guards),
                        "round"
                        if is_round(program, of)
                        else {
                            language: printable(counted(program, of, language)) for language in ("", *spoken)
                        },
                    ]
                    for now, aim, op, fixed, guards, of in each.near
                ],
            }
            for each in told.ends
        ],
        "sites": [_site(program, each) for each in told.sites],
        "looks": looks(machine, told.drawings),
        "printed": printed or {},
        "phrases": phrases(),
    }


def _least(program: Program, option: Option) -> int | None:
    """The least number that an option may have, as people are told it; none where it has choices."""
    counts = player_counts(program) if option.name == "players" else ()
    return counts[0] if counts else option.range[0] if option.range is not None else None


def _rules(program: Program, clause: int | None, spoken: tuple[str, ...]) -> list[Any]:
    """The rules that a clause cites, each with its title by language; empty where no rulebook has it."""
    if clause is None:
        return []
    known = {rule.id: rule for rule in program.rules}
    found = []
    for name in program.clauses[clause].ids:
        titles = {each: title_of(known[name], each) for each in ("", *spoken)} if name in known else {"": ""}
        found.append(
            [name, {each: title for each, title in titles.items() if not each or title != titles[""]}]
        )
    return found


def _texts(program: Program, spoken: tuple[str, ...]) -> list[dict[str, str]]:
    """Each text by language, as it is shown; those that are as in the game's own language are left out."""
    found = []
    for index in range(len(program.texts)):
        own = text_of(program, index)
        known = {language: text_of(program, index, language) for language in spoken}
        found.append(
            {"": own, **{language: text for language, text in known.items() if text not in {own, ""}}}
        )
    return found


def _type(program: Program, kind: Type) -> list[Any]:
    """A type: its name, how many slots it fills, and what it is made of."""
    size = slots(program, kind)
    match kind:
        case Int():
            return ["int", size, kind.truth, kind.low < -(2**31) or kind.high > 2**31 - 1]
        case Id():
            return ["id", size, kind.domain]
        case SetOf():
            return ["set", size, _type(program, kind.of), bounds(program, kind.of)[0]]
        case BagOf():
            return ["bag", size, kind.domain]
        case ListOf():
            return ["list", size, _type(program, kind.of)]
        case Record():
            return ["record", size, [_type(program, each) for each in kind.types], list(kind.names)]
        case _:
            assert_never(kind)


def _pool(program: Program, number: int) -> Json:
    pool = program.pools[number]
    first = kinds_at_first(program, pool)
    kinds = [] if first is None else [value if isinstance(value, int) else -1 for value in first.values]
    of = first.type.domain if first is not None and isinstance(first.type, Id) else None
    return {
        "name": pool.name,
        "domain": pool.domain,
        "kinds": kinds if pool.kind is None else [],
        "of": of,
        "kind": pool.kind,
        "in_play": pool.in_play,
        "out": pool.out,
        "pile": pool.pile,
        "order": pool.order,
        "piles": list(pool.piles),
        "owners": [player_of(program, pool, pile) for pile in range(len(pool.piles))],
        "words": list(pool.own_words),
    }


# ---------------------------------------------------------------- decisions


def _decisions(machine: Machine, told: Telling) -> dict[str, Json]:
    """By routine and block what is asked there; words are numbers of what the module is asked for."""
    program = machine.program
    words: dict[tuple[int, int, int, bool], list[int]] = {}
    for number, each in enumerate(told.words):
        words.setdefault((each.routine, each.block, each.offer, each.label), []).append(number)
    shapes, readers = Shapes(program), Readers(program, machine.secrecy)
    found = {}
    for r, routine in enumerate(program.routines):
        for b, block in enumerate(routine.blocks):
            end = block.end
            if not isinstance(end, ir.Decide):
                continue
            places = shapes.offers(r, b)
            found[f"{r} {b}"] = {
                "prompt": end.prompt,
                "args": _shown(program, end.prompt_args, words.get((r, b, -1, True), [])),
                "sealed": end.sealed,
                "offers": [
                    {
                        "kind": offer.kind,
                        "action": None if offer.action is None else program.actions[offer.action].name,
                        "act": offer.action,
                        "label": offer.label,
                        "args": [
                            {**each, "open": _open(program, readers, r, offer, e)}
                            for each, e in zip(
                                _shown(program, offer.label_args, words.get((r, b, n, True), [])),
                                offer.label_args,
                                strict=True,
                            )
                        ],
                        "does": _shown(program, offer.args, words.get((r, b, n, False), [])),
                        "values": [[_type(program, kind), at] for kind, at in places[n]],
                    }
                    for n, offer in enumerate(end.offers)
                ],
            }
    return found


def _attempts(told: Telling) -> Json:
    """Where an action that is attempted has its arguments, where chance is asked, and within which bounds."""
    return {
        "arguments": told.arguments,
        "places": [list(each) for each in told.places],
        "questions": told.questions,
        "room": MOST_QUESTIONS,
        "most": [MOST_WAYS, MOST_IN_ALL, WORLDS, MOST_VALUES, WORLDS_OF_VALUES, MOST_TOGETHER],
        "shown": [MOST_SURE, MOST_ODDS, FEWEST_SPANNED],
    }


def _shown(program: Program, args: tuple[ir.Expr, ...], words: list[int]) -> list[Json]:
    return [
        {"word": word, "type": _type(program, e.type), "form": source_form(program, e)}
        for word, e in zip(words, args, strict=True)
    ]


def _open(program: Program, readers: Readers, routine: int, offer: ir.Offer, e: ir.Expr) -> bool | str:
    """Is it certain that everybody may read this of a choice? Where it is not, others read `?`; "cards": it names cards
    of piles that not everybody sees, and is read by who sees them before the choice or after it.
    """
    scope = "routine", routine
    chosen = {each.index for each in offer.variables}
    secret = any(var.audience is not None or var.role == "order" for var in program.vars)
    if secret and any(isinstance(each, ir.Reach | ir.Trial | ir.Occurrences) for each in inside(e)):
        return False
    locals_ = locals_in(e)
    if (
        readers.of(e)
        or any(readers.secrecy.stored(scope, each) for each in locals_ & chosen)
        or any(readers.secrecy.is_drawn(scope, each) for each in locals_ - chosen)
    ):
        return False
    of = e.type.of if isinstance(e.type, SetOf | ListOf) else e.type
    return "cards" if isinstance(of, Id) and of.domain in secret_pools(program) else True


def _site(program: Program, site: Site) -> Json:
    told = site.told
    return {
        "kind": told.kind,
        "label": told.label,
        "types": [_type(program, each) for each in told.types],
        "clauses": list(told.clauses),
        "sides": told.sides,
        "holes": list(told.holes),
        "question": site.question,
        "name": site.name,
        "reads": [[n, _type(program, kind)] for n, kind in site.pieces],
    }
