"""Which option some words mean where odds are asked for: by its label, as a test writes it, by some of its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dsl.catalogue import tr
from dsl.cli.asking import meant, why_not
from dsl.diagnostics.excerpt import printable
from dsl.engine.decision import Decision, Option
from dsl.engine.display import languages
from dsl.engine.game import Game
from dsl.ir.program import Program
from dsl.odds.position import NoOdds
from dsl.testing.failure_text import written

FIRST = "first"
MOST_LISTED = 30


def called(option: Option, language: str = "") -> str:
    """An option in words: its label, or as a test writes it."""
    label = option.label(language)
    return printable(label if label not in {"", option.kind} else written(option))


def exactly(decision: Decision, text: str) -> list[Option]:
    """The options that are called so, in any language of the game, or are written so in a test."""
    wanted, plain = text.casefold().strip(), "".join(text.casefold().split())
    spoken = ("", *languages(decision.machine.program))
    return [
        option
        for option in decision.options
        if any(option.label(each).casefold() == wanted for each in spoken)
        or "".join(written(option).casefold().split()) == plain
    ]


def find(game: Game, decision: Decision, text: str, language: str) -> Option:
    """The option that some words mean; raises `NoOdds`, with what refuses it or what there is."""
    found = exactly(decision, text)
    for action, args in meant(game, text, decision.player, language) if not found else ():
        if isinstance(args, str):
            raise NoOdds(args)
        number = decision.machine.program.actions.index(action)
        found = [each for each in decision if each.declared.action == number and each.args == args]
        break
    words = text.casefold().split()
    found = found or [
        each for each in decision if all(word in called(each, language).casefold() for word in words)
    ]
    if len(found) == 1:
        return found[0]
    if found:
        some = "; ".join(called(each, language) for each in found[:MOST_LISTED])
        raise NoOdds(tr("`{text}` may be any of: {some}", text=printable(text), some=some))
    reasons = " ".join(line.strip() for line in why_not(game, text, language))
    raise NoOdds(tr("`{text}` is not offered there. {reasons}", text=printable(text), reasons=reasons))


def listed(decision: Decision, language: str) -> list[str]:
    """All options of a decision as the command takes them, each with its label."""
    found = []
    for option in decision.options[:MOST_LISTED]:
        label, name = called(option, language), printable(written(option))
        found.append(f"  {name}" if label == name else f"  {name}  “{label}”")
    if len(decision.options) > MOST_LISTED:
        found.append(f"  … +{len(decision.options) - MOST_LISTED}")
    return found


@dataclass(slots=True)
class Policy:
    """What is chosen in the middle of an action: options in words, of one player or of all; `first`: the first one."""

    program: Program
    texts: Sequence[str]
    used: set[str] = field(default_factory=set)

    def __call__(self, decision: Decision) -> Option | None:
        """The option that the first entry takes which fits."""
        for text in self.texts:
            option = self._taken(decision, text)
            if option is not None:
                self.used.add(text)
                return option
        return None

    @property
    def unused(self) -> list[str]:
        """What was said and never asked for."""
        return [each for each in self.texts if each not in self.used]

    def _taken(self, decision: Decision, text: str) -> Option | None:
        from dsl.players.seats import SeatError, player_named

        who, colon, rest = text.partition(":")
        if colon:
            try:
                player = player_named(self.program, who.strip())
            except SeatError:
                rest = text
            else:
                if player != decision.player:
                    return None
        wanted = (rest if colon else text).strip()
        found = exactly(decision, wanted)
        if not found and wanted == FIRST:
            return decision.options[0]
        return found[0] if len(found) == 1 else None
