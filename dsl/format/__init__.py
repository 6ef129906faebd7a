"""The one layout of a source: the same lines, with canonical spaces between and around what stands on them.

Lines are broken where their author broke them; what changes is indentation, the spaces between words and signs,
the columns of tables, citations and comments, and blank lines. Formatting loses no comment, changes no meaning,
and formatting twice changes nothing more: each text is read again before it replaces the old one.

    reading   from a source to the lines that are written, without their spaces
    spacing   the words and signs of one line
    rows      the cells of a table
    gaps      blank lines
    margin    the columns of citations and comments
    layout    all of it in order, and the check
"""

from dsl.format.layout import NotTheSame, formatted

__all__ = ["NotTheSame", "formatted"]
