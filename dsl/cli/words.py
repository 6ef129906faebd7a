"""What `play` says of itself, in the languages that it speaks; a game's own words are the game's."""

from __future__ import annotations

SPOKEN = ("en", "fr")

_WORDS: dict[str, tuple[str, str]] = {
    "seed": ("seed {seed}", "graine {seed}"),
    "settings": ("with {settings}", "avec {settings}"),
    "round": ("Round {round}", "Tour {round}"),
    "none": ("none", "aucun"),
    "more changes": ("and {count} more changes", "et {count} autres changements"),
    "wins": ("{names} wins", "{names} gagne"),
    "nobody wins": ("nobody wins", "personne ne gagne"),
    "draw": ("a draw", "partie nulle"),
    "bound": (
        "the game has reached its end, and nobody wins",
        "la partie est arrivée à son terme, sans vainqueur",
    ),
    "end": ("End: ", "Fin : "),
    "so": ("{what}: {result}", "{what} : {result}"),
    "who": ("{player}: {text}", "{player} : {text}"),
    "die": ("die {dice}: {result}", "dé {dice} : {result}"),
    "dice": ("dice {dice}: {result}", "dés {dice} : {result}"),
    "picked": ("at random: {what}", "au hasard : {what}"),
    "decisions": ("{count} decisions", "{count} décisions"),
    "fingerprint": ("fingerprint {fingerprint}", "empreinte {fingerprint}"),
    "failed": ("the rules failed: {message}", "les règles ont échoué : {message}"),
    "saved": ("saved in {file}", "partie enregistrée dans {file}"),
    "go on": ("go on with: scenarii play --load {file}", "pour reprendre : scenarii play --load {file}"),
    "not saved": (
        "the game could not be saved: {reason}",
        "la partie n'a pas pu être enregistrée : {reason}",
    ),
    "recorded": ("recorded in {file}", "partie notée dans {file}"),
    "turn": ("{player} to choose", "à {player} de choisir"),
    "hand over": (
        "{player} is next; press Enter when the others look away: ",
        "au tour de {player} ; Entrée quand les autres ne regardent pas : ",
    ),
    "more options": (
        "… {count} more; type some of the words of an option to find it",
        "… encore {count} ; tapez quelques mots d'une option pour la trouver",
    ),
    "ask": ("Your choice (or help): ", "Votre choix (ou help) : "),
    "which": ("Which of these?", "Laquelle ?"),
    "no such": (
        "no option is called `{text}`; type its number, some of its words, or help",
        "aucune option ne s'appelle « {text} » ; tapez son numéro, quelques-uns de ses mots, ou help",
    ),
    "number": ("there are only the options 1 to {count}", "il n'y a que les options 1 à {count}"),
    "pass": ("(pass)", "(passer)"),
    "stop": ("(stop)", "(arrêter)"),
    "chooses": ("{player} has chosen", "{player} a choisi"),
    "undone": ("Taken back.", "Coup repris."),
    "nothing to undo": ("There is nothing to take back.", "Il n'y a rien à reprendre."),
    "rolled": (
        "Not taken back: dice have been thrown, or something picked or shuffled, since (--takeback: all agree).",
        "Pas repris : le hasard a parlé depuis (--takeback : tous sont d'accord).",
    ),
    "revealed": (
        "Not taken back: something has been shown since (--takeback: all agree).",
        "Pas repris : quelque chose a été dévoilé depuis (--takeback : tous sont d'accord).",
    ),
    "decided": (
        "Not taken back: another player has decided since (--takeback: all agree).",
        "Pas repris : un autre joueur a décidé depuis (--takeback : tous sont d'accord).",
    ),
    "auto on": (
        "Where you can only pass, it passes for you; `auto pass` again ends that.",
        "Quand vous ne pouvez que passer, c'est fait pour vous ; `auto pass` pour arrêter.",
    ),
    "auto off": ("You are asked again where you can only pass.", "Vous êtes à nouveau interrogé."),
    "no log": ("Nothing has happened yet.", "Il ne s'est encore rien passé."),
    "no log since": (
        "Nothing has happened since the game was loaded.",
        "Il ne s'est rien passé depuis le chargement.",
    ),
    "log since": ("Since the game was loaded:", "Depuis le chargement :"),
    "because": (
        "These rules took effect since your last choice:",
        "Règles appliquées depuis votre dernier choix :",
    ),
    "sums": ("The numbers:", "Les nombres :"),
    "no why": (
        "No rule took effect since your last choice.",
        "Aucune règle appliquée depuis votre dernier choix.",
    ),
    "offered": ("It is offered now.", "C'est possible maintenant."),
    "refused": ("Not now, because:", "Pas maintenant :"),
    "unmet among": ("{name} is not in `{range}`{values}", "{name} n'est pas dans `{range}`{values}"),
    "unmet": (
        "No rule forbids it, but only this is asked for:",
        "Rien ne l'interdit, mais seul ceci est demandé :",
    ),
    "unmet around": (
        "what this line stands in asks for `{condition}`{values}",
        "ce qui contient cette ligne demande `{condition}`{values}",
    ),
    "unmet range around": (
        "what this line stands in goes over `{range}`{values}",
        "ce qui contient cette ligne parcourt `{range}`{values}",
    ),
    "unmet condition": ("`{condition}` does not hold{values}", "`{condition}` n'est pas vrai{values}"),
    "unasked": (
        "No rule forbids it, but this is not what is asked for now.",
        "Rien ne l'interdit, mais ce n'est pas ce qui est demandé maintenant.",
    ),
    "why not what": (
        "Say which action: `why not ACTION(ARGUMENTS)`, such as: {actions}",
        "Dites quelle action : `why not ACTION(ARGUMENTS)`, par exemple : {actions}",
    ),
    "no such thing": ("There is no `{text}` here.{near}", "Il n'y a pas de « {text} » ici.{near}"),
    "no such number": (
        "`{text}` is no number from {low} to {high}.",
        "« {text} » n'est pas un nombre de {low} à {high}.",
    ),
    "near": (" Did you mean `{name}`?", " Vouliez-vous dire « {name} » ?"),
    "several": ("`{text}` may be any of: {names}", "« {text} » peut être : {names}"),
    "takes": ("{action} takes: {params}", "{action} attend : {params}"),
    "state": ("State", "État"),
    "pile": ("{pile}: {count}", "{pile} : {count}"),
    "unsaid": (
        "{count} of the words and signs above could not be computed and stand as the rules have them ({codes})",
        "{count} des mots et signes ci-dessus n'ont pu être calculés et restent comme dans les règles ({codes})",
    ),
    "hidden": ("hidden", "caché"),
    "supply": ("supply", "réserve"),
    "in play": ("In play", "En jeu"),
    "piles": ("Piles", "Piles"),
}

