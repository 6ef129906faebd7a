"""Diagnostics in the language of whoever reads them; codes, places and fixes are the same in each."""

from dataclasses import replace

from dsl.catalogue import ENGLISH, current, told
from dsl.diagnostics.model import Diagnostic, Label


def spoken(diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic with its texts in the language that is spoken now; what has no words in it stays English."""
    if current() == ENGLISH:
        return diagnostic
    fix = diagnostic.fix
    return replace(
        diagnostic,
        message=told(diagnostic.message),
        label=told(diagnostic.label),
        labels=tuple(Label(each.span, told(each.text)) for each in diagnostic.labels),
        hint=told(diagnostic.hint),
        notes=tuple(map(told, diagnostic.notes)),
        fix=replace(fix, text=told(fix.text)) if fix is not None else None,
    )
