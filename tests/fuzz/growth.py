"""`python -m tests.fuzz growth --n 1000`: how the time of the compiler grows with the number of each construct.

Each shape is a program with n of something: declarations, clauses, rows, lines, faults. It is checked with n and with
2n of it, each time in a process of its own. A shape is at fault where it takes too long or too much memory, or where
twice as much takes more than `STEEPEST` times as long. Refusing so much, with a bound, is as good as reading it.
"""

# ruff: noqa: E501 - a shape to a line

from __future__ import annotations

import argparse
import multiprocessing as mp
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from dsl.diagnostics.render import render_all

STEEPEST = 3.2
LEAST = 1.0
"""Seconds below which nothing is said of how they grow."""
SECONDS = 10.0
MEGABYTES = 200.0
HEAD = "game g:\n    players a, b\n    rounds 3\n"
ROUND = "round:\n    for p in order of play:\n        p may: act\n"
BASE = HEAD + ROUND + "action act by p: k = 1\nstate:\n    k: 0..99\n    s: 0..99\n"
Shape = Callable[[int], str]


def many(n: int, line: str, *, before: str = "", after: str = "", base: str = BASE) -> str:
    """A base, and n lines in which `{i}` is the number, `{j}` the one before, and `{a}` a word of letters."""
    lines = (_filled(line, i) for i in range(n))
    return base + before + "".join(f"{each}\n" for each in lines) + after


def _filled(line: str, i: int) -> str:
    word = "".join("abcdefghij"[int(each)] for each in f"{i:05}")
    return (
        line.replace("{i}", str(i))
        .replace("{j}", str(max(0, i - 1)))
        .replace("{a}", word)
        .replace("{m}", str(i % 9))
    )


def joined(n: int, item: str, glue: str) -> str:
    return glue.join(_filled(item, i) for i in range(n))


ACTION = HEAD + ROUND + "state:\n    k: 0..99\n    s: 0..99\n"
BOARD = "map m on squares(5, 5)\n"

