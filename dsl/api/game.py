"""Games under way: who chooses among what, going on, looking, keeping.

A `Game` stands in front of one of two: the game of `dsl.engine.game`, which can tell and explain, or that of
`dsl.wasm.game`, which only goes on, and hands over to the other one where a question needs words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dsl.api.arguments import mapping, settings, text, truth, whole
from dsl.api.program import Field, Program
from dsl.api.values import Value, from_python, meant, member_number, to_python
from dsl.diagnostics import Diagnostic
from dsl.engine import layout
from dsl.engine.decision import Decision as Asked
from dsl.engine.decision import Option as Offered
from dsl.engine.failure import IllegalChoice
from dsl.engine.game import Game as Whole
from dsl.engine.log import Entry
from dsl.engine.outcome import outcome_of
from dsl.engine.snapshot import packed
from dsl.engine.views import may_see, pile_counts
from dsl.errors import PicklableError
from dsl.ir.program import OUT, Var

if TYPE_CHECKING:
    from dsl.engine.why import Because
    from dsl.odds.forecast import Forecast
    from dsl.saves import Save
    from dsl.wasm.game import Game as Quick


class SaveError(PicklableError, ValueError):
    """A snapshot or file that is no game of the program; `diagnostics` say what is wrong with it."""

    __module__ = "dsl"

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__("; ".join(each.message for each in self.diagnostics))


class _Hidden:
    """What stands in a view in place of what a player may not see."""

    def __repr__(self) -> str:
        return "dsl.HIDDEN"

    def __reduce__(self) -> str:
        return "HIDDEN"


HIDDEN = _Hidden()
"""What stands in a view in place of what a player may not see."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended."""

    kind: str
    """`victory`, `defeat` (a player's, which left nobody to win), `draw`, or `bound` (no ending held until the last
    round).
    """
    winners: tuple[str, ...]
    """The names of the winners in the rules."""
    label: str
    """The words of the ending, in the game's own language; empty at the bound."""
    rules: tuple[str, ...]
    """The rules of the book that the ending cites."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that can be chosen. Two are equal where they are the same choice of the same program."""

    id: int
    """A number that the same choice has in every game of the program, below `Program.option_count`."""
    program: str = field(repr=False)
    """The hash of the program that it belongs to."""
    index: int = field(compare=False)
    """Its place among the options of its decision, from 0."""
    kind: str = field(compare=False)
    """`do` (an action), `take` (a value), `pass` or `stop`."""
    action: str | None = field(compare=False)
    """The name of the action that would be done; none where a value is taken, or nothing is done."""
    _offered: Offered = field(repr=False, compare=False)

    @property
    def args(self) -> tuple[Value, ...]:
        """The arguments of the action, or the value that would be taken: names, numbers, sets of them."""
        offered = self._offered
        rules = offered.decision.machine.program
        return tuple(
            to_python(rules, each.type, value)
            for each, value in zip(offered.declared.args, offered.args, strict=False)
        )

    def label(self, language: str = "") -> str:
        """What choosing it means, in words, in one of the game's languages (empty: its own)."""
        return self._offered.label(text(language, "`language`"))

    def effects(self, language: str = "") -> tuple[str, ...]:
        """What choosing it costs and does for certain, as far as whoever chooses can know, in words: `Purse −5`.

        Told are numbers, bags and sets of fields that have words for players, and pieces that leave play. Empty where
        nothing of that changes, or too many ways would have to be tried.
        """
        return self._forecast(language).sure

    def odds(self, language: str = "") -> tuple[tuple[float, str], ...]:
        """What else it may do, where dice decide: how likely each change is, from 0 to 1, the likeliest first."""
        return tuple((float(share), words) for share, words in self._forecast(language).odds)

    def _forecast(self, language: str) -> Forecast:
        from dsl.odds.forecast import forecasts

        return forecasts(self._offered.decision, text(language, "`language`"), (self._offered,))[0]

    def __str__(self) -> str:
        return self.label() or self.kind

    def __repr__(self) -> str:
        does = f"{self.action}{self.args!r}" if self.action else self.kind
        return f"<dsl.Option {self.id}: {does}, {self.label()!r}>"


