"""A line as it is written: what stands on it, and where it belongs."""

from dataclasses import dataclass

from dsl.source import display_width

INDENT = 4


@dataclass(slots=True)
class Written:
    """One line of a file, or a drawing with the lines that it has.

    `depth` counts the blocks and open brackets around it. A comment that stands alone has no `text`. `gap` tells
    of a blank line before it; a row of a table has its `cells`, from which its text is made.
    """

    depth: int
    text: str = ""
    citation: str = ""
    comment: str = ""
    gap: bool = False
    cells: tuple[str, ...] = ()
    is_drawing: bool = False
    opens: bool = False
    """Does a block or a bracket begin behind it?"""
    is_head: bool = False
    """Is it the first line of a declaration?"""
    ends: int = 0
    """For the first line of a declaration: the place among the lines of the last that belongs to it."""

    @property
    def is_comment(self) -> bool:
        return not self.text and not self.cells

    @property
    def width(self) -> int:
        """How far the line reaches without its citation and comment."""
        if self.is_drawing:
            return display_width(self.text.rpartition("\n")[2])
        return INDENT * self.depth + display_width(self.text)

    @property
    def indentation(self) -> str:
        return " " * (INDENT * self.depth)
