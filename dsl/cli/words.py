"""What `play` says of itself, in the languages of the catalogues; a game's own words are the game's."""

from __future__ import annotations

from functools import reduce

from dsl.catalogue import N_, nearest, told, tr
from dsl.near import plain

PHRASES: dict[str, str] = {
    "seed": N_("seed {seed}"),
    "settings": N_("with {settings}"),
    "round": N_("Round {round}"),
    "none": N_("none"),
    "more changes": N_("and {count} more changes"),
    "wins": N_("{names} wins"),
    "nobody wins": N_("nobody wins"),
    "draw": N_("a draw"),
    "bound": N_("the game has reached its end, and nobody wins"),
    "end": N_("End: "),
    "so": N_("{what}: {result}"),
    "who": N_("{player}: {text}"),
    "die": N_("die {dice}: {result}"),
    "dice": N_("dice {dice}: {result}"),
    "not done": N_("does not happen: {what}"),
    "picked": N_("at random: {what}"),
    "decision": N_("decision {number}"),
    "decisions": N_("{count} decisions"),
    "fingerprint": N_("fingerprint {fingerprint}"),
    "failed": N_("the rules failed: {message}"),
    "saved": N_("saved in {file}"),
    "go on": N_("go on with: scenarii play --load {file}"),
    "not saved": N_("the game could not be saved: {reason}"),
    "recorded": N_("recorded in {file}"),
    "turn": N_("{player} to choose"),
    "hand over": N_("{player} is next; press Enter when the others look away: "),
    "more options": N_("… {count} more; type some of the words of an option to find it"),
    "ask": N_("Your choice (or help): "),
    "which": N_("Which of these?"),
    "no such": N_("no option is called `{text}`; type its number, some of its words, or help"),
    "number": N_("there are only the options 1 to {count}"),
    "pass": N_("(pass)"),
    "stop": N_("(stop)"),
    "chooses": N_("{player} has chosen"),
    "undone": N_("Taken back."),
    "nothing to undo": N_("There is nothing to take back."),
    "rolled": N_(
        "Not taken back: dice have been thrown, or something picked or shuffled, since (--takeback: all agree)."
    ),
    "revealed": N_("Not taken back: something has been shown since (--takeback: all agree)."),
    "decided": N_("Not taken back: another player has decided since (--takeback: all agree)."),
    "auto advised": N_("You can only pass here; type `auto pass`, and it is done for you from now on."),
    "auto on": N_("Where you can only pass, it passes for you; `auto pass` again ends that."),
    "auto off": N_("You are asked again where you can only pass."),
    "no log": N_("Nothing has happened yet."),
    "no log since": N_("Nothing has happened since the game was loaded."),
    "log since": N_("Since the game was loaded:"),
    "because": N_("These rules took effect since your last choice:"),
    "sums": N_("How it adds up:"),
    "no why": N_("No rule took effect since your last choice."),
    "offered": N_("It is offered now."),
    "refused": N_("Not now, because:"),
    "alike": N_("{count} actions are called like that:"),
    "unmet among": N_("{name} is not in `{range}`{values}"),
    "unmet": N_("No rule forbids it, but only this is asked for:"),
    "unmet around": N_("what this line stands in asks for `{condition}`{values}"),
    "unmet range around": N_("what this line stands in goes over `{range}`{values}"),
    "unmet condition": N_("`{condition}` does not hold{values}"),
    "unasked": N_("No rule forbids it, but this is not what is asked for now."),
    "not told": N_("It is not offered now; whether more rules bear on it, not everybody may see."),
    "why not what": N_("Say what you would do, such as: {actions}"),
    "no such thing": N_("There is no `{text}` here.{near}"),
    "more found": N_("and {count} more: {names}"),
    "now": N_("now"),
    "no such number": N_("`{text}` is no number from {low} to {high}."),
    "near": N_(" Did you mean `{name}`?"),
    "several": N_("`{text}` may be any of: {names}"),
    "takes": N_("{action} takes: {params}"),
    "more there": N_("more stands there"),
    "state": N_("State"),
    "pile": N_("{pile}: {count}"),
    "pieces": N_("Pieces"),
    "unsaid": N_(
        "{count} of the words and signs above could not be computed and stand as the rules have them ({codes})"
    ),
    "hidden": N_("hidden"),
    "players": N_("Players"),
    "where": N_("where"),
    "whose": N_("whose"),
    "victory": N_("victory"),
    "defeat": N_("defeat"),
    "supply": N_("supply"),
    "in play": N_("In play"),
    "piles": N_("Piles"),
    "thinking": N_("thinking: {games} games in {seconds} s (Ctrl-C takes the best so far)"),
    "no thought": N_("this player cannot think: {reason}"),
    "advice": N_("{option}: {percent} % expected, tried in {share} % of the games"),
    "each": N_("each: {effects}"),
    "only choice": N_("there is nothing else to choose: {option}"),
    "slips": N_("what cost most (what was chosen, and what promised more):"),
    "no slips": N_("no choice cost much"),
    "slip": N_("decision {number}, {player}: {option}, {percent} % expected; {best} promised {missed} %"),
    "thousands": N_("{thousands},{rest}"),
    "look what": N_("look at what? At a card, piece, kind, cell, player, pile or rule: `look {example}`"),
    "no difference": N_("hardly any difference: think longer, as with `hint 10s`, or choose as you like"),
    "advice from": N_(
        "({games} games were played on from here; 100 % is a win, 50 % a draw or an even game)"
    ),
    "advice failed": N_("(in {games} of them a rule failed; they count as lost)"),
}
"""By key what is said, with named places."""

