"""A person at the table: what is typed, and what comes of it."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_snapshot.plugin import Snapshot
from rich.console import Console

from dsl.authoring.survey import sections
from dsl.cli.asking import why_not
from dsl.cli.person import Person, Quit
from dsl.cli.printed import texts
from dsl.cli.story import Teller, show
from dsl.cli.table import Table
from dsl.engine.game import Game
from dsl.library import load
from dsl.playable import Playable
from dsl.players.seats import HUMAN, RANDOM, SeatError, seats_of
from dsl.saves import Save, read, restored
from tests.cli.conftest import DUEL


@pytest.fixture(scope="module")
def duel() -> Playable:
    return load(DUEL, environment={"SCENARII_CACHE": "off"})


TEXTS = Path(__file__).parents[1] / "corpus" / "language" / "good" / "texts.scn"
THORNS = Path(__file__).parents[1] / "thorns"


class Sitting:
    """A table with people who type what a test says."""

    def __init__(
        self,
        machine: Playable,
        typed: list[str],
        seats: tuple[str, ...],
        save: Save | None = None,
        *,
        takeback: bool = False,
        width: int = 100,
    ) -> None:
        self.out = io.StringIO()
        self.console = Console(file=self.out, width=width, no_color=True, highlight=False, markup=False)
        teller = Teller(machine, "", seats.index(HUMAN))
        game = machine.start(seed=4)
        if save is not None:
            found = restored(machine, save)
            assert isinstance(found, Game)
            game = found
        self.table = Table(
            machine,
            game,
            target=DUEL,
            mods=(),
            seed=4,
            options={},
            seats=seats,
            teller=teller,
            loaded=save,
            takeback=takeback,
        )
        self.person = Person(self.table, self.console, None, self._typed(iter(typed)))

    def _typed(self, typed: Iterator[str]):  # type: ignore[no-untyped-def]
        def read(prompt: str) -> str:
            self.out.write(prompt)
            line = next(typed, None)
            if line is None:
                raise EOFError
            self.out.write(f"{line}\n")
            return line

        return read

    def play(self) -> str:
        show(self.console, self.table.opening())
        try:
            while (decision := self.table.game.decision) is not None:
                human = self.table.seats[decision.player] == HUMAN
                option = self.person.choose(decision) if human else self.table.by_chance(decision)
                if option is not None:
                    show(self.console, self.table.choose(decision, option))
        except Quit:
            self.out.write("QUIT\n")
        return self.out.getvalue()


def test_two_people_see_each_what_they_may(duel: Playable, snapshot: Snapshot) -> None:
    typed = [
        "",
        "state",
        "2",
        "",
        "state",
        "why",
        "why not march(knight_1, a1)",
        "march archer to b3",
        "quit",
    ]
    told = Sitting(duel, typed, (HUMAN, HUMAN)).play()
    snapshot.assert_match(told, "people.txt")


def test_odd_things_to_type(duel: Playable) -> None:
    typed = [
        "99",
        "0",
        "zzz",
        "march",
        "help",
        "map",
        "",
        "why not",
        "why not zzz(1)",
        "why not march(a1)",
        "log",
    ]
    told = Sitting(duel, typed, (HUMAN, RANDOM)).play()
    assert "there are only the options 1 to" in told
    assert "no option is called `zzz`" in told
    assert "Which of these?" in told
    assert "march takes: u, c" in told
    assert told.endswith("QUIT\n")


def test_why_not_by_label(duel: Playable) -> None:
    told = Sitting(duel, ["why not March Archer to c2", "why not March Knight to a2"], (HUMAN, RANDOM)).play()
    assert "need u.owner is p" in told
    assert "It is offered now." in told


def test_undo_goes_back_to_the_person(duel: Playable) -> None:
    sitting = Sitting(duel, ["undo", "1", "undo"], (HUMAN, RANDOM), takeback=True)
    start = sitting.table.game.fingerprint
    told = sitting.play()
    assert "There is nothing to take back." in told
    assert "Taken back." in told
    assert sitting.table.game.fingerprint == start
    assert sitting.table.moves == []


@pytest.mark.parametrize(
    ("typed", "seats", "told"),
    [
        (["1", "undo"], (HUMAN, RANDOM), "another player has decided since"),
        (["", "1", "", "undo"], (HUMAN, HUMAN), "another player has decided since"),
        (["", "pass", "", "pass", "", "undo"], (HUMAN, HUMAN), "another player has decided since"),
    ],
)
def test_what_is_not_taken_back(duel: Playable, typed: list[str], seats: tuple[str, ...], told: str) -> None:
    sitting = Sitting(duel, typed, seats)
    assert told in sitting.play()
    assert sitting.table.moves


OPEN = """
game open_hand:
    players ann, bob
    rounds 2
    language 1
