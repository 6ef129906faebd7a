"""The whole module: what every program shares, then what this one does."""

from __future__ import annotations

import struct
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from dsl.engine.chance import MULTIPLIER, SEQUENCE
from dsl.engine.layout import words
from dsl.engine.reach import SLOTS
from dsl.ir import nodes as ir
from dsl.ir.program import Program, budget
from dsl.ir.types import NONE, Type
from dsl.ir.walk import batched
from dsl.passes.pipeline import PASSES, Lowering
from dsl.wasm.aside import for_searches, for_trials
from dsl.wasm.history import history
from dsl.wasm.memory import BATCHED, INFO, MOST_BYTES, PAGE, Memory
from dsl.wasm.mirrors import remade
from dsl.wasm.promises import WATCH, watching
from dsl.wasm.reps import scalar_rep
from dsl.wasm.routines import Routines
from dsl.wasm.statistics import LENGTHS, TALLY
from dsl.wasm.text import Parts

NO_ROOM, CHANCE, NO_OPTION = 690, 691, -692
"""Faults that are not the rules': no memory left, chance within a search, a choice that is not among the options."""
WORK = 50_000_000
"""Steps of a game by chance after which the host is heard again."""
APART = 0x9E3779B97F4A7C15
"""As `dsl.players.random_player` keeps choices apart from dice."""
SUPPORT = tuple(Path(__file__).with_name(f"{name}.wat") for name in ("support", "batch", "play", "reach"))


