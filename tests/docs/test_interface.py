"""The page of the Python interface says what the docstrings say, and the examples in these run."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

import dsl
from tests.api.games import MY_GAME
from tests.docs.interface import ERRORS, GROUPS, PAGE, doc_of, examples, with_written
from tests.docs.snippets import DOCS


def _documented() -> Iterator[tuple[str, str]]:
    for name in (name for names in GROUPS.values() for name in names if name != "HIDDEN"):
        thing = getattr(dsl, name)
        yield from ((name, each) for each in examples(doc_of(thing)))
        for member, found in vars(thing).items() if inspect.isclass(thing) else ():
            inner = getattr(found, "fget", None) or getattr(found, "__func__", found)
            if not member.startswith("_") and inspect.isfunction(inner):
                yield from ((f"{name}.{member}", each) for each in examples(doc_of(inner)))


def test_the_page_is_in_step() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text == with_written(text), "run python -m tests.docs.interface --write"


def test_every_name_is_on_the_page() -> None:
    assert {*ERRORS, *(name for names in GROUPS.values() for name in names)} == set(dsl.__all__)


@pytest.mark.parametrize(("where", "example"), list(_documented()), ids=lambda each: each.split("\n")[0][:40])
def test_an_example_runs(where: str, example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_game.scn").write_text(MY_GAME, encoding="utf-8")
    (tmp_path / "examples").symlink_to(DOCS.parent / "examples")
    monkeypatch.chdir(tmp_path)
    program = dsl.load("my_game.scn")
    names = {"dsl": dsl, "program": program, "game": program.start(seed=7), "view": None}
    names["view"] = names["game"].view(program.players[0])
    exec(compile(example, where, "exec"), names)
