"""`scenarii draw`: a picture of a board, with what each player has, at any moment of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import nearest, told, tr
from dsl.cli.completing import complete_file, complete_game
from dsl.cli.engines import PYTHON, machine_of
from dsl.cli.programs import (
    SELECT_LANGUAGE,
    SELECT_MODS,
    SELECT_OPTIONS,
    clear_progress,
    select_seed,
    show_progress,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from dsl.engine.game import Game
    from dsl.engine.machine import Choice, Machine
    from dsl.saves import Save
    from dsl.scene.eyes import Viewers
    from dsl.scene.shapes import Picture

FORMS = {".svg": rb"<svg\b", ".png": rb"\A\x89PNG", ".pdf": rb"\A%PDF-"}
"""The forms of a picture by the ends of names, with what known files of theirs begin with."""
MOVING = {".svg": FORMS[".svg"], ".gif": rb"\AGIF8", ".png": FORMS[".png"]}
"""Those of an animation."""
STRIP, ANIMATION = "strip", "animation"
MOST_PARTS = 12
"""Pictures in a strip."""
MOST_FRAMES = 60
"""Pictures in an animation."""
MOST_TURNS = 200_000


@click.command()
@click.argument("target", metavar="GAME|SAVE|RECORD", shell_complete=complete_game)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to: FILE.svg, FILE.png or FILE.pdf, of an animation FILE.gif too.  [default: GAME.svg]",
)
@click.option("--as", "viewer", metavar="PLAYER", help="Draw what this player sees, not what all may see.")
@click.option(
    "--turn",
    metavar="N",
    type=click.IntRange(0, MOST_TURNS),
    help="How it stands after N decisions; of a game that was not played, those that chance takes.",
)
@click.option(
    "--turns",
    type=click.Choice([STRIP, ANIMATION]),
    help=f"Several moments: on one sheet, {MOST_PARTS} at most, or one after the other, {MOST_FRAMES} at most.",
)
@SELECT_MODS
@SELECT_OPTIONS
@select_seed("The seed of a game that was not played.")
@click.option(
    "--font", metavar="FILE.ttf", shell_complete=complete_file, help="The font of the text, for PNG and PDF."
)
@SELECT_LANGUAGE
@click.pass_context
def draw(  # noqa: PLR0917 - a parameter for each option
    ctx: click.Context,
    target: str,
    output: str | None,
    viewer: str | None,
    turn: int | None,
    turns: str | None,
    mods: tuple[str, ...],
    options: tuple[str, ...],
    seed: int,
    font: str | None,
    language: str | None,
) -> None:
    """Draw a board as it stands: as SVG, PNG or PDF.

    A game is drawn at its first decision, a save or a record where it stops.

    \b
    scenarii draw GAME
    scenarii draw my_game -o board.png --turn 40
    scenarii draw game.save.json -o mine.pdf --as red
    """  # noqa: D301 - `\b` keeps the lines of the examples
    if turn is not None and turns is not None:
        raise click.UsageError("--turn is one moment, and --turns several; leave one of them out.")
    save = _save_in(target)
    if save is not None and (mods or options):
        raise click.UsageError("a save has its mods and options itself; leave --with and --option out.")
    moments = _moments(ctx, target, save, mods, options, seed)
    viewers = _viewers(moments.machine, viewer)
    spoken = language if language is not None else (save.language if save is not None else "")
    path = Path(output if output is not None else f"{moments.machine.program.name}.svg")
    face = Path(font) if font is not None else None
    if turns == ANIMATION:
        write_all = _animation_writer(path, face)
        write_all(_frames(moments, viewers, spoken))
        click.echo(told(tr("drawn: {path}", path=path)))
        return
    write = writer(path, face, spoken or moments.machine.program.language)
    if turns is None:
        game = moments.at(turn)
        picture = _picture(
            game,
            viewers,
            spoken,
            _count(len(game.choices), moments.machine, spoken) if turn is not None else "",
        )
    else:
        picture = _strip(moments, viewers, spoken)
    write(picture)
    click.echo(told(tr("drawn: {path}", path=path)))


class _Moments:
    """A game that can be had at any of its moments."""

    def __init__(self, machine: Machine, save: Save | None, seed: int, options: dict[str, str | int]) -> None:
        self.machine = machine
        self.save = save
        self.seed = seed
        self.options = options

    def at(self, turn: int | None) -> Game:
        """The game after so many decisions; none: where it stops, or at its beginning if it was not played."""
        if self.save is not None:
            return self._replayed(self.save, turn)
        return self._by_chance(turn or 0)

    def spread(self, most: int) -> Iterator[tuple[int, Game]]:
        """At most so many moments from the beginning to the end, as far from each other as can be alike."""
        choices = self.save.choices if self.save is not None else self._by_chance(MOST_TURNS).choices
        count = min(most, len(choices) + 1)
        turns = {round(n * len(choices) / max(1, count - 1)) for n in range(count)}
        game = self.at(0)
        for turn in range(len(choices) + 1):
            if turn in turns:
                yield turn, game
            if turn < len(choices):
                self._choose(game, choices[turn], turn + 1)

    def _choose(self, game: Game, choice: Choice, number: int) -> None:
        from dsl.cli.loading import refuse_save
        from dsl.engine.failure import IllegalChoice, RuleFailure
        from dsl.engine.snapshot import damaged

        try:
            game.choose(choice)
        except (IllegalChoice, TypeError):
            refuse_save([damaged(f"choice {number} of the save is not among the options there")])
        except RuleFailure as error:
            refuse_save([damaged(f"the rules fail at choice {number} of the save: {error.message}")])

    def _replayed(self, save: Save, turn: int | None) -> Game:
        from dsl.cli.loading import refuse_save
        from dsl.engine.game import Game
        from dsl.saves import replayed, restored

        if turn is None:
            standing = restored(self.machine, save)
            return standing if isinstance(standing, Game) else refuse_save(standing)
        if turn > len(save.choices):
            raise click.UsageError(
                tr(
                    "{count} decisions were made in this game, not {turn}.",
                    count=len(save.choices),
                    turn=turn,
                )
            )
        found = replayed(self.machine, save, turn)
        return found if isinstance(found, Game) else refuse_save([found])

    def _by_chance(self, turn: int) -> Game:
        from dsl.engine.failure import RuleFailure, StartError, Unplayable
        from dsl.engine.game import Game
        from dsl.players.random_player import RandomPlayer

        try:
            game = Game.start(self.machine, seed=self.seed, options=self.options)
            player = RandomPlayer(self.seed)
            for _ in range(turn):
                if (decision := game.decision) is None:
                    break
                game.choose(player.choose(game, decision))
        except StartError as error:
            raise click.UsageError(str(error)) from None
        except (RuleFailure, Unplayable) as error:
            raise click.ClickException(str(error)) from None
        return game


def _save_in(target: str) -> Save | None:
    """The save that a name means; none where it means a game."""
    from dsl.cli.loading import saved_in
    from dsl.files import read_regular
    from dsl.saves import FORMAT

    path = Path(target)
    if path.suffix != ".json" or not path.is_file():
        return None
    try:
        head = read_regular(path, 400, head=True)
    except OSError:
        return saved_in(target)
    return saved_in(target) if FORMAT.encode() in head else None


def _moments(
    ctx: click.Context,
    target: str,
    save: Save | None,
    mods: Sequence[str],
    options: Sequence[str],
    seed: int,
) -> _Moments:
    from dsl.cli.loading import carried_rules
    from dsl.cli.programs import chosen_options, program_of

    if save is not None:
        return _Moments(machine_of(carried_rules(save).program, PYTHON, save.steps), save, save.seed, {})
    machine = machine_of(program_of(ctx, target, mods), PYTHON)
    return _Moments(machine, None, seed, chosen_options(options))


def _viewers(machine: Machine, viewer: str | None) -> Viewers:
    from dsl.players.seats import SeatError, player_named
    from dsl.scene.eyes import everybody

    if viewer is None:
        return everybody(machine)
    try:
        return (player_named(machine.program, viewer),)
    except SeatError as error:
        raise click.UsageError(str(error)) from None


def _count(turn: int, machine: Machine, language: str) -> str:
    """How many decisions were made, in the language of the picture."""
    counted = tr("1 decision") if turn == 1 else tr("{count} decisions", count=turn)
    return told(counted, nearest(language or machine.program.language))


def _picture(game: Game, viewers: Viewers, language: str, subtitle: str = "") -> Picture:
    from dsl.scene.picture import picture_of
    from dsl.scene.reading import scene_of

    scene = scene_of(game.machine, game.state, viewers, language, game.decision)
    return picture_of(scene, subtitle=subtitle)


def _strip(moments: _Moments, viewers: Viewers, language: str) -> Picture:
    """Moments from the beginning to the end, as far from each other as can be alike."""
    from dsl.scene.picture import strip_of
    from dsl.scene.reading import scene_of

    parts = []
    for turn, game in moments.spread(MOST_PARTS):
        scene = scene_of(game.machine, game.state, viewers, language, None)
        parts.append((_count(turn, moments.machine, language), scene))
    return strip_of(parts)


def _frames(moments: _Moments, viewers: Viewers, language: str) -> list[Picture]:
    """The moments of an animation, each on a sheet of its own."""
    pictures = []
    for turn, game in moments.spread(MOST_FRAMES):
        pictures.append(_picture(game, viewers, language, _count(turn, moments.machine, language)))
        show_progress(len(pictures), MOST_FRAMES, "moments")
    clear_progress()
    return pictures


def _animation_writer(path: Path, font: Path | None) -> Callable[[Sequence[Picture]], None]:
    """What writes an animation in the form that a file's name says."""
    from dsl.scene.animation import animated, animated_svg
    from dsl.scene.fonts import font_of

    form = _form_of(
        path, MOVING, tr("{path}: an animation's name ends with {forms}.", path=path, forms=", ".join(MOVING))
    )

    def made(pictures: Sequence[Picture]) -> bytes:
        if form == ".svg":
            return animated_svg(pictures).encode()
        return animated(pictures, font_of(font), form.lstrip(".").upper())

    return lambda pictures: _put_drawn(path, lambda: made(pictures))


