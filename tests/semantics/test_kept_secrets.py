"""What the rules have kept of a secret, beside the field in which it stands."""

from __future__ import annotations

from pathlib import Path

from dsl.compiler import compile_game
from dsl.engine.game import Game
from dsl.engine.machine import Machine

HEAD = """\
game kept:
    players ann, bob
    rounds 2
state of Player:
    plan: 0..5, seen by self
action idle by p "Idle": nothing
action think(n: 0..5) by p "Think {n}": p.plan = n
"""


def started(text: str, folder: Path) -> Game:
    path = folder / "kept.scn"
    path.write_text(HEAD + text, encoding="utf-8")
    compiled = compile_game(str(path))
    assert compiled.program is not None, [str(each.message) for each in compiled.diagnostics]
    return Game.start(Machine(compiled.program), telling=True)


def test_of_an_order_that_is_refused_a_view_tells_where_there_are_words_for_it(tmp_path: Path) -> None:
    game = started(
        """\
action hard(q: Player):
    need q.plan > 2
    q.plan loses 1
action heavy(q: Player) "Heavy":
    need q.plan > 2
    q.plan loses 1
round:
    ann chooses: think(n) for n in 0..5
    hard(ann) otherwise: nothing
    heavy(ann) otherwise: nothing
    bob chooses: idle
    bob may: idle
""",
        tmp_path,
    )
    game.choose(game.decision.options[1])
    assert [each.name for each in game.log if each.kind == "refused"] == ["hard", "heavy"]
    assert [each.name for each in game.view(1).log if each.kind == "refused"] == ["heavy"]
