"""A game in a page, opened from a file and played by clicking, in a headless Chromium."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.cli.goals import goals
from dsl.cli.state import Overview
from dsl.cli.story import Answer, Teller
from dsl.engine.display import member_name
from dsl.engine.distinct import chosen_apart
from dsl.engine.game import Game
from dsl.engine.kinds import kind_of
from dsl.engine.machine import Machine
from dsl.engine.views import may_see
from dsl.ir.types import NONE
from dsl.library import load
from dsl.saves import restored
from dsl.search.thinker import Thinker
from tests.browser import pages
from tests.browser.chromium import running
from tests.browser.pages import begun, clicked, opened, same, saved, written
from tests.cli.test_at_the_prompt import BOOK
from tests.cli.test_at_the_prompt import GAME as TRAPS
from tests.cli.test_panels import SEVERAL_OFF as CAMP
from tests.cli.test_secrets import PLANS
from tests.examples import FOLDER
from tests.soak import only_when_long

GAMES = Path(__file__).with_name("games")

HOSTILE = """\
game hostile:
    title en "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
    players one en "<b>One</b>", two en "</title><svg onload=alert(3)>"
    rounds 3

state:
    score: 0..9

action mark(n: 1..2) by p en "<script>alert({n})</script> & '{n}'":
    score gains n

action name() by p en "NAME":
    score gains 0

round:
    for p in order of play:
        p chooses "<a href=javascript:alert(4)>which?</a>":
            mark(n) for n in 1..2
            name()
    say "<img src=y onerror=alert(5)> {score}"

victory one when score > 6
"""


PASSING = """most => {
  let wished = 0, asked = 0, seen = new Set();
  for (let count = 0; count < most; count++) {
    document.querySelector("[data-act=here]")?.click();
    const options = document.querySelectorAll("[data-option]");
    const box = document.querySelector("[name=passing]");
    const who = document.querySelector(".turn").textContent;
    if (box && seen.has(who)) asked++;
    else if (box) { box.click(); seen.add(who); wished++; }
    options[(count * 5) % options.length].click();
  }
  return [wished, asked];
}"""
"""Lets each player pass from the first time on that he can only pass: how many did, how often one was asked again."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with running() as found:
        yield found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture(scope="module")
def cards() -> Machine:
    return load("me_ccg")


def machine(name: str) -> Machine:
    return load(FOLDER / name)


@pytest.mark.parametrize("name", ["classics/tic_tac_toe", "classics/connect_four", "le_gue_d_argent"])
def test_to_the_end(browser: Any, folder: Path, name: str) -> None:
    played = machine(name)
    page = opened(browser, written(played, folder))
    begun(page, 5)
    assert clicked(page) > 4
    assert page.text_content(".ending")
    save = saved(page, folder)
    assert same(played, save)
    assert save.outcome is not None
    assert page.faults == []
    page.context.close()


def test_the_command_plays_modes_and_says_how_far_a_game_is(
    browser: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "AT_ONCE", 2)
    found = load(GAMES / "modes.scn")
    heard: list[int] = []

    def hear(count: int, passed: float) -> None:
        heard.append(count)

    of_all, of_two = (pages.played(browser, found, folder, mode, told=hear) for mode in pages.modes(found))
    assert (of_all.count, of_two.count, heard) == (12, 6, [2, 4, 6, 8, 10, 12, 2, 4, 6])
    assert of_all.ending and of_all.faults == of_two.faults == ()
    assert "alike" in str(of_two)
    left = pages.played(browser, found, folder, most=3)
    assert left.count == 3 and left.faults == ("NOT OVER",)
    assert {"me_ccg", "chess", "la_gorge", "le_phare", "contre_gdi"} <= pages.paths().keys()


def test_the_board_is_played_with_mouse_and_keyboard(browser: Any, folder: Path) -> None:
    page = opened(browser, written(machine("classics/tic_tac_toe"), folder))
    begun(page, 1)
    assert page.locator(".cell.choice").count() == 9
    page.locator('[data-cell="4"]').click()
    assert page.locator(".cell.choice").count() == 8
    label = page.locator('[data-cell="4"]').get_attribute("aria-label")
    assert label is not None and label.startswith("b2, ")
    page.locator('[data-cell="0"]').focus()
    page.keyboard.press("Enter")
    assert page.locator(".cell.choice").count() == 7
    page.click("[data-act=undo]")
    assert page.locator(".cell.choice").count() == 8
    assert page.locator(".lines .choice").count() == 1
    page.context.close()


