"""Lessons about lines of tests that are said as people say them: `red chooses a`, `run the game`, `to be 3`."""

import re

from dsl.catalogue import N_, tr
from dsl.diagnostics import Code, Diagnostic
from dsl.syntax.lessons.told import Told, left_out
from dsl.syntax.place import Place
from dsl.syntax.words import first_word

_N = r"[^\W\d]\w*"
_SAID: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern), message, hint)
    for pattern, message, hint in (
        (
            rf"^(?P<p>{_N})[ \t]+(?:chooses|picks|selects)[ \t]+(?P<what>[^:\n]+)$",
            N_("what a player chooses stands behind a colon"),
            N_("write `{p}: {what}`"),
        ),
        (
            rf"^(?:given:[ \t]*)?(?P<what>{_N}[ \t]+of[ \t]+{_N}[ \t]+at[ \t]+{_N}.*)$",
            N_("a piece is brought into play by `place`"),
            N_("write `place {what}`"),
        ),
        (
            rf"^(?:given:[ \t]*)?(?:remove|take away)[ \t]+(?P<what>{_N})[ \t]+of[ \t]+{_N}\b.*$",
            N_("which piece is taken away is said by where it stands"),
            N_("write `take away ({what} at PLACE)`"),
        ),
        (
            r"^run[ \t]+(?:the|a|one|this|next)[ \t]+.*$",
            N_("`run` is followed by the name of a phase or action"),
            N_(
                "write `run PHASE`, or `run ACTION by PLAYER`; without `run` a test that has moves plays the rounds"
            ),
        ),
        (
            r"^(?P<run>run[ \t]+.+?)[ \t]+with[ \t]+(?:a[ \t]+)?rolls?[ \t]+(?P<rolls>\d[\d, \t]*)$",
            N_("what is rolled stands on a line before"),
            N_("write `rolls {rolls}`, and `{run}` below it"),
        ),
        (
            rf"^(?:given:[ \t]*)?(?P<p>{_N})(?:[ \t]+is)?[ \t]+to[ \t]+(?:move|play|act)$",
            N_("who is asked follows from what is run"),
            N_("write `run ACTION by {p}`, or begin with a move, `{p}: ...`"),
        ),
        (
            r'^expect illegal .*?because[ \t]+(?P<words>"[^"]*").*$',
            N_("behind `because` stands the citation of what refuses it"),
            N_(
                "write `because [ID]`, with the id behind the `need` or `forbid` that says {words}; without a "
                "rulebook a name of your own stands in both places, such as `[no_room]`"
            ),
        ),
        (
            r"^expect[ \t]+(?P<what>.+?)[ \t]+to[ \t]+be[ \t]+(?P<value>.+)$",
            N_("`to be` is written `is` here"),
            N_("write `expect {what} is {value}`"),
        ),
        (
            r"^expect[ \t]+(?P<what>.+?)[ \t]+(?:is[ \t]+)?between[ \t]+(?P<low>\w+)[ \t]+and[ \t]+(?P<high>\w+)$",
            N_("that a number lies between two others is asked with `in`"),
            N_("write `expect {what} in {low}..{high}`"),
        ),
        (
            r"^expect[ \t]+(?P<what>.+?)[ \t]+is[ \t]+in[ \t]+(?P<value>.+)$",
            N_("`in` stands without `is`"),
            N_("write `expect {what} in {value}`"),
        ),
        (
            r'^expect[ \t]+(?P<what>.+?)[ \t]+is[ \t]+"(?P<value>\d+)"$',
            N_("a number stands without quotes"),
            N_("write `expect {what} is {value}`"),
        ),
        (
            r'^expect[ \t]+(?P<what>ended|won|lost)[ \t]+(?P<value>"[^"]*"|\w+)$',
            N_("what is asked for stands between parentheses"),
            N_("write `expect {what}({value})`"),
        ),
        (
            rf"^.*?\((?P<what>{_N})[ \t]+of[ \t]+{_N}\).*$",
            N_("which piece is meant is said by where it stands"),
            N_("write `{what} at PLACE`; where there are several, `any x in PIECES where ...`"),
        ),
    )
)


def as_people_say(place: Place) -> Told | None:
    """The whole line is of a kind that people write and the language does not."""
    head, line = place.lines[0], place.lines[place.stuck.line]
    text = place.source.text
    if not place.stuck.line or first_word(text[head.start : head.end]) != "test":
        return None
    said = re.sub(r"[ \t]*(?:\[[^\]\n]*\])?[ \t]*(?:#[^\n\"]*)?$", "", text[line.start : line.end]).strip()
    for pattern, message, hint in _SAID:
        if found := pattern.match(said):
            start = text.index(said, line.start)
            span = place.source.span(start, start + len(said))
            given = {name: part.strip() for name, part in found.groupdict().items()}
            told = Diagnostic(Code.UNEXPECTED_TOKEN, message, span, hint=tr(hint, **given))
            return left_out(place, told)
    return None