table Card:
    | id    | copies |
    | coin  |      4 |
piece Sheet of Card, copies each
pile deck of Sheet, seen by none
pile hand of Sheet for each Player, seen by owner
state:
    gold: 0..99
action take_card() by p "Take a card": draw 1 from deck to hand(p)
action earn() by p "Earn": gold gains 1
action dice() by p "Roll": gold gains roll 1d6
round:
    ann repeatedly may:
        take_card()
        earn()
        dice()
"""


def test_only_what_nothing_came_of_is_taken_back(tmp_path: Path) -> None:
    (tmp_path / "open_hand.scn").write_text(OPEN)
    machine = load(tmp_path / "open_hand.scn", environment={"SCENARII_CACHE": "off"})

    def after(*typed: str) -> tuple[str, list[str]]:
        sitting = Sitting(machine, [*typed], (HUMAN, RANDOM))
        return sitting.play(), sitting.table.moves

    told, moves = after("Earn", "Earn", "undo", "undo", "undo")
    assert told.count("Taken back.") == 2
    assert "There is nothing to take back." in told
    assert moves == []
    told, moves = after("Earn", "Roll", "undo")
    assert "dice have been thrown" in told
    assert len(moves) == 2
    told, moves = after("Earn", "Take a card", "undo")
    assert "something has been shown since" in told
    assert len(moves) == 2


def test_passing_by_itself(tmp_path: Path) -> None:
    text = OPEN.replace("        earn()\n        dice()\n", "")
    (tmp_path / "open_hand.scn").write_text(text.replace("repeatedly may", "may"))
    machine = load(tmp_path / "open_hand.scn", environment={"SCENARII_CACHE": "off"})
    told = Sitting(machine, ["auto pass", "auto", "auto pass", "pass", "pass"], (HUMAN, RANDOM)).play()
    assert "it passes for you" in told
    assert "no option is called `auto`" in told
    assert "You are asked again" in told


def test_saved_undone_and_played_on(duel: Playable) -> None:
    sitting = Sitting(duel, ["1", "save first.json", "quit"], (HUMAN, RANDOM))
    sitting.play()
    save = read(Path("first.json"))
    assert isinstance(save, Save)
    assert save.fingerprint == sitting.table.game.fingerprint
    assert save.choices == sitting.table.game.choices

    later = Sitting(duel, ["undo", "quit"], (HUMAN, RANDOM), save, takeback=True)
    start = duel.start(seed=4)
    later.play()
    assert later.table.game.fingerprint == start.fingerprint

    whole, broken = (
        Sitting(duel, ["1", "1", "1"], (HUMAN, RANDOM)),
        Sitting(duel, ["1", "1"], (HUMAN, RANDOM), save),
    )
    whole.play()
    broken.play()
    assert whole.table.game.fingerprint == broken.table.game.fingerprint
    assert whole.table.save() == broken.table.save()


def test_what_came_before_a_save_can_be_asked_for_when_it_is_loaded(duel: Playable) -> None:
    """Why, since this player's last choice as in an unbroken game; what has happened since it was loaded is not all."""
    first = Sitting(duel, ["1", "why", "save first.json", "quit"], (HUMAN, RANDOM)).play()
    save = read(Path("first.json"))
    assert isinstance(save, Save)
    told = Sitting(duel, ["why", "undo", "log", "quit"], (HUMAN, RANDOM), save).play()

    def because(shown: str) -> str:
        return shown.partition("> why\n")[2] or shown.partition("): why\n")[2]

    asked = because(first).partition("\n> ")[0]
    assert asked and because(told).startswith(f"{asked}\n")
    assert told.count("Nothing has happened since the game was loaded.") == 1


def test_saving_keeps_what_is_something_else(duel: Playable) -> None:
    Path("notes.txt").write_text("mine")
    told = Sitting(duel, ["save notes.txt", "save /nowhere/at/all.json", "quit"], (HUMAN, RANDOM)).play()
    assert "is something else" in told
    assert "could not be saved" in told
    assert Path("notes.txt").read_text() == "mine"