HELP = N_("""\
NUMBER or WORDS     take an option, by its number or some of its words
(Enter)             show the options again
map, state          draw the map; all that you may see of the state
look NAME           a card, piece, kind, cell, player, pile or rule, as you may know it
why                 which rules took effect since your last choice, and how numbers came about
why not ACTION…     which rules refuse an action, such as: why not {example}
hint [TIME]         what the computer would choose, and what it expects, such as: hint 5s
undo                take back your last choice, as long as it has shown nobody anything new
auto pass           pass by itself where you can do nothing else, or no more
log                 what has happened so far
save [FILE]         save the game, and go on
quit                save the game, and stop (so do Ctrl-C and the end of input)""")
"""What may be typed at the prompt."""


COMMANDS = N_("help map state look why not hint undo auto pass log save quit")
"""What may be typed, word by word: each language has its own words for these, beside the English ones."""


SYNONYMS = N_("write=save store=save examine=look inspect=look board=map status=state back=undo history=log")
"""What is typed for a command by whoever does not know its name, as `word=command`, the command in English: it holds
where no option has what was typed. Each language has its own, beside the English ones.
"""


def meant(language: str) -> dict[str, str]:
    """The commands by such words, without capitals and accents."""
    pairs = (
        each.partition("=")
        for names in (told(SYNONYMS, nearest(language)), SYNONYMS)
        for each in names.split()
    )
    return {plain(name): command for name, _, command in pairs}


def typed(language: str) -> dict[str, str]:
    """The commands, by what they are called in a language and in English, without capitals and accents."""
    own = told(COMMANDS, nearest(language)).split()
    english = COMMANDS.split()
    return {plain(name): each for names in (own, english) for name, each in zip(names, english, strict=True)}


def spoken(language: str) -> str:
    """The nearest language that Scenarii speaks."""
    return nearest(language)


def grouped(number: int, language: str) -> str:
    """A number with its thousands apart, as a language writes it."""
    return reduce(
        lambda thousands, rest: word("thousands", language, thousands=thousands, rest=rest),
        f"{number:,}".split(","),
    )


def word(key: str, language: str, **values: object) -> str:
    """A phrase in a language, with its places filled."""
    return told(tr(PHRASES[key], **values), nearest(language))
