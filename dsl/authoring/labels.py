"""The words of a game by language: what is there, what is missing, and the lines that a translator has to fill in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from dsl.compiler import elaborated, read_game
from dsl.diagnostics import Diagnostics
from dsl.garbage import uncollected
from dsl.linker.modules import Modules
from dsl.near import allowance
from dsl.resolve.symbol_table import World
from dsl.resolve.translations import Asked, has_words
from dsl.resources import SOURCE_SUFFIX
from dsl.syntax import ast

_NAMED = frozenset({"row", "enum", "player"})
"""Domains whose members players read by name where they have no label."""


@dataclass(frozen=True, slots=True)
class Wordings:
    """The texts of a game, scenario or mod, and what they are in other languages."""

    name: str
    own: str
    """The game's own language."""
    total: int
    missing: dict[str, list[Asked]]
    """By language the texts that it lacks, as they stand in the sources; the languages that a block or a label has."""
    names: list[str]
    """Names that players read because no label stands there."""
    main: Path
    blocks: dict[str, tuple[Path, ast.Language]]
    """The last `language` block of each language, and its file."""
    asked: list[Asked]

    def lacking(self, language: str) -> list[Asked]:
        """What a language lacks; of one that is new all."""
        return self.missing.get(language, self.asked)


def wordings(target: str) -> Wordings | Diagnostics:
    """The texts of what a path or name stands for; what is wrong with it where it does not compile."""
    with uncollected(), allowance():
        modules = read_game(target)
        if not modules.layers or modules.diagnostics.has_errors:
            return modules.diagnostics
        world, _ = elaborated(modules)
    if modules.diagnostics.has_errors:
        return modules.diagnostics
    return _wordings(modules, world)


def _wordings(modules: Modules, world: World) -> Wordings:
    layer = next((n for n, each in enumerate(modules.layers) if each.header is modules.asked), 0)
    header, found = modules.layers[layer].header, world.translations
    paths = {source.name: path for path, source in modules.sources.items()}
    blocks = {
        block.name.text: (paths[block.span.source.name], block)
        for number, block in found.blocks
        if number == layer
    }
    inline = {language for each in found.asked.values() if each.layer == layer for language in each.spoken}
    languages = dict.fromkeys([*sorted(inline), *blocks])
    return Wordings(
        header.name.text,
        world.language,
        found.total(layer),
        {each: found.missing(each, layer) for each in languages if each != world.language},
        list(_names(world)) if layer == 0 else [],
        paths[header.span.source.name],
        blocks,
        found.missing("", layer),
    )


def _names(world: World) -> Iterator[str]:
    """The names that stand for labels; those with a translation are none of them."""
    seen = set()
    for domain in world.domains:
        for member, label in zip(domain.members, domain.labels, strict=False):
            plain = world.texts[label].texts == (("", member),)
            if domain.kind in _NAMED and plain and has_words(member) and member not in seen:
                seen.add(member)
                yield member


def drafted(found: Wordings, language: str) -> str:
    """The lines for all that a language lacks, with empty translations; a whole block where there is none yet."""
    lines = list(_lines(found.lacking(language)))
    if language in found.blocks:
        return "\n".join(lines)
    head = f"# The words of {found.name} in `{language}`; what is left empty is told in `{found.own}`."
    named = []
    if found.names:
        named = ["    # Names that are shown as they are, where no label stands:"]
        named += [f'    # "{each}" = ""' for each in found.names]
    return "\n".join((head, f"language {language}:", *lines, *named))


def _lines(missing: list[Asked]) -> Iterator[str]:
    for name, group in groupby(missing, key=lambda each: each.span.source.name):
        yield f"    # {Path(name).name}"
        for each in group:
            yield f'    "{each.text}" = ""'


def place_for(found: Wordings, language: str) -> Path:
    """The file that holds the block of a language, or is to hold it."""
    if language in found.blocks:
        return found.blocks[language][0]
    own = found.main.stem if _is_alone(found) else ""
    return found.main.parent / f"{f'{own}_' if own else ''}{language}{SOURCE_SUFFIX}"


def _is_alone(found: Wordings) -> bool:
    """Is it one of several things in its folder, such as a scenario or mod?"""
    return found.main.stem != found.main.parent.name


def written(found: Wordings, language: str, text: str) -> str:
    """The text of that file with the missing lines added; `text` is what it holds now."""
    if language not in found.blocks:
        return f"{drafted(found, language)}\n"
    last = found.blocks[language][1].lines[-1].span
    end = text.find("\n", last.end)
    end = len(text) if end < 0 else end
    return f"{text[:end]}\n{drafted(found, language)}{text[end:]}"
