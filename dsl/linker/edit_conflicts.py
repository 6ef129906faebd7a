"""What mods do to one and the same thing.

A *touch* is one thing that a layer changes, replaces or removes; its path says what: a head, a head's clause by its
citation, a table, a row of it, a cell of that. Two touches meet if one path leads through the other and there is a
mode in which both hold. Two layers whose touches meet and differ disagree, until a third, loaded after both, touches
the same thing: what it says holds. The order in which two are loaded never decides.
"""

from __future__ import annotations

from dataclasses import field

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics, Label
from dsl.linker.modes import Modes, Where
from dsl.records import record
from dsl.source import Span
from dsl.syntax import ast

Path = tuple[str, ...]
ALIKE = {"extend": "add", "allow": "are over"}
DONE = {"change": "changes", "replace": "replaces", "remove": "removes", "extend": "adds", "allow": "is over"}


@record(frozen=True, slots=True)
class Touch:
    """What one layer does to one thing: its verb, and what the thing is to be."""

    path: Path
    verb: str
    span: Span
    layer: int
    value: object
    where: Where


@record(slots=True)
class Touches:
    """All touches so far, and the pairs that disagree and nobody has settled."""

    modes: Modes
    done: list[Touch] = field(default_factory=list)
    open: list[tuple[Touch, Touch]] = field(default_factory=list)

    def add(self, touch: Touch) -> None:
        """Enters what a layer does; it settles what others disagree about, or disagrees itself."""
        settled = [
            pair
            for pair in self.open
            if touch.layer not in {pair[0].layer, pair[1].layer}
            and any(self.meets(each, touch) for each in pair)
        ]
        if settled:
            self.open = [pair for pair in self.open if pair not in settled]
            self.done = [each for each in self.done if not self.meets(each, touch)]
        else:
            self.open += [(each, touch) for each in self.done if self.differ(each, touch)]
        self.done.append(touch)

    def same_row(self, touch: Touch) -> list[ast.Row]:
        """The rows that other layers add under the name of one that this layer adds: its own takes their place."""
        return [
            each.value[1]
            for each in self.done
            if each.verb == "extend" and each.path == touch.path and each.layer != touch.layer
            if isinstance(each.value, tuple) and self.meets(each, touch)
        ]

    def lost(self, touch: Touch) -> bool:
        """Is the thing that a layer would touch gone, because another has removed or replaced it?"""
        taken = [
            each
            for each in self.done
            if each.layer != touch.layer
            and each.verb in {"remove", "replace"}
            and touch.path[: len(each.path)] == each.path
        ]
        if taken:
            self.add(touch)
        return bool(taken)

    def differ(self, one: Touch, two: Touch) -> bool:
        if one.layer == two.layer or not self.meets(one, two):
            return False
        if "extend" in {one.verb, two.verb} and one.verb != two.verb:
            return False  # it changes what the other one adds
        return (one.path, one.verb, one.value) != (two.path, two.verb, two.value)

    def meets(self, one: Touch, two: Touch) -> bool:
        """Are two touches about one thing, or about a thing and a part of it?"""
        length = min(len(one.path), len(two.path))
        shared = self.modes.both(one.where, two.where)
        return one.path[:length] == two.path[:length] and (shared is None or bool(shared))

    def report(self, diagnostics: Diagnostics) -> None:
        """Tells of each pair that disagrees, with both places; of several about one thing the first."""
        told: set[tuple[Path, int, int]] = set()
        for one, two in self.open:
            key = (one.path if len(one.path) < len(two.path) else two.path, one.layer, two.layer)
            if key not in told:
                told.add(key)
                diagnostics.add(disagreement(one, two))


def disagreement(one: Touch, two: Touch) -> Diagnostic:
    """Two mods that do different things to one target."""
    what = ".".join(two.path if len(one.path) < len(two.path) else one.path)
    if one.verb == two.verb:
        message = tr(
            "two mods {get} `{what}` in different ways", get=ALIKE.get(two.verb, two.verb), what=what
        )
    else:
        message = tr(
            "one mod {done} `{what}`, which another {done2}",
            done=DONE[one.verb],
            what=what,
            done2=DONE[two.verb],
        )
    return Diagnostic(
        Code.MOD_CONFLICT,
        message,
        two.span,
        labels=(Label(one.span, tr("the other one does `{verb}` here", verb=one.verb)),),
        hint=tr("load a third mod after both that says what `{what}` is to be", what=what),
    )