HELP = {
    "en": """\
NUMBER or WORDS     take an option, by its number or some of its words
(Enter)             show the options again
map, state          draw the map; all that you may see of the state
show NAME           all that is printed of a kind or card, by its name or label
why                 which rules took effect since your last choice, and how numbers came about
why not ACTION…     which rules refuse an action, such as: why not {example}
undo                take back your last choice, as long as it has shown nobody anything new
auto pass           pass by itself where you can do nothing else, or no more
log                 what has happened so far
save [FILE]         save the game, and go on
quit                save the game, and stop (so do Ctrl-C and the end of input)""",
    "fr": """\
NUMÉRO ou MOTS      prendre une option, par son numéro ou quelques-uns de ses mots
(Entrée)            montrer à nouveau les options
map, state          dessiner la carte ; tout ce que vous pouvez voir de l'état
show NOM            tout ce qui est imprimé d'une sorte ou d'une carte, par son nom ou son libellé
why                 quelles règles ont joué depuis votre dernier choix, et d'où viennent les nombres
why not ACTION…     quelles règles refusent une action, par exemple : why not {example}
undo                reprendre votre dernier choix, s'il n'en est rien sorti qu'on ne puisse oublier
auto pass           passer tout seul quand rien d'autre n'est possible, ou ne plus le faire
log                 ce qui s'est passé jusqu'ici
save [FICHIER]      enregistrer la partie, et continuer
quit                enregistrer la partie, et arrêter (comme Ctrl-C et la fin de l'entrée)""",
}


def spoken(language: str) -> str:
    """The nearest language that `play` speaks."""
    return language if language in SPOKEN else SPOKEN[0]


def word(key: str, language: str, **values: object) -> str:
    """A phrase in a language, with its holes filled."""
    text = _WORDS[key][SPOKEN.index(spoken(language))]
    return text.format(**values) if values else text
