"""The same as `evaluate`, by way of Python's compiler: for tables of many entries, each of which goes through many
elements.

    function = Functions(constants).of(expr, (0, 1))
    function(3, 4)                          # its value where local 0 is 3 and local 1 is 4, or `NotConstant`

What cannot be known is told where the code comes to it, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dsl.ir import nodes as ir
from dsl.ir.distances import Distances
from dsl.ir.operators import OPERATORS, Fails, Operator
from dsl.ir.operators.declaration import alignment, needed_by
from dsl.ir.types import NONE, Id, Int, SetOf, Type
from dsl.passes.tabulate.constants import FOLDS, Constants, NotConstant, is_folded

MOST_ARGUMENTS = 60
COMPARISONS = frozenset({"lt", "le", "gt", "ge"})
Selecting = Callable[..., list[int]]
FAIL = "fail()"
Env = dict[int, str]


class Uncompiled(Exception):
    """Lists and bags are left to `Constants`."""


class Functions:
    """Functions of expressions, each compiled once. `Constants.left` counts the elements that they go through."""

    def __init__(self, constants: Constants) -> None:
        self._constants = constants
        self._known: dict[tuple[int, tuple[int, ...]], tuple[ir.Expr, Callable[..., int] | None]] = {}
        self._values: dict[int, str] = {}
        self._numbers: dict[int, bool] = {}
        """For each table that was looked into: does it hold plain numbers, none of them cited?"""
        self._operators: set[str] = set()
        """The operators whose values have a name there."""
        self._names: dict[str, Any] = {
            "fail": _fail,
            "place": _place,
            "else_": _else,
            "bits": self._bits,
            "each": self._each,
            "first": _first,
            "pack": _pack,
            "count": len,
        }

    def of(self, expr: ir.Expr, params: tuple[int, ...]) -> Callable[..., int] | None:
        """The function of some locals; none where Python cannot compile it."""
        key = id(expr), params
        if key not in self._known:
            self._known[key] = expr, self._compiled(f"f{len(self._known)}", expr, params)
        return self._known[key][1]

    def selecting(self, test: ir.Expr, params: tuple[int, ...], element: int) -> Selecting | None:
        """The function of some locals, and of elements one after the other as `element`, that yields those of them for
        which a condition holds; none where Python cannot compile it. They are not counted.
        """
        code = f"[l{element} for l{element} in elements if {{code}}]"
        return self._compiled("selection", test, params, code, element)

    def _compiled(
        self,
        name: str,
        expr: ir.Expr,
        params: tuple[int, ...],
        form: str = "{code}",
        element: int | None = None,
    ) -> Callable[..., Any] | None:
        if len(params) > MOST_ARGUMENTS:
            return None
        env = {index: f"l{index}" for index in params}
        known = env if element is None else {**env, element: f"l{element}"}
        given = [*env.values(), *(["elements"] if element is not None else [])]
        try:
            code = form.format(code=self._code(expr, known))
            source = f"def {name}({', '.join(given)}):\n    return {code}\n"
            exec(compile(source, "<constant>", "exec"), self._names)
        except (Uncompiled, SyntaxError, RecursionError, MemoryError):
            return None
        found: Callable[..., Any] = self._names[name]
        return found

    # ------------------------------------------------------------ what code uses

    def _each(self, elements: tuple[int, ...]) -> tuple[int, ...]:
        """Elements that are gone through, which is counted."""
        self._constants.left -= len(elements)
        if self._constants.left < 0:
            raise NotConstant
        return elements

    def _bits(self, mask: int, low: int) -> tuple[int, ...]:
        found = []
        while mask:
            least = mask & -mask
            found.append(least.bit_length() - 1 + low)
            mask ^= least
        return self._each(tuple(found))

    # ------------------------------------------------------------ code

    def _code(self, expr: ir.Expr, env: Env) -> str:
        match expr:
            case ir.Const(value=int(value)):
                return f"({int(value)})"
            case ir.Local(index=index) if isinstance(expr.type, Int | Id | SetOf):
                return env.get(index, FAIL)
            case ir.Lookup():
                return self._lookup(expr, env)
            case ir.Op():
                return self._op(expr, env)
            case ir.LetIn(index=index, value=value, body=body):
                _scalar(value)
                inner = self._code(body, {**env, index: f"l{index}"})
                return f"(lambda l{index}: {inner})({self._code(value, env)})"
            case ir.Fold():
                return self._fold(expr, env)
            case ir.Ask(value=number, args=args) if self._constants.is_plain(number):
                for arg in args:
                    _scalar(arg)
                return f"{self._value(number)}({', '.join(self._code(arg, env) for arg in args)})"
            case _:
                return FAIL

    def _value(self, number: int) -> str:
        """The name of a value's function."""
        if number not in self._values:
            declared = self._constants.program.values[number]
            params = tuple(range(len(declared.params)))
            if self._compiled(f"v{number}", declared.base, params) is None:
                raise Uncompiled
            self._values[number] = f"v{number}"
        return self._values[number]

    def _lookup(self, expr: ir.Lookup, env: Env) -> str:
        data = self._constants.data[expr.data]
        if expr.data not in self._numbers:
            cited = any(self._constants.cited(clause) for clause in data.clauses)
            numbers = isinstance(data.values, Distances) or all(isinstance(each, int) for each in data.values)
            self._numbers[expr.data] = numbers and not cited
        if not self._numbers[expr.data]:
            return FAIL
        at = [
            self._place(index, low, size, env)
            for index, (low, size) in zip(expr.indices, data.dims, strict=True)
        ]
        name = f"D{expr.data}"
        if isinstance(data.values, Distances):
            self._names[name] = data.values.rows
            return f"{name}[{at[0]}][{at[1]}]"
        self._names[name] = data.values
        code = ""
        for here, (_, size) in zip(at, data.dims, strict=True):
            code = f"({code} * {size} + {here})" if code else here
        return f"{name}[{code or 0}]"

    def _place(self, index: ir.Expr, low: int, size: int, env: Env) -> str:
        """Where an index leads to; it is tested where its type does not say that there is an entry."""
        code, kind = self._code(index, env), index.type
        if isinstance(kind, Int | Id) and not kind.optional:
            least, most = self._constants.kinds.bounds(kind)
            if low <= least and most < low + size:
                return f"({code} - {low})" if low else code
        return f"place({code}, {low}, {size})"

    def _op(self, expr: ir.Op, env: Env) -> str:
        op, args = expr.op, expr.args
        if op in {"and", "or"}:
            return f"(1 if {f' {op} '.join(self._code(arg, env) for arg in args) or int(op == 'and')} else 0)"
        if op == "if":
            condition, then, other = (self._code(arg, env) for arg in args)
            return f"({then} if {condition} else {other})"
        if op == "else_":
            return f"else_({self._code(args[0], env)}, lambda: {self._code(args[1], env)})"
        if not is_folded(expr):
            return FAIL
        declared, kinds = OPERATORS[op], [arg.type for arg in args]
        bounds = self._constants.kinds.bounds
        codes = [self._code(arg, env) for arg in args]
        if op in COMPARISONS and not any(map(_may_be_none, kinds)):
            return f"(1 if {codes[0]} {declared.sign} {codes[1]} else 0)"
        if declared.aligned and isinstance(kinds[0], SetOf):
            shifts = alignment(declared, kinds, expr.type, bounds)
            codes = [
                code if not by else f"({code} << {by})" if by > 0 else f"({code} >> {-by})"
                for code, by in zip(codes, shifts, strict=True)
            ]
        if op not in self._operators:
            self._operators.add(op)
            self._names[f"o_{op}"] = _evaluating(declared)
        needed = needed_by(declared, kinds, expr.type, bounds) if declared.needs else {}
        return f"o_{op}({', '.join([*codes, *(f'{name}={value}' for name, value in needed.items())])})"

    def _low(self, kind: Type) -> int:
        return self._constants.low(kind)

    def _fold(self, expr: ir.Fold, env: Env) -> str:
        if expr.kind not in FOLDS:
            return FAIL
        if not isinstance(expr.domain.type, SetOf):
            raise Uncompiled
        low, name = self._low(expr.domain.type), f"l{expr.index}"
        if isinstance(expr.domain, ir.Const) and isinstance(expr.domain.value, int):
            constant = f"E{len(self._names)}"
            self._names[constant] = _elements(expr.domain.value, low)
            elements = f"each({constant})"
        else:
            elements = f"bits({self._code(expr.domain, env)}, {low})"
        inner = {**env, expr.index: name}
        where = "" if expr.where is None else f" if {self._code(expr.where, inner)}"
        body = None if expr.body is None else self._code(expr.body, inner)
        bodies = f"[{body or name} for {name} in {elements}{where}]"
        match expr.kind:
            case "any":
                return f"(1 if {'any' if body else 'count'}({bodies}) else 0)"
            case "every":
                return f"(1 if all({bodies if body else '()'}) else 0)"
            case "count":
                return f"count({bodies})"
            case "sum":
                return f"sum({bodies if body else '()'})"
            case kind:
                kept = f"[({name}, {body}) for {name} in {elements}{where}]" if body else bodies
                kept = f"[each_ for each_, _ in {kept}]" if body else kept
                return f"first({kept})" if kind == "first" else f"pack({kept}, {self._low(expr.type)})"


