"""The scene of a state: what some viewers may see of it, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from dsl.diagnostics.excerpt import printable
from dsl.engine.bits import bits
from dsl.engine.decision import Decision
from dsl.engine.display import Member, member_name, title_in
from dsl.engine.machine import Machine
from dsl.engine.outcome import outcome_of
from dsl.engine.piles import pile_words, player_of
from dsl.ir.program import DECISIONS, Program, Var
from dsl.ir.program import Board as Drawn
from dsl.ir.types import NONE, BagOf, Id, Int, SetOf
from dsl.scene.colours import FAMILIES, FILLS, PLAIN, family_named, ground_fills, ink_on, mixed
from dsl.scene.eyes import Eyes, Viewers
from dsl.scene.fields import Fields
from dsl.scene.geometry import ANGLES, Geometry, geometry
from dsl.scene.ground import marked_areas
from dsl.scene.model import (
    NOBODY,
    Board,
    Card,
    Cell,
    Owner,
    Panel,
    Piece,
    Point,
    Ruler,
    Scene,
    Sign,
    Zone,
)
from dsl.scene.signs import HOLDERS, look_at
from dsl.scene.standing import Meaning, Seen, Standing

FIGURES = {
    **dict.fromkeys("●○", "circle"),
    **dict.fromkeys("▲△", "triangle"),
    **dict.fromkeys("■□", "square"),
    **dict.fromkeys("◆◇", "diamond"),
    **dict.fromkeys("★☆", "star"),
}
"""The figure of each sign that an owner has in the terminal."""
SHARE_OF_AREA = 0.8
"""How much of a cell's colour is that of the area that it is in."""
SHARE_OF_OWNER = 0.3
"""The same for an area that belongs to somebody."""


def scene_of(
    machine: Machine,
    state: Sequence[int],
    viewers: Viewers,
    language: str = "",
    decision: Decision | None = None,
) -> Scene:
    """What viewers see of a state; `decision` is the one at hand, whose options are told to who chooses alone.

    `viewers` are the players who must all see a thing: `(player,)`, or `eyes.everybody` for what is public.
    """
    return _Reader(machine, list(state), viewers, language, decision).scene()