def test_a_page_in_a_file_says_what_options_do(browser: Any, folder: Path) -> None:
    """Also in another language, after a choice, and after it was taken back."""
    played = load(Path(__file__).with_name("games") / "foreseen.scn")
    page = opened(browser, written(played, folder), language="fr-FR")
    page.check("[name=takeback]")
    begun(page, 1, seat_1="random")
    page.locator(".does").first.wait_for()
    told = page.locator("[data-option]").all_text_contents()
    assert "Acheter Garde [Bourse −5, Biens (Ann) +1 Garde]" in told, told
    assert "Plunder [67 % Biens (Bob) −1 Garde; 33 % Biens (Bob) −1 Mur]" in told, told
    page.locator("[data-option]").first.click()
    page.locator(".does", has_text="Biens (Ann) +1 Mur").first.wait_for()
    page.click("[data-act=undo]")
    page.locator(".does", has_text="Biens (Ann) +1 Garde").first.wait_for()
    assert page.locator("[data-option]").all_text_contents() == told
    page.select_option("nav select", "en")
    page.locator(".does", has_text="Purse −5").first.wait_for()
    assert page.faults == []
    page.context.close()


def test_what_all_options_do_alike_stands_once_above_them(browser: Any, folder: Path) -> None:
    """And the legend has the sign of a trap, which is not that of a piece, as the terminal's has."""
    (folder / "rulebook.json").write_text(BOOK, encoding="utf-8")
    (folder / "traps.scn").write_text(TRAPS, encoding="utf-8")
    page = opened(browser, written(load(folder / "traps.scn"), folder), language="en-GB")
    begun(page, 1, seat_1="random")
    page.locator(".each", has_text="Purse").wait_for()
    assert page.text_content(".each") == "each: [Purse \N{MINUS SIGN}1]"
    told = page.locator("[data-option]").all_text_contents()
    assert any(each.startswith("March Guard to ") and each.endswith("(a1)") for each in told)
    assert not any("Purse" in each for each in told)
    legend = page.evaluate(
        "[...document.querySelectorAll('.legend dt, .legend dd')].map(each => each.textContent)"
    )
    assert dict(zip(legend[::2], legend[1::2], strict=True))["tr"] == "Trap"
    page.click("[data-option] >> nth=0")
    page.locator(".each").wait_for(state="hidden")
    assert page.faults == []
    page.context.close()


def test_the_story_has_the_lines_of_the_terminal(browser: Any, folder: Path) -> None:
    """But for what changed, which the panels show."""
    for name, seed in (("cristal_et_acier", 7), ("le_gue_d_argent", 3), ("twins", 3)):
        found = {"cristal_et_acier": name, "twins": GAMES / "twins.scn"}
        played = load(found.get(name, FOLDER / name))
        page = opened(browser, written(played, folder))
        begun(page, seed)
        clicked(page, 25)
        shown = page.evaluate(
            "[...document.querySelectorAll('.lines .line')].map(each => each.firstChild.textContent)"
        )
        game = Game.start(played, seed=seed, telling=True)
        teller = Teller(played, "en")
        lines = teller.stretch(None, game.log, None, list(game.state))
        for choice in saved(page, folder).choices:
            decision, before, known = game.decision, list(game.state), len(game.log)
            assert decision is not None
            option = next(each for each in decision.options if each.raw == choice)
            apart = chosen_apart(decision, option, "en")
            game.choose(choice)
            answer = Answer(decision, option, (), apart)
            lines += teller.stretch(answer, game.log[known:], before, list(game.state))
        lines += teller.pending()
        told = [each.text for each in lines if each.kind != "change"]
        assert [each.strip() for each in shown] == told, name
        assert name != "twins" or any("Ride to" in each and each.endswith(")") for each in told)
        page.context.close()


def test_a_line_of_which_a_player_may_read_nothing_is_not_told_him(browser: Any, folder: Path) -> None:
    page = opened(browser, written(load(GAMES / "whispers.scn"), folder))
    begun(page, 1)
    page.click("[data-act=here]")
    page.click("[data-option]")
    page.click("[data-act=here]")
    told = page.evaluate(
        "[...document.querySelectorAll('.lines .line')].map(each => each.firstChild.textContent)"
    )
    assert [each for each in told if "Chosen" in each] == ["Chosen by Ann: ?"], told
    assert not any("??" in each or each.startswith("?") for each in told), told
    page.context.close()