def test_saves_without_a_name_find_one(duel: Playable) -> None:
    table = Sitting(duel, [], (HUMAN, RANDOM)).table
    assert [table.keep(None).name for _ in range(3)] == [
        "duel-4.save.json",
        "duel-4-2.save.json",
        "duel-4-3.save.json",
    ]


def test_what_a_label_says_is_no_control_sequence(duel: Playable) -> None:
    told = Sitting(duel, ["\x1b[2Jx", "quit"], (HUMAN, RANDOM)).play()
    assert "\x1b" not in told.replace("\x1b[2Jx\n", "", 1)


def test_seats(duel: Playable) -> None:
    assert seats_of(duel.program, [HUMAN]) == (HUMAN, HUMAN)
    assert seats_of(duel.program, [HUMAN, RANDOM]) == (HUMAN, RANDOM)
    with pytest.raises(SeatError):
        seats_of(duel.program, [HUMAN, RANDOM, RANDOM])
    with pytest.raises(SeatError):
        seats_of(duel.program, ["robot"])


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("why not march(archer at c3, a1)", "need u.owner is p"),
        ("why not march archer, c2", "need u.owner is p"),
        ("why not march(knight, a2)", "It is offered now."),
        ("why not march(archr, a1)", "There is no `archr` here. Did you mean `archer`?"),
        ("why not march(archer at c2, a1)", "There is no `archer at c2` here. Did you mean `archer at c3`?"),
        ("why not march(archr at c3, a1)", "There is no `archr at c3` here. Did you mean `archer at c3`?"),
        ("why not marsh(knight, a2)", "Did you mean `march`?"),
        ("why not march(knight, c1)", "only this is asked for:\n  march(u, c) for u in Unit where u.at"),
        ("why not march Knight to c1", "only this is asked for:\n  march(u, c) for u in Unit"),
        ("why not march(knight_1, zz)", "There is no `zz` here."),
        ("why not march(archer_1)", "march takes: u, c"),
    ],
)
def test_why_not_says_what_it_did_not_understand(duel: Playable, asked: str, answer: str) -> None:
    assert answer in Sitting(duel, [asked], (HUMAN, RANDOM)).play()


YARDS = """game yards:
    players ann, bob
    rounds 2

map land on squares(5, 3)

shape row:
    \"\"\"
    @ # #
    \"\"\"

table House:
    | id   | name en | plan |
    | yard | Yard    | row  |

piece Building of House, up to 2 each:
    at: Place?

piece Unit, up to 2:
    at: Cell?

type Target = Unit | Building

action shoot(t: Target) by p "Shoot at {t}":
    need t is Unit "no soldier"

setup:
    place yard at a1
    place Unit at a3

round:
    ann may:
        shoot(t) for t in Target where t is Unit
"""


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("why not shoot(yard at c1)", "no soldier"),
        ("why not shoot(yard at b1)", "no soldier"),
        ("why not shoot(unit at a3)", "It is offered now."),
        ("why not shoot(yard at e3)", "There is no `yard at e3` here. Did you mean `yard at "),
        ("why not shoot(yrd at b1)", "There is no `yrd at b1` here. Did you mean `yard at b1`?"),
    ],
)
def test_a_piece_on_several_cells_is_named_by_any_of_them(tmp_path: Path, asked: str, answer: str) -> None:
    """Also where the argument is of a union of types of pieces."""
    (tmp_path / "yards.scn").write_text(YARDS)
    machine = load(tmp_path / "yards.scn", environment={"SCENARII_CACHE": "off"})
    assert answer in Sitting(machine, [asked], (HUMAN, RANDOM)).play()


WITHOUT_WORDS = """game open_fields:
    players ann, bob
    rounds 2

table Card:
    | id  | name en |
    | ace | Ace     |

piece Sheet of Card, one each
pile hand of Sheet for each Player, called "Cards of"

state:
    gold: 0..9 = 4, called "Gold"
    war_chest: 0..9 = 7
state of Player:
    luck: 0..9 = 3

round:
    for p in order of play:
        p may:
            pass
            stop
"""


