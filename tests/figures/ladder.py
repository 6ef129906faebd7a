"""How strong the computer players are in each game: `python -m tests.figures ladder`.

Every kind of player meets `random` and the kind below it, each seed in both seatings, by the rules of the command
`simulate --players A,B --swap`. In a game for one it is counted how often each kind wins.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Literal

from dsl.engine.game import Game
from dsl.engine.machine import Machine
from dsl.ir.program import OUT, Program
from dsl.library import load
from dsl.players.teams import teams_of
from dsl.search.searcher import Searcher
from dsl.simulation.running import Wanted, simulate
from dsl.simulation.seated import SeatedEngine, seatings
from dsl.simulation.standing import Meeting, ratings
from dsl.simulation.tally import Tally, interval
from dsl.wasm.module import Module, assembled
from dsl.wasm.searching import SearchAssembly
from tests.examples import CLASSICS, FOLDER

BOARD = ("random", "greedy", "mcts:50", "mcts:200", "mcts:800")
LONG = ("random", "greedy", "mcts:50", "mcts:200")


@dataclass(frozen=True)
class Row:
    """A game, or a mode of it, and who plays it: `share` of the seeds that are asked for."""

    what: str
    name: str
    kinds: tuple[str, ...] = BOARD
    share: float = 1.0
    options: dict[str, str | int] = field(default_factory=dict)


CLANS: dict[str, str | int] = {"clan_building": "preset", "placement": "default"}
ROWS = (
    *(
        Row(str(CLASSICS / name), name)
        for name in ("tic_tac_toe", "connect_four", "breakthrough", "reversi", "hex")
    ),
    Row(str(FOLDER / "draughts"), "draughts", BOARD, 0.24),
    Row(str(FOLDER / "nine_mens_morris"), "nine_mens_morris", BOARD, 0.24),
    Row(str(FOLDER / "chess"), "chess", BOARD, 0.24),
    Row(str(FOLDER / "go"), "go", LONG, 0.24),
    Row(str(FOLDER / "kuhn_poker"), "kuhn_poker"),
    Row("cristal_et_acier", "cristal_et_acier", LONG),
    Row(str(FOLDER / "le_gue_d_argent"), "le_gue_d_argent", LONG),
    Row("risk_halo", "risk_halo:one_on_one", LONG[:3], 0.2, {"mode": "one_on_one"}),
    Row("me_ccg", "me_ccg", LONG[:3], 0.1),
    Row("command_and_conquer", "command_and_conquer", LONG[:3], 0.06),
    Row("green_conquest", "green_conquest:duel", LONG[:3], 0.06, {"mode": "duel", **CLANS}),
)

RISK: tuple[tuple[str, dict[str, str | int]], ...] = (
    ("objective", {"players": 3}),
    ("slayer", {"players": 3}),
    ("team", {"players": 4}),
    ("team", {"players": 5}),
)
SEATED = (
    *(Row("risk_halo", f"risk_halo:{mode}", options={"mode": mode, **more}) for mode, more in RISK),
    *(
        Row("green_conquest", f"green_conquest:{mode}", options={"mode": mode, "players": 4, **CLANS})
        for mode in ("free_for_all", "coalition")
    ),
)
"""Games for more than two, or two teams of more than one."""
MEETINGS = (("greedy", "random"), ("mcts:50", "random"), ("mcts:50", "greedy"))
TIMED = ("connect_four", "reversi", "hex", "draughts", "chess")
SECONDS = ("mcts:0.01s", "mcts:0.04s", "mcts:0.16s", "mcts:0.64s")


def show(seeds: int, jobs: int, game: str = "") -> int:
    """Prints a line for each kind of player of each game."""
    print("| game | player | Elo | against `random` | against the one before | decided | median length |")
    print("|---|---|---|---|---|---|---|")
    for row in asked(ROWS, game):
        program = load(row.what).program
        for line in told(row, program, max(4, round(seeds * row.share)), jobs):
            print(line, flush=True)
    return 0


def asked(rows: Sequence[Row], game: str) -> list[Row]:
    """The rows of a game in all of its modes; all where none is named."""
    return [each for each in rows if not game or each.name.partition(":")[0] == game]


def told(row: Row, program: Program, seeds: int, jobs: int) -> Iterator[str]:
    """The lines of a game."""
    if len(program.domains[program.players].members) == 1:
        yield from _alone(row, program, 2 * seeds, jobs)
        return
    played = {}
    for below, above in pairwise(row.kinds):
        for other in dict.fromkeys((row.kinds[0], below)):
            played[above, other] = meeting(program, row.options, (above, other), seeds, jobs)
    found = ratings([Meeting(other, above, *_points(tally)) for (above, other), tally in played.items()])
    strength = {each.name: each for each in found}
    for number, kind in enumerate(row.kinds):
        lowest, below = row.kinds[0], row.kinds[max(0, number - 1)]
        mine = [tally for pair, tally in played.items() if pair[0] == kind] or list(played.values())[:1]
        decided = sum(sum(tally.kinds[who] for who in (1, 2)) for tally in mine)
        games = sum(tally.kinds.total() for tally in mine)
        length = mine[-1].quantile(1, 2)
        points = strength[kind]
        name = f"{Path(row.name).name}" if number == 0 else ""
        elo = "0" if number == 0 else f"{points.points:+.0f} ± {points.half:.0f}"
        first = "" if number == 0 else _wins(played[kind, lowest])
        second = "" if number <= 1 else _wins(played[kind, below])
        yield (
            f"| {name} | `{kind}` | {elo} | {first} | {second} | {decided / games:.0%} of {games} | {length} |"
        )


def meeting(
    program: Program, options: dict[str, str | int], kinds: tuple[str, str], seeds: int, jobs: int
) -> Tally:
    """So many seeds in all seatings: the first kind in one seat, the other in all others that play."""
    state = Game.fresh(Machine(program), options=options).state
    seats = len(program.domains[program.players].members)
    playing = [seat for seat in range(seats) if not state[OUT] >> seat & 1]
    wanted = (kinds[0], *[kinds[1]] * (len(playing) - 1))
    each = len(seatings(wanted))
    return simulate(
        program,
        Wanted(seeds * each, options=options, players=wanted, exchanged=True, of_seed=each),
        jobs,
    ).tally


def seated(seeds: int, jobs: int, game: str = "") -> int:
    """Prints how often one kind of player wins among others: in one seat of a game for more than two, or as one of the
    teams, each seed in all seatings. The share is that of the decided games, beside that of one among equals.
    """
    print("| game | players | one is | all others | wins | among equals | decided | median length |")
    print("|---|---|---|---|---|---|---|---|")
    for row in asked(SEATED, game):
        program = load(row.what).program
        teams = teams_of(Game.fresh(Machine(program), options=row.options))
        for kind, other in MEETINGS:
            players = (kind, *[other] * (len(teams) - 1))
            each = len(teams)
            wanted = Wanted(seeds * each, options=row.options, players=players, exchanged=True, of_seed=each)
            tally = simulate(program, wanted, jobs).tally
            decided, games = tally.kinds[1] + tally.kinds[2], tally.kinds.total()
            print(
                f"| {row.name} | {sum(map(len, teams))} | `{kind}` | `{other}` | {_wins(tally)} | {1 / each:.0%} | "
                f"{decided / max(games, 1):.0%} of {games} | {tally.quantile(1, 2)} |",
                flush=True,
            )
    return 0


def timed(seeds: int, jobs: int, game: str = "") -> int:
    """Prints how a search with four times as many seconds fares against one with fewer, each seed in both seatings; the
    share is that of the decided games. What comes of seconds is another thing on each machine, and on each day.
    """
    print("| game | " + " | ".join(f"`{more}` against `{less}`" for less, more in pairwise(SECONDS)) + " |")
    print("|---|" + "---|" * (len(SECONDS) - 1))
    for row in asked(ROWS, game):
        if row.name not in TIMED:
            continue
        program = load(row.what).program
        shares = (
            _wins(meeting(program, row.options, (more, less), seeds, jobs))
            for less, more in pairwise(SECONDS)
        )
        print(f"| {row.name} | " + " | ".join(shares) + " |", flush=True)
    return 0


def _points(tally: Tally) -> tuple[float, float]:
    """The points of the second of two, and the games: as `Meeting` wants them of the first."""
    games = tally.kinds.total()
    return games - tally.kinds[1] - (tally.kinds[0] + tally.kinds[3]) / 2, games


def _wins(tally: Tally) -> str:
    """Of the games that were decided those that the first kind won."""
    won, lost = tally.kinds[1], tally.kinds[2]
    if not won + lost:
        return "none decided"
    low, high = interval(won, won + lost)
    return f"{won / (won + lost):.0%} ({low:.0%} to {high:.0%})"


def _alone(row: Row, program: Program, games: int, jobs: int) -> Iterator[str]:
    for number, kind in enumerate(row.kinds):
        found = simulate(program, Wanted(games, options=row.options, players=(kind,)), jobs).tally
        won = found.wins(0)
        low, high = interval(won, games)
        name = row.name if number == 0 else ""
        share = f"wins {won / games:.0%} ({low:.0%} to {high:.0%})"
        yield f"| {name} | `{kind}` | | {share} | | {games} games | {found.quantile(1, 2)} |"


CUTS = (0, 5, 10, 20, 50, 200)
EAGERS = (0.05, 0.1, 0.15, 0.25, 0.35, 0.7)


def cuts(seeds: int, game: str, kind: str) -> int:
    """Prints how often a player wins who judges after so many choices by chance: see `limited`."""
    return limited("cut", CUTS, "choices by chance before a game is judged", seeds, game, kind)


def eagers(seeds: int, game: str, kind: str) -> int:
    """Prints how often a player wins with some constants of UCB1: see `limited`."""
    return limited("eager", EAGERS, "constant of UCB1", seeds, game, kind)


def limited(
    limit: Literal["cut", "eager"], values: Sequence[float], what: str, seeds: int, game: str, kind: str
) -> int:
    """Prints how often a player wins with some values of a limit of its search: a game for one so many seeds, one for
    more against `greedy`, each seed in all seatings; there the share is that of the decided games.
    """
    row = next(each for each in ROWS if each.name.partition(":")[0] == (game or "cristal_et_acier"))
    program = load(row.what).program
    alone = len(program.domains[program.players].members) == 1
    print(f"| {row.name}: {what} | won | games | seconds a game |")
    print("|---|---|---|---|")
    for value in values:
        players = (kind,) if alone else (kind, "greedy")
        engine = SeatedEngine.of(program, row.options, players, exchanged=not alone)
        setattr(engine.thinker.searcher, limit, value)
        each = len(engine.seatings)
        wanted = Wanted(seeds * each, options=row.options, players=players, exchanged=not alone, of_seed=each)
        found = simulate(program, wanted, engine=engine)
        games = seeds * each
        won, of = (found.tally.wins(0), games) if alone else _decided(found.tally)
        low, high = interval(won, of)
        share = f"{won / max(of, 1):.0%} ({low:.0%} to {high:.0%})"
        print(f"| {value} | {share} | {games} | {found.seconds / games:.1f} |", flush=True)
    return 0


def _decided(tally: Tally) -> tuple[int, int]:
    return tally.kinds[1], tally.kinds[1] + tally.kinds[2]


# ---------------------------------------------------------------- what is made where an author says nothing

MADE = ("connect_four", "reversi", "hex", "breakthrough", "draughts", "nine_mens_morris")
JUDGED = (0, 10, 200)


class Unvalued(SearchAssembly):
    """A search to which all positions are worth the same."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._worths = [[] for _ in self._worths]


