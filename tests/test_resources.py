from pathlib import Path

import pytest

from dsl import resources


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("dsl", "grammar", "stdlib/morpion", "stdlib/prelude", "stdlib/_draft", "stdlib/empty"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("morpion", "prelude", "_draft"):
        (tmp_path / "stdlib" / name / "rules.scn").touch()
    monkeypatch.setattr(resources, "_PACKAGE", tmp_path / "dsl")
    return tmp_path


def test_a_checkout_has_its_data_beside_the_package(checkout: Path) -> None:
    assert resources.grammar_folder() == checkout / "grammar"
    assert resources.stdlib_folder() == checkout / "stdlib"


def test_an_installed_package_has_its_data_inside(checkout: Path) -> None:
    (checkout / "dsl/_grammar").mkdir()
    assert resources.grammar_folder() == checkout / "dsl/_grammar"


def test_games_are_the_folders_with_sources(checkout: Path) -> None:
    assert resources.games() == ("morpion",)
    assert resources.game_folder("morpion") == checkout / "stdlib/morpion"
    assert resources.game_folder("prelude") is None
    assert resources.game_folder("../stdlib/morpion") is None


def test_an_incomplete_installation_says_so(checkout: Path) -> None:
    (checkout / "grammar").rmdir()
    with pytest.raises(FileNotFoundError, match="incomplete"):
        resources.grammar_folder()


def test_the_grammar_of_this_installation_is_found() -> None:
    assert (resources.grammar_folder() / "scenarii.lark").is_file()