def test_state_shows_fields_and_piles_by_their_words_and_where_some_have_words_no_others(
    tmp_path: Path,
) -> None:
    path = tmp_path / "open_fields.scn"
    path.write_text(WITHOUT_WORDS)
    machine = load(path, environment={"SCENARII_CACHE": "off"})
    told = Sitting(machine, ["state"], (HUMAN, RANDOM)).play()
    assert "Gold 4" in told
    assert "war chest" not in told and "luck" not in told
    assert "Cards of (ann)" not in told  # there are none in it
    path.write_text(WITHOUT_WORDS.replace(', called "Gold"', ""))
    told = Sitting(load(path, environment={"SCENARII_CACHE": "off"}), ["state"], (HUMAN, RANDOM)).play()
    assert "gold 4 · war chest 7" in told and "luck" in told


PURSES = """game purses:
    players ann, bob
    rounds 2

state of Player:
    gold: 0..9 = 4, called "Gold"
    debt: 0..9, called "Debt"
    plan: 0..9 = 3, seen by self, called "Plan"
    luck: 0..9 = 3

action wait by p: nothing
round:
    for p in order of play:
        p may: wait
"""


def test_what_players_have_is_told_by_its_words_where_it_is_not_0_for_all(tmp_path: Path) -> None:
    path = tmp_path / "purses.scn"
    path.write_text(PURSES)
    told = Sitting(load(path, environment={"SCENARII_CACHE": "off"}), ["wait"], (HUMAN, RANDOM)).play()
    assert "ann: Gold 4 · Plan 3\nbob: Gold 4 · Plan hidden\nann to choose" in told


BIDS = """game bids:
    players ann, bob
    rounds 2

state of Player:
    bid: 0..3, seen by self

round:
    ann, bob secretly choose n in 1..3 "A number:"
    for q in Player: q.bid = n[q]
    for p in order of play:
        p may: raise_it(p)
action raise_it(q: Player) by p "{p} raises": q.bid = 3
"""


def test_the_log_has_ones_own_secret_choices(tmp_path: Path) -> None:
    path = tmp_path / "bids.scn"
    path.write_text(BIDS)
    told = Sitting(load(str(path)), ["", "1", "", "2", "", "log", "pass", "", "log"], (HUMAN, HUMAN)).play()
    of_ann, of_bob = (each.split("> ")[0] for each in told.split("> log\n")[1:])
    assert "A number: 1" in of_ann and "A number: 2" not in of_ann
    assert "A number: 2" in of_bob and "A number: 1" not in of_bob
    assert "bob: A number: (hidden)" in of_ann and "ann: A number: (hidden)" in of_bob


def test_who_asks_for_it_is_passed_for_where_he_can_do_nothing_else() -> None:
    machine = load(str(THORNS / "rebuttal"), environment={"SCENARII_CACHE": "off"})
    alone = "to choose\n   1  (pass)\n"
    ends = []
    for before, questions in ([], True), (["auto pass"], False), (["auto pass", "auto pass"], True):
        sitting = Sitting(machine, [*before, *["1"] * 60], (HUMAN, RANDOM))
        told = sitting.play()
        assert (told.count(alone) > 0) is questions
        assert told.count("type `auto pass`") == questions  # said once
        assert ("it passes for you" in told) is bool(before)
        assert ("asked again" in told) is (len(before) == 2)
        ends.append(sitting.table.game.state)
    assert ends[0] == ends[1] == ends[2] and sitting.table.game.outcome is not None


def test_what_is_printed_of_a_card_is_shown_while_a_game_is_played() -> None:
    machine = load(TEXTS, environment={"SCENARII_CACHE": "off"})
    told = Sitting(machine, ["look blaze", "show Fire", "look nothing like it"], (HUMAN, RANDOM)).play()
    assert re.search(r"Blaze\n +cost  2\n +Burn a unit", told)
    assert re.search(r"Fire\n +cost  1\n +Burn a unit.*\n +\"Hot!\"", told)
    assert "There is no `nothing like it` here." in told


LABELLED = """game told:
    players red, blue
    rounds 2
type Trait = dug_in fr "retranché" en "dug in" | fast fr "rapide" en "fast"
table Side_of:
    | id    | name fr | name en |
    | north | Nord    | North   |
table Kind:
    | id    | name fr  | name en | side: Side_of | traits: set of Trait | hits: interval of 0..9 |
    | guard | Gardien  | Guard   | north         | dug_in, fast         | 1-4                    |
piece Unit of Kind, one each:
    owner: Player?
action wait: nothing
round:
    for p in order of play:
        p may "Go?": wait
"""


