"""Why, and why not, as a person asks: an action by its name and arguments, or by the words of its label."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from dsl.cli.computed_labels import HOLE, ComputedLabels
from dsl.cli.naming import Names, Unclear
from dsl.cli.unmet import source_line, told_of
from dsl.cli.words import word
from dsl.diagnostics.excerpt import printable
from dsl.engine.display import member_name, text_of, title_of
from dsl.engine.explain import Refusal
from dsl.engine.game import Game
from dsl.engine.layout import Plain, bounds
from dsl.engine.piles import in_play
from dsl.engine.summary import in_words
from dsl.engine.value_words import value_words
from dsl.engine.why import WhyNot
from dsl.ir.program import Action, Program
from dsl.ir.types import NONE, Id, Int
from dsl.near import nearest, plain, singular

MOST_TRIED = 20_000
"""How many combinations of arguments are tried to find an action by its label."""

MOST_SUMS = 24
"""How many sums are told, of those the last."""

MOST_ALIKE = 6
"""How many actions are told of that are called alike."""

MOST_EXAMPLES = 2
"""So many options of the present menu are named to somebody who asks for what there is not."""

_BRACKETED = re.compile(r"\s*\((?:[^(){}]|\{[^}]*\})*\{[^}]*\}(?:[^(){}]|\{[^}]*\})*\)")
"""A part of a label in brackets that has a hole in it."""
_CALL = re.compile(r"(\w+)\s*[( ]\s*(.*?)\s*\)?\s*$")


def why(game: Game, language: str, player: int | None = None, last: int = 1) -> list[str]:
    """The rules that took effect since the last choices, and the sums that were made, as a player may know them."""
    program = game.machine.program
    spoken = language or program.language
    known = game.why(last, player)
    found = [each for each in known if each.ids] or list(known)
    if not found:
        return [word("no why", spoken)]
    read = {each.id for each in program.rules if each.status == "ambiguity"}
    answers = [each for each in found if not each.ids or not read.issuperset(each.ids)] or found
    lines = dict.fromkeys(line for each in answers for line in _rules(program, each.ids, each.text, spoken))
    return [word("because", spoken), *lines, *_sums(game, language, spoken, player, last)]


def _rules(program: Program, ids: tuple[str, ...], text: str, spoken: str) -> list[str]:
    """What a clause carries out in the words of the book, or the line of the rules where it cites none of that. How the
    book is read where it leaves something open is told where nothing else is: that is mostly a question.
    """
    cited = [each for each in program.rules if each.id in ids]
    found = [each for each in cited if each.status != "ambiguity"] or cited
    if not found:
        return [f"  {_cited(ids)}{_source(text)}"]
    return [f"  {_cited((each.id,))}{title_of(each, spoken)}" for each in found]


def _sums(game: Game, language: str, spoken: str, player: int | None, last: int) -> list[str]:
    """The last sums, each once."""
    program = game.machine.program
    found, words = game.sums(player, last), value_words(program, language)
    told = (line for each in found for line in in_words(program, each, language, words))
    lines = list(dict.fromkeys(f"  {printable(line)}" for line in told))[-MOST_SUMS:]
    return [word("sums", spoken), *lines] if lines else []


def why_not(game: Game, asked: str, language: str) -> list[str]:
    """Which rules refuse an action now."""
    program = game.machine.program
    spoken = language or program.language
    player = game.decision.player if game.decision is not None else 0
    asked = asked.strip()
    if asked.casefold() in _offered(game, language):
        return [word("offered", spoken)]
    for action, args in meant(game, asked, player, language):
        if isinstance(args, str):
            known = "(" not in asked and _by_words(game, asked, player, language)
            return known or [args]
        found = game.why_not(action.name, args, language)
        return _told(program, found, spoken)
    if known := _by_words(game, asked, player, language):
        return known
    actions = {action.name for action in program.actions if action.by is not None}
    close = nearest(asked.partition("(")[0].strip(), sorted(actions)) if "(" in asked else ""
    near = word("near", spoken, name=close).strip() if close else ""
    present = _present_options(game, language) or examples(program, language)
    told = word("why not what", spoken, actions=", ".join(present) or "-")
    return [*([near] if near and asked else []), told]


def examples(program: Program, language: str) -> list[str]:
    """How the actions that players can be offered are called: by their labels, or where none has any as the rules write
    them.
    """
    offered = {
        offer.action
        for routine in program.routines
        for block in routine.blocks
        for offer in getattr(block.end, "offers", ())
        if offer.action is not None
    }
    labelled, coded = [], []
    for index in sorted(offered):
        action = program.actions[index]
        params = [name for number, name in enumerate(action.names) if number != action.by]
        label = HOLE.sub("…", text_of(program, action.label, language))
        if re.search(r"\w", label):
            labelled.append(label)
        else:
            coded.append(f"{action.name}({', '.join(params)})" if params else action.name)
    return list(dict.fromkeys(labelled or coded))[:MOST_ALIKE]


def _present_options(game: Game, language: str) -> list[str]:
    """The labels of the first options, as they stand in the menu."""
    options = game.decision.options if game.decision is not None else ()
    labels = (printable(each.label(language)) for each in options if each.kind not in {"pass", "stop"})
    return list(dict.fromkeys(each for each in labels if re.search(r"\w", each)))[:MOST_EXAMPLES]


def _cited(ids: tuple[str, ...]) -> str:
    return f"[{', '.join(ids)}] " if ids else ""


def _source(text: str) -> str:
    """A line of the rules without the citation at its end."""
    return source_line(text)


def _told(program: Program, found: WhyNot, spoken: str) -> list[str]:
    if found.offered:
        return [word("offered", spoken)]
    if found.refusals:
        told = (line for each in found.refusals for line in _refusal(program, each, spoken))
        once: dict[str, str] = {}
        for line in told:
            once.setdefault(line.strip(), line)
        return [word("refused", spoken), *once.values()]
    if found.unmet:
        return [word("unmet", spoken), *dict.fromkeys(told_of(program, found.unmet, spoken))]
    return [word("not told" if found.hidden else "unasked", spoken)]


def _refusal(program: Program, refusal: Refusal, spoken: str) -> list[str]:
    """What a rule says against an action: its reason and the titles of what it carries out, or either of them; the line
    of the rules itself only where there is neither.
    """
    clause, reason = program.clauses[refusal.clause], printable(refusal.reason)
    known = any(each.id in clause.ids for each in program.rules)
    titles = _rules(program, clause.ids, clause.text, spoken) if known else []
    if reason:
        return [f"  {_cited(clause.ids)}{reason}", *(f"    {line}" for line in titles)]
    return titles or [f"  {_cited(clause.ids)}{_source(clause.text)}"]


def meant(
    game: Game, asked: str, player: int, language: str
) -> Iterator[tuple[Action, tuple[Plain, ...] | str]]:
    """The action that a text names, with its arguments, or with what is wrong with them."""
    if "(" not in asked:
        yield from _labelled(game, asked, player, language)
    program = game.machine.program
    called = _CALL.match(f"{asked} ")
    name = called[1] if called else ""
    for action in program.actions:
        if action.name == name and called:
            yield action, _arguments(Names(game.machine, game.state, player, language), action, called[2])
    yield from _labelled(game, asked, player, language)


def _labelled(
    game: Game, asked: str, player: int, language: str
) -> Iterator[tuple[Action, tuple[Plain, ...]]]:
    """The actions whose label, with some arguments, is a text; with those of them that are most likely meant. Those
    that a line of the present question names come first.
    """
    program, named, labels = game.machine.program, _in_question(game), ComputedLabels(game, language)
    for action in sorted(program.actions, key=lambda action: action.name not in named):
        if action.label is None:
            continue
        alike = [
            args
            for args in _all_arguments(program, action, player)
            if asked.casefold() in _labels(labels.of(action, args))
        ]
        if alike:
            likely = [args for args in alike if game.why_not(action.name, args, language).offered]
            yield action, (likely or sorted(alike, key=lambda args: -_present(game, action, args)))[0]


def _in_question(game: Game) -> set[str]:
    """The names of the actions that lines of the present question could offer."""
    offers = game.decision.end.offers if game.decision is not None else ()
    actions = game.machine.program.actions
    return {actions[each.action].name for each in offers if each.action is not None}


def _offered(game: Game, language: str) -> set[str]:
    """The labels of the present options, as they are compared."""
    options = game.decision.options if game.decision is not None else ()
    return {printable(each.label(language)).casefold() for each in options}


def _labels(label: str) -> set[str]:
    """The label of an action as it is compared: whole, and as it is told."""
    return {label.casefold(), _told_label(label).casefold()}


def _told_label(label: str) -> str:
    """A label without holes for what is computed only where the action is offered: `Build Refinery ({price(k)} gold)`
    without what stands in brackets.
    """
    return HOLE.sub("…", _BRACKETED.sub("", label))


def _by_words(game: Game, asked: str, player: int, language: str) -> list[str]:
    """What is in the way of the actions whose label has all the words of a text, or their singulars; where there are
    none, of those whose arguments are called so beside; and where there are none of these either, but options of which
    the label has them, that these are offered.
    """
    words = plain(asked).split()
    forms = [words, [singular(each) for each in words]]
    for beside in (False, True):
        for form in forms:
            if found := _with_words(game, form, player, language, beside=beside):
                return _told_alike(game, found, language)
        if options := [each for form in forms for each in _options_with(game, form, language)]:
            names = list(dict.fromkeys(options))
            more = [f"… +{len(names) - MOST_ALIKE}"] if len(names) > MOST_ALIKE else []
            return [
                ", ".join([*names[:MOST_ALIKE], *more]),
                f"  {word('offered', language or game.machine.program.language)}",
            ]
    return []


def _options_with(game: Game, words: Sequence[str], language: str) -> list[str]:
    """The labels of the options that have all of some words."""
    options = game.decision.options if game.decision is not None and words else ()
    labels = (printable(each.label(language)) for each in options if each.kind not in {"pass", "stop"})
    return [each for each in labels if all(one in plain(each) for one in words)]


def _with_words(
    game: Game, words: Sequence[str], player: int, language: str, *, beside: bool
) -> dict[str, tuple[Action, tuple[int, ...]]]:
    """By their labels the actions whose label has all of some words; with `beside` also those whose arguments are
    called so. Of several with one label the likeliest, those first that a line of the present question names, and where
    some are about pieces in play only those.
    """
    program, asked, labels = game.machine.program, _in_question(game), ComputedLabels(game, language)
    labelled = [action for action in program.actions if action.label is not None and action.by is not None]
    named = [
        action
        for action in labelled
        if any(each in plain(HOLE.sub(" ", text_of(program, action.label, language))) for each in words)
    ]
    found: dict[str, tuple[tuple[int, bool], Action, tuple[int, ...]]] = {}
    for action in named or labelled if words else ():
        for args in _all_arguments(program, action, player):
            label = labels.of(action, args)
            text = f"{label} {_called_beside(program, action, args, language)}" if beside else label
            if all(each in plain(text) for each in words):
                label = _told_label(label)
                likely = _present(game, action, args), action.name in asked
                if label not in found or found[label][0] < likely:
                    found[label] = likely, action, args
    most = max((present for (present, _), _, _ in found.values()), default=0)
    return {label: (action, args) for label, ((present, _), action, args) in found.items() if present == most}


def _called_beside(program: Program, action: Action, args: Sequence[int], language: str) -> str:
    """How the rules and the players call the arguments of an action, but who does it."""
    return " ".join(
        f"{program.domains[kind.domain].members[value]} {member_name(program, kind.domain, value, language)}"
        for number, (kind, value) in enumerate(zip(action.params, args, strict=True))
        if number != action.by and isinstance(kind, Id) and value != NONE
    )


def _told_alike(game: Game, found: Mapping[str, tuple[Action, tuple[int, ...]]], language: str) -> list[str]:
    """What is in the way of some actions, by their labels: those together that the same is in the way of, and what has
    nothing in its way last.
    """
    program, spoken = game.machine.program, language or game.machine.program.language
    offered = _offered(game, language)
    known = {
        label: WhyNot(offered=True, refusals=())
        if label.casefold() in offered
        else game.why_not(action.name, args, language)
        for label, (action, args) in found.items()
    }
    groups: dict[tuple[str, ...], list[str]] = {}
    for label in sorted(known, key=lambda label: _order(known[label])):
        groups.setdefault(tuple(_told(program, known[label], spoken)), []).append(printable(label))
    lines = [word("alike", spoken, count=len(known))] if len(known) > 1 else []
    for told, labels in list(groups.items())[:MOST_ALIKE]:
        more = [f"… +{len(labels) - MOST_ALIKE}"] if len(labels) > MOST_ALIKE else []
        lines += [", ".join([*labels[:MOST_ALIKE], *more]), *(f"  {each}" for each in told)]
    if len(groups) > MOST_ALIKE:
        others = [label for labels in list(groups.values())[MOST_ALIKE:] for label in labels]
        names = ", ".join(others[:MOST_ALIKE])
        lines.append(word("more found", spoken, count=len(others), names=names))
    return lines


def _order(found: WhyNot) -> tuple[bool, bool, int]:
    """What the fewest rules refuse is told of first; then what only is not asked for, and last what is offered."""
    return found.offered, not found.refusals, len(found.refusals)


def _usage(action: Action, spoken: str) -> str:
    params = [name for number, name in enumerate(action.names) if number != action.by]
    return word("takes", spoken, action=action.name, params=", ".join(params) or "()")


def _split(text: str, count: int) -> list[str]:
    """The words for so many arguments: between commas, or else each word is one."""
    parted = [each.strip() for each in text.split(",") if each.strip()]
    return parted if len(parted) == count or "," in text else text.split()


def _arguments(names: Names, action: Action, text: str) -> tuple[Plain, ...] | str:
    """Arguments from words, or what is wrong with them; the acting player is whoever must choose now."""
    words = _split(text, len(action.params) - (action.by is not None))
    if len(words) != len(action.params) - (action.by is not None):
        return _usage(action, names.spoken)
    try:
        return tuple(
            names.player if number == action.by else names.value(kind, words.pop(0))
            for number, kind in enumerate(action.params)
        )
    except Unclear as unclear:
        return str(unclear)


def _present(game: Game, action: Action, args: tuple[int, ...]) -> int:
    """How many of the pieces among some arguments are in play."""
    program, state = game.machine.program, list(game.state)
    pools = {pool.domain: pool for pool in program.pools}
    return sum(
        value in in_play(program, state, pools[kind.domain])
        for kind, value in zip(action.params, args, strict=True)
        if isinstance(kind, Id) and kind.domain in pools
    )


def _all_arguments(program: Program, action: Action, player: int) -> Iterator[tuple[int, ...]]:
    """Every combination of arguments, where they are not too many."""
    ranges = []
    count = 1
    for number, kind in enumerate(action.params):
        if number == action.by:
            ranges.append(range(player, player + 1))
        elif isinstance(kind, Id | Int):
            low, high = bounds(program, kind)
            ranges.append(range(low, high + 1))
        else:
            return
        count *= len(ranges[-1])
    if count <= MOST_TRIED:
        yield from product(*ranges)
