"""Slips in the content of mods for the games that come along: each is told, once, in the mod."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.compiler import compile_game

SLIPS = {
    "a border from one side": ("cristal_et_acier", "change R01: adjacent = {R02}", "E0107"),
    "a row that is used is removed": ("cristal_et_acier", "remove MI", "E0201"),
    "rows that are used are removed by their citation": ("cristal_et_acier", "remove [CA-081]", "E0201"),
    "a spell without its effect": (
        "cristal_et_acier",
        "extend Spell:\n    | id    | success |\n    | flash |       4 |",
        "E0415",
    ),
    "a label in no language": (
        "cristal_et_acier",
        "extend Troop:\n    | id   | name eng | class |\n    | lava | Lava     | foot  |",
        "E0201",
    ),
    "a map on a column that is none": (
        "cristal_et_acier",
        "map other on regions(Region, neighbours)",
        "E0107",
    ),
    "a column without its word": ("cristal_et_acier", "extend Troop with armour: 0..9 = 0", "E0101"),
    "a cell changed twice": ("green_conquest", "change scout: pm = 2, pm = 3", "E0202"),
    "a vehicle without a heart": ("green_conquest", "change scout: health = 0", "E0302"),
    "more than its field holds": ("green_conquest", "change scout: pm = 50", "E0302"),
    "a fraction among numbers": (
        "green_conquest",
        "extend VehicleType:\n    | id   | health | pm | coefficient |\n    | tank |    1/2 |  4 | 1/2         |",
        "E0307",
    ),
    "nothing where each has a number": (
        "green_conquest",
        "extend VehicleType:\n    | id   | health | pm | coefficient |\n    | tank |      4 |  - | 1/2         |",
        "E0310",
    ),
    "a site without a word on its refuge": (
        "me_ccg",
        "extend Site:\n    | id   | name en | guard |\n    | lake | Lake    | -     |",
        "E0310",
    ),
    "a field of the card asked of its model": (
        "me_ccg",
        "value galva_rides -> bool = galva.in is none",
        "E0201",
    ),
}


@pytest.mark.parametrize(("game", "text", "code"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_told_in_the_mod(game: str, text: str, code: str, tmp_path: Path) -> None:
    mod = tmp_path / "slip.scn"
    mod.write_text(f'mod slip for {game}:\n    note "a slip"\n{text}\n', encoding="utf-8")
    (found,) = [each for each in compile_game(game, [str(mod)]).diagnostics if each.is_error]
    assert found.code.id == code
    assert found.span is not None and found.span.source.name.endswith("slip.scn")
    assert found.hint