def test_what_is_printed_of_a_kind_is_told_to_players_by_labels_and_to_authors_by_names(
    tmp_path: Path,
) -> None:
    path = tmp_path / "told.scn"
    path.write_text(LABELLED, encoding="utf-8")
    machine = load(str(path), environment={"SCENARII_CACHE": "off"})
    told = Sitting(machine, ["look guard"], (HUMAN, RANDOM)).play()
    assert re.search(r"Guard\n +side +North\n +traits +dug in, fast\n +hits +1-4\n", told)
    (written,) = [each for each in sections(machine.program, "en") if each.name == "Kind"]
    assert written.rows[0].cells == ("guard", "Guard", "north", "dug_in, fast", "1-4")


def test_what_is_printed_on_a_card_stands_beneath_it_the_first_time_and_on_looking_again() -> None:
    machine = load(TEXTS, environment={"SCENARII_CACHE": "off"})
    told = Sitting(machine, ["wind", "", "quit"], (HUMAN, RANDOM)).play()
    first, *later = told.split("  1  Fire (1): Burn a unit")[1:]
    assert re.match(r".*\n +\"Hot!\"\n +2  Blaze", first)
    assert [each.count('"Hot!"') for each in (first, *later)] == [1, 0, 1]
    asked = machine.start(seed=4).decision
    assert asked is not None
    harsh = machine.start(seed=4, options={"mode": "harsh"}).decision
    assert harsh is not None
    assert [next(texts(each.options[0], "en")) for each in (asked, harsh)] == ['"Hot!"', '"Hot!"']


def test_a_hint(duel: Playable) -> None:
    told = Sitting(duel, ["hint 200", "hint soon", "quit"], (HUMAN, RANDOM)).play()
    advice = re.findall(r"^(.+): (\d+) % expected, tried in (\d+) % of the games$", told, re.MULTILINE)
    assert advice and [int(share) for _, _, share in advice] == sorted(
        (int(share) for _, _, share in advice), reverse=True
    )
    assert "(200 games were played on from here" in told
    assert "this player cannot think: `soon` is no time to think" in told


def test_what_is_said_and_the_piles_are_as_wide_as_the_terminal(duel: Playable) -> None:
    sitting = Sitting(duel, [], (HUMAN, RANDOM))
    sitting.console.width = 40
    for text in (
        "A sentence of more words than a line of forty characters has room for",
        "    " + "words " * 12,
    ):
        sitting.person._say(text)
    sitting.person._overview().show(sitting.console, whole=True)
    told = sitting.out.getvalue().splitlines()
    assert told and max(map(len, told)) <= 40
    assert told[0].startswith("A sentence") and told[1].startswith("    ")


ALIKE = """game alike:
    players ann, bob
    rounds 3
table Kind:
    | id    | name en |
    | guard | Guard   |
piece Unit of Kind, up to 4 each:
    at: Cell?
    awake: bool, called "Awake"
map board on squares(3, 3)
setup:
    place guard at a1
    place guard at b2
    place guard at c3
action wake(u: Unit) by p "Wake {u}": u.awake = true
round:
    ann chooses:
        wake(u) for u in Unit where not u.awake
"""


@pytest.fixture
def alike(tmp_path: Path) -> Playable:
    (tmp_path / "alike.scn").write_text(ALIKE, encoding="utf-8")
    return load(tmp_path / "alike.scn", environment={"SCENARII_CACHE": "off"})


@pytest.mark.parametrize("typed", ["b2", "(b2)", "Guard (b2)", "wake guard (b2)", "wake b2"])
def test_options_of_one_label_are_found_by_what_tells_them_apart(alike: Playable, typed: str) -> None:
    sitting = Sitting(alike, [typed], (HUMAN, RANDOM))
    assert "2  Wake Guard (b2)" in sitting.play()
    assert sitting.table.moves == ["ann: Wake Guard"]
    chosen = sitting.table.game.choices
    sitting = Sitting(alike, ["2"], (HUMAN, RANDOM))
    sitting.play()
    assert sitting.table.game.choices == chosen


def test_a_hint_tells_options_of_one_label_apart(alike: Playable) -> None:
    told = Sitting(alike, ["hint 100"], (HUMAN, RANDOM)).play()
    assert sorted(re.findall(r"^(.+): \d+ % expected", told, re.MULTILINE)) == [
        f"Wake Guard ({cell})" for cell in ("a1", "b2", "c3")
    ]