def test_a_choice_is_taken_back_where_nothing_has_been_shown(browser: Any, folder: Path) -> None:
    """In a game with secrets too: by whoever made it, as long as nobody else has come to the screen."""
    source = folder / "plans.scn"
    source.write_text(PLANS, encoding="utf-8")
    page = opened(browser, written(load(source), folder))
    begun(page, 3)
    page.click("[data-act=here]")

    def choose(label: str) -> None:
        page.get_by_role("button", name=label, exact=True).click()

    choose("Wait")
    page.click("nav [data-act=undo]")
    assert page.locator(".lines .choice").count() == 0
    assert page.locator(".problem").count() == 0
    choose("Look")
    page.click("nav [data-act=undo]")
    assert "something has been shown" in page.text_content(".problem")
    assert page.locator(".lines .choice").count() == 1
    choose("Wait")
    assert page.locator(".over h2").text_content() == "bob is next"
    page.click(".over [data-act=undo]")
    assert page.locator(".over").is_hidden()
    assert page.locator(".turn").text_content() == "ann to choose"
    choose("Look")
    page.click(".over [data-act=undo]")
    assert "something has been shown" in page.text_content(".over .problem")
    page.click("[data-act=here]")
    assert page.locator("nav [data-act=undo]").is_disabled(), "the choice was another's"
    assert page.locator(".problem").count() == 0
    assert page.faults == []
    page.context.close()


def test_dice_that_were_thrown_are_not_taken_back(browser: Any, folder: Path) -> None:
    page = opened(browser, written(load(GAMES / "foreseen.scn"), folder))
    begun(page, 1)
    page.click("[data-act=here]")
    page.locator("[data-option]", has_text="Plunder").click()
    page.click(".over [data-act=undo]")
    assert "dice have been thrown" in page.text_content(".over .problem")
    page.click("[data-act=here]")
    assert page.locator(".lines .choice").count() == 1
    page.context.close()


def test_what_others_choose_is_told_as_far_as_it_is_open(browser: Any, folder: Path) -> None:
    page = opened(browser, written(played := load(GAMES / "laid.scn"), folder))
    begun(page, 2)
    page.click("[data-act=here]")
    for _ in range(3):
        page.locator("[data-option]").first.click()
    page.click("[data-act=here]")
    game = Game.start(played, seed=2)
    assert game.decision is not None
    told = page.evaluate(
        "[...document.querySelectorAll('.lines .line.choice')].map(each => each.firstChild.textContent)"
    )
    laid = game.decision.options[0].label("en")
    assert laid in {"Lay Star", "Lay Moon"}
    assert told == [f"Ann: {laid}", "Ann: Hide ?", "Ann: What do you bid? (hidden)"]
    page.context.close()


def test_two_cells_are_pointed_at_one_after_the_other(browser: Any, folder: Path) -> None:
    page = opened(browser, written(machine("chess"), folder))
    begun(page, 1)
    names = [each.text_content() for each in page.locator("[data-option]").all()]
    first = page.locator(".cell.first").first
    first.click()
    assert page.locator(".cell.picked").count() == 1
    left = [each.text_content() for each in page.locator("[data-option]").all()]
    assert 0 < len(left) < len(names) and set(left) < set(names)
    page.keyboard.press("Escape")
    assert page.locator(".cell.picked").count() == 0
    first.click()
    page.locator(".cell.choice:not(.picked)").first.click()
    assert page.locator(".lines .choice").count() == 1
    page.context.close()


def test_saves_go_both_ways(browser: Any, folder: Path) -> None:
    played = machine("le_gue_d_argent")
    path = written(played, folder)
    page = opened(browser, path)
    begun(page, 11)
    clicked(page, 12)
    save = saved(page, folder)
    game = restored(played, save, verify=True)
    assert isinstance(game, Game) and game.fingerprint == save.fingerprint
    assert save.seed == 11 and len(save.choices) == 12 == len(save.moves)
    story = page.text_content(".lines")
    other = opened(browser, path)
    file = next(folder.glob("*.save.json"))
    other.locator("input[type=file]").set_input_files(file)
    other.wait_for_selector(".turn")
    assert other.text_content(".lines") == story
    assert saved(other, folder).fingerprint == save.fingerprint
    for broken, told in (
        ("{}", "it is not a saved game"),
        (file.read_text(encoding="utf-8").replace(save.program, "0" * 64), "another version"),
        (
            file.read_text(encoding="utf-8").replace('"version": 2', '"version": 1'),
            "the version 1, and this is 2",
        ),
        (file.read_text(encoding="utf-8").replace(save.fingerprint, "0" * 64), "it is damaged"),
        (file.read_text(encoding="utf-8").replace('"choices": [', '"choices": [[99, []], '), "it is damaged"),
    ):
        (folder / "broken.json").write_text(broken, encoding="utf-8")
        other.locator("input[type=file]").set_input_files(folder / "broken.json")
        other.wait_for_selector(f'.problem:has-text("{told}")')
        assert other.text_content(".lines") == story
    page.context.close()
    other.context.close()


