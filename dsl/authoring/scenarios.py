"""A scenario for a game without templates, drafted from what the game declares and tried before it is given.

Where the game has a scenario that it is played with by itself, the draft is that one under another name. Else it
has the game's map to be drawn anew, one piece more for each player where the supply has one, something to reach for
each of them, and a test of what stands where; of all that, as much as holds: it compiles, its tests pass, and random
games of it neither fail nor end before anybody has chosen.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath

from dsl.authoring.drafts import Draft, compiled, title_of
from dsl.authoring.ground import begun
from dsl.authoring.trials import in_play, kind_of
from dsl.compiler import read_game
from dsl.engine.failure import RuleFailure, StartError, Unplayable
from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.files import read_source
from dsl.format import formatted
from dsl.ir.program import Board, Pool, Program, Var
from dsl.ir.types import NONE, Id, Int
from dsl.players.random_player import RandomPlayer
from dsl.resources import SOURCE_SUFFIX, meant_game
from dsl.source import Source
from dsl.syntax import ast
from dsl.syntax.drawing import drawn
from dsl.testing.runner import run_tests

TRIES = 16
GAMES = 3
LONGEST_GAME = 1_000

_WORDS = {
    "en": {
        "scenario": "A scenario of your own for {game}: the rules stay those of the game.",
        "play": "Play it: scenarii play {name}",
        "map": "The map, as the game has it: draw it anew.",
        "setup": "What stands on it when the game begins, besides what the game itself places.",
        "goal": "What each player has to reach, besides the game's own endings.",
        "there": "a {kind} on {cell}",
        "rich": "{count} of {field}",
        "begins": "the game begins",
        "stands": "what stands where when the game begins",
    },
    "fr": {
        "scenario": "Un scénario à vous pour {game} : les règles restent celles du jeu.",
        "play": "Pour y jouer : scenarii play {name}",
        "map": "La carte, telle que le jeu l'a : dessinez la vôtre.",
        "setup": "Ce qui s'y trouve quand la partie commence, outre ce que le jeu place lui-même.",
        "goal": "Ce que chaque joueur doit atteindre, outre les fins du jeu lui-même.",
        "there": "{kind} en {cell}",
        "rich": "{count} de {field}",
        "begins": "la partie commence",
        "stands": "ce qui se trouve où quand la partie commence",
    },
}


@dataclass(frozen=True, slots=True)
class Parts:
    """What a draft holds besides its header: declarations, and the lines of its test."""

    map: str = ""
    setup: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()


def generic_scenario(name: str, program: Program, target: str, language: str) -> Draft:
    """A scenario for a game: the one that it is played with by itself, or a draft that holds."""
    own = _default_scenario(name, program, target, language)
    if own is not None:
        return draft_of(name, own, "", language)
    draft: Draft = {}
    for parts in islice(_attempts(program, target, language), TRIES):
        text, expected = _text(name, program, language, parts), "\n".join(f"    {e}" for e in parts.expected)
        draft = draft_of(name, text, expected, language)
        if _holds(draft, name, target):
            break
    return draft


def draft_of(name: str, text: str, expected: str, language: str) -> Draft:
    """The files of a scenario: its text, and a test of what is expected when it begins."""
    words = _WORDS[language]
    title = words["stands"] if expected else words["begins"]
    lines = expected or "    given: nothing\n    expect round <= 1"  # chance in a setup would want a script
    test = f'test "{title}":\n{lines}\n'
    return {
        PurePosixPath(f"{name}{SOURCE_SUFFIX}"): laid_out(text),
        PurePosixPath(f"tests/{name}_tests{SOURCE_SUFFIX}"): laid_out(test),
    }


def laid_out(text: str) -> str:
    """A draft in the canonical layout."""
    found = formatted(Source("draft", text))
    return found if isinstance(found, str) else text


# ---------------------------------------------------------------- the text


def _text(name: str, program: Program, language: str, parts: Parts) -> str:
    words = {
        key: text.format(game=program.name, name=name)
        for key, text in _WORDS[language].items()
        if key in {"scenario", "play", "map", "setup", "goal"}
    }
    lines = [f"# {words['scenario']}", f"# {words['play']}", f"scenario {name} for {program.name}:"]
    lines.append(f'    title {language} "{title_of(name)}"')
    most = next(
        (each.type.high for each in program.vars if each.name == "round" and isinstance(each.type, Int)), 0
    )
    if 0 < most <= LONGEST_GAME:
        lines.append(f"    rounds {most}")
    mode = next((each for each in program.options if each.name == "mode"), None)
    if mode is not None:
        lines.append(f"    mode {mode.choices[mode.default]}  # {', '.join(mode.choices)}")
    for key, declared in (("map", (parts.map,)), ("setup", parts.setup), ("goal", parts.goals)):
        if any(declared):
            lines += ["", f"# {words[key]}", *declared]
    return "\n".join(lines) + "\n"


def _default_scenario(name: str, program: Program, target: str, language: str) -> str | None:
    """The text of the game's own scenario with another name and title; none where it is more than one file."""
    home = meant_game(target) or Path(target if Path(target).is_dir() else Path(target).parent)
    path = home / f"{program.scenario}{SOURCE_SUFFIX}" if program.scenario else None
    source = read_source(path) if path is not None else None
    if not isinstance(source, Source):
        return None
    text = source.text
    if re.search(r"(?m)^import ", text):
        return None
    text = re.sub(rf"(?m)^scenario {program.scenario}\b", f"scenario {name}", text, count=1)
    return re.sub(r"(?m)^( +)title .*$", rf'\1title {language} "{title_of(name)}"', text, count=1)


