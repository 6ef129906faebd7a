"""Endings that are known not to hold: they were tested, and nothing that they read was written since."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import Id, Int
from dsl.ir.verify.graph import everything


def read_by_endings(program: Program) -> set[int] | None:
    """The variables that endings read, with all they ask for; none where that is not all they depend on, or where a
    test can change something without ending the game.
    """
    if any(each.kind == "defeat" for each in program.endings):
        return None
    found: set[int] = set()
    asked: set[tuple[str, int]] = set()
    waiting: list[object] = list(program.endings)
    while waiting:
        for each in everything(waiting.pop()):
            match each:
                case ir.Load() | ir.LoadItem():
                    found.add(each.var)
                case ir.Ask() if ("value", each.value) not in asked:
                    asked.add(("value", each.value))
                    waiting.append(program.values[each.value])
                case ir.Judge() if ("action", each.action) not in asked:
                    asked.add(("action", each.action))
                    waiting.append(program.actions[each.action].prohibitions)
                case ir.Reach() | ir.Trial() | ir.Occurrences():
                    return None
                case _:
                    pass
    return found


def keeps(program: Program, st: ir.Stmt, read: set[int]) -> bool:
    """Does a statement of a routine leave alone what endings read?"""
    match st:
        case ir.SetLocal() | ir.Log() | ir.Mark() | ir.Refused():
            return True
        case ir.Store(owner=None, item=None) | ir.Change(owner=None, item=None):
            return isinstance(program.vars[st.var].type, Int | Id) and st.var not in read
        case _:
            return False
