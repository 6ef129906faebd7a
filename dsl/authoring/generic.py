"""Mods for games that bring no templates: made from the game itself, and tried before they are given.

A mod has one change of a printed number, one clause and one test, as far as the game has what they are about.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path, PurePosixPath

from dsl.authoring.drafts import Draft, title_of
from dsl.authoring.scenarios import laid_out
from dsl.compiler import compile_game
from dsl.ir.program import Program
from dsl.ir.types import NONE, Id, Int, Type
from dsl.resources import SOURCE_SUFFIX, meant_game
from dsl.testing.runner import run_tests

TRIES = 24
HANDLE = "ours"
"""The family by which the test of a drafted mod names its clause."""

_WORDS = {
    "en": {
        "mod": "A mod of your own for {game}: the game's files stay as they are.",
        "play": "Play it: scenarii play {target} --with {name}",
        "change": "Change a printed number.",
        "forbid": 'Add a rule: the words answer the question "why not?".',
        "modify": "Add a rule: this one changes a value while its condition holds.",
        "count": "Add a rule: this one counts how often something is done.",
        "counted": "Done so far",
        "reason": "not in this variant",
        "test": "Say what is to come out, and run it: scenarii test {name}",
        "title": "what the variant changes",
    },
    "fr": {
        "mod": "Un mod à vous pour {game} : les fichiers du jeu ne changent pas.",
        "play": "Pour y jouer : scenarii play {target} --with {name}",
        "change": "Changer un chiffre imprimé.",
        "forbid": "Ajouter une règle : les mots répondent à « pourquoi pas ? » (why not).",
        "modify": "Ajouter une règle : celle-ci change une valeur tant que sa condition tient.",
        "count": "Ajouter une règle : celle-ci compte combien de fois une chose est faite.",
        "counted": "Fait jusqu'ici",
        "reason": "pas dans cette variante",
        "test": "Dire ce qui doit arriver, et l'essayer : scenarii test {name}",
        "title": "ce que la variante change",
    },
}

Part = tuple[str, tuple[str, ...], str]
"""A declaration with the comment above it: the key of the comment, the lines, and what the test expects of it."""


def home_of(target: str) -> Path | None:
    """The folder of a game that is not of the library."""
    if meant_game(target) is not None:
        return None
    path = Path(target)
    return path if path.is_dir() else path.parent


# ---------------------------------------------------------------- mods


def generic_mod(name: str, program: Program, target: str, language: str) -> Draft:
    """A mod with one change, one clause and one test, the first that compiles and passes."""
    changes: list[Part | None] = [*islice(_changes(program), 4), None]
    clauses: list[Part | None] = [*islice(_clauses(program, language), 6), None]
    path = PurePosixPath(f"{name}{SOURCE_SUFFIX}")
    text = ""
    for change, clause in islice(product(changes, clauses), TRIES):
        parts = [part for part in (change, clause) if part is not None]
        text = _mod(name, program, target, language, parts)
        if _holds(text, target, path.name):
            break
    return {path: laid_out(text)}


def _holds(text: str, target: str, name: str) -> bool:
    """Does the game compile with this mod, and do the mod's tests pass?"""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        made = compile_game(target, [str(path)], tests=True)
        if made.program is None:
            return False
        ours = [test.title for test in made.program.tests if test.place.file.endswith(f"/{name}")]
        return all(each.passed for each in run_tests(made.program, titles=ours) if each.title in ours)


def _mod(name: str, program: Program, target: str, language: str, parts: list[Part]) -> str:
    words, known = _WORDS[language], {"game": program.name, "name": name, "target": target}
    lines = [f"# {words[each].format(**known)}" for each in ("mod", "play")]
    lines += [f"mod {name} for {program.name}:", f'    title {language} "{title_of(name)}"']
    for comment, declared, _ in parts:
        lines += ["", f"# {words[comment].format(**known)}", *declared]
    expected = [expect for _, _, expect in parts]
    if expected:
        lines += ["", f"# {words['test'].format(**known)}", f'test "{words["title"]}":']
        lines += [f"    {each}" for each in expected]
    return "\n".join(lines) + "\n"


def _columns(program: Program) -> Iterator[tuple[str, str, str, int]]:
    """Each printed number: the table, the row, the column, the number; first those that their range lets grow."""
    rows = {domain.name: domain for domain in program.domains if domain.kind == "row"}
    found = []
    for data in program.data:
        table, _, column = data.name.partition(".")
        if table in rows and column and isinstance(data.type, Int) and not data.type.truth:
            for member, value in zip(rows[table].members, data.values, strict=False):
                if isinstance(value, int) and value != NONE:
                    found.append((value >= data.type.high, table, member, column, value))
    for _, table, member, column, value in sorted(found, key=lambda each: each[0]):
        yield table, member, column, value


def _changes(program: Program) -> Iterator[Part]:
    seen: set[tuple[str, str]] = set()
    for table, row, column, value in _columns(program):
        if (table, column) not in seen:
            seen.add((table, column))
            declared, expected = (
                f"change {row}: {column} = {value + 1}",
                f"expect {row}.{column} is {value + 1}",
            )
            yield "change", (declared,), expected


def _clauses(program: Program, language: str) -> Iterator[Part]:
    yield from _prohibitions(program, _WORDS[language]["reason"], language)
    found = list(_columns(program))
    for table, row, column, value in reversed(found):
        declared = f"modify {table}.{column}(it): +1 when it is {row}  [house]"
        yield "modify", (declared,), f"expect {row}.{column} is {value + 1}"
    yield from _counts(program, _WORDS[language]["counted"], language)


def _counts(program: Program, label: str, language: str) -> Iterator[Part]:
    """A field that counts what players do: for games that print no numbers, and whose actions name no row."""
    taken = {each.name for each in program.vars} | {each.name for each in program.values}
    field = next(each for each in ("counted", "how_often", "done_so_far") if each not in taken)
    for action in program.actions:
        if action.by is not None and action.kind == "action":
            declared = (
                "state:",
                f'    {field}: 0..99, called {language} "{label}"',
                f"after {action.name}: {field} gains up to 1  [house]",
            )
            yield "count", declared, f"expect {field} is 0"


def _prohibitions(program: Program, reason: str, language: str) -> Iterator[Part]:
    """`forbid ACTION when PARAMETER is MEMBER`, of actions that players may do."""
    players = program.domains[program.players].members
    for action in program.actions:
        if action.by is None or action.kind != "action" or action.label is None:
            continue
        own = [index for index in range(len(action.params)) if index != action.by]
        members = [_member(program, action.params[index]) for index in own]
        if not own or any(each is None for each in members):
            continue
        first = action.names[own[0]]
        declared = (
            f'forbid {action.name} when {first} is {members[0]} {language} "{reason}"  [house, {HANDLE}]'
        )
        called = f"{action.name}({', '.join(str(each) for each in members)})"
        yield "forbid", (declared,), f"expect illegal {called} by {players[0]} because among [{HANDLE}]"


def _member(program: Program, type_: Type) -> str | None:
    """Some member of a type, as an author would write it; none where it has no name."""
    if isinstance(type_, Id) and program.domains[type_.domain].kind in {"row", "cell", "enum", "player"}:
        return next(iter(program.domains[type_.domain].members), None)
    if isinstance(type_, Int):
        return ("true" if type_.high else "false") if type_.truth else str(type_.low)
    return None