def test_persons_go_on_with_a_game_that_nobody_has_played(browser: Any, folder: Path) -> None:
    path = written(machine("classics/tic_tac_toe"), folder)
    page = opened(browser, path)
    begun(page, 1)
    clicked(page, 3)
    saved(page, folder)
    file = next(folder.glob("*.save.json"))
    save = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**save, "players": ["random", "random"]}), encoding="utf-8")
    page.click("nav [data-act='new game']")
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_selector(".over", state="hidden")
    page.wait_for_timeout(500)
    assert page.locator("[data-option]").count() == 6
    page.locator("[data-option]").first.click()
    assert page.locator("[data-option]").count() == 5
    page.context.close()


def test_the_screen_is_handed_over_where_hands_are_secret(browser: Any, folder: Path, cards: Machine) -> None:
    page = opened(browser, written(cards, folder), width=390, height=844)
    begun(page, 3)
    assert page.locator("[data-act=here]").count() == 1
    assert page.evaluate("document.querySelector('.page').inert")
    assert not page.locator(".panel").count()
    page.click("[data-act=here]")
    game = Game.start(cards, seed=3)
    assert game.player is not None
    expected = Counter(_labels(cards, list(game.state), game.player))
    assert 0 < expected.total() < len(cards.program.domains[cards.program.pools[0].domain].members)
    shown = Counter[str]()
    for each in page.locator(".cards span").all_text_contents():
        count, sign, name = each.partition(" × ")
        shown[name if sign else each] += int(count) if sign else 1
    assert shown == expected
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    while not page.locator("[data-act=here]").count():
        page.locator("[data-option]").first.click()
    assert page.locator(".page").text_content() == page.locator("header").text_content()
    asked = page.evaluate(PASSING, 150)
    assert asked[0] > 0 and asked[1] == 0, (
        "whoever lets the page pass is asked no more where he can only pass"
    )
    assert page.faults == []
    page.context.close()


def test_panels_say_what_the_terminal_does(browser: Any, folder: Path) -> None:
    source = folder / "camp.scn"
    source.write_text(CAMP, encoding="utf-8")
    played = load(source)
    page = opened(browser, written(played, folder), language="fr-FR")
    begun(page, 0)
    if page.locator("[data-act=here]").count():
        page.click("[data-act=here]")
    game = Game.start(played, seed=0)
    told = list(Overview(played, list(game.state), game.player, "fr").pieces_told())
    groups = page.evaluate(
        "[...document.querySelectorAll('.panel .cards')].map(each => [...each.children].map(span => span.textContent))"
    )
    assert [", ".join(each) for each in groups] == [each.split(" : ", 1)[1] for each in told]
    aims = page.evaluate(
        "[...document.querySelector('.panel').querySelectorAll('dt, dd')].map(each => each.textContent)"
    )
    assert [" : ".join(each) for each in zip(aims[::2], aims[1::2], strict=True)] == [
        each.replace("\N{NO-BREAK SPACE}", " ") for each in goals(played, game.state, game.player, "fr")
    ]
    assert page.faults == []
    page.context.close()


def _labels(machine: Machine, state: list[int], viewer: int) -> Iterator[str]:
    """What the cards are called that a player sees in piles."""
    program = machine.program
    for pool in program.pools:
        if pool.pile is None:
            continue
        at = program.vars[pool.pile].offset
        for card in range(len(program.domains[pool.domain].members)):
            if state[at + card] != NONE and may_see(machine, state, pool.pile, card, viewer):
                kind = kind_of(program, state, pool, card)
                assert kind is not None
                yield member_name(program, *kind, "en")


def test_the_computer_plays_by_chance(browser: Any, folder: Path) -> None:
    page = opened(browser, written(machine("classics/tic_tac_toe"), folder))
    begun(page, 2, seat_0="random", seat_1="random")
    page.wait_for_selector(".ending")
    assert saved(page, folder).players == ("random", "random")
    page.context.close()


def test_french(browser: Any, folder: Path) -> None:
    page = opened(browser, written(machine("le_gue_d_argent"), folder), language="fr-FR")
    assert page.text_content("[data-act=start]") == "Commencer"
    begun(page, 1)
    assert page.text_content(".story h2") == "Ce qui s’est passé"
    page.locator("nav select").select_option("en")
    assert page.text_content(".story h2") == "What has happened"
    assert page.evaluate("document.documentElement.lang") == "en"
    page.context.close()


