"""Colours for sources: a Pygments lexer, for the documentation, for what the terminal shows, and for other tools.

Installed as `scn` among Pygments' lexers. It knows words, not the grammar: a source that is still wrong is
coloured as far as it goes.
"""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from dsl.syntax.grammar import WORD, grammar
from dsl.syntax.words import declarations


def _words() -> list[str]:
    """Each single word that the grammar spells."""
    spelt = {word for phrases in grammar().spellings.values() for each in phrases for word in each.split()}
    return sorted(word for word in spelt if WORD.fullmatch(word))


class ScenariiLexer(RegexLexer):
    """Sources of Scenarii, `*.scn`."""

    name = "Scenarii"
    aliases = ("scn", "scenarii")
    filenames = ("*.scn",)

    tokens = {  # noqa: RUF012 - the form that Pygments asks for
        "root": [
            (r"#[^\n]*", Comment.Single),
            (r'"""(?:.|\n)*?"""', String.Doc),
            (r'"[^"\n]*"', String),
            (r"\[(?=[^\]\n]*(?:[A-Z]+-|house))[^\]\n]*\]", Name.Decorator),
            (r"\b\d*d\d+\b", Number.Integer),
            (r"\b\d+(?:/\d+)?\b", Number),
            (words(sorted(declarations()), prefix=r"^", suffix=r"\b"), Keyword.Declaration),
            (r"\b(true|false|none|empty)\b", Keyword.Constant),
            (r"\b([^\W\d]\w*)(\()", bygroups(Name.Function, Punctuation)),  # type: ignore[no-untyped-call]
            (words(_words(), prefix=r"\b", suffix=r"\b"), Keyword),
            (r"[^\W\d]\w*", Name),
            (r"->|\.\.|[<>]=?|[=+*/-]", Operator),
            (r"[|:;,.(){}\[\]?]", Punctuation),
            (r"\s+", Text.Whitespace),
            (r".", Text),
        ]
    }
