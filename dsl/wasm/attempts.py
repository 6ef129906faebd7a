"""A module in which actions can be attempted: what does an option cost and do, before it is chosen?

The host puts a state into memory, the arguments of an action behind each other, and answers to the questions of chance.
`attempt` carries out the action alone, up to its end or to the first question in it. Dice and picks take the next
answer, or the first there is, and are noted, so that the host can go through all that may fall, as
`dsl.odds.forecast` does; shuffles ask the generator of the state.

| words | what |
|---|---|
| 1 | how many answers there are |
| 1 | how many questions there were |
| `MOST_QUESTIONS` | the answers: each the number of a possibility |
| 3 for each question | its kind, and two numbers: see below |
| `MOST_WEIGHTS` | weights |

`SUM` and, where dice are read one by one, `HANDS` have how many dice and of how many sides; `PICK` of how many;
`WEIGHED` of how many, and where their weights begin.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dsl.ir import nodes as ir
from dsl.ir.program import FRAME_HEAD, TOP, Action
from dsl.ir.types import Int, Type
from dsl.wasm.assembly import Assembly, filled
from dsl.wasm.reps import scalar_rep, size_of
from dsl.wasm.text import Parts, i32

ATTEMPTING = {"attempt": "i", "shuffled": ""}
"""What such a module exports."""
SUM, HANDS, PICK, WEIGHED = 0, 1, 2, 3
MOST_QUESTIONS, MOST_WEIGHTS = 300, 4096
NO_QUESTION = 695
"""The fault of an action that asks chance more often."""
CHANCE = ("$roll", "$roll_list", "$any_of", "$weighed", "$weighed_item", "$shuffle_pile")
SUPPORT = Path(__file__).with_name("attempts.wat")


class AttemptAssembly(Assembly):
    """Translates a program, and its actions once more as attempts. `given_at` is where these have their arguments,
    `asked_at` where chance is asked.
    """

    given_at = asked_at = 0

    def _whole(self, initial: str) -> str:
        program = self.program
        rooms = [self.given_places(action.params)[1] for action in program.actions]
        self.given_at = self.memory.site(max((8, *rooms)))
        self.asked_at = self.memory.site(4 * (2 + 4 * MOST_QUESTIONS + MOST_WEIGHTS))
        before = len(self.answers)
        for number, action in enumerate(program.actions):
            self._attempt(number, action)
        text = super()._whole(initial)
        for name in CHANCE:
            text = text.replace(f"(func {name} ", f"(func {name}_by_chance ", 1)
        names: dict[str, int | str] = {
            "attempts": len(program.routines) + self.goals + before,
            "questions": self.asked_at,
            "answers": self.asked_at + 8,
            "asked": self.asked_at + 8 + 4 * MOST_QUESTIONS,
            "weights": self.asked_at + 8 + 16 * MOST_QUESTIONS,
            "most_questions": MOST_QUESTIONS,
            "most_weights": MOST_WEIGHTS,
            "no_question": NO_QUESTION,
        }
        return text.rstrip().removesuffix(")") + filled(SUPPORT.read_text(encoding="utf-8"), names) + ")\n"

    def given_places(self, kinds: Sequence[Type]) -> tuple[list[int], int]:
        """Where each of some arguments lies behind the first one, and how much room they need."""
        found, at = list[int](), 0
        for kind in kinds:
            found.append(at)
            at += (size_of(self.program, kind) + 7) // 8 * 8
        return found, at

    def _attempt(self, number: int, action: Action) -> None:
        """The function of an action, which is asked for by its number."""
        self.begin_function((), 0)
        at = i32(self.given_at)
        places, _ = self.given_places(action.params)
        values = [
            Parts((), (f"(i64.load offset={place} {at})",), True)
            if isinstance(kind, Int) and scalar_rep(kind) == "i64"
            else self.read(at, place, kind)
            for kind, place in zip(action.params, places, strict=True)
        ]
        lines: list[str] = []
        if action.procedure is not None:
            self.env = dict(enumerate(zip(values, action.params, strict=True)))
            args = tuple(ir.Local(kind, n) for n, kind in enumerate(action.params))
            lines += self.statement(ir.Call(action.procedure, args, None, -1))
        elif action.routine is not None:
            frames = self.program.frames
            lines.append(f"(i32.store offset={4 * TOP} (i32.const 0) {i32(frames)})")
            size = 4 * (self.program.size - frames)
            lines.append(f"(memory.fill {i32(4 * frames)} (i32.const 0) {i32(size)})")
            lines.append(f"(i32.store offset={4 * frames} (i32.const 0) {i32(action.routine)})")
            lines.append(f"(i32.store offset={4 * frames + 8} (i32.const 0) (i32.const -1))")
            routine, base = self.program.routines[action.routine], 4 * (frames + FRAME_HEAD)
            for value, offset, kind in zip(values, routine.offsets, action.params, strict=False):
                lines += self.write(i32(0), base + 4 * offset, kind, value)
            lines.append("(drop (call $run))")
        self.end_function(f"$attempt{number}", [], ("i32",), [*lines, i32(0)])
        self.answers.append(f"$attempt{number}")
