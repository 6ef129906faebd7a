"""What the page says of itself, in the languages of the catalogues; a game's own words are the game's."""

from __future__ import annotations

from dsl.catalogue import N_, languages, told

PHRASES: dict[str, str] = {
    "no": N_("no"),
    "yes": N_("yes"),
    "none": N_("none"),
    "pass": N_("(pass)"),
    "stop": N_("(stop)"),
    "who": N_("{player}: {text}"),
    "so": N_("{what}: {result}"),
    "turn": N_("{player} to choose"),
    "round": N_("Round {round}"),
    "die": N_("die {dice}: {result}"),
    "dice": N_("dice {dice}: {result}"),
    "picked": N_("at random: {what}"),
    "chooses": N_("{player} has chosen"),
    "wins": N_("{names} wins"),
    "nobody wins": N_("nobody wins"),
    "draw": N_("a draw"),
    "bound": N_("the game has reached its end, and nobody wins"),
    "hidden": N_("hidden"),
    "aims": N_("What you play for"),
    "victory": N_("victory"),
    "defeat": N_("defeat"),
    "pile": N_("{pile}: {count}"),
    "new game": N_("New game"),
    "undo": N_("Undo"),
    "save": N_("Save"),
    "load": N_("Load"),
    "language": N_("Language"),
    "seed": N_("Seed"),
    "rulings": N_("Where the rules leave it open ({count})"),
    "start": N_("Start"),
    "cancel": N_("Cancel"),
    "person": N_("a person"),
    "random": N_("the computer, at random"),
    "thinks": N_("the computer, which thinks for a second"),
    "thinks longer": N_("the computer, which thinks for 5 seconds"),
    "board": N_("Board"),
    "your choice": N_("Your choice"),
    "story": N_("What has happened"),
    "state": N_("State"),
    "pieces": N_("Pieces"),
    "in": N_("in {what}"),
    "off the board": N_("off the board"),
    "let pass": N_("pass for me from now on where I can do nothing else"),
    "signs": N_("What the signs mean"),
    "find": N_("Find an option"),
    "more": N_("{count} more options; type some of their words to find them"),
    "none found": N_("no option has these words"),
    "ask": N_("Ask the rules"),
    "why": N_("Why did this happen?"),
    "why not": N_("Why can I not …?"),
    "an action": N_("an action, by its name or as its option reads"),
    "ask it": N_("Ask"),
    "no answer": N_("There is no answer: the command that serves this page has ended."),
    "look": N_("Look closer"),
    "close": N_("Close"),
    "next to": N_("Next to {names}"),
    "next": N_("{player} is next"),
    "look away": N_("Hand the screen to {player}. The others look away."),
    "i am here": N_("I am {player}"),
    "ended": N_("The game is over"),
    "decisions": N_("{count} decisions"),
    "failed": N_("A rule failed ({code}); the game stands where it stood."),
    "not saved": N_("The game could not be saved: {reason}"),
    "not loaded": N_("This game cannot be loaded: {reason}"),
    "not a save": N_("it is not a saved game"),
    "too large": N_("it is larger than any save"),
    "unreadable": N_("the browser may not read it"),
    "other format": N_("it has the version {version}, and this is {own}"),
    "other rules": N_("it was made with another version of the rules"),
    "damaged": N_("it is damaged"),
    "no seats": N_("the mode that is chosen is not for so many players"),
    "no start": N_("The game cannot start: {reason}"),
    "too old": N_(
        "This browser cannot play the game: it lacks the exceptions of WebAssembly, which Chrome 137, Firefox 131, "
        "Safari 18.4 and later have."
    ),
    "no script": N_("This page plays the game with JavaScript, which is turned off or not allowed here."),
    "thinking": N_("{player} is thinking …"),
    "stopped": N_("The computer was stopped, and chose at random."),
    "zoom in": N_("Zoom in"),
    "zoom out": N_("Zoom out"),
    "whole board": N_("Whole board"),
    "takeback": N_("anything may be taken back, as all agree"),
}
"""By key what is said, with named places."""


def phrases() -> dict[str, dict[str, str]]:
    """By language what the page says."""
    return {
        language: {key: told(text, language) for key, text in PHRASES.items()} for language in languages()
    }
