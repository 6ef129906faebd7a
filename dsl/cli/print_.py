"""`scenarii print`: a game on paper, as PDF."""

from __future__ import annotations

from pathlib import Path

import click

from dsl.catalogue import N_, told, tr
from dsl.cli.completing import complete_file, complete_game
from dsl.cli.programs import SELECT_LANGUAGE, SELECT_MODS

LEAST_CELL, MOST_CELL = 8, 80
PAPERS = ("a4", "letter")
PARTS = ("boards", "cards", "counters", "tables", "rules")
COUNTED = {
    "boards": N_("p. {pages}: boards"),
    "cards": N_("p. {pages}: cards"),
    "counters": N_("p. {pages}: counters"),
    "tables": N_("p. {pages}: tables"),
    "rules": N_("p. {pages}: rules"),
}

LEFT_OUT = {
    "cards": N_("not printed: {count} more cards, as {most} of a type is the bound"),
    "counters": N_("not printed: {count} more counters, as {most} is the bound"),
}


@click.command("print")
@click.argument("game", metavar="GAME|PATH", shell_complete=complete_game)
@click.option("-o", "--output", metavar="FILE.pdf", help="Where to.  [default: GAME.pdf]")
@click.option(
    "--paper", type=click.Choice(PAPERS), default="a4", show_default=True, help="The size of a page."
)
@click.option(
    "--only", "parts", type=click.Choice(PARTS), multiple=True, help="Print this part alone; several."
)
@click.option(
    "--cell",
    metavar="MM",
    type=click.IntRange(LEAST_CELL, MOST_CELL),
    default=22,
    show_default=True,
    help="The side of a square or the width of a hex, in millimetres.",
)
@SELECT_MODS
@click.option("--font", metavar="FILE.ttf", shell_complete=complete_file, help="The font of the text.")
@SELECT_LANGUAGE
@click.pass_context
def print_(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    game: str,
    output: str | None,
    paper: str,
    parts: tuple[str, ...],
    cell: int,
    mods: tuple[str, ...],
    font: str | None,
    language: str | None,
) -> None:
    """Print a game to play on the table: boards, cards, counters, tables and rules.

    Boards to scale over several pages that overlap, cards and counters with their backs, and marks to cut along.

    \b
    scenarii print GAME
    scenarii print my_game -o sheets.pdf --paper letter
    scenarii print my_game --only cards --only counters
    """  # noqa: D301 - `\b` keeps the lines of the examples
    from dsl.authoring.survey import sections
    from dsl.cli.draw import put
    from dsl.cli.programs import program_of
    from dsl.cli.save_paths import refuse_foreign
    from dsl.playable import Playable
    from dsl.scene.fonts import Undrawable, font_of
    from dsl.sheets.boards import TooLarge
    from dsl.sheets.book import document, left_out, pages_of
    from dsl.sheets.cards import MOST_CARDS
    from dsl.sheets.counters import MOST as MOST_COUNTERS
    from dsl.sheets.page import PAPERS as SIZES

    program = program_of(ctx, game, mods)
    path = Path(output if output is not None else f"{program.name}.pdf")
    if path.suffix.lower() != ".pdf":
        raise click.UsageError(tr("{path}: the name of what is printed ends with .pdf.", path=path))
    refuse_foreign(path, "", rb"\A%PDF-")
    spoken = language or ""
    wanted = [each for each in PARTS if not parts or each in parts]
    try:
        known = font_of(Path(font) if font is not None else None)
        found = sections(program, spoken)
        machine = Playable(program)
        pages = pages_of(machine, found, wanted, SIZES[paper], cell, spoken)
        every = [page for part in wanted for page in pages[part]]
        if not every:
            raise click.UsageError(tr("{game} has nothing of that to print.", game=program.name))
        data = document(every, known, program.name, spoken or program.language)
    except Undrawable as error:
        raise click.UsageError(str(error)) from None
    except TooLarge as error:
        raise click.UsageError(
            tr("a board would take too many pages ({count}); a smaller --cell makes it smaller.", count=error)
        ) from None
    put(path, data)
    first = 1
    for part in wanted:
        last = first + len(pages[part]) - 1
        if last >= first:
            told_pages = f"{first}–{last}" if last > first else f"{first}"
            click.echo(told(tr(COUNTED[part], pages=told_pages)))
        first = last + 1
    click.echo(told(tr("printed: {path}", path=path)))
    bounds = {"cards": MOST_CARDS, "counters": MOST_COUNTERS}
    for part, count in left_out(machine, wanted, spoken).items():
        click.echo(told(tr(LEFT_OUT[part], count=count, most=bounds[part])), err=True)