def test_the_story_tells_pieces_of_one_name_apart(alike: Playable) -> None:
    """The choice by what stood in the menu, changes by where the pieces stand: only where names are alike."""
    sitting = Sitting(alike, [], (HUMAN, RANDOM))
    teller = sitting.table.teller
    decision = sitting.table.game.decision
    assert decision is not None
    lines = sitting.table.choose(decision, decision.options[1])
    assert [each.text for each in lines if each.kind in {"choice", "change"}][:2] == [
        "ann: Wake Guard (b2)",
        "Awake (Guard, b2) no → yes",
    ]
    fields = {each.name: each.offset for each in alike.program.vars}
    before = list(sitting.table.game.state)
    after = list(before)
    after[fields["awake"]] = after[fields["awake"] + 2] = 1
    (line,) = teller.stretch(None, (), before, after)
    assert line.text == "Awake (Guard, a1) no → yes · Awake (Guard, c3) no → yes"


SECRET = """game secret:
    players ann, bob
    rounds 2
table Kind:
    | id    | name en |
    | guard | Guard   |
piece Unit of Kind, up to 4 each:
    at: Cell?
state of Player:
    plan: 0..9, seen by self
map board on squares(3, 3)
setup:
    place guard at a1
    place guard at b2
action wake(u: Unit) by p "Wake {u}": p.plan = 3
action trust(n: 1..3) by p "Trust": p.plan = n
round:
    for p in order of play:
        p chooses:
            wake(u) for u in Unit
            trust(n) for n in 1..3
        p chooses u in Unit "Whom?"
        p.plan = 1 if u.at is a1 else 2
"""


def test_what_tells_alike_choices_of_others_apart_is_theirs_where_there_are_secrets(tmp_path: Path) -> None:
    (tmp_path / "secret.scn").write_text(SECRET, encoding="utf-8")
    machine = load(tmp_path / "secret.scn", environment={"SCENARII_CACHE": "off"})
    table = Sitting(machine, [], (HUMAN, HUMAN)).table
    for label in ("Wake Guard", "Guard", "Trust", "Guard"):
        decision = table.game.decision
        assert decision is not None
        table.choose(decision, [each for each in decision.options if each.label() == label][1])
    own, others = ([line.text for told in table.heard[each] for line in told] for each in (0, 1))
    assert "ann: Wake Guard (b2)" in own and "ann: Wake Guard" in others
    assert "ann: Whom? Guard (b2)" in own and "bob: Whom? Guard (b2)" in others
    assert "bob: Trust (2)" in others and "bob: Trust" in own
    assert not any("(" in each for each in others if each.startswith("ann:"))
    assert not any("(" in each for each in own if each.startswith("bob:"))


COSTLY = """game costly:
    players ann, bob
    rounds 3
table House:
    | id   | name en | cost |
    | mill | Mill    |    3 |
    | mine | Mine    |    5 |
value price(h: House) -> 0..20 = h.cost * 2
state of Player:
    gold: 0..9
action build(h: House) by p "Build {h} ({price(h)} gold, of {h.cost})":
    need p.gold >= price(h) "no gold"
action praise(h: House) by p "Praise {h} for {price(h)}":
    need p.gold > 0 "no voice"
action rest by p "Rest": nothing
round:
    ann chooses:
        build(h) for h in House
        praise(h) for h in House
        rest
"""


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("build", ["Build Mill, Build Mine", "no gold"]),
        ("gold build mine", ["Build Mine", "no gold"]),
        ("Build Mine", ["Not now, because:", "no gold"]),
        ("mill praise", ["Praise Mill for …", "no voice"]),
    ],
)
def test_why_not_leaves_out_of_labels_what_only_an_offer_computes(
    tmp_path: Path, asked: str, told: list[str]
) -> None:
    (tmp_path / "costly.scn").write_text(COSTLY, encoding="utf-8")
    machine = load(tmp_path / "costly.scn", environment={"SCENARII_CACHE": "off"})
    found = why_not(machine.start(seed=1), asked, "en")
    assert not any("{" in each for each in found)
    assert all(each in [line.strip() for line in found] for each in told), found


ASKED = """
game asked:
    players ann
    rounds 1

state:
    bid: 0..9

round:
    ann chooses n in 2..4 "Your bid"
    bid = n
    say "{ann} bids {n}"
"""
OFFERED = """
game asked:
    players ann
    rounds 1

action more(n: 2..4) by p "{n}": say "{p} bids {n}"
action fold by p "Fold": say "{p} folds"
action look_on by p "Look on": say "{p} looks on"

round:
    ann chooses:
        more(n) for n in 2..4
        fold
        look_on
"""