class _Reader:
    """A state on its way to a scene."""

    def __init__(
        self,
        machine: Machine,
        state: list[int],
        viewers: Viewers,
        language: str,
        decision: Decision | None,
    ) -> None:
        self.machine = machine
        self.program: Program = machine.program
        self.state = state
        self.viewers = viewers
        self.language = language
        self.decision = decision
        self.eyes = Eyes(machine, state, viewers)
        self.fields = Fields(self.eyes, language)
        self.pictures: dict[str, int] = {}
        self.standings = [Standing(machine, state, viewers, language, board) for board in self.program.boards]

    def scene(self) -> Scene:
        program, decision = self.program, self.decision
        outcome = outcome_of(program, self.state, self.language)
        parts = (*outcome.winners, outcome.label) if outcome is not None else ()
        viewer = self.viewers[0] if self.viewers is not None and len(self.viewers) == 1 else NOBODY
        return Scene(
            program.name,
            title_in(program, self.language),
            self.language or program.language,
            viewer,
            self.state[DECISIONS],
            decision.player if decision is not None else NOBODY,
            printable(decision.prompt_in(self.language)) if decision is not None else "",
            printable(", ".join(each for each in parts if each) or (outcome.kind if outcome else "")),
            self.owners,
            tuple(self._board(each) for each in self.standings),
            tuple(self._panels()),
            tuple(self.pictures),
        )

    def picture(self, kind: Member | None) -> int:
        """The number of the picture of a row; none of what has none."""
        found = look_at(self.program, *kind).picture if kind is not None else ""
        return self.pictures.setdefault(found, len(self.pictures)) if found else NOBODY

    # ------------------------------------------------------------ owners

    @cached_property
    def _bases(self) -> list[Member]:
        """All that can own something, the players first: each as a member of the domain that is no union."""
        found: dict[Member, None] = {
            (self.program.players, each): None
            for each in range(len(self.program.domains[self.program.players].members))
        }
        for var in self.program.vars:
            if isinstance(var.type, Id) and self.eyes.owns(var.type.domain):
                for member in range(len(self.program.domains[var.type.domain].members)):
                    found.setdefault(self._base((var.type.domain, member)))
        for area in (each for board in self.program.boards for each in marked_areas(self.program, board, "")):
            if area.owner is not None:
                found.setdefault(self._base(area.owner))
        return list(found)

    def _base(self, owner: Member) -> Member:
        domain, member = owner
        for part in self.program.domains[domain].parts:
            size = len(self.program.domains[part].members)
            if member < size:
                return self._base((part, member))
            member -= size
        return domain, member

    def owner(self, owner: Member | None) -> int:
        """The index of an owner in the scene."""
        return NOBODY if owner is None else self._bases.index(self._base(owner))

    @cached_property
    def owners(self) -> tuple[Owner, ...]:
        """Each with a colour and a figure that no other of its kind has, as far as there are enough of them."""
        names = [self.program.domains[domain].members[member] for domain, member in self._bases]
        families = [family_named(each) for each in names]
        left = [each for each in FAMILIES if each not in families] or list(FAMILIES)
        unnamed = [number for number, each in enumerate(families) if not each]
        for count, number in enumerate(unnamed):
            families[number] = left[count % len(left)]
        found: list[Owner] = []
        for number, ((domain, member), name, family) in enumerate(
            zip(self._bases, names, families, strict=True)
        ):
            sign = self.standings[0].signs.of(domain, member, "owner") if self.standings else ""
            sign = sign or HOLDERS[number % len(HOLDERS)]
            taken = {each.figure for each in found}
            free = next((each for each in dict.fromkeys(FIGURES.values()) if each not in taken), "circle")
            own = {each.figure for each, at in zip(found, self._bases, strict=False) if at[0] == domain}
            figure = FIGURES.get(sign, free)
            figure = free if figure in own else figure
            label = printable(member_name(self.program, domain, member, self.language))
            fill = look_at(self.program, domain, member).fill or FILLS[family]
            found.append(Owner(name, label, sign, figure, fill, ink_on(fill)))
        return tuple(found)

    # ------------------------------------------------------------ boards

    def _board(self, standing: Standing) -> Board:
        drawn = standing.board
        is_region = drawn.shape == "regions"
        held = standing.holders() if is_region else {}
        pointers = standing.pointers()
        number = standing.number() if is_region else None
        counts = {
            cell: value
            for cell in range(len(standing.cells.members))
            if number is not None and (value := standing.eyes.scalar(number, cell)) != NONE
        }
        notes = self._notes(standing, number) if is_region else {}
        told = standing.pieces
        marked = set(held) | set(pointers) | set(notes) | {cell for cell, n in counts.items() if n}
        marked |= {cell for each in told for cell in each.cells}
        where = geometry(drawn, standing.cells.members, _shown(drawn, standing, marked))
        pieces = self._pieces(standing, where)
        covered = {cell for each in pieces for cell in each.cells}
        overlay = {cell: standing.overlay_sign(member) for cell, member in standing.overlay()}
        grounds = _Grounds(self, standing)
        for owner in held.values():
            standing.holder_mark(owner)
        bare = [cell for cell in range(len(standing.cells.members)) if cell not in covered]
        pictured = {cell for cell in covered if self.picture(grounds.kind(cell)) != NOBODY and not is_region}
        if not is_region:
            standing.explain({standing.ground(cell) for cell in (*bare, *sorted(pictured))})
        cells = tuple(
            Cell(
                name,
                name
                if not is_region
                else printable(member_name(self.program, drawn.domain, cell, self.language)),
                where.centres[cell],
                where.outlines[cell],
                "" if is_region or cell in covered - pictured else _unless_usual(standing.ground(cell)),
                grounds.words(cell),
                grounds.fill(cell),
                self.owner(held.get(cell)),
                counts.get(cell),
                tuple(notes.get(cell, ())),
                pointers.get(cell, ""),
                "" if cell in covered else overlay.get(cell, ""),
                self.picture(grounds.kind(cell)),
            )
            for cell, name in enumerate(standing.cells.members)
        )
        legend = tuple(
            Sign(sign, printable(each.text), self.owner(each.owner)) for sign, each in standing.legend.items()
        )
        return Board(
            drawn.name,
            drawn.shape,
            where.width,
            where.height,
            cells,
            where.links,
            pieces,
            tuple(_rulers(drawn, standing.cells.members, where)),
            legend,
            self._highlights(drawn),
        )

    def _notes(self, standing: Standing, number: int | None) -> dict[int, list[str]]:
        """What is told of regions: by fields that name one, and by the regions' own with words for players."""
        found = standing.notes()
        domain = standing.board.domain
        holder = standing.holder_field()
        for index, var in self.fields.all:
            names_region = isinstance(var.type, Id) and var.type.domain == domain
            if var.of != domain or var.label is None or index in {number, holder} or names_region:
                continue
            for cell in range(len(standing.cells.members)):
                if self.eyes.see(index, cell) and self.fields.says(index, cell, zero=False):
                    found.setdefault(cell, []).append(self._note(var, index, cell))
        return found

    def _note(self, var: Var, index: int, member: int) -> str:
        told = self.fields.shown(index, member)
        if isinstance(var.type, Int) and var.type.truth:
            return self.fields.name(var)
        return told if isinstance(var.type, BagOf | SetOf) else f"{self.fields.name(var)} {told}"

    def _highlights(self, drawn: Drawn) -> tuple[int, ...]:
        decision = self.decision
        if decision is None or (self.viewers is not None and self.viewers != (decision.player,)):
            return ()
        found: set[int] = set()
        shapes = dict(drawn.shapes)
        for option in decision.options:
            for expr, value in zip(option.declared.args, option.args, strict=False):
                if not isinstance(expr.type, Id) or not isinstance(value, int) or value == NONE:
                    continue
                if expr.type.domain == drawn.domain:
                    found.add(value)
                elif expr.type.domain in shapes:
                    mask = self.program.data[shapes[expr.type.domain]].values[value]
                    found.update(bits(mask if isinstance(mask, int) else 0))
        return tuple(sorted(found))

    # ------------------------------------------------------------ pieces

    def _pieces(self, standing: Standing, where: Geometry) -> tuple[Piece, ...]:
        """The pieces, larger ones first, and what fields of cells say."""
        seen = sorted(standing.pieces, key=lambda each: -len(each.cells))
        heaps: dict[tuple[int, ...], int] = {}
        for each in seen:
            heaps[each.cells] = heaps.get(each.cells, 0) + 1
        found, lying = list[Piece](), dict[tuple[int, ...], int]()
        for each in seen:
            stack = lying[each.cells] = lying.get(each.cells, -1) + 1
            found.append(self._piece(standing, each, where, stack, heaps[each.cells]))
        tokens = _Tokens(self, standing, {cell for each in seen for cell in each.cells})
        return (*found, *tokens.all(where))

    def _piece(self, standing: Standing, seen: Seen, where: Geometry, stack: int, stacked: int) -> Piece:
        sign, label = standing.kind_sign(seen)
        standing.owner_sign(seen)
        standing.legend.setdefault(sign, Meaning(label))
        hidden = self.eyes.hides(seen.pool, seen.piece)
        skip = {"owner", "at", "facing"}
        values = [
            (self.fields.name(var), self.fields.shown(index, seen.piece), var)
            for index, var in self.fields.all
            if var.of == seen.pool.domain and var.label is not None and var.name not in skip
            if self.eyes.see(index, seen.piece) and self.fields.says(index, seen.piece, zero=False)
        ]
        return Piece(
            "" if hidden else self.program.domains[seen.pool.domain].members[seen.piece],
            printable(sign),
            printable(label),
            self.owner(seen.owner),
            seen.cells,
            middle(where, seen.cells),
            stack,
            stacked,
            seen.facing,
            ANGLES.get(standing.board.shape, {}).get(seen.facing),
            hidden,
            seen.outline is not None,
            member_name(self.program, *seen.outline, self.language) if seen.outline is not None else "",
            tuple(
                (name, "" if isinstance(var.type, Int) and var.type.truth else value)
                for name, value, var in values
            ),
            self.picture(seen.kind),
            look_at(self.program, *seen.kind).fill if seen.kind is not None else "",
        )

    # ------------------------------------------------------------ beside the boards

    def _panels(self) -> list[Panel]:
        told = dict(self.fields.of_players())
        zones: dict[int, list[Zone]] = {}
        piles = list(self.fields.piles())
        named = any(pool.piles[pile] != label for pool, pile, label, _, _ in piles)
        for pool, pile, label, cards, seen in piles:
            if named and pool.piles[pile] == label:
                continue  # where others have words for players, this one is the rules' own
            player = player_of(self.program, pool, pile)
            owner = NOBODY if player is None else player
            called = label if player is None else pile_words(self.program, pool, pile, self.language)
            shown = tuple(
                Card(
                    self._card_name(pool.domain, card),
                    printable(self.fields.card(pool, card)),
                    self.picture(self.eyes.kind(pool, card)),
                )
                for card in seen
            )
            zones.setdefault(owner, []).append(Zone(pool.piles[pile], printable(called), len(cards), shown))
        panels = [
            Panel(player, tuple(told.get(player, ())), tuple(zones.get(player, ())))
            for player in self.fields.seated()
        ]
        values = tuple(self.fields.of_game(briefly=True)) if self._has_words else ()
        table = Panel(NOBODY, (*values, *self.fields.of_things()), tuple(zones.get(NOBODY, ())))
        return [*panels, *([table] if table.values or table.zones else [])]

    @cached_property
    def _has_words(self) -> bool:
        return any(var.label is not None for _, var in self.fields.all if var.of is None)

    def _card_name(self, domain: int, card: int) -> str:
        pool = next(each for each in self.program.pools if each.domain == domain)
        kind = self.eyes.kind(pool, card)
        if kind is not None:
            return self.program.domains[kind[0]].members[kind[1]]
        return "" if self.eyes.hides(pool, card) else self.program.domains[domain].members[card]