SHAPES: dict[str, Shape] = {
    # declarations
    "fields": lambda n: many(n, "    f{i}: 0..9"),
    "fields of one name": lambda n: many(n, "    f: 0..9"),
    "fields of cells": lambda n: many(n, "    f{i}: 0..9", before=BOARD + "state of Cell:\n"),
    "fields of players": lambda n: many(n, "    f{i}: Player?", before="state of Player:\n"),
    "values": lambda n: many(n, "value v{i} -> 0..99 = k"),
    "values in a chain": lambda n: many(n, "value v{i} -> 0..99 = v{j}", before="value v -> 0..9 = 1\n"),
    "values, each read": lambda n: many(n, "value v{i} -> 0..99 = k", after=f"value w = {joined(n, 'v{i}', ' + ')}\n"),
    "values without a type": lambda n: many(n, "value v{i} = w{i}\nvalue w{i} = k"),
    "values of one name": lambda n: many(n, "value v -> 0..9 = 1"),
    "actions": lambda n: many(n, "action a{i} by p: k = 2"),
    "actions in a chain": lambda n: many(n, "action b{i} by p: b{j}(p)", before=""),
    "actions of one name": lambda n: many(n, "action b: k = 2"),
    "menus": lambda n: many(n, "menu m{i}(p: Player):\n    act"),
    "windows": lambda n: many(n, "window w{i} of a, b, alternately until both pass:\n    act by a\n    pass"),
    "phases": lambda n: many(n, "phase f{i}: k = 2"),
    "types": lambda n: many(n, "type T{i} = x{i} | y{i}"),
    "type of many": lambda n: many(0, "", before=f"type T = {joined(n, 'x{i}', ' | ')}\n"),
    "unions": lambda n: many(n, "type U{i} = T{i} | X{i}\ntype T{i} = x{i} | y{i}\ntype X{i} = p{i} | q{i}"),
    "union of many": lambda n: many(n, "type T{i} = x{i} | y{i}", after=f"type U = {joined(n, 'T{i}', ' | ')}\n"),
    "tables": lambda n: many(n, "table T{i}:\n    | id | w |\n    | r{i} | 1 |"),
    "rows": lambda n: many(n, "    | r{i} | {m} |", before="table T:\n    | id | w |\n"),
    "rows of words": lambda n: many(n, "    | r{i} | word{i} |", before="table T:\n    | id | w |\n"),
    "rows of words in letters": lambda n: many(n, "    | r{i} | {a} |", before="table T:\n    | id | w |\n"),
    "rows with citations": lambda n: many(n, "    | r{i} | 1 |  [R-{i}, fam]", before="table T:\n    | id | w |\n"),
    "rows of one name": lambda n: many(n, "    | r | {m} |", before="table T:\n    | id | w |\n"),
    "rows that name each other": lambda n: many(n, "    | r{i} | r{j} |", before="table T:\n    | id | w: T |\n"),
    "rows with unknown names": lambda n: many(n, "    | r{i} | r{i}x |", before="table T:\n    | id | w: T |\n"),
    "rows of texts": lambda n: many(n, '    | r{i} | "text {i}" |', before="table T:\n    | id | name en |\n"),
    "columns": lambda n: many(
        0, "", before=f"table T:\n    | id | {joined(n, 'c{i}', ' | ')} |\n    | r | {joined(n, '1', ' | ')} |\n"
    ),
    "columns of one name": lambda n: many(
        0, "", before=f"table T:\n    | id | {joined(n, 'c', ' | ')} |\n    | r | {joined(n, '1', ' | ')} |\n"
    ),
    "rows of a regions map": lambda n: many(
        n,
        "    | r{i} | r{j} |",
        before="map m on regions(R, adjacent)\ntable R:\n    | id | adjacent |\n    | q | - |\n",
    ),
    "rows of a result table": lambda n: many(
        n, "    | {i} | {m} |", before="table T(d: 0..9999) -> (v: 0..9):\n    | | 1 |\n"
    ),
    "rows of an effect table": lambda n: many(
        n, "    | {i} | act |", before="table T(d: 0..9999):\n    | d | effect |\n"
    ),
    "pieces": lambda n: many(n, "piece P{i}, up to 2:\n    at: Cell?", before=BOARD),
    "fields of a piece": lambda n: many(n, "    f{i}: 0..9", before=BOARD + "piece P, up to 2:\n    at: Cell?\n"),
    "kinds of a piece": lambda n: many(
        n, "    | r{i} | 1 |", before="piece P of T, one each\npile d of P\ntable T:\n    | id | w |\n"
    ),
    "piles": lambda n: many(
        n, "pile d{i} of P", before="table T:\n    | id | w |\n    | r | 1 |\npiece P of T, one each\n"
    ),
    "setups": lambda n: many(n, "setup: place P at a1", before=BOARD + "piece P, up to 9:\n    at: Cell?\n"),
    "lines of setup": lambda n: many(
        n, "    place P at a1", before=BOARD + f"piece P, up to {n}:\n    at: Cell?\nsetup:\n"
    ),
    "options": lambda n: many(n, "option o{i}: 0..3 = 1"),
    "rulings": lambda n: many(n, 'ruling o{i}: x{i} | y{i} = x{i} "What?"'),
    "modes": lambda n: many(n, "mode m{i}:\n    value v = {m}", before="value v -> 0..9 = 1\n"),
    "endings": lambda n: many(n, "victory a when k is {m}"),
    "tests": lambda n: many(n, 'test "t{i}":\n    expect k is 0'),
    "tests of one name": lambda n: many(n, 'test "t":\n    expect k is 0'),
    "lines of a test": lambda n: many(n, "    expect k is {m}", before='test "t":\n'),
    "words of a move without parentheses": lambda n: many(
        0, "", after='test "t":\n    run act ' + joined(n, "and run", " ") + ",, x\n"
    ),
    "comments": lambda n: many(n, "# a comment"),
    "blank lines": lambda n: many(n, ""),
    "promises": lambda n: many(n, "always k < {i}"),
    "rulebooks": lambda n: many(n, '    rulebook R{i} "R{i}"', base=HEAD, after=ROUND + "action act by p: nothing\n"),
    "players": lambda n: f"game g:\n    players {joined(n, 'p{i}', ', ')}\n    rounds 3\nround: nothing\n",
    "areas": lambda n: many(n, "area x{i}", before=BOARD),
    "legend": lambda n: many(
        n, '        "{i}" = home of a', before="map m on squares(rows):\n    legend:\n", after='    """\n    . .\n    """\n'
    ),
    "drawn rows": lambda n: many(n, "    . . .", before='map m on squares:\n    """\n', after='    """\n'),
    "drawn columns": lambda n: many(0, "", before='map m on squares:\n    """\n    ' + joined(n, ".", " ") + '\n    """\n'),
    "board of many cells": lambda n: many(0, "", before=f"map m on squares({n}, 1)\n"),
    # clauses
    "modify": lambda n: many(n, "modify f: +1 when k is {m}", before="value f -> 0..999999 = k\n"),
    "modify of a family": lambda n: many(
        n, "modify f: +1 when k is {m} [R-{i}, fam]", before="value f -> 0..999999 = k\n"
    ),
    "modify over a family": lambda n: many(
        n, "modify f: +1 when k is {m}, over fam [S-{i}, ham]", before="value f -> 0..9 = k\nmodify f: +2 [R-1, fam]\n"
    ),
    "modify over the one before": lambda n: many(
        n, "modify f: +1, over [R-{i}0] [R-{i}1]\nmodify f: +1 [R-{i}0]", before="value f -> 0..9 = k\n"
    ),
    "modify in a chain": lambda n: many(
        n - 1, "modify f: +1, over [R-{i}] [R-1{i}]", before="value f -> 0..9 = k\nmodify f: +2 [R-0]\n"
    ),
    "becomes": lambda n: many(n, "modify f: becomes {m} when k is {i}", before="value f -> 0..9 = k\n"),
    "becomes by two": lambda n: many(
        n, "modify f(x): becomes {m} when x is {i} and k is {m}", before=f"value f(x: 0..{n}) -> 0..9 = k\n"
    ),
    "floors": lambda n: many(n, "modify f: at least {m} when k is {i}", before="value f -> 0..9 = k\n"),
    "floors and ceilings": lambda n: many(
        n,
        "modify f: at least {m} when k is {i}\nmodify f: at most {m} when s is {i}",
        before="value f -> 0..9 = k\n",
    ),
    "times": lambda n: many(n, "modify f: times 2 when k is {m}", before="value f -> 0..999 = k\n"),
    "modify of many": lambda n: many(n, "value v{i} -> 0..9 = k\nmodify v{i}: +1 when k is 1"),
    "after": lambda n: many(n, "after act when k is {m}: s gains up to 1"),
    "after, each its own": lambda n: many(n, "state:\n    f{i}: 0..9\nafter act when k is {m}: f{i} = 1"),
    "after that do not commute": lambda n: many(n, "after act when k is {m}: s = {m}"),
    "after with citations": lambda n: many(n, "after act when k is {m}: s gains up to 1 [R-{i}, fam]"),
    "after ahead of one": lambda n: many(
        n, "after act, ahead of [Q-1]: k = 1 [R-{i}]", after="after act: k = 2 [Q-1]\n"
    ),
    "after ahead of the next": lambda n: many(
        n, "after act, ahead of [R-{j}]: k = 1 [R-{i}]"
    ),
    "after of many": lambda n: many(n, "action b{i}: k = 1\nafter b{i}: s = 1"),
    "after, in an order chosen": lambda n: many(
        n, "after act when k is {m}: s = {m}", base=ACTION, before="action act by p, order chosen by a: k = 1\n"
    ),
    "before": lambda n: many(n, "before act when k is {m}: s gains up to 1"),
    "instead": lambda n: many(n, "instead of act when k is {i}: s = 1"),
    "instead over one": lambda n: many(
        n, "instead of act when k is {i}, over fam: s = 1", after="instead of act: s = 2 [R-1, fam]\n"
    ),
    "forbid": lambda n: many(n, 'forbid act when k is {m} "no {i}"'),
    "allow": lambda n: many(
        n, "allow act when k is {m}, over [F-1] [A-{i}]", before="forbid act when s is 1 [F-1]\n"
    ),
    "needs": lambda n: many(n, '    need k is {m} "no {i}"', base=ACTION, before="action act by p:\n"),
    "clauses of nothing": lambda n: many(n, "after actt{i}: k = 1"),
    "clauses over nothing": lambda n: many(n, "after act, over [R-{i}]: k = 1 [S-{i}]"),
    # bodies
    "statements": lambda n: many(n, "    k = {m}", base=ACTION, before="action act by p:\n"),
    "calls": lambda n: many(n, "    b", base=ACTION, before="action b: k = 1\naction act by p:\n"),
    "let": lambda n: many(n, "    let x{i} = k", base=ACTION, before="action act by p:\n"),
    "let of the one before": lambda n: many(
        n, "    let x{i} = x{j} + 1 - 1", base=ACTION, before="action act by p:\n    let x0 = 0\n"
    ),
    "ifs": lambda n: many(n, "    if k is {m}: s = {m}", base=ACTION, before="action act by p:\n"),
    "elifs": lambda n: many(
        n, "    elif k is {i}: s = {m}", base=ACTION, before="action act by p:\n    if k is 0: s = 1\n"
    ),
    "ifs in a value": lambda n: many(
        n, "    if k is {i}: return {m}", before="value v -> 0..9:\n", after="    return 1\n"
    ),
    "cited returns": lambda n: many(
        n, "    if k is {i}: return {m} [R-{i}]", before="value v -> 0..9:\n", after="    return 1\n"
    ),
    "elifs in a value": lambda n: many(
        n,
        "    elif k is {i}: return {m}",
        before="value v -> 0..9:\n    if k is 0: return 2\n",
        after="    else: return 1\n",
    ),
    "lets in a value": lambda n: many(
        n, "    let x{i} = k + {m}", before="value v -> 0..999:\n", after="    return x0\n"
    ),
    "loops": lambda n: many(
        n, "    for p in Player: k = {m}", base=ACTION, before="action act by p:\n"
    ),
    "decisions": lambda n: many(
        n, "    p may: b", base=ACTION, before="action b: k = 1\naction act by p:\n"
    ),
    "lines of a menu": lambda n: many(
        n, "            b when k is {m}", base="", before=HEAD + "state:\n    k: 0..9\naction b: k = 1\nround:\n    for p in order of play:\n        p may:\n"
    ),
    "says": lambda n: many(n, '    say "text {i} {k}"', base=ACTION, before="action act by p:\n"),
    "rolls": lambda n: many(n, "    k = roll 1d6", base=ACTION, before="action act by p:\n"),
    "together": lambda n: many(
        n, "        b{i}", base=ACTION, before="action act by p:\n    together:\n",
        after="".join(f"state:\n    f{i}: 0..9\naction b{i}: f{i} = 1\n" for i in range(n)),
    ),
    "moves": lambda n: many(
        n, "    t = t + {a1}", base=ACTION, before=BOARD + "state:\n    t: set of Cell\naction act by p:\n"
    ),
    "parameters": lambda n: many(0, "", before=f"action b({joined(n, 'x{i}: 0..9', ', ')}): k = 1\n"),
    "arguments": lambda n: many(0, "", before=f"action b(x: 0..9): k = x\naction c: b({joined(n, '1', ', ')})\n"),
    "sums": lambda n: many(0, "", before=f"value v = {joined(n, 'k', ' + ')}\n"),
    "ands": lambda n: many(0, "", before=f"value v = {joined(n, 'k is {m}', ' and ')}\n"),
    "ors": lambda n: many(0, "", before=f"value v = {joined(n, 'k is {m}', ' or ')}\n"),
    "conditionals": lambda n: many(0, "", before=f"value v = {joined(n, '{m} if k is {i}', ' else ')} else 1\n"),
    "sets": lambda n: many(
        0, "", before=BOARD + f"value v = {{{joined(n, 'a1', ', ')}}}\n"
    ),
    "names in a set": lambda n: many(
        0, "", before=f"type T = {joined(n, 'x{i}', ' | ')}\nvalue v(t: T) = t in {{{joined(n, 'x{i}', ', ')}}}\n"
    ),
    "parentheses": lambda n: many(0, "", before=f"value v = {'(' * n}k{')' * n}\n"),
    "nots": lambda n: many(0, "", before=f"value v = {'not ' * n}k is 1\n"),
    "minus signs": lambda n: many(0, "", before=f"value v = {'-' * n}k\n"),
    "members": lambda n: many(0, "", before=f"value v = k{'.k' * n}\n"),
    "nested blocks": lambda n: many(
        0, "", base=ACTION, before="action act by p:\n" + "".join(f"{' ' * (i + 4)}if k is 1:\n" for i in range(min(n, 900)))
    ),
    "holes of a text": lambda n: many(0, "", base=ACTION, before='action act by p: say "' + "{k}" * n + '"\n'),
    "languages": lambda n: many(0, "", base=ACTION, before="action act by p " + joined(n, 'en "x"', " ") + ": k = 1\n"),
    "a long name": lambda n: many(0, "", before=f"value v = {'x' * n * 20}\n"),
    "a long text": lambda n: many(0, "", base=ACTION, before='action act by p: say "' + "x" * n * 20 + '"\n'),
    "a long line": lambda n: many(0, "", before=f"value v = k{' ' * n * 20}+ 1\n"),
    "citations of one clause": lambda n: many(0, "", before=f"after act: k = 1 [{joined(n, 'R-{i}', ', ')}]\n"),
    # faults
    "unknown names": lambda n: many(n, "value v{i} = kk{i}"),
    "unknown long names": lambda n: many(
        n, f"value {'ab' * 60}{{i}} = {'ba' * 60}{{i}}"
    ),
    "names nearly right": lambda n: many(n, "value some_value_{i} -> 0..9 = som_valeu_{i}"),
    "unknown targets": lambda n: many(n, "    kk{i} = 1", base=ACTION, before="action act by p:\n"),
    "unknown actions": lambda n: many(n, "    bb{i}", base=ACTION, before="action act by p:\n"),
    "unknown fields": lambda n: many(n, "    p.k{i} = 1", base=ACTION, before="action act by p:\n"),
    "unknown types": lambda n: many(n, "value v{i}(x: T{i}) = 1"),
    "unknown columns": lambda n: many(
        n, "value v{i}(x: T) = x.w{i}", before="table T:\n    | id | w |\n    | r | 1 |\n"
    ),
    "unknown functions": lambda n: many(n, "value v{i} = siz{i}(k)"),
    "unknown cells": lambda n: many(n, "value v{i} = z{i}", before=BOARD),
    "unknown handles": lambda n: many(n, "modify f: +1, over fam{a} [R-{i}]", before="value f -> 0..9 = k\n"),
    "unknown pieces": lambda n: many(n, "setup: place Q{i} at a1", before=BOARD),
    "unknown words": lambda n: many(n, "valeu v{i} = 1"),
    "stray words": lambda n: many(n, "x{i}"),
    "stray lines": lambda n: many(n, "    x{i} y"),
    "forgotten colons": lambda n: many(n, "action b{i}\n    k = 1"),
    "forgotten quotes": lambda n: many(n, '    say "text {i}', base=ACTION, before="action act by p:\n"),
    "tabs": lambda n: many(n, "\tk = 1"),
    "brackets": lambda n: many(n, "value v{i} = ((k"),
    "one bracket": lambda n: many(n, "value v{i} = k", before="value v = ((((\n"),
    "ragged indentation": lambda n: many(n, "      k = 1\n   k = 2", base=ACTION, before="action act by p:\n"),
    "wrong types": lambda n: many(n, "    k = a", base=ACTION, before="action act by p:\n"),
    "odd signs": lambda n: many(n, "value v{i} = k % 2 && ²"),
    "dead code": lambda n: many(n, "    k = 1", base=ACTION, before="action act by p:\n    stop\n"),
    "wrong rows": lambda n: many(n, "    | r{i} | 1 | 2 |", before="table T:\n    | id | w |\n"),
    "unclosed drawings": lambda n: many(n, 'map m{i} on squares:\n    """\n    . .'),
    "wrong tests": lambda n: many(n, 'test "t{i}":\n    expect kk{i} is 0'),
}  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """One check: seconds of the processor, MB, how many findings, and a fault where it did not end well."""

    seconds: float
    megabytes: float
    errors: int = 0
    fault: str = ""
    first: str = ""