def writer(path: Path, font: Path | None, language: str) -> Callable[[Picture], None]:
    """What writes a picture in the form that a file's name says; what is missing for it is told before it is drawn."""
    from dsl.scene.fonts import font_of

    form = _form_of(
        path, FORMS, tr("{path}: a picture's name ends with {forms}.", path=path, forms=", ".join(FORMS))
    )

    def made(picture: Picture) -> bytes:
        if form == ".svg":
            from dsl.scene.svg import svg_text

            return svg_text(picture).encode()
        known = font_of(font)
        if form == ".png":
            from dsl.scene.raster import png_bytes

            return png_bytes(picture, known)
        from dsl.scene.paper import pdf_bytes

        return pdf_bytes(picture, known, language)

    return lambda picture: _put_drawn(path, lambda: made(picture))


def _form_of(path: Path, forms: Mapping[str, bytes], refused: str) -> str:
    """The form that a file's name says; refuses others, and a file there that is something else."""
    from dsl.cli.save_paths import refuse_foreign

    form = path.suffix.lower()
    if form not in forms:
        raise click.UsageError(refused)
    refuse_foreign(path, "", forms[form])
    return form


def _put_drawn(path: Path, made: Callable[[], bytes]) -> None:
    """Draws and writes a file; a usage error where something that it takes is missing."""
    from dsl.scene.fonts import Undrawable

    try:
        data = made()
    except Undrawable as error:
        raise click.UsageError(str(error)) from None
    put(path, data)


def put(path: Path, data: bytes) -> None:
    """Writes a file whole; a usage error where it cannot be written."""
    from dsl.files import write_atomically

    try:
        write_atomically(path, data)
    except OSError as error:
        raise click.UsageError(
            tr("{path} cannot be written: {strerror}", path=path, strerror=error.strerror or error)
        ) from None
