"""`python -m tests.figures games|saves|speed|scale|...`: each prints a figure of the docs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    match given.figure:
        case "games":
            from tests.figures import games

            return games.show(given.each, given.jobs, given.game)
        case "promises":
            from tests.figures import promises

            return promises.show(given.games, given.jobs, given.game)
        case "balance":
            from tests.figures import balance

            return balance.show(given.game, given.line)
        case "ends":
            from tests.figures import ends

            return ends.show(given.games, given.jobs, given.game)
        case "exercised":
            from tests.figures import exercised

            return exercised.show(given.games, given.game, given.directed, given.mods, given.plain)
        case "spoiled":
            from tests.figures import spoiled

            return spoiled.show(given.games, given.game)
        case "fingerprints":
            from tests.figures import fingerprints

            return fingerprints.show(given.games, given.choices, given.states)
        case "from_saves":
            from tests.figures import from_saves

            return from_saves.show(given.positions, given.game)
        case "worlds":
            from tests.figures import worlds

            return worlds.show(
                given.games,
                given.positions,
                given.jobs,
                given.game,
                leaking=given.planted,
                typing=given.typed,
            )
        case "saves":
            from tests.figures import saves

            return saves.show(given.game, given.games)
        case "speed":
            from tests.figures import speed

            return speed.show(given.windows, given.seconds)
        case "scale":
            from tests.figures import scale

            maps = [tuple(int(side) for side in each.split("x")) for each in given.maps]
            return scale.show(given.kinds, [(across, down) for across, down in maps], given.games)
        case "startup":
            from tests.figures import startup

            return startup.show(given.runs, checks=given.checks, games=given.game)
        case "ladder":
            from tests.figures import ladder

            if given.made:
                return ladder.made(given.seeds, given.game)
            if given.seats:
                return ladder.seated(given.seeds, given.jobs, given.game)
            if given.time:
                return ladder.timed(given.seeds, given.jobs, given.game)
            return (
                ladder.cuts(given.seeds, given.game, given.kind)
                if given.cuts
                else ladder.eagers(given.seeds, given.game, given.kind)
                if given.eagers
                else ladder.show(given.seeds, given.jobs, given.game)
            )
        case "known":
            from tests.figures import known

            return known.show(given.positions, given.game)
        case "words":
            from tests.figures import words

            return words.show(given.at)
        case _:
            from tests.figures import sizes

            return sizes.show()


def figures() -> set[str]:
    """The names of all figures."""
    choices = next(each.choices for each in _parser()._actions if isinstance(each.choices, dict))
    return set(choices)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m tests.figures", description=__doc__)
    figures = parser.add_subparsers(dest="figure", required=True)
    games = figures.add_parser("games", help="random games, watched at every stop")
    games.add_argument("--each", type=int, default=3000, help="how many of each game")
    games.add_argument("--game", default="", help="of this game alone; `game:mode` for one of its modes")
    games.add_argument("--jobs", type=int, default=2, help="how many processes")
    promises = figures.add_parser("promises", help="random games in compiled code, held to what is promised")
    promises.add_argument("--games", type=int, default=10_000, help="how many of each game and mode")
    promises.add_argument("--game", default="", help="of this game alone; `game:mode` for one of its modes")
    promises.add_argument("--jobs", type=int, default=2, help="how many processes")
    balance = figures.add_parser("balance", help="what computer players show about the figures that are ours")
    balance.add_argument("--game", default="", help="of this game alone")
    balance.add_argument("--line", type=int, help="this comparison of it alone, from 1 on")
    ends = figures.add_parser("ends", help="how random games end, by mode and number of players")
    ends.add_argument("--games", type=int, default=200, help="how many of each")
    ends.add_argument("--game", default="", help="of this game alone; `game:mode` for one of its modes")
    ends.add_argument("--jobs", type=int, default=2, help="how many processes")
    exercised = figures.add_parser("exercised", help="how many rules of each rulebook random play exercises")
    exercised.add_argument("--games", type=int, default=40, help="how many of each game, its modes in turn")
    exercised.add_argument("--game", default="", help="of this game alone")
    exercised.add_argument("--directed", action="store_true", help="prefer what was chosen least so far")
    exercised.add_argument(
        "--with",
        dest="mods",
        action="append",
        default=[],
        help="a mod that plays its share of the games",
    )
    exercised.add_argument("--plain", type=int, help="how many of the games are without a mod (its share)")
    spoiled = figures.add_parser("spoiled", help="rules broken one at a time, which promises are to notice")
    spoiled.add_argument("--games", type=int, default=3000, help="how many at most with each")
    spoiled.add_argument("--game", default="", help="of this game alone")
    prints = figures.add_parser("fingerprints", help="the fingerprints of known seeds")
    prints.add_argument("--games", type=int, default=40, help="how many of each game")
    prints.add_argument("--choices", type=int, default=10**9, help="how many of each game at most")
    prints.add_argument(
        "--states", type=int, default=3000, help="after how many no further game of a target is begun"
    )
    from_saves = figures.add_parser("from_saves", help="positions of the library's games as tests")
    from_saves.add_argument("--positions", type=int, default=12, help="how many of each game")
    from_saves.add_argument("--game", default="", help="of this game alone")
    worlds = figures.add_parser(
        "worlds", help="worlds that a player cannot tell apart, of games with secrets"
    )
    worlds.add_argument("--games", type=int, default=2000, help="how many of each game")
    worlds.add_argument("--positions", type=int, default=12, help="how many of each game are compared")
    worlds.add_argument("--jobs", type=int, default=2, help="how many processes")
    worlds.add_argument("--game", default="", help="of this game alone; `game:mode` for one of its modes")
    worlds.add_argument("--typed", action="store_true", help="also all that the prompt of `play` answers")
    worlds.add_argument("--planted", action="store_true", help="of rules that give secrets away, to be found")
    saves = figures.add_parser("saves", help="every decision saved, restored and played on elsewhere")
    saves.add_argument("--games", type=int, default=50, help="how many")
    saves.add_argument("--game", default="cristal_et_acier", help="of which game, or `game:mode`")
    speed = figures.add_parser("speed", help="decisions and lines a second, and the commands' own time")
    speed.add_argument("--windows", type=int, default=7, help="how many measurements of each")
    speed.add_argument("--seconds", type=float, default=1.0, help="how long each takes")
    scale = figures.add_parser("scale", help="a generated game as its content and its map grow")
    scale.add_argument("--kinds", type=int, nargs="+", default=[10, 40, 100], help="kinds of piece")
    scale.add_argument(
        "--maps", nargs="+", default=["14x10", "20x16", "26x20", "40x40"], help="columns and rows"
    )
    scale.add_argument("--games", type=int, default=3, help="how many of each size")
    startup = figures.add_parser("startup", help="how long the command takes to begin")
    startup.add_argument("--runs", type=int, default=25, help="how many of each")
    startup.add_argument("--checks", action="store_true", help="only what checks take, a fifth as often")
    startup.add_argument("--game", action="append", default=[], help="the checks of this game alone")
    ladder = figures.add_parser("ladder", help="how strong the computer players are in each game")
    ladder.add_argument(
        "--seeds", type=int, default=50, help="how many, each in every seating; fewer of long games"
    )
    ladder.add_argument("--game", default="", help="of this game alone")
    ladder.add_argument("--jobs", type=int, default=2, help="how many processes")
    ladder.add_argument("--cuts", action="store_true", help="when a search best judges a game")
    ladder.add_argument(
        "--eagers", action="store_true", help="how much a search best prefers what was seldom tried"
    )
    ladder.add_argument("--kind", default="mcts:100", help="who plays with --cuts and --eagers")
    ladder.add_argument(
        "--seats", action="store_true", help="one kind among others, in games for more than two and of teams"
    )
    ladder.add_argument("--time", action="store_true", help="how strength grows with the seconds of a choice")
    ladder.add_argument(
        "--made", action="store_true", help="what helps where no author says what is worth what"
    )
    known = figures.add_parser("known", help="choices of a search against exact values")
    known.add_argument(
        "--positions", type=int, default=100, help="how many: more of late ones, fewer of early ones"
    )
    known.add_argument("--game", default="", help="of this game alone")
    words = figures.add_parser("words", help="how long the reference of the language is")
    words.add_argument("--at", default="", help="as it was at this commit")
    figures.add_parser("bytes", help="what snapshots and programs weigh")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
