"""What is said about a text before the grammar is asked, and about words that the grammar lets pass."""

import re

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Fix, Label
from dsl.source import Source, Span

TAB_STOP = 4
"""Where a tab goes to."""
_INDENTATION = re.compile(r"^[ \t]*\t[ \t]*", re.MULTILINE)


def open_string(span: Span, *, at_end: bool = True) -> Diagnostic:
    """A quote that its line does not close, or not before the next text begins."""
    return Diagnostic(
        Code.UNTERMINATED_STRING,
        "this text has no closing quote",
        span,
        label="starts here and reaches the end of the line" if at_end else "another text begins behind it",
        hint='a text ends with `"` on the line on which it starts',
    )


def open_drawing(span: Span) -> Diagnostic:
    """Triple quotes that nothing closes."""
    return Diagnostic(
        Code.UNTERMINATED_STRING,
        "this drawing is never closed",
        span,
        label="opens here",
        hint='write `"""` on a line of its own behind the last line of the drawing',
    )


def open_bracket(span: Span) -> Diagnostic:
    """A bracket with nothing to close it before the next line of the same block."""
    closing = {"(": ")", "[": "]", "{": "}"}[span.text]
    return Diagnostic(
        Code.UNCLOSED_BRACKET,
        tr("this `{span}` is never closed", span=span.text),
        span,
        label="opens here",
        hint=tr(
            "write `{closing}` where it ends; what stands inside may go on over lines further to the right",
            closing=closing,
        ),
    )


def nothing_to_close(span: Span) -> Diagnostic:
    """A closing bracket without its opening one."""
    return Diagnostic(
        Code.UNEXPECTED_TOKEN,
        tr("this `{span}` closes nothing", span=span.text),
        span,
        label="no bracket is open here",
        hint="take it away, or write the opening bracket that belongs to it",
    )


def wrong_bracket(span: Span, opening: Span) -> Diagnostic:
    """A closing bracket of another kind than the opening one."""
    return Diagnostic(
        Code.UNCLOSED_BRACKET,
        tr("`{opening}` cannot be closed by `{span}`", opening=opening.text, span=span.text),
        span,
        label="closes here",
        labels=(Label(opening, "opens here"),),
    )


def too_many_brackets(span: Span, limit: int) -> Diagnostic:
    """Brackets inside brackets, beyond measure."""
    return _nested(
        span, f"more than {limit} brackets are open here", "give the inner parts names with `let` or `value`"
    )


def too_many_blocks(span: Span, limit: int) -> Diagnostic:
    """Blocks inside blocks, beyond measure."""
    return _nested(span, f"this line stands in more than {limit} blocks", "make actions of the inner blocks")


def too_deep(span: Span, limit: int) -> Diagnostic:
    """A value made of values made of values, beyond measure."""
    said = f"this value is made of more than {limit} steps, one inside the other"
    return _nested(span, said, "give the inner parts names with `let` or `value`")


def _nested(span: Span, said: str, hint: str) -> Diagnostic:
    return Diagnostic(Code.NESTED_TOO_DEEP, said, span, hint=hint)


def tab(span: Span) -> Diagnostic:
    """The first tab before a line; later ones are the same fault."""
    return Diagnostic(
        Code.TAB,
        "tabs cannot indent a line",
        span,
        label="a tab",
        hint="indent with spaces, four for each block; most editors can replace all tabs at once",
        fix=_without_tabs(span.source),
    )


def _without_tabs(source: Source) -> Fix:
    """Spaces for all tabs before lines, up to where the reading takes them to reach."""
    found = list(_INDENTATION.finditer(source.text))
    start, end = found[0].start(), found[-1].end()
    spaces = _INDENTATION.sub(lambda tabs: tabs.group().expandtabs(TAB_STOP), source.text[start:end])
    return Fix(source.span(start, end), spaces, "write spaces for the tabs before lines", is_safe=True)


def indented_start(span: Span) -> Diagnostic:
    """A first line away from the left edge."""
    return Diagnostic(
        Code.BAD_INDENTATION,
        "the first line of a file starts at the top level",
        span,
        label="is indented",
        hint="take the spaces before it away",
    )


