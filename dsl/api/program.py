"""Programs: how a game is found, compiled and started."""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from dsl.api.actions import Numbering
from dsl.api.arguments import path as a_path
from dsl.api.arguments import paths, text, truth, whole
from dsl.api.values import Value, in_words, meant
from dsl.cache import Cache
from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.engine.display import languages, member_name, text_of
from dsl.ir import nodes as ir
from dsl.ir.program import Program as Rules
from dsl.ir.program import Var
from dsl.ir.types import BagOf, Id, ListOf, SetOf, Type
from dsl.ir.walk import within
from dsl.library import COMPILED_SUFFIX, Build, LoadError, build
from dsl.resources import SOURCE_SUFFIX, meant_game
from dsl.resources import games as known_games

if TYPE_CHECKING:
    from dsl.api.game import Game
    from dsl.engine.machine import Machine

EngineName = Literal["python", "wasm"]

SHOWN = frozenset({"field", "option", "round", "in_play", "out_of_play", "pile", "order"})
"""The roles of variables that authors declare, or that are as good as declared."""


@dataclass(frozen=True, slots=True)
class Field:
    """Something that a game remembers: `Tank.hp`, `round`, an option."""

    name: str
    """Its name in the rules, behind the kind of what has it: `Tank.hp`."""
    owners: tuple[str, ...] | None
    """The names of those that have a value each; None where there is one value for the whole game."""
    type: str
    """What it holds, in words: `0 .. 10`, `Cell or none`, `set of Tank`."""
    names: tuple[str, ...] | None
    """The names that can stand in it, alone, in a set or as those that a bag counts; None where it holds numbers."""
    is_secret: bool
    """Are there players who do not always see it?"""
    number: int
    """Its place among the variables of the compiled program."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An option, mode or ruling with which a game may be started."""

    name: str
    """Its name in the rules."""
    kind: str
    """`option`, `mode` or `ruling`."""
    choices: tuple[str | int, ...]
    """All that it can be set to."""
    default: str | int
    """What holds unless a game is started otherwise."""
    label: str
    """What it is about, in the game's own language."""
    labels: Mapping[str, str] = field(compare=False)
    """What it is about, in each of `Program.languages`; in the game's own where its author gave none."""


@dataclass(frozen=True, slots=True)
class Compilation:
    """What compiling gave: a program, unless there were errors, and all that was found.

    made = dsl.compile("my_game.scn")
    assert made.program is not None and not made.errors
    """

    program: Program | None
    """The program; none where there are errors."""
    diagnostics: tuple[Diagnostic, ...]
    """Errors and warnings in the order of files and lines; `str(each)` is one line of text."""

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """Those for which there is no program."""
        return tuple(each for each in self.diagnostics if each.is_error)