# ---------------------------------------------------------------- what it may hold


def _attempts(program: Program, target: str, language: str) -> Iterator[Parts]:
    """Drafts to try, the fullest first; the last has a header alone, which always holds."""
    machine = Machine(program)
    drawn = _map(target)
    state = begun(machine)
    for setup, expected in (*_placings(program, state), ((), ())):
        for goals in (*_goals(program, state, language), ()):
            if setup or goals:
                yield Parts(drawn, setup, goals, expected)
                yield Parts("", setup, goals, expected)
    yield Parts(drawn)
    yield Parts()


def _map(target: str) -> str:
    """The game's own map, to be drawn anew; empty where it has none, or several."""
    found = [
        each
        for layer in read_game(target).layers
        for file in layer.files
        for each in file.declarations
        if isinstance(each, ast.Map)
    ]
    return f"replace {_drawn_here(found[0])}" if len(found) == 1 else ""


def _drawn_here(tree: ast.Map) -> str:
    """A map as it is declared, with its drawing below the legend where it is drawn in a file of its own."""
    text, start = tree.span.text.rstrip(), tree.span.start
    if tree.file is None or tree.drawing is None:
        return text
    head = text[: tree.file.span.start - start].rstrip().removesuffix("from").rstrip()
    body = text[tree.file.span.end - start :] or ":"
    drawing = textwrap.indent(drawn(tree.drawing.text), "    ")
    return f'{head}{body}\n    """\n{drawing}\n    """'


@dataclass(frozen=True, slots=True)
class _Ground:
    """A type of pieces that stand on the map and belong to players."""

    pool: Pool
    board: Board
    at: Var
    owner: Var


def _grounds(program: Program) -> Iterator[_Ground]:
    for pool in program.pools:
        fields = [each for each in program.vars if each.of == pool.domain and each.role == "field"]
        owner = next((each for each in fields if _called(each) == "owner"), None)
        for board in program.boards:
            at = next((each for each in fields if _of(each, board.domain) and _called(each) == "at"), None)
            if at is not None and owner is not None:
                yield _Ground(pool, board, at, owner)


def _called(var: Var) -> str:
    return var.name.rpartition(".")[2]


def _of(var: Var, domain: int) -> bool:
    return isinstance(var.type, Id) and var.type.domain == domain


