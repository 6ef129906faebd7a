"""`unnote`: a trial notes the position that stands before it only where somebody asks for earlier positions.

    forbid move when check(p) after move(m, c)

In a game that counts positions, a trial is judged as if somebody had chosen the action: the position that stands is
noted, and who has chosen. For `repeated(2) after put(c)` that is what is asked. For the line above it is work that
nobody sees, done for every move that is thought of. Where no trial of a procedure asks, this pass takes both
statements off the procedure.

Who asks is found with all that the condition and the procedure ask for and call. A search in it, and a trial within
the trial, are taken to ask: what they run is not gone through.

Needs: a verified program.
Guarantees: nothing.
Keeps: what each trial comes to, and how it fails; what it noted was taken back with it.
Steps: fewer: what is not noted is not counted. So it stands before `meter`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

from dsl.ir import nodes as ir
from dsl.ir.program import History, Program
from dsl.ir.verify.graph import everything


def unnote(program: Program) -> Program:
    """The program, whose trials note no more than is asked for."""
    history = program.history
    if history is None:
        return program
    trials: dict[int, list[ir.Trial]] = defaultdict(list)
    called: set[int] = set()
    for each in everything(program):
        match each:
            case ir.Trial():
                trials[each.procedure].append(each)
            case ir.Call():
                called.add(each.procedure)
            case _:
                pass
    procedures = list(program.procedures)
    for index, tried in trials.items():
        if index not in called and not _asks(program, history, index, tried):
            own = tuple(each for each in procedures[index].body if not _notes(each, history))
            procedures[index] = replace(procedures[index], body=own)
    return replace(program, procedures=tuple(procedures))


def _notes(st: ir.Stmt, history: History) -> bool:
    """Is a statement one of those that say what has been chosen, and by whom?"""
    return isinstance(st, ir.Remember) or (isinstance(st, ir.Store) and st.var == history.last)


def _asks(program: Program, history: History, index: int, tried: list[ir.Trial]) -> bool:
    """Does anything that these trials of a procedure run read what was noted?"""
    seen: set[tuple[str, int]] = {("procedure", index)}
    body = tuple(each for each in program.procedures[index].body if not _notes(each, history))
    waiting: list[object] = [body, *(each.condition for each in tried)]
    while waiting:
        part = waiting.pop()
        found: list[tuple[str, int]] = []
        for each in everything(part):
            match each:
                case ir.Occurrences() | ir.Remember() | ir.Reach() | ir.Trial():
                    return True
                case ir.Load() | ir.LoadItem() if each.var in {history.var, history.last}:
                    return True
                case ir.Ask():
                    found.append(("value", each.value))
                case ir.Judge():
                    found.append(("action", each.action))
                case ir.Call():
                    found.append(("procedure", each.procedure))
                case _:
                    pass
        for key in found:
            if key not in seen:
                seen.add(key)
                waiting.append(_definition(program, *key))
    return False


def _definition(program: Program, kind: str, number: int) -> object:
    """What is run where a value is asked for, an action is judged or a procedure is called."""
    match kind:
        case "value":
            return program.values[number]
        case "action":
            return program.actions[number].prohibitions
        case _:
            return program.procedures[number].body