class Decision:
    """Somebody must choose among `options`, which stand in a stable order."""

    def __init__(self, program: Program, asked: Asked) -> None:
        self._program = program
        self._asked = asked

    def __repr__(self) -> str:
        return f"<dsl.Decision {self.player}: {self.prompt()!r}, {len(self)} options>"

    def __len__(self) -> int:
        return len(self._asked.raw)

    def __iter__(self) -> Iterator[Option]:
        return iter(self.options)

    @property
    def player(self) -> str:
        """The name of the player who chooses."""
        return self._program.players[self._asked.player]

    def prompt(self, language: str = "") -> str:
        """What is asked, in words."""
        return self._asked.prompt_in(text(language, "`language`"))

    def player_label(self, language: str = "") -> str:
        """What players call the one who chooses."""
        return self._asked.player_label(text(language, "`language`"))

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """All that can be chosen."""
        numbering, where, hash_ = self._program._numbering, self._asked.where, self._program.hash
        return tuple(
            Option(
                numbering.number(where, each.offer, each.values), hash_, index, each.kind, each.action, each
            )
            for index, each in enumerate(self._asked.options)
        )

    @property
    def ids(self) -> tuple[int, ...]:
        """The numbers of all options (`Option.id`), in their order: a mask of what can be chosen."""
        numbering, where = self._program._numbering, self._asked.where
        return tuple(numbering.number(where, offer, values) for offer, values in self._asked.raw)

    def by_id(self, number: int) -> Option:
        """The option with a number. Raises `IllegalChoice` where it is not offered."""
        number = whole(number, "the number of an option")
        for at, each in enumerate(self.ids):
            if each == number:
                return self.options[at]
        raise IllegalChoice(f"the option {number} is not offered here")

    def by_label(self, label: str) -> Option:
        """The one option with a label, in any of the game's languages. Raises `IllegalChoice`."""
        found = self._asked.by_label(text(label, "a label"))
        return self.options[self._asked.raw.index(found.raw)]


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why an action is not offered, as whoever chooses may know it."""

    offered: bool
    """Is it offered, so that there is nothing to explain?"""
    reasons: tuple[str, ...]
    """The prohibitions that stand on it: what the rules say, or the clause itself. Where there are none and it is not
    offered, nothing forbids it: it is another player's turn, or the decision at hand does not ask for it.
    """
    rules: tuple[str, ...]
    """The rules of the book that these cite."""


@dataclass(frozen=True, slots=True)
class View:
    """A game as one player sees it, and no more: what an own player may be given.

    view = game.view("red")
    view["gold"], view["Cell.holder"]["a1"]
    """

    player: str
    """Whose eyes these are."""
    fields: Mapping[str, Value | Mapping[str, Value]]
    """Each field; one that several have is a mapping by their names. `HIDDEN` stands for what he may not see."""
    piles: Mapping[str, Mapping[str, int]]
    """How many cards lie in each pile, by the kind of card and the pile."""
    chooser: str | None
    """Who must choose now."""
    decision: Decision | None
    """What he must choose himself, if it is he."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""
    _program: Program = field(repr=False)
    _log: tuple[Entry, ...] = field(repr=False)

    def __getitem__(self, name: str) -> Value | Mapping[str, Value]:
        return self.fields[self._program._field(name)[0].name]

    def __contains__(self, name: object) -> bool:
        return name in self.fields

    def __iter__(self) -> Iterator[str]:
        return iter(self.fields)

    def told(self, language: str = "") -> list[str]:
        """What has been told since the start, with `?` for what he may not see."""
        text(language, "`language`")
        return [each.text(language) for each in self._log]


@dataclass(frozen=True, slots=True)
class _Begun:
    """How a game began, which its file has to say: none where it came from a snapshot or was set up by hand."""

    seed: int
    options: Mapping[str, str | int]
    earlier: Save | None = None