def _placings(program: Program, state: list[int]) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """One more piece for each player, as setups, with what a test expects of them: near his end of the map first."""
    players = program.domains[program.players].members
    for ground in _grounds(program):
        cells, it = program.domains[ground.board.domain].members, _letter(program, ground.pool.name)
        taken = {state[ground.at.offset + piece] for piece in in_play(program, state, ground.pool)}
        free = [number for number in range(len(cells)) if number not in taken]
        kind = _spare(program, state, ground.pool, len(players))
        for shift in range(0, min(len(free) // 2, 9), 3):
            if kind is None or len(free) < 2 * len(players):
                break
            step = (len(free) - 1 - 2 * shift) // max(1, len(players) - 1)
            places = [cells[free[shift + number * step]] for number in range(len(players))]
            pairs = list(zip(players, places, strict=True))
            expected = (
                f"expect any {it} in {ground.pool.name} where {it}.owner is {player} and {it}.at is {cell}"
                for player, cell in pairs
            )
            yield tuple(f"setup {who}: place {kind} at {cell}" for who, cell in pairs), tuple(expected)
    for board, var in _marks(program):
        cells, width = program.domains[board.domain].members, var.width
        free = [at for at in range(len(cells)) if state[var.offset + at * width] == NONE]
        if len(free) >= 2 * len(players):
            step = (len(free) - 1) // max(1, len(players) - 1)
            marks = [
                (f"{cells[free[number * step]]}.{_called(var)}", who) for number, who in enumerate(players)
            ]
            expected = (f"expect {cell} is {who}" for cell, who in marks)
            yield ("setup:", *(f"    {cell} = {who}" for cell, who in marks)), tuple(expected)


def _marks(program: Program) -> Iterator[tuple[Board, Var]]:
    """Fields of cells that say whose they are."""
    for board in program.boards:
        for var in program.vars:
            kind = var.type if var.of == board.domain and var.role == "field" else None
            if isinstance(kind, Id) and kind.domain == program.players and kind.optional:
                yield board, var


def _letter(program: Program, name: str) -> str:
    """A name for one of them that means nothing else in the game: the letter with which its type begins."""
    letter = name[:1].lower()
    known = {member for each in program.domains for member in each.members}
    known |= {each.name for each in program.vars} | {each.name for each in program.values}
    return "it" if letter in known else letter


def _spare(program: Program, state: list[int], pool: Pool, count: int) -> str | None:
    """A kind of which the supply has so many pieces left, or the type itself where it has no kinds."""
    used = set(in_play(program, state, pool))
    left = [
        kind_of(program, pool, piece)
        for piece in range(len(program.domains[pool.domain].members))
        if piece not in used
    ]
    return next((kind for kind in dict.fromkeys(left) if left.count(kind) >= count), None)


def _goals(program: Program, state: list[int], language: str) -> Iterator[tuple[str, ...]]:
    """Something to reach for each player: a cell at the other's end of the map, or so much of what he has."""
    words, players = _WORDS[language], program.domains[program.players].members
    for ground in _grounds(program):
        cells, it = program.domains[ground.board.domain].members, _letter(program, ground.pool.name)
        goals = list(reversed(cells[:: max(1, len(cells) - 1)]))
        label = words["there"].format(kind=ground.pool.name, cell="{cell}")
        if len(players) <= len(goals):
            yield tuple(
                f"objective {who}: any {it} in {ground.pool.name} where {it}.owner is {who} and {it}.at is {cell} "
                f'{language} "{label.format(cell=cell)}"'
                for who, cell in zip(players, goals, strict=False)
            )
    for var in program.vars:
        if var.of == program.players and var.role == "field" and isinstance(var.type, Int):
            begins, high = state[var.offset], var.type.high
            wanted = begins + max(3, (min(high, 40) - begins) // 2)
            if not var.type.truth and not var.type.optional and begins != NONE and begins < wanted <= high:
                label = words["rich"].format(count=wanted, field=_called(var))
                yield tuple(
                    f'objective {who}: {who}.{_called(var)} >= {wanted} {language} "{label}"'
                    for who in players
                )


# ---------------------------------------------------------------- whether it holds


def _holds(draft: Draft, name: str, target: str) -> bool:
    """Does a draft compile without a warning, do its tests pass, and do random games of it come to an end?"""
    made = compiled(draft, name, target)
    named = tuple(path.name for path in draft)
    if made.program is None or any(
        each.span is not None and each.span.source.name.endswith(named) for each in made.diagnostics
    ):
        return False
    if not all(each.passed for each in run_tests(made.program)):
        return False
    machine = Machine(made.program)
    return all(_plays(machine, seed) for seed in range(GAMES))


def _plays(machine: Machine, seed: int) -> bool:
    player = RandomPlayer(seed)
    try:
        game = Game.start(machine, seed=seed)
        while game.count:
            game.choose(player.index(game.count))
    except (RuleFailure, StartError, Unplayable):
        return False
    return bool(game.choices)
