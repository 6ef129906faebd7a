"""The grammar file is what it claims: LALR(1) without a conflict, and every terminal has words for people."""

import io
import logging

from lark import Lark, logger

from dsl.resources import grammar_folder
from dsl.syntax import words
from dsl.syntax.grammar import grammar


def test_the_grammar_has_no_conflict() -> None:
    said = io.StringIO()
    handler = logging.StreamHandler(said)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        text = (grammar_folder() / "scenarii.lark").read_text(encoding="utf-8")
        Lark(
            text, parser="lalr", lexer="basic", start=["declaration", "cell_effect", "cell_expr"], debug=True
        )
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    conflicts = [line for line in said.getvalue().splitlines() if "conflict" in line.lower()]
    assert conflicts == []


def test_every_terminal_can_be_named_in_a_message() -> None:
    assert {each for each in grammar().patterns if not words.spellings([each])} <= words.KINDS.keys()


def test_every_spelling_is_read_as_its_terminal() -> None:
    for terminal, pattern in grammar().patterns.items():
        if terminal in {"ASKS", "LANGUAGE"}:  # they look at what follows
            continue
        for spelling in words.spellings([terminal]):
            assert pattern.fullmatch(spelling), (terminal, spelling)


def test_words_that_authors_are_told_about_are_words_of_the_grammar() -> None:
    spelt = {each.split()[0] for each in words.spellings(grammar().patterns)}
    assert spelt >= words.FOLLOWERS.keys() | words.statements()
