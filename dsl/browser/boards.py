"""What the page draws a game's boards by: where the cells lie, and how things look, from `dsl.scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element

from dsl.engine.bits import bits
from dsl.engine.display import languages
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.engine.settings import settings_of
from dsl.ir.drawn import OUTLINE, OVERLAY
from dsl.ir.program import Program
from dsl.ir.types import Id
from dsl.pictures import tree_of
from dsl.scene.colours import PLAIN
from dsl.scene.eyes import Eyes
from dsl.scene.geometry import ANGLES, geometry, joined
from dsl.scene.ground import marked_areas
from dsl.scene.reading import SHARE_OF_AREA, SHARE_OF_OWNER, Grounds, Reader, Tokens, scene_of
from dsl.scene.signs import SHORT, look_at
from dsl.scene.standing import COMPASS, POINTERS, Standing
from dsl.wasm.telling import Drawing

Json = dict[str, Any]


def looks(machine: Machine, drawings: Mapping[str, Drawing] | None = None) -> Json:
    """The boards, those who can own something, and how pieces are shown, as JSON. `drawings`: what the module is asked
    for what is laid over cells, and which pieces are only outlined.
    """
    program = machine.program
    state = _first(machine)
    reader = Reader(machine, state, None, "", None)
    scenes = {language: scene_of(machine, state, None, language) for language in languages(program)}
    scene = scenes[program.language]
    return {
        "owners": [
            {"name": each.name, "sign": each.sign, "figure": each.figure, "fill": each.fill, "ink": each.ink}
            for each in scene.owners
        ],
        "owner_of": {
            str(domain): [reader.owner((domain, member)) for member in range(len(declared.members))]
            for domain, declared in enumerate(program.domains)
            if domain in _owning(program, reader.eyes)
        },
        **_looks(program),
        "plain": PLAIN,
        "shares": [SHARE_OF_AREA, SHARE_OF_OWNER],
        "boards": [
            {
                **_board(reader, standing, number, scenes),
                "overlay": _overlay(standing, drawings or {}),
            }
            for number, standing in enumerate(reader.standings)
        ],
        "pools": [
            {
                **_pool(program, reader.eyes, number),
                "outline": _drawn(program, OUTLINE, pool.domain, drawings or {}),
            }
            for number, pool in enumerate(program.pools)
        ],
    }


def _looks(program: Program) -> Json:
    """The pictures of rows as trees of elements (a name, attributes, children), and by domain of each member the number
    of its picture, or -1, and its colour; domains without any are left out.
    """
    pictures: dict[str, int] = {}
    found = {}
    for domain, declared in enumerate(program.domains):
        looks = [look_at(program, domain, member) for member in range(len(declared.members))]
        if any(each.picture or each.fill for each in looks):
            found[str(domain)] = [
                [pictures.setdefault(each.picture, len(pictures)) if each.picture else -1, each.fill]
                for each in looks
            ]
    return {"pictures": [_tree(tree_of(each)) for each in pictures], "rows": found}


def _tree(element: Element) -> list[Any]:
    return [element.tag, dict(element.items()), [_tree(each) for each in element]]


def _owning(program: Program, eyes: Eyes) -> set[int]:
    """The domains whose members may own something, in some field, and those of which such a domain is made."""
    fields = {var.type.domain for var in program.vars if isinstance(var.type, Id)}
    found = {program.players, *(each for each in fields if eyes.owns(each))}
    return found | {part for each in found for part in program.domains[each].parts}


def _first(machine: Machine) -> list[int]:
    """A state with each variable as it is before the setup."""
    state = list(Game.fresh(machine).state)
    for var, value in settings_of(machine.program, {}).items():
        state[machine.program.vars[var].offset] = value
    return state


def _board(reader: Reader, standing: Standing, number: int, scenes: dict[str, Any]) -> Json:
    board, program = standing.board, standing.program
    drawn = {language: scene.boards[number] for language, scene in scenes.items()}
    scene = drawn[program.language]
    tokens, grounds = Tokens(reader, standing, set()), Grounds(reader, standing)
    is_region = board.shape == "regions"
    holder = standing.holder_field() if is_region else None
    where = geometry(board, standing.cells.members)
    areas = {language: marked_areas(program, board, language) for language in drawn}
    return {
        "name": scene.name,
        "shape": scene.shape,
        "domain": board.domain,
        "width": where.width,
        "height": where.height,
        "cells": [
            [list(centre), [list(corner) for corner in outline]]
            for centre, outline in zip(where.centres, where.outlines, strict=True)
        ],
        "parts": _parts(standing),
        "links": [list(each) for each in where.links],
        "rulers": [[each.text, list(each.at)] for each in scene.rulers],
        "signs": list(board.signs),
        "told": [
            [index, list(values)]
            for index, _, values in standing.told
            if all(isinstance(value, int) and abs(value) < 2**53 for value in values)
        ],
        "shapes": {
            str(domain): [
                list(bits(cells)) if isinstance(cells, int) else [] for cells in program.data[data].values
            ]
            for domain, data in board.shapes
        },
        "ground": None if grounds.var is None else [grounds.var[0], grounds.fills],
        "truths": [[index, tint] for index, _, tint in grounds.truths],
        "areas": [
            [
                list(bits(area.cells)),
                reader.owner(area.owner),
                tint,
                {language: found[n].name for language, found in areas.items()},
            ]
            for n, (area, tint) in enumerate(zip(grounds.areas, grounds.tints, strict=True))
        ],
        "owners": [index for index, _, _ in tokens.owners],
        "owner_signs": [
            standing.signs.of_field(var.name) if var.label is not None else "" for _, var, _ in tokens.owners
        ],
        "things": [index for index, _, _ in tokens.things],
        "carried": [index for index, _, _ in tokens.carried],
        "holder": holder,
        "unclaimed": None if holder is None else standing.unclaimed(holder),
        "number": standing.number() if is_region else None,
        "pointers": [
            [index, POINTERS[n % len(POINTERS)]]
            for n, (index, _, _) in enumerate(
                each for each in standing.fields(None, board.domain) if each[1].label is not None
            )
        ],
        "notes": [
            index
            for of in (program.players, board.domain)
            for index, var, _ in standing.fields(of, board.domain)
            if is_region and var.label is not None
        ],
        "thing_signs": _signs(standing),
        "angles": ANGLES.get(board.shape, {}),
    }


def _parts(standing: Standing) -> list[Json] | None:
    """Of regions without a drawing the parts that no border joins, each laid by itself, as a game may play on some of
    them; none where there is a drawing, or one part alone.
    """
    board, names = standing.board, standing.cells.members
    if board.shape != "regions" or board.drawing.strip():
        return None
    found = []
    for reached in joined(board):
        where = geometry(board, names, tuple(cell in reached for cell in range(len(names))))
        cells = sorted(reached)
        found.append(
            {
                "cells": cells,
                "at": [list(where.centres[cell]) for cell in cells],
                "width": where.width,
                "height": where.height,
            }
        )
    return found if len(found) > 1 else None


def _drawn(program: Program, name: str, domain: int, drawings: Mapping[str, Drawing]) -> list[Any] | None:
    """What the module is asked for a value of members of a domain, the domain of its result, and the variables of a
    member that a viewer has to see for it; none without it.
    """
    value = next((each for each in program.values if each.name == name), None)
    if value is None or name not in drawings or value.params != (Id(domain),):
        return None
    assert isinstance(value.result, Id)
    number, guards = drawings[name]
    return [number, value.result.domain, list(guards)]


def _overlay(standing: Standing, drawings: Mapping[str, Drawing]) -> list[Any] | None:
    """The same of what is laid over cells, with the signs; none where the game hides anything, as in pictures."""
    program = standing.program
    found = _drawn(program, OVERLAY, standing.board.domain, drawings)
    if found is None or any(var.audience is not None for var in program.vars):
        return None
    members = range(len(program.domains[found[1]].members))
    return [*found[:2], [standing.signs.of(found[1], member, "overlay") for member in members]]


def _signs(standing: Standing) -> dict[str, list[str]]:
    """By domain the signs of its members, of all that may stand on the board."""
    program = standing.program
    domains = {kind.domain for _, _, kind in standing.fields(standing.board.domain)}
    for pool in program.pools:
        kind = program.vars[pool.kind].type if pool.kind is not None else None
        kind = program.data[pool.kinds].type if pool.kinds is not None else kind
        if isinstance(kind, Id):
            domains.add(kind.domain)
    return {
        str(domain): [
            standing.signs.of(domain, member, standing.use(domain))
            for member in range(len(program.domains[domain].members))
        ]
        for domain in sorted(domains)
    }


def _pool(program: Program, eyes: Eyes, number: int) -> Json:
    """Which fields of a kind of pieces say where one is, whose it is and where it faces."""
    pool = program.pools[number]
    found: Json = {"at": None, "owner": None, "facing": None, "sign": pool.name[:SHORT]}
    for index, var in enumerate(program.vars):
        if var.of != pool.domain or var.role != "field" or not var.drawn or not isinstance(var.type, Id):
            continue
        members = program.domains[var.type.domain].members
        if var.name == "at":
            found["at"] = index
        elif found["owner"] is None and eyes.owns(var.type.domain):
            found["owner"] = index
        elif found["facing"] is None and not var.type.optional and all(each in COMPASS for each in members):
            found["facing"] = index
    return found
