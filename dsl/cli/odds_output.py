"""Odds in words, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from textwrap import wrap
from typing import Any

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.odds_rows import Changed, Values
from dsl.diagnostics.excerpt import printable
from dsl.diagnostics.harmless import cell, json_text
from dsl.engine.display import member_name, shown
from dsl.ir import nodes as ir
from dsl.ir.program import Program
from dsl.ir.types import NONE, Int
from dsl.odds.walk import Failed, Question, Spread
from dsl.simulation.tally import CONFIDENCE, interval

FORMAT, VERSION = "scenarii-odds", 1
MOST_DENOMINATOR = 10**12
MOST_ROWS = 40
"""Of one table so many are shown to people."""
MOST_LINES = 200
"""And so many lines of all tables."""
STEP = "    "
WIDTH = 80


@dataclass(frozen=True, slots=True)
class Telling:
    """What the odds are of: the program, the action and where it stands, and what was read."""

    program: Program
    action: str
    position: str
    texts: tuple[str, ...]
    exprs: tuple[ir.Expr, ...]
    ways: int
    samples: int
    seed: int
    language: str


@dataclass(frozen=True, slots=True)
class Line:
    """An outcome: its share, its words (one for each expression, or one), and the values that they stand for."""

    share: Fraction
    words: tuple[str, ...]
    row: Hashable


# ---------------------------------------------------------------- rows


class Rows:
    """The lines of distributions. Where fields with words for players change they stand for all that changes."""

    def __init__(self, telling: Telling, spread: Spread) -> None:
        self.telling = telling
        rows = [row for row in _all(spread) if isinstance(row, Changed)]
        self.untold = sorted({name for row in rows if row.told or row.ended for name, _ in row.others})
        """The names of fields that change too, and have no words."""

    def of(self, spread: Spread) -> list[Line]:
        """The lines of a distribution, the most likely first; what is told alike is one."""
        found: dict[tuple[str, ...], Line] = {}
        for row, share in spread.outcomes.items():
            words = self.words(row)
            known = found.get(words)
            found[words] = Line(share + (known.share if known else 0), words, row)
        return sorted(found.values(), key=lambda each: (-each.share, each.words))

    def words(self, row: Hashable) -> tuple[str, ...]:
        """A row in words."""
        width = max(1, len(self.telling.exprs))
        match row:
            case Failed():
                text = said(tr("a rule fails: {code} {message}", code=row.code, message=row.message))
                return (f"{text} ({row.where})" if row.where else text, *[""] * (width - 1))
            case Values():
                return tuple(map(self._value, self.telling.exprs, row.values))
            case Changed():
                told = row.told or (() if row.ended else tuple(text for _, text in row.others))
                return (
                    ", ".join([*told, *([row.ended] if row.ended else [])]) or said(tr("nothing changes")),
                )
            case _:
                return ("",) * width

    def _value(self, expr: ir.Expr, value: object) -> str:
        if isinstance(value, str):
            return value
        assert isinstance(value, int | tuple)
        return shown(self.telling.program, expr.type, value, self.telling.language)


def _all(spread: Spread) -> Iterator[Hashable]:
    yield from spread.outcomes
    for question in spread.questions:
        for _, branch in question.branches:
            yield from _all(branch)


# ---------------------------------------------------------------- text


def text_of(telling: Telling, spread: Spread) -> str:
    """All of it for people."""
    rows = Rows(telling, spread)
    how = (
        said(
            tr(
                "sampled: {samples} ways, seed {seed}; between: {confidence} confidence",
                samples=f"{telling.samples:,}",
                seed=telling.seed,
                confidence=f"{CONFIDENCE:.0%}",
            )
        )
        if telling.samples
        else said(tr("exact, over all that chance can give"))
    )
    told = list(_block(rows, spread, ""))
    lines = [f"{telling.position}: {telling.action}", f"({how})", "", *told[:MOST_LINES]]
    if len(told) > MOST_LINES:
        more = tr(
            "… {count} more lines: say --choose or --of, for less (all: --format json or csv)",
            count=f"{len(told) - MOST_LINES:,}",
        )
        lines += ["", said(more)]
    if rows.untold:
        names = ", ".join(rows.untold)
        lines += [
            "",
            said(tr("Changes too, without words for players (ask with --of): {names}", names=names)),
        ]
    return "".join(f"{printable(line).rstrip()}\n" for line in lines)


def _block(rows: Rows, spread: Spread, margin: str) -> Iterator[str]:
    yield from _table(rows, spread, margin)
    for number, question in enumerate(spread.questions):
        who = member_name(
            rows.telling.program, rows.telling.program.players, question.player, rows.telling.language
        )
        if number or spread.outcomes:
            yield ""
        yield f"{margin}{_asked(rows, question, who)}"
        folded = _folded(rows, question)
        for labels, branch in folded:
            if len(folded) == 1:
                yield f"{margin}{STEP}{said(tr('whatever is chosen'))}"
            else:
                chosen = said(tr("if {who} chooses: {label}", who=who, label=" | ".join(labels)))
                yield from wrap(
                    chosen, WIDTH, initial_indent=margin + STEP, subsequent_indent=margin + STEP * 2
                )
            yield from _block(rows, branch, margin + STEP * 2)


def _folded(rows: Rows, question: Question) -> list[tuple[list[str], Spread]]:
    """The branches of a question; options that lead to the same, as it is told here, are one."""
    found: dict[tuple[str, ...], tuple[list[str], Spread]] = {}
    for label, branch in question.branches:
        told = tuple(_block(rows, branch, ""))
        found.setdefault(told, ([], branch))[0].append(label)
    return list(found.values())


def _asked(rows: Rows, question: Question, who: str) -> str:
    share = "" if question.share == 1 else f"{question.share}  {_percent(question.share)}  "
    asked = said(tr("{who} is asked", who=who))
    prompt = f": {question.prompt}" if question.prompt else ""
    so_far = question.so_far
    words = rows.words(so_far)[0] if isinstance(so_far, Changed) and (so_far.told or so_far.others) else ""
    return f"{share}{asked}{prompt}" + (f" ({words})" if words and question.share != 1 else "")


def _table(rows: Rows, spread: Spread, margin: str) -> Iterator[str]:
    lines = rows.of(spread)
    if not lines:
        return
    texts, samples = rows.telling.texts, spread.samples
    below = lcm(*(each.share.denominator for each in lines))
    chance = [said(tr("chance")), said(tr("between")) if samples else ""]
    table = [[*chance, *(texts or [said(tr("what changes"))])]]
    for each in lines[:MOST_ROWS]:
        if samples:
            low, high = interval(int(each.share * samples), samples)
            known = [_percent(each.share), f"{_percent(low)} … {_percent(high)}"]
        else:
            known = [_fraction(each.share, below), _percent(each.share)]
        table.append([*known, *each.words])
    widths = [max(len(row[at]) for row in table) for at in range(len(table[0]))]
    for row in table:
        left = "  ".join(f"{text:>{width}}" for text, width in zip(row[:2], widths, strict=False))
        right = "  ".join(f"{text:<{width}}" for text, width in zip(row[2:], widths[2:], strict=True))
        yield f"{margin}{left}  {right}"
    if len(lines) > MOST_ROWS:
        rest = sum((each.share for each in lines[MOST_ROWS:]), Fraction(0))
        more = said(
            tr(
                "… {count} more, together {share} (all: --format json or csv)",
                count=len(lines) - MOST_ROWS,
                share=_percent(rest),
            )
        )
        yield f"{margin}{more}"
    for text, mean in _means(rows.telling, spread):
        exact = f"{mean}" if mean.denominator == 1 or samples else f"{float(mean):.4g} ({mean})"
        exact = f"{float(mean):.4g}" if samples or mean.denominator > MOST_DENOMINATOR else exact
        yield f"{margin}{said(tr('on average {text} is {mean}', text=text, mean=exact))}"


def _means(telling: Telling, spread: Spread) -> Iterator[tuple[str, Fraction]]:
    """The mean of each expression that is a number in all outcomes."""
    rows = [(row, share) for row, share in spread.outcomes.items()]
    if spread.questions or not rows:
        return
    for at, (text, expr) in enumerate(zip(telling.texts, telling.exprs, strict=True)):
        if not isinstance(expr.type, Int) or expr.type.truth:
            continue
        numbers = [(row.values[at], share) for row, share in rows if isinstance(row, Values)]
        if len(numbers) == len(rows) and all(isinstance(n, int) and n != NONE for n, _ in numbers):
            yield text, sum((share * n for n, share in numbers if isinstance(n, int)), Fraction(0))


def _fraction(share: Fraction, below: int) -> str:
    """A share over the denominator of its table, where that can be read."""
    if below <= MOST_DENOMINATOR:
        return f"{share.numerator * (below // share.denominator)}/{below}"
    return str(share) if share.denominator <= MOST_DENOMINATOR else "~"


def _percent(share: Fraction | float) -> str:
    value = 100 * float(share)
    return f"{value:.2f} %" if not 0 < value < 0.005 else "< 0.01 %"


# ---------------------------------------------------------------- for tools


def json_of(telling: Telling, spread: Spread) -> str:
    """All of it as a document."""
    rows = Rows(telling, spread)
    program = telling.program
    data = {
        "format": FORMAT,
        "version": VERSION,
        "game": program.name,
        "scenario": program.scenario,
        "position": telling.position,
        "action": telling.action,
        "of": list(telling.texts),
        "exact": not telling.samples,
        **(
            {"samples": telling.samples, "seed": telling.seed, "confidence": CONFIDENCE}
            if telling.samples
            else {}
        ),
        "untold": rows.untold,
        "odds": _data(rows, spread),
    }
    return f"{json_text(data)}\n"


def _data(rows: Rows, spread: Spread) -> dict[str, Any]:
    outcomes = []
    for each in rows.of(spread):
        found: dict[str, Any] = _chance(each.share, spread.samples)
        match each.row:
            case Failed(code, message, where):
                found["failed"] = {"code": code, "message": message, "where": where}
            case Values():
                found["values"] = dict(zip(rows.telling.texts, each.words, strict=True))
            case Changed(told, others, ended):
                found["changes"] = list(told) or ([] if ended else [text for _, text in others])
                found["ended"] = ended
            case _:
                pass
        outcomes.append(found)
    asked = [
        {
            **_chance(each.share, spread.samples),
            "player": rows.telling.program.domains[rows.telling.program.players].members[each.player],
            "prompt": each.prompt,
            "options": [{"option": label, **_data(rows, branch)} for label, branch in each.branches],
        }
        for each in spread.questions
    ]
    means = {
        text: {"fraction": str(mean), "value": float(mean)} for text, mean in _means(rows.telling, spread)
    }
    return {
        "outcomes": outcomes,
        **({"means": means} if means else {}),
        **({"asked": asked} if asked else {}),
    }


def _chance(share: Fraction, samples: int) -> dict[str, Any]:
    if samples:
        low, high = interval(int(share * samples), samples)
        return {"probability": float(share), "low": low, "high": high}
    return {"fraction": str(share), "probability": float(share)}


def csv_of(telling: Telling, spread: Spread) -> str:
    """The outcomes, one a line, each behind the choices that lead to it; shares are those behind these choices."""
    rows = Rows(telling, spread)
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(
        [
            cell(each)
            for each in (
                "choices",
                "numerator",
                "denominator",
                "share",
                "low",
                "high",
                *(telling.texts or ("changes",)),
            )
        ]
    )
    for choices, share, line, samples in _lines(rows, spread, (), Fraction(1)):
        total = share * line.share
        low, high = interval(int(line.share * samples), samples) if samples else ("", "")
        row = [" > ".join(choices), total.numerator, total.denominator, float(total), low, high, *line.words]
        table.writerow([cell(each) for each in row])
    return out.getvalue()


def _lines(
    rows: Rows, spread: Spread, choices: Sequence[str], share: Fraction
) -> Iterator[tuple[Sequence[str], Fraction, Line, int]]:
    for line in rows.of(spread):
        yield choices, share, line, spread.samples
    for question in spread.questions:
        who = rows.telling.program.domains[rows.telling.program.players].members[question.player]
        for label, branch in question.branches:
            yield from _lines(rows, branch, (*choices, f"{who}: {label}"), share * question.share)
