"""A person at the terminal: what is shown at each decision, and what can be typed there."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from textwrap import indent, wrap
from typing import TYPE_CHECKING

from dsl.catalogue import told, tr
from dsl.cli.asking import examples, why, why_not
from dsl.cli.board import drawings, show_drawing
from dsl.cli.effects import effects
from dsl.cli.goals import goals, others
from dsl.cli.lines import folded
from dsl.cli.looking import line_numbers, option_label
from dsl.cli.printed import printed_names, texts
from dsl.cli.state import Overview
from dsl.cli.story import show
from dsl.cli.style import clear
from dsl.cli.table import Table
from dsl.cli.taking_back import kept_by
from dsl.cli.thinking import advised
from dsl.cli.words import HELP, meant, spoken, typed, word
from dsl.diagnostics.excerpt import printable
from dsl.engine.decision import Decision, Option
from dsl.engine.display import member_name
from dsl.engine.distinct import told_apart
from dsl.engine.failure import RuleFailure, Unplayable
from dsl.near import plain, singular
from dsl.odds.forecast import Forecast, forecasts
from dsl.players.seats import HUMAN, SeatError
from dsl.saves import FORMAT

if TYPE_CHECKING:
    from rich.console import Console

with suppress(ImportError):
    import readline as _editing  # noqa: F401 - lets `input` edit lines and remember them

MOST_OPTIONS = 24
MOST_ALIKE = 3
"""What more options than these do alike is told once."""
FEW_OPTIONS = 6
"""So many options of one kind stand together, whatever they are about."""
PROMPT = "> "


def _groups(options: list[Option]) -> set[object]:
    """Where a group of options begins behind others: of one kind, and of many those about one and the same thing; where
    fewer than two groups have several options, none does.
    """
    kinds: dict[object, list[Option]] = {}
    for each in options:
        kinds.setdefault(each.offer, []).append(each)
    groups: list[list[Option]] = []
    for alike in kinds.values():
        things: dict[object, list[Option]] = {}
        for each in alike if len(alike) > FEW_OPTIONS else ():
            things.setdefault(each.values[0] if len(each.values) > 1 else None, []).append(each)
        parted = len(things) > 1 and sum(len(each) > 1 for each in things.values()) > 1
        groups += things.values() if parted else [alike]
    several = sum(len(each) > 1 for each in groups) > 1
    in_order = [each.raw for group in groups for each in group] == [each.raw for each in options]
    return {group[0].raw for group in groups[1:]} if several and in_order else set()


def _forget() -> None:
    """What one person typed is not the next one's to look up."""
    if (editing := sys.modules.get("readline")) is not None:
        editing.clear_history()


class Quit(Exception):
    """The person has had enough, or there is nothing more to read."""