def middle(where: Geometry, cells: Sequence[int]) -> Point:
    """The middle of some cells."""
    xs, ys = zip(*(where.centres[each] for each in cells), strict=True)
    return round(sum(xs) / len(xs), 4), round(sum(ys) / len(ys), 4)


def _unless_usual(sign: str) -> str:
    return "" if sign == "." else sign


def _shown(drawn: Drawn, standing: Standing, marked: set[int]) -> tuple[bool, ...] | None:
    """Of regions without a drawing the parts on which there is something; all where there is nothing."""
    if drawn.shape != "regions" or drawn.drawing.strip() or not marked:
        return None
    reached, ahead = set(marked), list(marked)
    while ahead:
        for other in bits(drawn.neighbours[ahead.pop()]):
            if other not in reached:
                reached.add(other)
                ahead.append(other)
    return tuple(cell in reached for cell in range(len(standing.cells.members)))


def _rulers(drawn: Drawn, names: Sequence[str], where: Geometry) -> list[Ruler]:
    """Of squares the letters of the columns below and the numbers of the rows at the left."""
    if drawn.shape != "squares":
        return []
    columns: dict[float, str] = {}
    rows: dict[float, str] = {}
    for name, (x, y) in zip(names, where.centres, strict=True):
        digits = name.lstrip("abcdefghijklmnopqrstuvwxyz")
        columns.setdefault(x, name[: len(name) - len(digits)])
        rows.setdefault(y, digits)
    below = [Ruler(text, (x, round(where.height + 0.3, 4))) for x, text in sorted(columns.items())]
    return below + [Ruler(text, (-0.3, y)) for y, text in sorted(rows.items())]


