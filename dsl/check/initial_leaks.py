"""Fields that all see, and that begin with what the hidden kind of a piece says: they would tell the kind."""

from __future__ import annotations

from dsl.catalogue import tr
from dsl.check.analysis import Reads
from dsl.diagnostics import Code, Label
from dsl.resolve.symbol_table import World


def check_beginnings(world: World, reads: Reads) -> None:
    """Tells of each field of a piece of a hidden kind that shows the kind as soon as the piece comes into play."""
    hidden = {
        domain.pool.kind_var: domain.id for domain in world.domains if domain.pool and domain.pool.kind_var
    }
    for var in world.vars:
        if var.role != "field" or var.audience is not None or var.field is None or var.field.initial is None:
            continue
        for kind in reads.of(var.initial) & hidden.keys():
            if hidden[kind] != var.of:
                continue
            field = world.vars[kind].field
            begins, said = var.field.initial.span, None if field is None else field.name.span
            labels: tuple[Label, ...]
            if said is not None and world.layer(said) > world.layer(begins):
                at, labels = said, (Label(begins, tr("so it begins")),)
            else:
                at, labels = (
                    begins,
                    () if said is None else (Label(said, tr("who sees the kind is said here")),),
                )
            world.error(
                Code.SECRET_SHOWN,
                at,
                tr(
                    "this gives a secret away: all see `{field}`, which begins with what `kind` says",
                    field=var.name,
                ),
                hint=tr("let those see it who see the kind (`seen by ...`), or set it where all may know it"),
                labels=labels,
            )
