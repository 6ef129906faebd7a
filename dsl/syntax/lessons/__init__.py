"""What is said where the parser is stuck, and how to read on.

Each lesson knows one mistake that authors make; the first that recognises the place is told. A lesson may say
what to read in place of the fault, so that the rest of the line, and above all the block under it, is still
checked.
"""

from dataclasses import replace

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Label
from dsl.syntax import expected
from dsl.syntax.lessons import (
    doubled,
    forgotten,
    habits,
    heads,
    inside,
    layout,
    mixed,
    phrases,
    scripts,
    signs,
    speech,
    tested,
    trials,
)
from dsl.syntax.lessons.told import Told, left_out
from dsl.syntax.place import Place

__all__ = ["Told", "explain"]

_OF_BLOCKS = frozenset({Code.UNEXPECTED_TOKEN, Code.MISPLACED_LINE})

_LESSONS = (
    doubled.line_twice,
    tested.as_people_say,
    scripts.test_line,
    scripts.bare_call,
    scripts.placed,
    mixed.if_behind_clause,
    signs.parted_sign,
    signs.chained,
    habits.then,
    scripts.placed_nowhere,
    scripts.named_before_with,
    inside.text_without_quotes,
    inside.dash_for_nothing,
    phrases.other_first_word,
    phrases.without_first_word,
    phrases.without_name,
    phrases.without_last_part,
    inside.phrase_inside,
    inside.trial_inside,
    inside.value_below,
    inside.words_in_braces,
    heads.nameless,
    heads.members_with_commas,
    heads.change_of_several,
    heads.change_without_column,
    heads.extended_kind,
    heads.part_of_a_declaration,
    heads.rounding_before_the_value,
    heads.words_before_the_value,
    heads.otherwise_last,
    heads.added_column,
    heads.other_head,
    habits.promised,
    layout.missing_block,
    layout.missing_head,
    forgotten.closing_semicolon,
    forgotten.type_of_field,
    habits.call_in_a_test,
    heads.lost_menu,
    layout.missing_colon,
    layout.unexpected_indentation,
    layout.unbounded_loop,
    habits.path_in_import,
    habits.comment,
    habits.dice,
    habits.range_words,
    mixed.when_for_if,
    forgotten.if_for_when,
    forgotten.each,
    forgotten.missing_type,
    forgotten.bound_of_list,
    forgotten.comma_before_rank,
    mixed.asking_for_setting,
    mixed.block_in_a_line,
    mixed.asking_without_colon,
    mixed.at_least_one,
    mixed.option_without_line,
    habits.cited_in_parentheses,
    habits.cited_without_brackets,
    habits.supply_without_comma,
    forgotten.when,
    signs.comparing_word,
    signs.size,
    signs.decimal,
    signs.counting_up,
    signs.foreign_sign,
    signs.quoted_label,
    signs.character,
    signs.open_row,
    signs.citation,
    doubled.word_twice,
    doubled.is_before_not,
    doubled.none_before_type,
    doubled.number_first,
    speech.else_if,
    habits.test_word,
    speech.first_word,
    speech.misspelt,
    speech.open_phrase,
    speech.phrase_word,
    speech.statement_word,
    speech.name_before_for,
    speech.range_without_for,
    speech.is_in,
    speech.is_question,
    speech.bare_question,
    speech.bare_argument,
    doubled.colon_between,
)


def explain(place: Place) -> Told:
    """The fault at a place."""
    for lesson in _LESSONS:
        if told := lesson(place):
            return _in_its_block(place, told)
    return _in_its_block(place, _anything_else(place))


def _in_its_block(place: Place, told: Told) -> Told:
    """Where a line cannot even begin as it does, the line that opens its block may be the one at fault."""
    head = place.head_span
    is_beginning = told.line == place.stuck.line and len(place.on_line) <= 1
    if told.diagnostic.code not in _OF_BLOCKS or told.diagnostic.labels or head is None or not is_beginning:
        return told
    return replace(told, diagnostic=replace(told.diagnostic, labels=(Label(head, "opens this block"),)))


def _anything_else(place: Place) -> Told:
    before = tr(" after `{previous}`", previous=place.previous) if place.on_line else ""
    match place.terminal:
        case "_NL" | "$END":
            message = tr("something is missing{before}", before=before)
        case "_DEDENT":
            message = "this block is not complete"
        case _ if not place.on_line:
            message = tr("no line begins with `{shown}` here", shown=place.shown)
        case _:
            message = tr("`{shown}` cannot stand{before}", shown=place.shown, before=before)
    hint, fix = trials.hint(place)
    label = expected.label(place)
    diagnostic = Diagnostic(Code.UNEXPECTED_TOKEN, message, place.span, label=label, hint=hint, fix=fix)
    return left_out(place, diagnostic)