class Assembly(Routines):
    """Translates all of a program as the `passes` lower it; with `watched`, what it promises is looked at in games by
    chance.
    """

    def __init__(self, program: Program, passes: Collection[str] = PASSES, *, watched: bool = False) -> None:
        program = Lowering(program if watched else replace(program, promises=()), passes).whole()
        super().__init__(program, Memory(program))
        self.watched = watched
        self.searched: set[int] = set()
        self.tries: set[int] = set()
        self.answers: list[str] = []
        """Functions that the host can ask for; they stand in the table behind the goals of searches."""
        self._tables: dict[int, int] = {}

    def table(self, index: int) -> int:
        if index not in self._tables:
            data = self.program.data[index]
            self._tables[index] = self.memory.constant(
                b"".join(_entry(self.program, data.type, value) for value in data.values)
            )
        return self._tables[index]

    def reach_goal(self, e: ir.Reach, given: dict[int, tuple[Parts, Type]]) -> int:
        self.searched.add(e.routine)
        return len(self.program.routines) + super().reach_goal(e, given)

    def trial(self, trials: Sequence[ir.Trial], given: dict[int, tuple[Parts, Type]]) -> int:
        self.tries |= {each.procedure for each in trials}
        return len(self.program.routines) + super().trial(trials, given)

    def text(self) -> str:
        """The module as text."""
        program = self.program
        self.drop_memos()
        for index, value in enumerate(program.values):
            self.value(index, value)
        for index, action in enumerate(program.actions):
            self.judge(index, action)
        in_batches = batched(program)
        for index, procedure in enumerate(program.procedures):
            self.procedure(index, procedure, batched=False)
            if index in in_batches:
                self.procedure(index, procedure, batched=True)
        for index, routine in enumerate(program.routines):
            self.routine(index, routine)
        self._endings()
        options = {each.var for each in program.options}
        begun = [index for index in range(len(program.vars)) if index not in options]
        for index in begun:
            self.initial(index)
        for index in sorted(self.searched):
            self.start_of(index, program.routines[index])
        if self.watched:
            self.functions.append(watching(self))
        return self._whole("".join(f"(call $i{index})" for index in begun))

    def _endings(self) -> None:
        program = self.program
        for index, ending in enumerate(program.endings):
            self.team(index, ending)
        ordinary = [n for n, each in enumerate(program.endings) if not each.otherwise]
        self.settle("$test_endings", ordinary)
        self.settle("$test_endings_at_once", [n for n in ordinary if program.endings[n].at_once])
        self.settle("$settle_otherwise", [n for n, each in enumerate(program.endings) if each.otherwise])
        self.teams()

    def _whole(self, initial: str) -> str:
        routines = [f"$r{index}" for index in range(len(self.program.routines))]
        goals = [*(f"$goal{number}" for number in range(self.goals)), *self.answers]
        positions = history(self.program, self.memory, self.memos.position)
        heap = (self.memory.top + 15) // 16 * 16
        pages = heap // PAGE + 4
        names = self._names(heap, pages * PAGE, initial)
        names |= self._asides()
        names |= {"drawing": 0, "watch": WATCH} if self.watched else {"drawing": 1, "watch": ""}
        support = "".join(filled(path.read_text(encoding="utf-8"), names) for path in SUPPORT)
        return (
            "(module\n(type $routine (func (param i32) (result i32)))\n(type $goal (func (result i32)))\n"
            f'(memory (export "memory") {pages} {max(pages, MOST_BYTES // PAGE)})\n'
            f"(table funcref (elem {' '.join((*routines, *goals))}))\n"
            f"{support}{positions}{remade(self.program, self.memory.mirrors)}{self.memos.support()}"
            f"{''.join(self.functions)}{self.memory.segments()})\n"
        )

    def _names(self, heap: int, limit: int, initial: str) -> dict[str, int | str]:
        program, memory = self.program, self.memory
        players = len(program.domains[program.players].members)
        whole = memory.order + program.size * 4 - memory.batch
        aside_batch = 64 + (memory.size + 7) // 8 * 8
        aside_chains = aside_batch + (whole + 7) // 8 * 8
        return {
            "heap": heap,
            "budget": budget(program),
            "limit": limit,
            "no_room": NO_ROOM,
            "chance": CHANCE,
            "no_option": NO_OPTION,
            "increment": SEQUENCE << 1 | 1,
            "multiplier": MULTIPLIER,
            "apart": APART - (1 << 64),
            "none": NONE,
            "batch": memory.batch,
            "batch_bytes": program.size * BATCHED,
            "batch_whole": whole,
            "order": memory.order,
            "players": players,
            "everyone": (1 << players) - 1,
            "frames": 4 * program.frames,
            "frames_slot": program.frames,
            "frames_caller": 4 * program.frames + 8,
            "frames_bytes": 4 * (program.size - program.frames),
            "main": program.main,
            "size": memory.size,
            "info": memory.info,
            "info_player": memory.info + 4,
            "info_base": memory.info + 8,
            "info_stride": memory.info + 12,
            "info_steps": memory.info + 16,
            "info_choices": memory.info + 20,
            "info_offers": memory.info + 24,
            "extent": max(memory.size, memory.info + INFO),
            "work": WORK,
            "tally": TALLY,
            "lengths": LENGTHS,
            "most_lengths": (TALLY - LENGTHS) // 4,
            "kept": memory.kept,
            "fresh": memory.fresh,
            "player": memory.player,
            "initial": initial,
            "aside": (aside_chains + 2048 + 15) // 16 * 16,
            "aside_batch": aside_batch,
            "aside_chains": aside_chains,
            "node": (24 + memory.size + 15) // 16 * 16,
            "choice_steps": 1 + program.size // SLOTS,
        }

    def _asides(self) -> dict[str, int | str]:
        """What searches and trials put aside, compare and forget."""
        searched = for_searches(self.program, self.memory, self.searched)
        tried = for_trials(self.program, self.memory, self.tries)
        around = self.memos.around(tried.vars)
        history = self.program.history
        notes = history is not None and history.var in tried.vars
        return {
            "copy_searched": searched.copy(),
            "same_searched": searched.same(),
            "hash_searched": searched.hash(),
            "forget_searched": "".join(self.memos.forgotten(searched.vars)),
            "alone_bytes": searched.frames,
            "copy_tried": tried.copy(),
            "tried_locals": around.locals + ("(local $notes i32)" if notes else ""),
            "tried_before": around.before
            + ("(local.set $notes (call $notes_aside (local.get $at)))" if notes else ""),
            "tried_after": around.after
            + ("(call $notes_back (local.get $at) (local.get $notes))" if notes else ""),
        }


def filled(text: str, names: dict[str, int | str]) -> str:
    """A text with the names in braces replaced by what they stand for."""
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def _entry(program: Program, kind: Type, value: int | tuple[int, ...]) -> bytes:
    """An entry of a table as it lies in memory."""
    if scalar_rep(kind) == "i64":
        return struct.pack("<q", value)
    slots = words(program, kind, value)
    return struct.pack(f"<{len(slots)}i", *slots)