def unvalued(machine: Machine) -> Searcher:
    """A player to whom all positions are worth the same."""
    found = Searcher(machine)
    found.module = Module.translated(machine, "", lambda: assembled(Unvalued(machine.program)), cache=False)
    return found


def made(seeds: int, game: str = "", playouts: int = 100) -> int:
    """Prints how often a player who judges by what is made of pieces and points, where nobody says what a position is
    worth, wins against one to whom all are worth the same; each seed in both seatings, the share is of decided games.
    What the author of a game says is taken away.
    """
    print("| game | " + " | ".join(f"{cut} choices by chance" for cut in JUDGED) + " |")
    print("|---|" + "---|" * len(JUDGED))
    for row in ROWS:
        if row.name not in MADE or game not in {"", row.name}:
            continue
        with tempfile.TemporaryDirectory() as folder:
            machine = load(str(_without_worth(row, Path(folder))))
            players = Searcher(machine), unvalued(machine)
            shares = []
            for cut in JUDGED:
                won, of = _matched(machine, players, max(1, round(seeds * row.share)), playouts, cut)
                low, high = interval(won, of)
                shares.append(f"{won / max(of, 1):.0%} ({low:.0%} to {high:.0%}) of {of}")
        print(f"| {row.name} | " + " | ".join(shares) + " |", flush=True)
    return 0


def _without_worth(row: Row, folder: Path) -> Path:
    """The game with its author's `worth` under another name."""
    found = Path(shutil.copytree(row.what, folder / row.name))
    main = found / f"{row.name}.scn"
    main.write_text(
        main.read_text(encoding="utf-8").replace("value worth(", "value not_asked("), encoding="utf-8"
    )
    return found


def _matched(
    machine: Machine, players: tuple[Searcher, Searcher], seeds: int, playouts: int, cut: int
) -> tuple[int, int]:
    """Of so many seeds, each in both seatings, how many games the first of two won, and how many were decided."""
    won = decided = 0
    for number in range(2 * seeds):
        game, made = Game.start(machine, seed=number // 2), 0
        while game.count:
            assert game.player is not None
            searcher = players[(game.player + number) % 2]
            thought = searcher.think(
                game.state, playouts=playouts, seed=1_000_003 * number + made, cut=cut, settled=True
            )
            game.choose(thought.best.number)
            made += 1
        if game.outcome is not None and len(game.outcome.players) == 1:
            decided += 1
            won += (game.outcome.players[0] + number) % 2 == 0
    return won, decided