class _Grounds:
    """The colour of each cell, and what lies there in words."""

    def __init__(self, reader: _Reader, standing: Standing) -> None:
        self.standing = standing
        self.reader = reader
        program = reader.program
        self.var: tuple[int, Var, Id] | None = None
        carried = {index for index, _, _ in _Tokens(reader, standing, set()).carried}
        for index, var, kind in standing.fields(standing.board.domain):
            is_told = any(each == index for each, _, _ in standing.told)
            if is_told and not kind.optional and not reader.eyes.owns(kind.domain) and index not in carried:
                self.var = index, var, kind
                break
        self.fills: list[str] = []
        if self.var is not None:
            domain = self.var[2].domain
            names = program.domains[domain].members
            labels = [f"{name} {member_name(program, domain, n, 'en')}" for n, name in enumerate(names)]
            self.fills = ground_fills(
                labels, own=[look_at(program, domain, n).fill for n in range(len(names))]
            )
        self.areas = marked_areas(program, standing.board, reader.language)
        truths = [
            (index, var) for index, var, _ in standing.told if isinstance(var.type, Int) and var.type.truth
        ]
        kinds = [each.name.partition(" (")[0] for each in self.areas]
        order = list(dict.fromkeys(kinds))
        called = [f"{var.name} {standing.name(var)}" for _, var in truths]
        tints = ground_fills([*order, *called], self.fills)
        self.tints = [tints[order.index(each)] for each in kinds]
        self.truths = [(*each, tint) for each, tint in zip(truths, tints[len(order) :], strict=True)]

    def fill(self, cell: int) -> str:
        fill = PLAIN
        if self.var is not None:
            value = self.standing.now(self.var[0], self.var[1], cell)
            fill = self.fills[value] if isinstance(value, int) and 0 <= value < len(self.fills) else PLAIN
        for index, var, tint in self.truths:
            if self.standing.now(index, var, cell) == 1:
                fill = mixed(fill, tint, SHARE_OF_AREA)
        for area, tint in zip(self.areas, self.tints, strict=True):
            if area.cells >> cell & 1:
                owner = self.reader.owner(area.owner)
                if owner != NOBODY:
                    fill = mixed(fill, self.reader.owners[owner].fill, SHARE_OF_OWNER)
                else:
                    fill = mixed(fill, tint, SHARE_OF_AREA)
        return fill

    def kind(self, cell: int) -> Member | None:
        """The kind of ground of a cell."""
        if self.var is None:
            return None
        value = self.standing.now(self.var[0], self.var[1], cell)
        return (self.var[2].domain, value) if isinstance(value, int) and value != NONE else None

    def words(self, cell: int) -> str:
        parts = []
        if (kind := self.kind(cell)) is not None:
            parts.append(member_name(self.reader.program, *kind, self.reader.language))
        for index, var, _ in self.truths:
            if self.standing.now(index, var, cell) == 1:
                parts.append(self.standing.name(var))
        parts += [each.name for each in self.areas if each.cells >> cell & 1]
        return printable(", ".join(parts))


