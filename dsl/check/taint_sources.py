"""What a piece of code could follow from: whether it reads a secret at all, and which locals."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from dsl.ir import nodes as ir
from dsl.ir import program as pr
from dsl.lower.rewrite import inside_of, walk_ir

Head = tuple[str, int]
Found = tuple[bool, frozenset[int]]
NOTHING: Found = False, frozenset()
_PLAIN = frozenset({int, str, bool})
_READING = frozenset({ir.Load, ir.LoadItem, ir.Ask, ir.Judge, ir.Trial, ir.Reach, ir.Occurrences})
"""What may read a secret itself."""


class Sources:
    """Remembers for each node whether anything in it reads one of some variables, if need be through values and
    judgements, and which locals stand in it. It looks at all that stands there: what it does not find cannot be found.
    """

    def __init__(
        self, values: Sequence[pr.Value], actions: Sequence[pr.Action], secret: Collection[int]
    ) -> None:
        self._secret = secret
        self._known: dict[int, tuple[object, Found]] = {}
        self._reading = _reading(values, actions, secret)

    def of(self, node: object) -> Found:
        """Whether a node reads a secret, and the locals in it."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = node, self._found(node)
        return known[1]

    def _found(self, node: object) -> Found:
        kind: type = type(node)
        if kind is ir.Local:
            assert isinstance(node, ir.Local)
            return False, frozenset((node.index,))
        if isinstance(node, tuple):
            inner: Sequence[object] = node
        elif (inside := inside_of(kind)) is not None:
            inner = inside(node)
        else:
            return NOTHING
        reads = kind in _READING and self._reads(node)
        locals_: frozenset[int] = frozenset()
        for each in inner:
            if each is None or type(each) in _PLAIN:
                continue
            found = self.of(each)
            if found is not NOTHING:
                reads = reads or found[0]
                locals_ = locals_ | found[1] if locals_ else found[1]
        return (reads, locals_) if reads or locals_ else NOTHING

    def _reads(self, node: object) -> bool:
        match node:
            case ir.Load(var=var) | ir.LoadItem(var=var):
                return var in self._secret
            case ir.Ask(value=value):
                return ("value", value) in self._reading
            case ir.Judge(action=action):
                return ("action", action) in self._reading
            case ir.Trial() | ir.Reach() | ir.Occurrences():  # whatever is done there reads
                return True
            case _:
                return False


def _reading(
    values: Sequence[pr.Value], actions: Sequence[pr.Action], secret: Collection[int]
) -> frozenset[Head]:
    """The values and judgements that read a secret, themselves or through others."""
    heads: dict[Head, object] = {("value", n): (each.base, each.clauses) for n, each in enumerate(values)}
    heads |= {("action", n): each.prohibitions for n, each in enumerate(actions)}
    asking: dict[Head, list[Head]] = {}
    waiting: list[Head] = []
    for head, code in heads.items():
        for each in _asked(code, secret):
            if each is None:
                waiting.append(head)
            else:
                asking.setdefault(each, []).append(head)
    found: set[Head] = set()
    while waiting:
        head = waiting.pop()
        if head not in found:
            found.add(head)
            waiting += asking.get(head, [])
    return frozenset(found)


def _asked(code: object, secret: Collection[int]) -> Iterator[Head | None]:
    """The heads that code asks for, and none for each secret that it reads."""
    for each in walk_ir(code):
        match each:
            case ir.Load(var=var) | ir.LoadItem(var=var) if var in secret:
                yield None
            case ir.Trial() | ir.Reach() | ir.Occurrences():
                yield None
            case ir.Ask(value=value):
                yield "value", value
            case ir.Judge(action=action):
                yield "action", action
            case _:
                pass