class Program:
    """A compiled game, ready to be started any number of times.

    Programs come from `dsl.load` and `dsl.compile`. They never change, and two with one `hash` play alike; they can be
    pickled, and a process that gets several games of one program makes it ready once.
    """

    def __init__(self, machine: Machine, target: str = "", mods: Sequence[str] = ()) -> None:
        self._machine = machine
        self._target = target or machine.program.name
        self._mods = tuple(mods)

    def __repr__(self) -> str:
        return f"<dsl.Program {self.name}, engine {self.engine}, {self.hash[:12]}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Program) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __reduce__(self) -> tuple[Any, ...]:
        from dsl.ir.codec import encode

        _pickled.setdefault((self.hash, self.engine, self._machine.budget), self)
        return _unpickled, (
            self.hash,
            encode(self._machine.given),
            self._machine.engine,
            self._machine.budget,
        )

    @property
    def _rules(self) -> Rules:
        return self._machine.program

    @property
    def name(self) -> str:
        """The game's name."""
        return self._rules.name

    @property
    def engine(self) -> str:
        """What moves its games on: `python` or `wasm`."""
        return self._machine.engine

    @property
    def hash(self) -> str:
        """64 hexadecimal digits that tell this program from all that play otherwise."""
        return self._machine.hash

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players in the rules, by their numbers."""
        return self._rules.domains[self._rules.players].members

    def player_label(self, player: str | int, language: str = "") -> str:
        """What players call a player, by name or number, in one of the game's languages (empty: its own).

        Raises `KeyError` for one that there is not.

            program.player_label("red", "fr")
        """
        return member_name(
            self._rules, self._rules.players, self._player(player), text(language, "`language`")
        )

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it has labels in, its own first."""
        return languages(self._rules)

    @property
    def most_decisions(self) -> int:
        """After so many decisions every game of it has ended."""
        return self._rules.decisions

    @cached_property
    def has_chance(self) -> bool:
        """Are there dice, draws or shuffles in it, so that games with other seeds differ?"""
        bodies = [each.body for each in self._rules.procedures]
        bodies += [block.body for routine in self._rules.routines for block in routine.blocks]
        chance = ir.Roll | ir.RollList | ir.Pick | ir.ShufflePile
        return any(isinstance(each, chance) for body in bodies for each in within(body))

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        """Its options, modes and rulings by their names."""
        found = {}
        for each in self._rules.options:
            low, high = each.range if each.range is not None else (0, len(each.choices) - 1)
            choices: tuple[str | int, ...] = each.choices or tuple(range(low, high + 1))
            default = each.choices[each.default] if each.choices else each.default
            labels = {spoken: text_of(self._rules, each.label, spoken) for spoken in self.languages}
            label = text_of(self._rules, each.label)
            found[each.name] = Setting(each.name, each.kind, choices, default, label, labels)
        return MappingProxyType(found)

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """What its games remember, by name: `program.fields["Cell.holder"].owners`."""
        found: dict[str, Field] = {}
        for number, var in enumerate(self._rules.vars):
            if var.role not in SHOWN or (var.role == "field" and not _is_declared(var.name)):
                continue
            owners = None if var.of is None else self._rules.domains[var.of].members
            name = var.name
            if var.of is not None and var.role == "field":
                name = f"{self._rules.domains[var.of].name}.{name}"
            told = in_words(self._rules, var.type)
            names = _names_in(self._rules, var.type)
            found.setdefault(name, Field(name, owners, told, names, var.audience is not None, number))
        return MappingProxyType(found)

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The names of what its players and rules can do."""
        return tuple(dict.fromkeys(each.name for each in self._rules.actions))

    @property
    def option_count(self) -> int:
        """How many numbers options can have (`Option.id`): from 0 to one less. It may be astronomically large."""
        return self._numbering.size

    @cached_property
    def _numbering(self) -> Numbering:
        return Numbering(self._rules)

    def _field(self, name: str) -> tuple[Field, Var]:
        """A field by its name, with its kind or without, where only one is called so. Raises KeyError."""
        found = self.fields.get(text(name, "the name of a field"))
        if found is None:
            ends = [each for key, each in self.fields.items() if key.rpartition(".")[2] == name]
            if len(ends) > 1:
                raise KeyError(f"several fields are called `{name}`: {', '.join(each.name for each in ends)}")
            if not ends:
                short = {each.rpartition(".")[2]: each for each in self.fields}
                raise KeyError(f"{self.name} has no field `{name}`{meant(name, [*self.fields, *short])}")
            found = ends[0]
        return found, self._rules.vars[found.number]

    def _player(self, name: str | int) -> int:
        players = self.players
        if not isinstance(name, str):
            number = whole(name, "a player, if he is not named,")
            if 0 <= number < len(players):
                return number
            raise KeyError(f"there is no player {number}, only 0 to {len(players) - 1}")
        if name not in players:
            raise KeyError(f"there is no player `{name}`{meant(name, players)}")
        return players.index(name)

    # ------------------------------------------------------------ games

    def start(
        self, *, seed: int = 0, options: Mapping[str, str | int] | None = None, telling: bool = True
    ) -> Game:
        """A new game at its first decision.

        `seed` is a whole number, of which 64 bits count; all dice and shuffles follow from it. `options` set what
        `settings` has. With `telling` the game keeps a log, and can say why something happened; without, it is faster.
        Raises `StartError` for an option or choice that there is not, and `RuleFailure` where the setup fails.

            game = dsl.load("my_game.scn").start(seed=7, options={"start_gold": 20})
        """
        from dsl.api.game import Game

        return Game._start(self, seed=seed, options=options, telling=telling)

    def restore(self, data: bytes, *, telling: bool = True) -> Game:
        """The game of a snapshot (`Game.snapshot`), checked as what comes from a stranger.

        What was told and chosen before is not in it. Raises `SaveError` for bytes that are no state of this program.
        """
        from dsl.api.game import Game

        return Game.restore(self, data, telling=telling)

    def open(self, path: str | os.PathLike[str], *, replay: bool = True) -> Game:
        """The game of a file that `Game.save` or `scenarii play` wrote.

        It is played again from its first choice, and has to come to the same state, so that log and `undo` are as they
        were. Without `replay` it goes on at once from the snapshot in the file: nothing is told of what came before,
        and it cannot be taken back. Raises `SaveError`, for a file of other rules too.
        """
        from dsl.api.game import Game

        return Game._open(self, Path(a_path(path, "`path`")), replay=truth(replay, "`replay`"))


def _names_in(rules: Rules, kind: Type) -> tuple[str, ...] | None:
    """The names that values of a type are made of."""
    inner = kind.of if isinstance(kind, SetOf | ListOf) else kind
    if isinstance(inner, SetOf):
        inner = inner.of
    return rules.domains[inner.domain].members if isinstance(inner, Id | BagOf) else None


def _is_declared(name: str) -> bool:
    """Is that the name of a field, and not of something that the compiler keeps beside?"""
    return name.isidentifier()


def load(
    target: str | os.PathLike[str],
    *,
    mods: Sequence[str | os.PathLike[str]] = (),
    engine: EngineName = "python",
    steps: int | None = None,
    ask_always: bool = False,
) -> Program:
    """A game by its name, by the path of its folder or file, or from a compiled file.

    `mods` are loaded on top, in their order. `engine` is what moves games on: `python`, or `wasm`, which takes a
    moment to make ready and plays faster. `steps` may be taken between two decisions; without a number as
    many as the game's size gives it. A decision with one option that all players see to be the only one is
    taken without asking; with `ask_always` it is asked: that is another program, with another `hash`.

    Raises `LoadError` for a game that does not compile (its `diagnostics` say why), ValueError for a number of steps
    out of range, and `Unplayable` where the engine cannot run it.

        program = dsl.load("my_game.scn", engine="wasm")
    """
    found = _built(target, mods, tests=False)
    if found.program is None:
        raise LoadError(found.target, found.diagnostics, found=found.found)
    return _ready(found.program, engine, steps, ask_always, found.target, mods)


def compile(
    target: str | os.PathLike[str],
    *,
    mods: Sequence[str | os.PathLike[str]] = (),
    engine: EngineName = "python",
    steps: int | None = None,
    ask_always: bool = False,
) -> Compilation:
    """Compiles a game with its tests, and gives all that was found, warnings too; the rest is as in `load`.

    for each in dsl.compile("my_game.scn").diagnostics:
        print(each)
    """
    found = _built(target, mods, tests=True)
    told = tuple(Diagnostics(found.diagnostics).sorted())
    if found.program is None:
        return Compilation(None, told)
    return Compilation(_ready(found.program, engine, steps, ask_always, found.target, mods), told)


def games() -> tuple[str, ...]:
    """The names of the games that come with Scenarii, which `load` takes."""
    return known_games()


def _built(target: str | os.PathLike[str], mods: Sequence[str | os.PathLike[str]], *, tests: bool) -> Build:
    """What compiling gives. A file that is neither a source nor a compiled program is no game."""
    name, more = a_path(target, "`target`"), paths(mods, "`mods`")
    path = Path(name)
    is_game = meant_game(name) is not None or path.suffix in (SOURCE_SUFFIX, COMPILED_SUFFIX)
    if not is_game and os.path.isfile(path):
        found = Diagnostics()
        message = tr("{name} is neither a source of a game nor a compiled program", name=name)
        found.add(
            Diagnostic(Code.UNKNOWN_GAME, message, hint="a saved game is opened with `program.open(path)`")
        )
        return Build(name, found, found=False)
    return build(name, more, tests=tests, cache=Cache.open(os.environ))


def _ready(
    rules: Rules,
    engine: str,
    steps: int | None,
    ask_always: bool,
    target: str,
    mods: Sequence[str | os.PathLike[str]],
) -> Program:
    if engine not in ("python", "wasm"):
        raise ValueError(f"there is no engine {engine!r}: `python` or `wasm`")
    steps = None if steps is None else whole(steps, "`steps`")
    truth(ask_always, "`ask_always`")
    machine = _machine(asking_always(rules) if ask_always else rules, engine, steps)
    lasting = target if meant_game(target) is not None else os.path.abspath(target)
    return Program(machine, lasting, [os.path.abspath(each) for each in mods])


def _machine(rules: Rules, engine: str, steps: int | None) -> Machine:
    if engine == "wasm":
        from dsl.wasm.available import need_wasmtime

        need_wasmtime()
        from dsl.wasm.machine import FastMachine

        return FastMachine(rules, steps=steps)
    from dsl.playable import Playable

    return Playable(rules, steps=steps)


def asking_always(rules: Rules) -> Rules:
    """The same program, in which decisions are asked that have one option too."""
    routines = tuple(
        replace(
            routine,
            blocks=tuple(
                replace(block, end=replace(block.end, public=False))
                if isinstance(block.end, ir.Decide)
                else block
                for block in routine.blocks
            ),
        )
        for routine in rules.routines
    )
    return replace(rules, routines=routines)


_pickled: weakref.WeakValueDictionary[tuple[str, str, int], Program] = weakref.WeakValueDictionary()


def _unpickled(hash_: str, data: bytes, engine: str, steps: int) -> Program:
    """A program that was pickled; one that this process has made ready already stays one. Raises ValueError."""
    key = (hash_, engine, steps)
    known = _pickled.get(key)
    if known is not None:
        return known
    from dsl.ir.codec import decode
    from dsl.ir.verify.program import verify

    diagnostics = Diagnostics()
    rules = decode(data, diagnostics, "the pickled program")
    if rules is not None:
        diagnostics.extend(verify(rules, "the pickled program"))
    if rules is None or diagnostics.has_errors:
        raise ValueError("the pickled program was made by another version of Scenarii, or is damaged")
    program = Program(_machine(rules, engine, steps))
    if program.hash != hash_:
        raise ValueError("the pickled program is not the one that it names")
    _pickled[key] = program
    return program


__all__ = ["Compilation", "Field", "Program", "Setting", "Value", "compile", "games", "load"]