def between_blocks(span: Span, own: int, above: Span, outer: int, inner: int) -> Diagnostic:
    """A line that returns to no line above it; `above` begins the block that it may belong to."""
    return Diagnostic(
        Code.BAD_INDENTATION,
        "this line is between two blocks",
        span,
        label=tr("behind {spaces}: belongs to neither", spaces=_spaces(own)),
        labels=(Label(above, tr("behind {spaces}", spaces=_spaces(inner))),),
        cause=above,
        hint=tr(
            "indent both alike if they belong to one block; else this one by {spaces}, as what is around the block",
            spaces=_spaces(outer),
        ),
    )


def _spaces(count: int) -> str:
    return tr("1 space") if count == 1 else tr("{count} spaces", count=count or "no")


def reserved_name(span: Span) -> Diagnostic:
    """A new name that rules could not read."""
    return Diagnostic(
        Code.RESERVED_WORD,
        tr("`{span}` is a word of the language and cannot be a name here", span=span.text),
        span,
        label="a word of the language",
        hint="it begins a value, a statement or a line of a menu, so that a rule could not read the name",
    )


def hidden_name(span: Span, meaning: str) -> Diagnostic:
    """A name for a value that is a word of the language with a meaning of its own."""
    return Diagnostic(
        Code.RESERVED_WORD,
        tr("`{span}` always means {meaning}", span=span.text, meaning=meaning),
        span,
        label="hidden by that word of the language",
        hint=tr("give it another name, such as `the_{span}`", span=span.text),
    )


def huge_number(span: Span, digits: int) -> Diagnostic:
    """A number too long to compute with."""
    message = tr("this number has more than {digits} digits", digits=digits)
    return Diagnostic(Code.HUGE_NUMBER, message, span, hint="write a smaller number, or count larger parts")


def pins_are_ids(span: Span) -> Diagnostic:
    """Something other than rule numbers behind the colon of a citation."""
    return Diagnostic(
        Code.BAD_CITATION,
        "behind its colon a citation lists the numbers of rules",
        span,
        hint="such as `[CA-X14: CA-041, A-001]`",
    )


def bad_citation(span: Span) -> Diagnostic:
    """An item of a citation that is none of those it may list."""
    said = (
        tr("`{span}` is no rule number", span=span.text) if span.text else tr("a citation has an empty item")
    )
    return Diagnostic(
        Code.BAD_CITATION,
        said,
        span,
        hint="a citation lists rule numbers such as `CA-041`, families in small letters, and `house`, alone "
        "or before one of those, with commas between; a bracket that touches a name is an index: `army[MI]`",
    )


def citation_in_comment(bracket: Span, sign: Span) -> Diagnostic:
    """A citation that no clause has, as it stands behind the `#` of its line."""
    source = sign.source
    end = sign.start + len(source.line_text(sign.line)) - (sign.column - 1)
    rest = f"{source.text[sign.start : bracket.start].rstrip()}{source.text[bracket.end : end]}".rstrip()
    swapped = bracket.text if rest == "#" else f"{bracket.text}  {rest}"
    return Diagnostic(
        Code.CITATION_IN_COMMENT,
        tr("`{bracket}` is part of a comment, so that its line has no citation", bracket=bracket.text),
        bracket,
        label="read by nobody",
        labels=(Label(sign, "the comment begins here"),),
        hint="write the citation before the `#`; to only mention a rule leave the brackets out",
        fix=Fix.write(source.span(sign.start, end), swapped),
    )


def touching_citation(bracket: Span) -> Diagnostic:
    """A citation that was read as an index, as no space stands before it."""
    return Diagnostic(
        Code.BAD_CITATION,
        tr("`{bracket}` touches the word before it, which makes it an index", bracket=bracket.text),
        bracket,
        label="no space before the bracket",
        hint="a citation stands behind a space, at the end of the line",
        fix=Fix(bracket, f" {bracket.text}", "put a space before the bracket", is_safe=True),
    )


