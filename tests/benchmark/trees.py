"""Move trees of the examples: in how many ways so many moves can be made, beside the counts that programs for
these games agree on ("perft").

The counts of chess are those of the Chess Programming Wiki; those of English draughts are Aart Bik's
(www.aartbik.com/MISC/checkers.html) and take a move with all its captures as one. Those of nine men's morris are what
OpenSpiel's game counts: there taking a man is a move of its own.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import dsl
from tests.benchmark.spiel import GAMES
from tests.examples import FOLDER

BEGINNING = """\
    r n b q k b n r
    p p p p p p p p
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    . . . . . . . .
    P P P P P P P P
    R N B Q K B N R
"""
KIWIPETE = """\
    r . . . k . . r
    p . p p q p b .
    b n . . p n p .
    . . . P N . . .
    . p . . P . . .
    . . N . . Q . p
    P P P B B P P P
    R . . . K . . R
"""
PAWNS = """\
    . . . . . . . .
    . . p . . . . .
    . . . p . . . .
    K P . . . . . r
    . R . . . p . k
    . . . . . . . .
    . . . . P . P .
    . . . . . . . .
"""
"""En passant would leave the king in check along the row."""


@dataclass(frozen=True, slots=True)
class Tree:
    """A game and where it stands, with its counts for 1, 2, 3 ... moves."""

    name: str
    path: Path
    counts: tuple[int, ...]
    edits: tuple[tuple[str, str], ...] = ()
    """What stands in the source, and what is put in its place."""
    whole: bool = False
    """Is all that a player does in a row one move?"""

    def beginning(self, engine: Literal["python", "wasm"] = "wasm") -> dsl.Game:
        """The game, where its counts begin."""
        with TemporaryDirectory() as folder:
            path = self.path
            if self.edits:
                text = path.read_text(encoding="utf-8")
                for old, new in self.edits:
                    if old not in text:
                        raise ValueError(f"{path} has no {old!r}")
                    text = text.replace(old, new)
                path = Path(folder) / path.name
                path.write_text(text, encoding="utf-8")
            return dsl.load(path, engine=engine, ask_always=True).start(telling=False)

    def counted(self, game: dsl.Game, depth: int) -> int:
        """In how many ways so many moves can be made in a game of it."""
        return turns(game, depth) if self.whole else dsl.perft(game, depth)


def turns(game: dsl.Game, depth: int) -> int:
    """In how many ways players can move `depth` times in turn, each choosing as often as he is asked in a row."""
    decision = game.decision
    if decision is None:
        return 0
    total = 0
    for choice in range(game.count):
        after = game.clone()
        after.choose(choice)
        follows = after.decision
        left = depth if follows is not None and follows.player == decision.player else depth - 1
        total += turns(after, left) if left else 1
    return total


CHESS = FOLDER / "chess" / "chess.scn"
BY_RAYS = GAMES / "chess_by_rays.scn"
OF_PIECES = GAMES / "chess_of_pieces.scn"


def placing(drawing: str) -> str:
    """The setup that places the men of a drawing, for chess whose men are pieces."""
    kinds = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
    lines = ["setup:"]
    for row, line in zip(range(8, 0, -1), drawing.splitlines(), strict=True):
        for column, sign in zip("abcdefgh", line.split(), strict=True):
            if sign != ".":
                side = "white" if sign.isupper() else "black"
                lines.append(f"    place {kinds[sign.lower()]} of {side} at {column}{row}")
    return "\n".join(lines) + "\n"


def of_pieces(drawing: str) -> tuple[tuple[str, str], ...]:
    """What makes the game of pieces begin with a drawing: another setup."""
    text = OF_PIECES.read_text(encoding="utf-8")
    begin = text.index("setup white:")
    return ((text[begin : text.index("# ---", begin)], placing(drawing) + "\n"),)


UNCASTLED = (("far: bool = true", "far: bool"), ("near: bool = true", "near: bool"))
TREES = (
    Tree("chess", CHESS, (20, 400, 8902, 197_281, 4_865_609)),
    Tree("chess, Kiwipete", CHESS, (48, 2039, 97_862, 4_085_603), ((BEGINNING, KIWIPETE),)),
    Tree("chess, pawns", CHESS, (14, 191, 2812, 43_238, 674_624), ((BEGINNING, PAWNS), *UNCASTLED)),
    Tree("chess_by_rays", BY_RAYS, (20, 400, 8902, 197_281, 4_865_609)),
    Tree("chess_by_rays, Kiwipete", BY_RAYS, (48, 2039, 97_862, 4_085_603), ((BEGINNING, KIWIPETE),)),
    Tree("chess_by_rays, pawns", BY_RAYS, (14, 191, 2812, 43_238, 674_624), ((BEGINNING, PAWNS),)),
    Tree("chess_of_pieces", OF_PIECES, (20, 400, 8902, 197_281, 4_865_609)),
    Tree("chess_of_pieces, Kiwipete", OF_PIECES, (48, 2039, 97_862, 4_085_603), of_pieces(KIWIPETE)),
    Tree("chess_of_pieces, pawns", OF_PIECES, (14, 191, 2812, 43_238, 674_624), of_pieces(PAWNS)),
    Tree(
        "draughts",
        FOLDER / "draughts" / "draughts.scn",
        (7, 49, 302, 1469, 7361, 36_768, 179_740, 845_931),
        whole=True,
    ),
    Tree(
        "nine_mens_morris",
        FOLDER / "nine_mens_morris" / "nine_mens_morris.scn",
        (24, 552, 12_144, 255_024, 5_100_480),
    ),
)


def show(nodes: int, only: str | None = None) -> int:
    """Prints the table, each game so deep as it has no more than `nodes` ways; yields how many counts differ."""
    print("| game | moves | ways | as published | nodes/s |")
    print("|---|---|---|---|---|")
    wrong = 0
    for tree in TREES:
        if only not in {None, tree.name.partition(",")[0]}:
            continue
        game = tree.beginning()
        for depth, count in enumerate(tree.counts, start=1):
            if count > nodes:
                break
            begun = time.process_time()
            found = tree.counted(game, depth)
            wrong += found != count
            pace = found / (time.process_time() - begun)
            print(f"| {tree.name} | {depth} | {found:,} | {count:,} | {pace:,.0f} |", flush=True)
    return wrong