def test_what_was_entered_for_a_new_game_stays_in_another_language(browser: Any, folder: Path) -> None:
    source = folder / "camp.scn"
    source.write_text(CAMP, encoding="utf-8")
    page = opened(browser, written(load(source), folder), language="fr-FR")
    page.fill("[name=seed]", "417")
    page.fill("[name=enough]", "7")
    page.select_option("[name='seat 1']", "random")
    page.check("[name=takeback]")
    page.locator("form select[aria-label]").select_option("en")
    assert page.text_content("[data-act=start]") == "Start"
    assert page.input_value("[name=seed]") == "417" and page.input_value("[name=enough]") == "7"
    assert page.input_value("[name='seat 1']") == "random" and page.is_checked("[name=takeback]")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Language"
    page.click("[data-act=start]")
    kept = saved(page, folder)
    assert (kept.seed, dict(kept.options)["enough"], kept.players[1]) == (417, 7, "random")
    assert page.faults == []
    page.context.close()


def test_markup_in_a_game_stays_text(browser: Any, folder: Path) -> None:
    source = folder / "hostile.scn"
    source.write_text(HOSTILE.replace("NAME", "x" * 300), encoding="utf-8")
    played = load(source)
    page = opened(browser, written(played, folder))
    page.on("dialog", lambda dialog: page.faults.append(dialog.message))
    begun(page, 1)
    assert "<script>alert(1)</script>" in page.locator("[data-option]").first.text_content()
    clicked(page)
    assert "<img src=y onerror=alert(5)>" in page.text_content(".lines")
    assert page.locator("img, a[href], b, i, .lines script").count() == 0
    assert page.locator("script").count() == 4
    assert page.title().startswith("<img src=x")
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert page.faults == []
    page.context.close()


@pytest.mark.parametrize("width", [1280, 360])
def test_huge_words_leave_everything_within_reach(browser: Any, folder: Path, width: int) -> None:
    source = folder / "hostile.scn"
    text = HOSTILE.replace("</script>", "T" * 800).replace("</b>", "P" * 800).replace("which?", "Q" * 800)
    source.write_text(text.replace("NAME", "x" * 900), encoding="utf-8")
    page = opened(browser, written(load(source), folder), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    begun(page, 1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    seen = page.locator("section.choice").bounding_box()
    for _ in range(2):  # first down to the list, then to its end
        page.mouse.move(seen["x"] + 60, min(seen["y"] + seen["height"], 800) - 60)
        for _ in range(20):
            page.mouse.wheel(0, 400)
        page.wait_for_timeout(400)
    reached = page.evaluate(
        """() => {
          const last = [...document.querySelectorAll("[data-option]")].at(-1);
          const box = last.getBoundingClientRect();
          return last === document.elementFromPoint(box.x + 9, box.bottom - 9);
        }"""
    )
    assert reached or width == 360, "what lies below is scrolled to"
    clicked(page)
    assert page.text_content(".ending")
    assert page.faults == []
    page.context.close()


def test_the_computer_thinks_as_the_search_in_python_does(browser: Any, folder: Path) -> None:
    played = machine("classics/connect_four")
    page = opened(browser, written(played, folder))
    page.evaluate("document.querySelector('[name=\"seat 1\"] option[value=mcts]').value = 'mcts:200'")
    begun(page, 4, seat_1="mcts:200")
    thinker, game = Thinker(played), Game.start(played, seed=4)
    for turn in range(3):
        page.locator("[data-option]").nth(turn).click()
        game.choose(turn)
        page.locator(".lines .choice").nth(2 * turn + 1).wait_for()
        game.choose(thinker.advice("mcts:200", game.state, seed=4, made=2 * turn + 1).best.number)
    save = saved(page, folder)
    assert save.players == ("human", "mcts:200")
    assert save.choices == game.choices
    assert page.faults == []
    page.context.close()


@pytest.mark.parametrize("fault", ["for (;;) {}", only_when_long("throw new Error('no')")])
def test_a_computer_that_hangs_or_fails_is_ended(browser: Any, folder: Path, fault: str) -> None:
    page = opened(browser, written(machine("classics/tic_tac_toe"), folder))
    page.clock.install()
    page.evaluate(
        "code => { document.querySelector('#thinker').textContent = `onmessage = () => { ${code} }` }", fault
    )
    begun(page, 4, seat_1="mcts")
    page.locator("[data-option]").first.click()
    page.clock.fast_forward(60_000)
    page.locator(".lines .choice").nth(1).wait_for()
    assert "stopped" in page.text_content(".problem")
    for _ in range(50):
        if not page.workers:
            break
        page.wait_for_timeout(100)
    assert page.workers == [], "whoever hangs is ended"
    page.context.close()