def _elements(mask: int, low: int) -> tuple[int, ...]:
    return tuple(at + low for at in range(mask.bit_length()) if mask >> at & 1)


def _may_be_none(kind: Type) -> bool:
    return not isinstance(kind, Int | Id) or kind.optional


def _scalar(expr: ir.Expr) -> None:
    if not isinstance(expr.type, Int | Id | SetOf):
        raise Uncompiled


def _fail() -> int:
    raise NotConstant


def _place(index: int, low: int, size: int) -> int:
    here = index - low
    if not 0 <= here < size:
        raise NotConstant
    return here


def _else(value: int, other: Callable[[], int]) -> int:
    return value if value != NONE else other()


def _first(elements: list[int]) -> int:
    return elements[0] if elements else NONE


def _pack(elements: Iterable[int], low: int) -> int:
    return sum(1 << each - low for each in elements)


def _evaluating(declared: Operator) -> Callable[..., int]:
    """The value of an operator, for operands that may not be what it takes."""
    value = declared.value
    assert value is not None
    if declared.none and not declared.fails:
        return value

    def computed(*values: int, **needed: int) -> int:
        if not declared.none and NONE in values:
            raise NotConstant
        try:
            found: int = value(*values, **needed)
        except Fails:
            raise NotConstant from None
        return found

    return computed
