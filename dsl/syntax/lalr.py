"""The LALR automaton: tables, a stack, tokens in and a parse tree out.

Lark computes the tables (see `dsl/syntax/tables.py`) and decides how trees are shaped; what stands here drives the same
automaton without the rest of Lark, several times faster, and can be loaded without it. A tree says from where to where
it goes in the text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from dsl.records import record

END = "$END"
_NOWHERE = -1


class Token(str):
    """A word or sign as it is written, with the terminal that it was read as (`type`) and its place in the text."""

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int

    def __new__(cls, type: str, value: str, start_pos: int = 0, end_pos: int = 0) -> Token:
        made = str.__new__(cls, value)
        made.type = type
        made.start_pos = start_pos
        made.end_pos = end_pos
        return made

    def __repr__(self) -> str:
        return f"Token({self.type!r}, {str(self)!r})"


class Tree:
    """A rule of the grammar with what was read for it; from `start_pos` to `end_pos`, where anything was."""

    __slots__ = ("children", "data", "end_pos", "start_pos")

    def __init__(self, data: str, children: list[Child], start_pos: int, end_pos: int) -> None:
        self.data = data
        self.children = children
        self.start_pos = start_pos
        self.end_pos = end_pos

    def __repr__(self) -> str:
        return f"Tree({self.data!r}, {self.children!r})"


Child: TypeAlias = Tree | Token | None


@record(frozen=True, slots=True)
class Rule:
    """A production: how many symbols it takes off the stack, what it is then, and the shape of its tree.

    `taken` are the children as (place, whether its own children stand in its stead, absent ones before it); none
    where they are the symbols as they are. `absent` is how many are absent behind the last. A `single` rule with one
    child is that child.
    """

    size: int
    origin: str
    name: str
    single: bool
    taken: tuple[tuple[int, bool, int], ...] | None
    absent: int


@record(frozen=True, slots=True)
class Terminal:
    """A terminal: its regular expression, what it looks like if that is one text, its priority, and all texts that it
    stands for, if they are few.
    """

    name: str
    pattern: str
    literal: str | None
    priority: int
    spellings: tuple[str, ...]


@record(frozen=True, slots=True)
class Tables:
    """What the automaton is made of.

    `states` have for each symbol the state to go to, or for a terminal `-1 - n` where rule `n` is to be reduced;
    `starts` are the first and the last state for each start symbol.
    """

    terminals: tuple[Terminal, ...]
    rules: tuple[Rule, ...]
    states: tuple[Mapping[str, int], ...]
    starts: Mapping[str, tuple[int, int]]
    chains: dict[tuple[int, int, str], int] = field(default_factory=dict, compare=False)
    """Where rules that leave their only symbol as it is lead, from a state on top of another before a terminal."""

    def chain(self, below: int, state: int, terminal: str) -> int:
        """The state behind all such rules that follow each other; the state itself where there is none."""
        key = below, state, terminal
        known = self.chains.get(key)
        if known is None:
            known = state
            while (action := self.states[known].get(terminal)) is not None and action < 0:
                rule = self.rules[-1 - action]
                if rule.size != 1 or not rule.single or rule.taken is not None or rule.absent:
                    break
                known = self.states[below][rule.origin]
            self.chains[key] = known
        return known


class Refused(Exception):
    """A token that cannot stand there."""


class Parser:
    """An automaton on its way; a token that it refuses leaves it in no good state."""

    __slots__ = ("_begins", "_end", "_ends", "_values", "stack", "tables")

    def __init__(self, tables: Tables, start: str) -> None:
        first, last = tables.starts[start]
        self.tables = tables
        self.stack = [first]
        """The numbers of the states, the present one last."""
        self._end = last
        self._values: list[Any] = []
        self._begins: list[int] = []
        self._ends: list[int] = []

    @property
    def choices(self) -> Mapping[str, int]:
        """The symbols that the state has an action for: what may follow, and some that only end what came before."""
        return self.tables.states[self.stack[-1]]

    def copy(self) -> Parser:
        """Another one that stands at the same place; the trees below are shared, and not to be used."""
        made = Parser.__new__(Parser)
        made.tables, made._end = self.tables, self._end
        made.stack, made._values = self.stack[:], self._values[:]
        made._begins, made._ends = self._begins[:], self._ends[:]
        return made

    def feed(self, token: Token) -> Child:
        """Goes on by one token; yields the tree behind the last one."""
        kind = token.type
        stack, states, tables = self.stack, self.tables.states, self.tables
        chains = tables.chains
        while True:
            top = stack[-1]
            action = states[top].get(kind)
            if action is not None and action >= 0:
                stack.append(action)
                self._values.append(token)
                self._begins.append(token.start_pos)
                self._ends.append(token.end_pos)
                return None
            if len(stack) > 1:
                below = stack[-2]
                state = chains.get((below, top, kind))
                if state is None:
                    state = tables.chain(below, top, kind)
                if state == self._end and kind == END:
                    found: Child = self._values[-1]
                    return found
                if state != top:
                    stack[-1] = state
                    continue
            if action is None:
                raise Refused(token)
            self._reduce(tables.rules[-1 - action])

    def _reduce(self, rule: Rule) -> None:
        """Puts the tree of a rule in the place of its symbols."""
        stack, values, begins, ends, size = self.stack, self._values, self._begins, self._ends, rule.size
        begin = end = _NOWHERE
        if size == 1:
            taken = [values.pop()]
            begin, end = begins.pop(), ends.pop()
            stack.pop()
        elif size:
            taken = values[-size:]
            begin, end = begins[-size], ends[-1]
            if begin < 0:
                begin = next((at for at in begins[-size:] if at >= 0), _NOWHERE)
            if end < 0:
                end = next((at for at in ends[: -size - 1 : -1] if at >= 0), _NOWHERE)
            del values[-size:], begins[-size:], ends[-size:], stack[-size:]
        else:
            taken = []
        children = taken if rule.taken is None else _shaped(rule.taken, taken)
        if rule.absent:
            children = children + [None] * rule.absent
        value: Child
        if rule.single and len(children) == 1:
            value = children[0]
            if isinstance(value, Token):
                begin, end = value.start_pos, value.end_pos
            elif value is None:
                begin = end = _NOWHERE
            elif value.start_pos < 0:
                value.start_pos, value.end_pos = begin, end
        else:
            value = Tree(rule.name, children, begin, end)
        values.append(value)
        begins.append(begin)
        ends.append(end)
        stack.append(self.tables.states[stack[-1]][rule.origin])

    def can_follow(self, terminal: str) -> bool:
        """Whether a terminal can follow here.

        LALR states share their lookaheads: behind the end of a line, the state knows the words that begin any
        line of any block. Which of them can begin this one shows when the open rules are closed one by one.
        """
        states, rules = self.tables.states, self.tables.rules
        stack = self.stack
        action = states[stack[-1]].get(terminal)
        if action is not None and action < 0:
            stack = stack[:]
            while action is not None and action < 0:
                rule = rules[-1 - action]
                del stack[len(stack) - rule.size :]
                stack.append(states[stack[-1]][rule.origin])
                if terminal == END and stack[-1] == self._end:
                    return True
                action = states[stack[-1]].get(terminal)
        return action is not None

    def accepted(self) -> frozenset[str]:
        """The terminals that may follow."""
        return frozenset(each for each in self.choices if each.isupper() and self.can_follow(each))


def _shaped(plan: Sequence[tuple[int, bool, int]], taken: list[Any]) -> list[Any]:
    """The children of a tree, out of all that its rule took."""
    children: list[Any] = []
    for at, expands, absent in plan:
        if absent:
            children += [None] * absent
        if not expands:
            children.append(taken[at])
        elif children:
            children += taken[at].children
        else:
            children = taken[at].children
    return children