class _Tokens:
    """What fields of cells say that lies on them: a stone, a man, whose it is.

    A field that may hold nothing says what lies on the cell, or whose that is. One that always holds something is the
    ground, unless only cells that somebody owns have more than one value on the map: then it says what lies there.
    """

    def __init__(self, reader: _Reader, standing: Standing, covered: set[int]) -> None:
        self.reader = reader
        self.standing = standing
        self.covered = covered
        fields = standing.of_cells() if standing.board.shape != "regions" else []
        owns = reader.eyes.owns
        self.owners = [each for each in fields if owns(each[2].domain)]
        self.things = [each for each in fields if not owns(each[2].domain) and each[2].optional]
        self.carried = [
            each
            for each in fields
            if not owns(each[2].domain) and not each[2].optional and self._is_carried(each)
        ]

    def _is_carried(self, field: tuple[int, Var, Id]) -> bool:
        values = self.standing.drawn(field[1])
        if values is None or not self.owners:
            return False
        for _, var, _ in self.owners:
            owned = self.standing.drawn(var)
            if owned is None:
                continue
            bare = {value for value, owner in zip(values, owned, strict=True) if owner == NONE}
            held = {value for value, owner in zip(values, owned, strict=True) if owner != NONE}
            if len(bare) <= 1 < len(held):
                return True
        return False

    def all(self, where: Geometry) -> list[Piece]:
        return [
            found
            for cell in range(len(self.standing.cells.members))
            if (found := self._at(cell, where)) is not None
        ]

    def _at(self, cell: int, where: Geometry) -> Piece | None:
        standing, reader = self.standing, self.reader
        owner = next(
            (
                ((kind.domain, value), var)
                for index, var, kind in self.owners
                if (value := standing.eyes.scalar(index, cell)) != NONE
            ),
            None,
        )
        things = self.things + (self.carried if owner is not None else [])
        thing = next(
            (
                ((kind.domain, value), index)
                for index, _, kind in things
                if (value := standing.eyes.scalar(index, cell)) != NONE
            ),
            None,
        )
        if owner is None and thing is None:
            return None
        sign = label = ""
        if thing is not None:
            drawn = any(thing[1] == index for index, _, _ in standing.told)
            alike = standing.alike(cell) if drawn else None
            is_usual = alike is None or alike == "."
            sign = standing.signs.of(*thing[0], "thing") if is_usual or alike is None else alike
            label = standing.meaning(*thing[0], sign)
            standing.legend.setdefault(sign, Meaning(label))
        if owner is not None:
            standing.holder_mark(owner[0])
            if not label and owner[1].label is not None:
                label = reader.fields.name(owner[1])
                sign = standing.signs.of_field(owner[1].name)
                standing.legend.setdefault(sign, Meaning(label))
        return Piece(
            "",
            printable(sign),
            printable(label),
            reader.owner(owner[0] if owner is not None else None),
            (cell,),
            where.centres[cell],
            stack=1 if cell in self.covered else 0,
            stacked=2 if cell in self.covered else 1,
            picture=reader.picture(thing[0] if thing is not None else None),
            fill=look_at(reader.program, *thing[0]).fill if thing is not None else "",
        )


# what a page is made from, which reads states itself
Reader = _Reader
Grounds = _Grounds
Tokens = _Tokens