def measure(text: str) -> Measured:
    """Checks a text in a process of its own, which is ended where it takes far too long."""
    ours, theirs = mp.Pipe(duplex=False)
    process = mp.get_context("fork").Process(target=_check, args=(text, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        found: Any = ours.recv()
    except EOFError:
        found = Measured(SECONDS * 2, MEGABYTES * 4, fault="did not end")
    process.join()
    assert isinstance(found, Measured)
    return found


def _check(text: str, out: Connection) -> None:
    from dsl.compiler import compile_game
    from dsl.syntax.grammar import grammar
    from tests.fuzz.run import _forget_peak, peak

    limit = int(SECONDS * 1.2)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    resource.setrlimit(resource.RLIMIT_AS, (2 * 1024**3, 2 * 1024**3))
    grammar()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "g.scn")
        path.write_text(text, encoding="utf-8")
        _forget_peak()
        before, begun, fault, errors, first = peak(), time.process_time(), "", 0, ""
        try:
            found = compile_game(str(path), tests=True).diagnostics
            render_all(found)
            errors = sum(each.is_error for each in found)
            first = next((f"{each.code.id} {each.message[:60]}" for each in found if each.is_error), "")
        except BaseException as error:
            fault = f"{type(error).__name__}: {str(error)[:80]}"
        out.send(Measured(time.process_time() - begun, peak() - min(before, 45), errors, fault, first))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz growth", description=__doc__)
    parser.add_argument("--n", type=int, default=1000, help="how many of each construct")
    parser.add_argument("--only", default="", help="shapes whose names hold this")
    given = parser.parse_args(arguments)
    warm = measure(SHAPES["fields"](1))
    print(f"{'':32}{'n':>8}{'2n':>8}{'MB':>8}{'errors':>8}  (a small program: {warm.seconds:.2f} s)")
    faults = 0
    for name, shape in SHAPES.items():
        if given.only in name:
            one, two = measure(shape(given.n)), measure(shape(2 * given.n))
            why = judged(one, two)
            faults += bool(why)
            print(
                f"{name:32}{one.seconds:8.2f}{two.seconds:8.2f}{two.megabytes:8.0f}{two.errors:8}  {why or two.first[:50]}",
                flush=True,
            )
    return 1 if faults else 0


def judged(one: Measured, two: Measured) -> str:
    """What is wrong with the growth from one to two; empty where nothing is."""
    if one.fault or two.fault:
        return f"FAULT {one.fault or two.fault}"
    if two.seconds > SECONDS:
        return "TOO SLOW"
    if two.megabytes > MEGABYTES:
        return "TOO LARGE"
    return "STEEP" if two.seconds > LEAST and two.seconds > STEEPEST * one.seconds else ""
