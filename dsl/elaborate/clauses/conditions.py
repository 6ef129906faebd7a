"""Under what a clause stands: its parameters, its condition, and the mode and card around it."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.diagnostics import Code
from dsl.elaborate.bodies.expressions import Expressions
from dsl.elaborate.bodies.scope import counted
from dsl.ir import nodes as ir
from dsl.lower.ir_builder import conjunction
from dsl.resolve.symbols import Guard, Param
from dsl.syntax import ast


def bind_params(e: Expressions, target: ast.Target, params: list[Param], head: str) -> None:
    """Binds a head's parameters (the first locals), under names of the clause's own where it gives some."""
    names = [param.name for param in params]
    if target.params is not None:
        own = [param.name.text for param in target.params]
        if len(own) > len(names):
            e.fault(
                Code.WRONG_ARGUMENTS,
                target.span,
                tr("`{head}` takes {counted}", head=head, counted=counted(len(names))),
                hint=tr("it is `{head}({names})`", head=head, names=", ".join(names)),
            )
        _tell_of_others(e, target, params, head)
        names[: len(own)] = own[: len(names)]
    own_params = tuple(Param(name, param.type) for name, param in zip(names, params, strict=True))
    e.body.head = head, own_params
    for index, name in reversed(list(enumerate(names))):  # the clause's own names come first, and count
        e.body.bind(name, ir.Local(e.body.locals[index], index))
        if params[index].name not in names:
            e.body.rename(index, params[index].name, name)


def _tell_of_others(e: Expressions, target: ast.Target, params: list[Param], head: str) -> None:
    """Tells of a clause that names one parameter as the head names another one, which it leaves out."""
    assert target.params is not None
    left = {
        param.name: number for number, param in enumerate(params[len(target.params) :], len(target.params))
    }
    written = ", ".join(param.name for param in params)
    for number, param in enumerate(target.params):
        other = left.get(param.name.text)
        if other is None:
            continue
        message = tr(
            "`{name}` is parameter {other} of `{head}({params})`, and here it names parameter {number}",
            name=param.name.text,
            other=other + 1,
            head=head,
            params=written,
            number=number + 1,
        )
        hint = tr(
            "write all of them up to it: `{head}({params})`",
            head=head,
            params=", ".join(each.name for each in params[: other + 1]),
        )
        e.fault(Code.WRONG_ARGUMENTS, param.name.span, message, hint=hint)


def conditions(e: Expressions, tree: ast.Expr | None, guard: Guard) -> ir.Expr:
    """What a clause stands on: its mode, and its `when`."""
    parts = [guard.condition] if guard.condition is not None else []
    if tree is not None:
        parts.append(e.truth(tree))
    return conjunction(parts)