class Person:
    """Reads what people choose; several share the terminal and see, each in turn, what they may."""

    def __init__(
        self, table: Table, console: Console, file: Path | None = None, read: Callable[[str], str] = input
    ) -> None:
        self.table = table
        self.console = console
        self.file = file
        self.read = read
        self.player: int | None = None
        self._known: dict[int, int] = {}
        """How much of the story each person has been told."""
        self._drawn: list[str] = []
        self._drawn_names: dict[str, bool] = {}
        """Of names that were looked for on the map that was shown, whether they stand there."""
        self._help_told = False
        self._decided: dict[int, tuple[int, int]] = {}
        """How many choices there had been when each person came to choose last, and before that."""
        self._passing: set[int] = set()
        """Who lets the terminal pass where nothing else can be done."""
        self._advised: set[int] = set()
        """Who has been told that it can."""
        self._forecast: tuple[object, tuple[Forecast, ...]] | None = None
        self._known_goals: dict[int | None, list[str]] = {}
        """What each has been told that he plays for."""
        self._read_texts: dict[int, set[str]] = {}
        """What has been printed of the cards of each player."""

    @property
    def shared(self) -> bool:
        """Do several people share the terminal, and have secrets from each other?"""
        return self.table.teller.secrets and self.table.seats.count(HUMAN) > 1

    # ------------------------------------------------------------ a decision

    def choose(self, decision: Decision) -> Option | None:
        """The option that the person takes; none where the game has been set back meanwhile."""
        lone = [each.kind for each in decision.options] == ["pass"]
        if lone and decision.player in self._passing:
            return decision.options[0]
        self._hand_over(decision)
        self._look(decision)
        if lone and decision.player not in self._advised:
            self._advised.add(decision.player)
            self.console.print(word("auto advised", self._spoken), markup=False, highlight=False)
        while True:
            typed = self._read(word("ask", self._spoken) if not self._help_told else PROMPT)
            self._help_told = True
            command, _, rest = typed.partition(" ")
            if typed == "":
                self._look(decision, again=True)
                continue
            if not self._is_option(decision, typed) and (
                done := self._command(self._meant(command.lower(), decision, typed), rest.strip(), decision)
            ):
                if done == "undone":
                    return None
                if lone and decision.player in self._passing:
                    return decision.options[0]
                continue
            option = self._option(decision, typed)
            if option is not None:
                return option

    def _read(self, prompt: str) -> str:
        try:
            typed = self.read(prompt).strip()
            if self.read is input and not sys.stdin.isatty():
                self.console.print(printable(typed))  # what is piped in is not seen otherwise
            return typed
        except EOFError:
            self.console.print()
            raise Quit from None

    def _hand_over(self, decision: Decision) -> None:
        """Where several people share a terminal and have secrets, the one who chooses comes to it first."""
        teller, before = self.table.teller, self.player
        self.player = teller.viewer = decision.player
        game = self.table.game
        heard = self.table.heard.get(decision.player, [])
        told = self._known.get(decision.player, 0)
        self._known[decision.player] = len(heard)
        self._come(decision.player, len(game.choices))
        if not self.shared or before == decision.player:
            return
        clear()
        _forget()
        asked = word("hand over", self._spoken, player=decision.player_label(self._language))
        answer = self._read(asked).lower()
        if typed(self._spoken).get(plain(answer), answer) in {"quit", "exit"}:
            raise Quit
        show(self.console, [line for stretch in heard[told:] for line in stretch])

    def _come(self, player: int, count: int) -> None:
        """Somebody comes to choose after so many choices; the same question asked again is none."""
        now, before = self._decided.get(player, (count, count))
        self._decided[player] = (now, before) if now == count else (count, min(now, count))

    @property
    def _since(self) -> int:
        """How many choices there had been when the person at the terminal chose last."""
        return self._decided.get(self.player or 0, (0, 0))[1]

    # ------------------------------------------------------------ showing

    @property
    def _language(self) -> str:
        return self.table.teller.language

    @property
    def _spoken(self) -> str:
        return self.table.teller.spoken

    def _overview(self) -> Overview:
        return Overview(self.table.machine, list(self.table.game.state), self.player, self._language)

    def _look(self, decision: Decision, *, again: bool = False) -> None:
        """The map if it has changed, the fields of the game, and the options."""
        show(self.console, self.table.pending(decision.player))
        self.console.print()
        self._map(again=again)
        self._goals(again=again)
        self._overview().show(self.console, whole=False)
        who = decision.player_label(self._language)
        prompt = printable(decision.prompt_in(self._language))
        turn = word("turn", self._spoken, player=who)
        asked = word("so", self._spoken, what=turn, result=prompt) if prompt else turn
        asked = asked if self.table.teller.several else prompt or turn
        for line in folded(asked, self.console.width) or [asked]:
            self.console.print(line, style="bold", soft_wrap=True)
        self._options(list(enumerate(decision.options, 1)), again=again)

    def _goals(self, *, again: bool) -> None:
        """What the person plays for, how far he has come, and how near the others are: what he was not told yet."""
        seen = self.table.machine, self.table.game.state, self.player, self._language
        found = [*goals(*seen), *others(*seen)]
        for line in found:
            if again or line not in self._known_goals.get(self.player, []):
                self._say(line)
        self._known_goals[self.player] = found

    def _map(self, *, again: bool) -> None:
        state, width = list(self.table.game.state), self.console.width
        found = drawings(self.table.machine, state, self.player, self._language, width)
        plain = [line.plain for drawing in found for line in drawing.lines]
        if not found or (plain == self._drawn and not again):
            return
        self._drawn, self._drawn_names = plain, {}
        for drawing in found:
            show_drawing(self.console, drawing)

    def _options(self, options: list[tuple[int, Option]], *, again: bool = False) -> None:
        """The options; beneath a card what is printed on it, where that is new to the player or he looks again."""
        more = self._distinctions(options[:MOST_OPTIONS])
        foreseen = self._foreseen([each for _, each in options[:MOST_OPTIONS]])
        known = self._read_texts.setdefault(self.player or 0, set())
        if again:
            known.clear()
        begins = _groups([each for _, each in options[:MOST_OPTIONS]])
        shown = line_numbers(options[0][1].decision.options, self._language) if options else []
        told = [
            effects(does, self._label(option)) for (_, option), does in zip(options, foreseen, strict=False)
        ]
        done = [does for (_, option), does in zip(options, told, strict=False) if option.kind == "do"]
        if len(done) > MOST_ALIKE and len(set(done)) == 1 and done[0]:
            self._say(f"      {word('each', self._spoken, effects=done[0])}")
            told = ["" if does == done[0] else does for does in told]
        for (number, option), does in zip(options, told, strict=False):
            if option.raw in begins:
                self.console.print()
            label = f"{shown[number - 1]:>4}  {self._label(option)}{more[option.raw]}"
            self._option_line(label, does)
            for text in () if option.kind in {"pass", "stop"} else texts(option, self._language):
                if text not in known:
                    known.add(text)
                    lines = wrap(printable(text), self.console.width - 6)
                    self.console.print(indent("\n".join(lines), " " * 6), style="dim")
        if len(options) > MOST_OPTIONS:
            others = word("more options", self._spoken, count=len(options) - MOST_OPTIONS)
            self.console.print(f"      {others}", style="dim")

    def _option_line(self, label: str, does: str) -> None:
        """An option, and behind it what it costs and does, or below it where the line has no room for that."""
        fits = does and len(label) + 2 + len(does) <= self.console.width
        self.console.print(f"{label}  {does}" if fits else label, soft_wrap=True)
        if does and not fits:
            lines = wrap(does, max(20, self.console.width - 6))
            self.console.print(indent("\n".join(lines), " " * 6), soft_wrap=True)

    def _foreseen(self, options: list[Option]) -> tuple[Forecast, ...]:
        """What options cost and do; computed once for those that are shown again."""
        at = len(self.table.game.choices), tuple(each.raw for each in options)
        if self._forecast is None or self._forecast[0] != at:
            self._forecast = at, forecasts(options[0].decision, self._language, options) if options else ()
        return self._forecast[1]

    def _draws(self, name: str) -> bool:
        """Does the map that was shown have a name, perhaps with the sign of an owner behind it?"""
        if name not in self._drawn_names:
            found = re.compile(rf"(?<!\w){re.escape(name)}(?![a-z0-9_])")
            self._drawn_names[name] = any(found.search(line) for line in self._drawn)
        return self._drawn_names[name]

    def _on_map(self, option: Option) -> str:
        """How the map calls what an option is about, where the label calls it otherwise."""
        label = self._label(option)
        names = [each for each in option.names if each not in label and self._draws(each)]
        return f" ({', '.join(names)})" if names else ""

    def _distinctions(self, options: list[tuple[int, Option]]) -> dict[object, str]:
        """What stands behind the label of each option, by which it is told from others, or its piece: ` (k6)`, or
        nothing.
        """
        if not options:
            return {}
        decision = options[0][1].decision
        several = told_apart(decision, [option for _, option in options], self._language)
        found: dict[object, str] = {}
        for (_, option), apart in zip(options, several, strict=True):
            found[option.raw] = self._on_map(option) or (f" ({apart})" if apart else "")
        return found

    def _label(self, option: Option) -> str:
        return option_label(option, self._language)

    # ------------------------------------------------------------ options

    def _is_option(self, decision: Decision, typed: str) -> bool:
        """Is it the number or the whole label of an option? Then it is no command."""
        return typed.isdecimal() or any(self._label(each) == typed for each in decision.options)

    def _option(self, decision: Decision, typed: str) -> Option | None:
        options = list(enumerate(decision.options, 1))
        same = [each for each in options if self._label(each[1]) == typed]
        if typed.isdecimal() and len(same) != 1:
            number = int(typed) if len(typed) < 10 else 0
            shown = line_numbers(decision.options, self._language)
            if 1 <= number <= len(options) and shown[number - 1]:
                return decision.options[number - 1]
            if not same:
                some = "number" if all(shown) else "no such"
                self._say(word(some, self._spoken, count=len(options), text=typed))
                return None
        found = self._matching(options, plain(typed))
        if len(found) == 1:
            return found[0][1]
        if found:
            self.console.print(word("which", self._spoken))
            self._options(found)
        elif typed.casefold() == "q":
            raise Quit
        else:
            self._say(word("no such", self._spoken, text=printable(typed)))
        return None

    def _matching(self, options: list[tuple[int, Option]], typed: str) -> list[tuple[int, Option]]:
        """The options of that label, with or without what tells it apart, or about what has that name in the rules
        (a map may show it); or those that have all the words that were typed, or their singulars.
        """
        more = self._distinctions(options)
        labels = [(each, plain(self._label(each[1])), plain(more[each[1].raw])) for each in options]
        same = [each for each, label, apart in labels if typed in {label, label + apart}]
        same = same or [each for each in options if typed in map(plain, each[1].names)]
        found = same or [
            each for each, label, apart in labels if all(part in label + apart for part in typed.split())
        ]
        parts = [singular(part) for part in typed.split()]
        return found or [
            each for each, label, apart in labels if all(part in label + apart for part in parts)
        ]

    # ------------------------------------------------------------ commands

    def _meant(self, command: str, decision: Decision, typed: str) -> str:
        """The command that somebody means who calls it otherwise, unless he means an option."""
        other = meant(self._spoken).get(plain(command))
        if other is None or self._matching(list(enumerate(decision.options, 1)), plain(typed)):
            return command
        return other

    def _command(self, command: str, rest: str, decision: Decision) -> str:
        """Does what was typed; empty where it is no command, "undone" where the game was set back."""
        known = typed(self._spoken)
        match known.get(plain(command), command):
            case "help" | "?":
                example = (examples(self.table.machine.program, self._language) or ["-"])[0]
                self._say(told(tr(HELP, example=example), spoken(self._spoken)))
            case "quit" | "exit" if not rest:
                raise Quit
            case "map" if not rest:
                self._map(again=True)
            case "state" if not rest:
                self._goals(again=True)
                self._overview().show(self.console, whole=True)
            case "look" | "show":
                self._look_up(rest, decision)
            case "why":
                self._why(rest)
            case "hint":
                self._hint(rest)
            case "undo" if not rest:
                return self._undo()
            case "auto":
                return self._auto(rest)
            case "log" if not rest:
                self._log()
            case "save":
                self._save(rest)
            case _:
                return ""
        return "done"

    def _say(self, text: str) -> None:
        """Lines as wide as the terminal; what has no room goes on below, further in."""
        for line in text.split("\n"):
            column = re.match(r"\S.*?\s{2,}(?=\S)", line)
            further = " " * (len(column[0]) if column else len(line) - len(line.lstrip()) + 4)
            parts = wrap(line, max(20, self.console.width), subsequent_indent=further, break_on_hyphens=False)
            for part in parts if len(line) > self.console.width else [line]:
                self.console.print(part, soft_wrap=True)

    def _look_up(self, name: str, decision: Decision) -> None:
        """What this person may know of the things that have a name, or of those that the option of a number names."""
        from dsl.cli.looking_up import look_up

        if not name:
            program = self.table.machine.program
            rows = (
                number for number, each in enumerate(program.domains) if each.kind == "row" and each.members
            )
            domain = next(rows, program.players)
            first = member_name(program, domain, 0, self._language)
            self._say(word("look what", self._spoken, example=printable(first)))
            return
        options = decision.options
        number = int(name) if name.isdecimal() and len(name) < 10 else 0
        named = printed_names(options[number - 1], self._language) if 0 < number <= len(options) else []
        for at, each in enumerate(named or [name]):
            if at:
                self.console.print()
            look_up(
                self.console, self.table.machine, self.table.game.state, self.player, self._language, each
            )

    def _recall(self) -> None:
        """Plays a save that was loaded again, so that what came before can be asked for, and taken back."""
        if self.table.game.choices or not self.table.recall():
            return
        count = len(self.table.game.choices)
        for player in range(len(self.table.seats)):
            self._decided[player] = count, self.table.last_choice(player)

    def _why(self, rest: str) -> None:
        self._recall()
        game = self.table.game
        negated, _, asked = rest.partition(" ")
        negates = typed(self._spoken).get(plain(negated)) == "not"
        told = why_not(game, asked, self._language) if negates else None
        last = max(1, len(game.choices) - self._since)
        for line in told if told is not None else why(game, self._language, self.player, last):
            self._say(line)

    def _called(self, options: list[tuple[int, Option]]) -> list[str]:
        """Options by their labels and what tells them apart."""
        more = self._distinctions(options)
        return [f"{self._label(each)}{more[each.raw]}" for _, each in options]

    def _hint(self, effort: str) -> None:
        """What a computer player would choose in this one's place."""
        decision = self.table.game.decision
        assert decision is not None
        try:
            for line in advised(self.table, decision, effort, self._called):
                self._say(line)
        except (SeatError, Unplayable, RuleFailure) as error:
            self._say(word("no thought", self._spoken, reason=error))

    def _undo(self) -> str:
        """Takes back the last choice, if the one who made it may; with the agreement of all, up to the last one of
        a person, whatever has come of it.
        """
        self._recall()
        if not self.table.takeback and (reason := self._kept()):
            self._say(word(reason, self._spoken))
            return "done"
        undone = False
        while self.table.undo():
            undone = True
            for player, heard in self.table.heard.items():
                self._known[player] = min(self._known.get(player, 0), len(heard))
            decision = self.table.game.decision
            if decision is not None and self.table.seats[decision.player] == HUMAN:
                break
        self._say(word("undone" if undone else "nothing to undo", self._spoken))
        return "undone" if undone else "done"

    def _kept(self) -> str:
        """Why the last choice is not to be taken back by whoever sits at the terminal; empty where it may be."""
        before = self.table.before()
        if before is None or before.decision is None:
            return "nothing to undo"
        who = before.decision.player
        if self.table.seats[who] != HUMAN or (who != self.player and self.shared):
            return "decided"
        return kept_by(before, self.table.game)

    def _auto(self, rest: str) -> str:
        """`auto pass` on or off for this player; empty where something else was meant."""
        if typed(self._spoken).get(plain(rest)) != "pass" or self.player is None:
            return ""
        self._passing ^= {self.player}
        self._say(word("auto on" if self.player in self._passing else "auto off", self._spoken))
        return "done"

    def _log(self) -> None:
        """The whole story, as this person may know it."""
        heard = self.table.heard.get(self.player or 0) if self.shared else None
        lines = [line for told in heard or self.table.told for line in told]
        loaded = self.table.resumed
        if not lines:
            self._say(word("no log since" if loaded else "no log", self._spoken))
        elif loaded:
            self._say(word("log since", self._spoken))
        show(self.console, lines)

    def _save(self, rest: str) -> None:
        import click

        from dsl.cli.save_paths import refuse_foreign

        path = Path(rest).expanduser() if rest else self.file
        try:
            if path is not None:
                refuse_foreign(path, FORMAT)
            self.file = self.table.keep(path)
        except click.UsageError as error:
            self._say(error.message)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._say(word("not saved", self._spoken, reason=reason))
        else:
            self._say(word("saved", self._spoken, file=self.file))