def rank_on_head(span: Span) -> Diagnostic:
    """`over` or `ahead of` where there is nothing to be over."""
    hint = tr(
        "actions and windows are declared `once` or `nested at most n`; what is over or ahead of others "
        "are the clauses about them"
    )
    return _meaningless(span, hint)


def said_twice(span: Span) -> Diagnostic:
    """A clause of a value that has been written before."""
    hint = tr("a value says once how it is rounded, in which order its stages come, and what it is called")
    return _meaningless(span, hint)


def words_of_parameter(span: Span) -> Diagnostic:
    """Words for players behind a parameter or field of which no sum tells."""
    hint = tr("leave it out: only the parameters of a `value` have words, by which its sums are told")
    return _meaningless(span, hint)


def nothing_repeated(condition: Span, line: Span) -> Diagnostic:
    """`until` over one line that is done at once: whoever writes it expects it to be done again and again."""
    return Diagnostic(
        Code.UNBOUNDED_LOOP,
        "`until` ends a block early and repeats nothing: one line is done once",
        condition,
        labels=(Label(line, "there is nothing behind this that could be left out"),),
        hint=tr(
            "to repeat it write `repeat until {condition}, at most 10 times:`, to do it once `if not ({condition}):`",
            condition=condition.text,
        ),
    )


def owner_of_no_reaction(span: Span) -> Diagnostic:
    """`owned by` where nothing waits for its turn."""
    return _meaningless(
        span, tr("only reactions are somebody's: `after ACTION when CONDITION, owned by PLAYER: ...`")
    )


def _meaningless(span: Span, hint: str) -> Diagnostic:
    return Diagnostic(
        Code.UNEXPECTED_TOKEN, tr("`{span}` has no meaning here", span=span.text), span, hint=hint
    )


def field_again(span: Span, first: Span) -> Diagnostic:
    """A field that its block has had: perhaps the first field of the next block, whose head is gone."""
    return Diagnostic(
        Code.DUPLICATE_NAME,
        tr("`{span}` is declared twice", span=span.text),
        span,
        labels=(Label(first, "first declared here"),),
        hint="take one of them away, or rename it; if the fields of something else begin here, the line that they "
        "stand under is missing, such as `piece NAME:`",
    )


def ragged_row(span: Span, cells: int, first: Span, wanted: int) -> Diagnostic:
    """A row that has not as many cells as the first row."""
    return Diagnostic(
        Code.RAGGED_ROW,
        tr("this row has {cells}, and the first row has {wanted}", cells=_cells(cells), wanted=wanted),
        span,
        label=_cells(cells),
        labels=(Label(first, _cells(wanted)),),
        hint="a cell with nothing to say holds `-`"
        if cells < wanted
        else "take away what is too much, or head its column in the first row",
    )


def head_again(span: Span, first: Span) -> Diagnostic:
    """A row that says the same as the head of its table."""
    return Diagnostic(
        Code.DUPLICATE_NAME,
        "the head of the table stands twice",
        span,
        labels=(Label(first, "the first one"),),
        hint="take one of them away; the rows below name one thing each",
    )


def other_table(span: Span, first: Span) -> Diagnostic:
    """A row under which all are those of another table."""
    return Diagnostic(
        Code.MISPLACED_LINE,
        "the rows of another table begin here, and no table begins above them",
        span,
        labels=(Label(first, "the columns of the table above"),),
        hint="write its head above this row, at the top level, such as `table NAME:`; rows of one table have one width",
    )


def ragged_head(span: Span, cells: int, row: Span, wanted: int) -> Diagnostic:
    """A first row from which all others differ, and alike."""
    return Diagnostic(
        Code.RAGGED_ROW,
        tr("the first row has {cells}, and all others have {wanted}", cells=_cells(cells), wanted=wanted),
        span,
        label=_cells(cells),
        labels=(Label(row, _cells(wanted)),),
        hint="the first row names each column: write one name for each, or `-` in the cells that say nothing",
    )


def _cells(count: int) -> str:
    return tr("1 cell") if count == 1 else tr("{count} cells", count=count)