def asked(tmp_path: Path, text: str, *typed: str) -> str:
    path = tmp_path / "asked.scn"
    path.write_text(text)
    return Sitting(load(path, environment={"SCENARII_CACHE": "off"}), list(typed), (HUMAN,)).play()


def test_who_types_a_number_that_an_option_consists_of_takes_that_option(tmp_path: Path) -> None:
    told = asked(tmp_path, ASKED, "1", "3")
    assert "ann bids 3" in told
    assert "no option is called `1`" in told, "line 1 is the bid 2, and nothing says 1"
    assert re.search(r"^      2$\n^      3$\n^      4$", told, re.MULTILINE), (
        "no number stands beside a number"
    )


def test_no_line_has_a_number_that_another_option_consists_of(tmp_path: Path) -> None:
    told = asked(tmp_path, OFFERED, "4")
    assert "ann bids 4" in told
    assert re.search(r"^      4$\n\s*^      Fold$\n\s*^   5  Look on$", told, re.MULTILINE)
    assert "ann looks on" in asked(tmp_path, OFFERED, "5")


def test_numbers_below_zero_are_numbers(tmp_path: Path) -> None:
    told = asked(tmp_path, ASKED.replace("2..4", "-3..-2").replace("0..9", "-9..9"), "-2")
    assert "ann bids \N{MINUS SIGN}2" in told
    assert re.search("^      \N{MINUS SIGN}3$\n^      \N{MINUS SIGN}2$", told, re.MULTILINE)


LANES = """game lanes:
    rulebook R "The book of lanes"
    index rulebook
    players ann, bob
    rounds 3
table Lane:
    | id  | name en  |
    | l01 | Long Way |
    | l02 | Elbow    |
state:
    toll: 0..9, called "Toll"
    purse: 0..9 = 4, called "Purse"
action go(l: Lane) by p "Go down {l}":
    need toll > 1                                                    [R-1]
    need toll > 2 "too cheap"                                        [R-1]
    need toll > 3 "much too cheap"
action stride(l: Lane, n: 1..2) by p: toll = n
action rest by p "Rest": nothing
round:
    ann chooses:
        go(l) for l in Lane
        stride(l, n) "Stride {n} down {l}" for l in Lane, n in 1..2 when n is 1
        rest
"""


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("go elbow", ["Not now, because:", "[R-1] Lanes cost a toll", "[R-1] too cheap", "much too cheap"]),
        ("l01", ["Go down Long Way", "Not now, because:", "[R-1] Lanes cost a toll"]),
        ("STRIDES elbow", ["Stride 1 down Elbow", "It is offered now."]),
        ("stride elbow", ["Stride 1 down Elbow", "It is offered now."]),
        ("sleep", ["Say what you would do, such as: Stride 1 down Long Way, Stride 1 down Elbow"]),
    ],
)
def test_why_not_takes_what_players_type(tmp_path: Path, asked: str, told: list[str]) -> None:
    (tmp_path / "lanes.scn").write_text(LANES, encoding="utf-8")
    book = '{"rules": [{"id": "R-1", "title": "Lanes cost a toll"}]}'
    (tmp_path / "rulebook.json").write_text(book, encoding="utf-8")
    machine = load(tmp_path / "lanes.scn", environment={"SCENARII_CACHE": "off"})
    found = [line.strip() for line in why_not(machine.start(seed=1), asked, "en")]
    assert found[-len(told) :] == told or found[: len(told)] == told, found
    assert not any("need" in each for each in found)
    told_once = Sitting(machine, ["state"], (HUMAN, HUMAN)).play()
    assert (
        told_once.count("Purse 4") == 2 and told_once.count("Toll 0") == 1
    )  # beside the options, and with `state`
    assert "stride(" not in Sitting(machine, ["help"], (HUMAN, HUMAN)).play()


def test_help_goes_on_under_what_it_says(duel: Playable) -> None:
    lines = Sitting(duel, ["help"], (HUMAN, RANDOM), width=80).play().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("hint "))
    left = re.match(r"\S.*?\s{2,}", lines[first])
    assert left is not None
    column = left.end()
    assert lines[first].endswith("such") and lines[first + 1] == " " * column + "as: hint 5s"