class Game:
    """One game of a program; `Program.start`, `Program.restore` and `Program.open` make one.

    A game is always at a decision or at its end. A rule that fails as it goes on (`RuleFailure`) leaves it at the last
    decision.

        game = dsl.load("my_game.scn").start(seed=7)
        while (decision := game.decision) is not None:
            game.choose(decision.options[0])
        print(game.outcome)
    """

    def __init__(self, program: Program, inner: Whole | Quick, begun: _Begun | None) -> None:
        self.program = program
        self._inner = inner
        self._begun = begun

    def __repr__(self) -> str:
        stands = "ended" if self.is_over else f"{self.count} options"
        return f"<dsl.Game {self.program.name}, {stands}, {self.fingerprint[:12]}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self.program, self.snapshot(), self.is_telling)

    @classmethod
    def _start(
        cls,
        program: Program,
        *,
        seed: int = 0,
        options: Mapping[str, str | int] | None = None,
        telling: bool = True,
    ) -> Game:
        seed, options, telling = whole(seed, "`seed`"), settings(options), truth(telling, "`telling`")
        begun = _Begun(seed, options)
        if program.engine == "wasm" and not telling:
            from dsl.wasm.game import Game as Quick

            return cls(program, Quick.start(_module(program), seed=seed, options=options), begun)
        machine = program._machine
        return cls(program, Whole.start(machine, seed=seed, options=options, telling=telling), begun)

    @classmethod
    def restore(cls, program: Program, data: bytes, *, telling: bool = True) -> Game:
        """As `Program.restore`."""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"`data` is the bytes of a snapshot, not {data!r}")
        data = bytes(data)
        if program.engine == "wasm" and not telling:
            from dsl.wasm.game import Game as Quick

            quick = Quick.restore(_module(program), data)
            if isinstance(quick, list):
                raise SaveError(quick)
            return cls(program, quick, None)
        found = Whole.restore(program._machine, data, telling=telling)
        if isinstance(found, list):
            raise SaveError(found)
        return cls(program, found, None)

    @classmethod
    def _open(cls, program: Program, path: Path, *, replay: bool) -> Game:
        from dsl.saves import read, restored

        save = read(path)
        if isinstance(save, Diagnostic):
            raise SaveError([save])
        found = restored(program._machine, save, verify=replay)
        if isinstance(found, list):
            raise SaveError(found)
        earlier = None if replay else save
        return cls(program, found, _Begun(save.seed, save.options, earlier))

    # ------------------------------------------------------------ where it stands

    @property
    def is_telling(self) -> bool:
        """Does it keep a log?"""
        return isinstance(self._inner, Whole) and self._inner.is_telling

    @property
    def is_over(self) -> bool:
        """Has it ended?"""
        return self._inner.count == 0

    @property
    def count(self) -> int:
        """How many options there are now."""
        return self._inner.count

    @property
    def decision(self) -> Decision | None:
        """Who must choose now, and among what; none where the game has ended."""
        asked = self._inner.decision
        return None if asked is None else Decision(self.program, asked)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; none while it goes on."""
        return self.outcome_in()

    def outcome_in(self, language: str = "") -> Outcome | None:
        """How it ended, with the words of a language."""
        rules = self.program._rules
        found = outcome_of(rules, list(self._inner.state), text(language, "`language`"))
        if found is None:
            return None
        cited = () if found.clause is None else rules.clauses[found.clause].ids
        winners = tuple(self.program.players[each] for each in found.players)
        return Outcome(found.kind, winners, found.label, cited)

    @property
    def fingerprint(self) -> str:
        """64 hexadecimal digits over program and state: equal for equal games, on every machine and engine."""
        return self._inner.fingerprint

    @property
    def playing(self) -> tuple[str, ...]:
        """The players who take part and are not out of the game."""
        out = self._inner.state[OUT]
        return tuple(name for number, name in enumerate(self.program.players) if not out >> number & 1)

    @property
    def taken(self) -> int:
        """How many choices have been made since the game was begun or restored."""
        return len(self._inner.choices)

    # ------------------------------------------------------------ looking

    def read(self, name: str, owner: str | None = None) -> Value:
        """A field, whoever may see it; of one that several have, the value of `owner`, or all of them by name.

            game.read("round"), game.read("Cell.holder", "a1"), game.read("holder")["a1"]

        The name may leave its kind away (`holder`) where only one field is called so. Raises KeyError for a name that
        there is not.
        """
        entry, var = self.program._field(name)
        state = list(self._inner.state)
        if owner is None:
            return self._values(var, entry, state)
        if var.of is None:
            raise KeyError(f"{entry.name} belongs to nobody")
        try:
            number = member_number(self.program._rules, var.of, owner, entry.name)
        except ValueError as error:
            raise KeyError(str(error)) from None
        return self._value(var, state, number)

    def __getitem__(self, name: str | tuple[str, str]) -> Value:
        return self.read(name) if isinstance(name, str) else self.read(*name)

    def _values(self, var: Var, entry: Field, state: list[int]) -> Value:
        if entry.owners is None:
            return self._value(var, state, 0)
        return {name: self._value(var, state, number) for number, name in enumerate(entry.owners)}

    def _value(self, var: Var, state: list[int], number: int) -> Value:
        rules = self.program._rules
        return to_python(
            rules, var.type, layout.read(rules, state, var.offset + number * var.width, var.type)
        )

    def view(self, player: str | int) -> View:
        """What a player, by his name or number, may see: fields, options that he must choose among, the log, and
        nothing else.

        Raises KeyError for a player that there is not.
        """
        program, machine = self.program, self.program._machine
        rules, state = program._rules, list(self._inner.state)
        number = self.program._player(player)
        player = program.players[number]

        def seen(index: int, member: int) -> Value:
            if not may_see(machine, state, index, member, number):
                return HIDDEN
            return self._value(rules.vars[index], state, member)

        fields = {
            name: seen(each.number, 0)
            if each.owners is None
            else {owner: seen(each.number, at) for at, owner in enumerate(each.owners)}
            for name, each in program.fields.items()
        }
        decision = self.decision
        return View(
            player,
            fields,
            pile_counts(rules, state),
            None if decision is None else decision.player,
            decision if decision is not None and decision.player == player else None,
            self.outcome,
            program,
            tuple(each.seen_as(number) for each in self.log),
        )

    @property
    def log(self) -> list[Entry]:
        """What has been told since the start, of a telling game: `each.text(language)`, `each.citations`."""
        return self._inner.log if isinstance(self._inner, Whole) else []

    def told(self, language: str = "") -> list[str]:
        """The log in words, with all that is hidden from players."""
        text(language, "`language`")
        return [each.text(language) for each in self.log]

    def why(self, player: str | int | None = None, *, last: int = 1) -> tuple[Because, ...]:
        """The clauses that took effect since the last choice (or the last few), in order, of a telling game.

        Each has `ids` (the rules that it cites), its `name` and its `text`. With a player, those that he may know of.
        """
        last = whole(last, "`last`", 1)
        if not isinstance(self._inner, Whole):
            return ()
        return self._inner.why(last, None if player is None else self.program._player(player))

    def why_not(self, action: str, *args: Value, language: str = "") -> WhyNot:
        """Why an action is not offered with these arguments; who does it, where somebody does, is the last of them.

        Raises KeyError for an action that there is not, TypeError for more or fewer arguments than it has, ValueError
        for one that is no value of its parameter.

            game.why_not("take", "a1", "red").reasons
        """
        rules = self.program._rules
        text(action, "the name of an action"), text(language, "`language`")
        declared = next((each for each in rules.actions if each.name == action), None)
        if declared is None:
            raise KeyError(f"there is no action `{action}`{meant(action, self.program.actions)}")
        plain: tuple[layout.Plain, ...] = args
        if len(args) == len(declared.params):
            plain = tuple(
                from_python(rules, kind, value, f"{action}({name})")
                for kind, name, value in zip(declared.params, declared.names, args, strict=True)
            )
        found = self._whole().why_not(action, plain, language)
        clauses = [rules.clauses[each.clause] for each in found.refusals]
        reasons = tuple(
            each.reason or " ".join(clause.text.split())
            for each, clause in zip(found.refusals, clauses, strict=True)
        )
        cited = dict.fromkeys(name for clause in clauses for name in clause.ids)
        return WhyNot(found.offered, reasons, tuple(cited))

    def _whole(self) -> Whole:
        """The game in the engine that can explain."""
        return self._inner if isinstance(self._inner, Whole) else self._inner.explained()

    # ------------------------------------------------------------ going on

    def choose(self, choice: Option | int | str) -> None:
        """Goes on with an option, by itself, its place among the options, or its label, to the next decision.

        Raises `IllegalChoice` for what is not offered, and `RuleFailure` for a rule that fails; the game then stands
        where it stood.
        """
        if isinstance(choice, str):
            self._inner.choose(choice)
        elif isinstance(choice, Option):
            if choice.program != self.program.hash:
                raise IllegalChoice("this is an option of another program")
            self._inner.choose(choice._offered.raw)
        else:
            self._inner.choose(whole(choice, "a choice, if it is neither an option nor a label,"))

    def undo(self, count: int = 1) -> None:
        """Takes back the last choices. Raises `IllegalChoice` where so many are not remembered."""
        self._inner.undo(whole(count, "`count`", 1))

    def clone(self) -> Game:
        """The same game, to go on with apart; it costs about as much as a choice, whatever the game's size."""
        return Game(self.program, self._inner.clone(), self._begun)

    def reseeded(self, seed: int) -> Game:
        """The same game with another future: dice and shuffles follow from `seed` from here on. What came before can
        still be taken back; it cannot be saved in a file, since its choices no longer lead to it.
        """
        return Game(self.program, self._inner.reseeded(whole(seed, "`seed`")), None)

    def placed(self, values: Mapping[str, Value]) -> Game:
        """The same game with other values of some fields, its options computed anew.

            game.placed({"gold": 50, "Cell.holder": {"a1": "red"}})

        Of a field that several have, those that are not named keep theirs. What rules keep in step with each other (a
        piece and the set of those on the map) is set in step by whoever calls; endings are looked at when the game
        goes on, and not here. Options, modes and rulings stay as the game was started. Raises KeyError for a name that
        there is not, TypeError or ValueError for a value that the field does not hold, and `SaveError` where no game of
        the program can stand so (a card in no pile, no option to choose).
        """
        rules, state = self.program._rules, list(self._inner.state)
        done = set[str]()
        for name, value in mapping(values, "what is placed").items():
            entry, var = self.program._field(name)
            if var.role == "option":
                raise ValueError(f"`{entry.name}` is set when a game is started: `start(options=...)`")
            if entry.name in done:
                raise ValueError(f"`{entry.name}` is set twice")
            done.add(entry.name)
            if var.of is None:
                self._put(state, var, 0, value, entry.name)
                continue
            if not isinstance(value, Mapping):
                raise TypeError(f"{entry.name} is a mapping by name, not {value!r}")
            for owner, each in value.items():
                try:
                    number = member_number(rules, var.of, owner, entry.name)
                except ValueError as error:
                    raise KeyError(str(error)) from None
                self._put(state, var, number, each, f"{entry.name} of {owner}")
        return self._standing(state)

    def _put(self, state: list[int], var: Var, number: int, value: Value, what: str) -> None:
        rules = self.program._rules
        plain = from_python(rules, var.type, value, what)
        layout.write(rules, state, var.offset + number * var.width, var.type, plain)

    def _standing(self, state: list[int]) -> Game:
        """A game that stands at a state, of which nothing came before."""
        return Game.restore(self.program, packed(self.program.hash, state), telling=self.is_telling)

    # ------------------------------------------------------------ keeping

    def snapshot(self) -> bytes:
        """The game as bytes, mid-rule too: for `Program.restore`, in this process or another."""
        return self._inner.snapshot()

    def save(self, path: str | Path) -> None:
        """Writes the game into a file, whole or not at all, that `Program.open` and `scenarii play --load` read.

        It has the seed, all choices and the rules themselves, so that it can be played on when the game has changed.
        Raises ValueError for a game that did not come from its start (`restore`, `placed`), and OSError.
        """
        from dsl.players.random_player import RandomPlayer
        from dsl.players.seats import HUMAN
        from dsl.saves import Save, compressed, write

        if self._begun is None:
            raise ValueError(
                "a game that was not played from its start has no choices to write down: keep `snapshot()`"
            )
        program, earlier = self.program, self._begun.earlier
        outcome = self.outcome
        told = (
            {"kind": outcome.kind, "winners": list(outcome.winners), "reason": outcome.label}
            if outcome
            else None
        )
        save = Save(
            program.name,
            program._target,
            program._mods,
            program.hash,
            self._begun.seed,
            self._begun.options,
            (HUMAN,) * len(program.players),
            earlier.random if earlier is not None else RandomPlayer(self._begun.seed).state,
            (*(earlier.choices if earlier is not None else ()), *self._inner.choices),
            self.snapshot(),
            self.fingerprint,
            (),
            told,
            "",
            compressed(program._machine.given),
            {},
            program._machine.budget,
        )
        write(Path(path), save)


def _module(program: Program) -> Any:
    """The compiled module of a program whose engine is `wasm`."""
    return program._machine.module  # type: ignore[attr-defined]


def _unpickled(program: Program, data: bytes, telling: bool) -> Game:
    return Game.restore(program, data, telling=telling)
