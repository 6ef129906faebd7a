"""`scenarii rules`: how each rule of a game's rulebook stands."""

from __future__ import annotations

import click


@click.command()
@click.argument("game", metavar="GAME")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option(
    "--games", "count", metavar="N", type=click.IntRange(0), default=0, help="Random games to play."
)
@click.option("--rulings", is_flag=True, help="List the rulings and options instead.")
@click.option("--house", is_flag=True, help="List what is of the house instead.")
@click.pass_context
def rules(ctx: click.Context, game: str, form: str, count: int, rulings: bool, house: bool) -> None:
    """Print each rule of a rulebook: where it is declared, its tests, and whether play exercises it."""
    raise click.UsageError("the report on rules is not part of this release.")
