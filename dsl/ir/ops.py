"""The closed vocabularies of the IR: operators by their names, kinds and roles, as its docstrings explain them."""

from __future__ import annotations

from dsl.ir import nodes as ir
from dsl.ir import program as p
from dsl.ir.operators import OPERATORS

STAGES = ("becomes", "times", "plus", "at_least", "at_most")

WORDS: dict[tuple[type, str], tuple[str, ...]] = {
    (ir.Op, "op"): tuple(OPERATORS),
    (ir.Fold, "kind"): (
        *("any", "every", "count", "sum", "all", "first"),
        *("least", "most", "lowest", "highest", "union", "closure", "ordered"),
    ),
    (ir.Log, "kind"): ("say", "do", "refused", "phase", "row", "end"),
    (ir.Offer, "kind"): ("do", "take", "pass", "stop"),
    (p.Clause, "kind"): (
        *("action", "phase", "need", "forbid", "allow", "modify", "value", "before", "after", "instead"),
        *("statement", "field", "row", "table", "ending", "ruling", "type", "map", "setup", "round", "menu"),
        *("window", "piece", "pile", "text", "test", "header", "offer"),
    ),
    (p.Domain, "kind"): (
        "enum",
        "row",
        "piece",
        "cell",
        "player",
        "side",
        "union",
        "line",
        "pile",
        "shape",
        "text",
    ),
    (p.Var, "role"): (
        *(
            "field",
            "option",
            "in_play",
            "out_of_play",
            "pile",
            "order",
            "armed",
            "window",
            "depth",
            "round",
            "seats",
            "history",
        ),
    ),
    (p.ValueClause, "stage"): STAGES,
    (p.Value, "stages"): (*STAGES, "bounds"),
    (p.Value, "rounding"): ("down", "up", "zero"),
    (p.Prohibition, "kind"): ("need", "forbid", "allow"),
    (p.Ending, "kind"): ("victory", "defeat", "draw"),
    (p.Data, "follows"): ("distance",),
    (p.History, "method"): ("sums",),
    (p.Board, "shape"): ("squares", "hexes_pointy", "hexes_flat", "regions"),
    (p.Rule, "status"): ("declared", "same_as", "definition", "not_applicable", "house", "ambiguity"),
    (p.TestStep, "kind"): (
        *("do", "take", "pass", "stop", "label", "expect", "quiet", "illegal", "error", "given", "run"),
        *("rolls", "picks", "shuffles", "decisions", "option", "rounds", "asking", "let"),
    ),
}
"""What a text field of a class may hold, where that is closed."""
