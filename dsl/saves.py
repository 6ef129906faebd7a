"""Games in files: what was chosen since the start, and a snapshot to go on from at once.

A save and a record are one format, JSON: `format` and `version`, the `game` (and as `target` what to load it
by), the hash of its `program`, `seed`, `options`, `steps` (how many a decision may take) and `players`, the `choices`
(the number of the offer and the values of its variables) and the same in words (`moves`), the `snapshot` in base 64,
its `fingerprint`, that of every 25th decision (`checks`), the `outcome` of a game that has ended, and the whole
program, compressed (`rules`), so that it can be played by them when the game has moved on. Loading trusts nothing
in it.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dsl.catalogue import tr
from dsl.diagnostics import Code, Diagnostic, Diagnostics
from dsl.engine.failure import IllegalChoice, RuleFailure, StartError
from dsl.engine.game import Game
from dsl.engine.machine import Choice, Machine
from dsl.engine.snapshot import damaged
from dsl.files import NoFile, TooLarge, read_regular, write_atomically
from dsl.ir import limits
from dsl.ir.codec import decode, encode, parse
from dsl.ir.identity import identity
from dsl.ir.program import FEWEST_ASKED, MOST_ASKED, Program
from dsl.ir.reader import Fault
from dsl.ir.verify.program import verify as verify_program
from dsl.playable import Playable

FORMAT = "scenarii-game"
VERSION = 2
MAX_BYTES = 16 * 1024 * 1024
MAX_CHOICES = 200_000
KEYS = {
    "format", "version", "game", "target", "mods", "program", "language", "seed", "options", "steps",
    "players", "random", "outcome", "fingerprint", "snapshot", "rules", "checks", "moves", "choices",
}  # fmt: skip
CHECK_EVERY = 25
"""After how many decisions a fingerprint is kept."""


@dataclass(frozen=True, slots=True)
class Save:
    """A game in a file, its form checked, its content not yet."""

    game: str
    target: str
    mods: tuple[str, ...]
    program: str
    seed: int
    options: Mapping[str, str | int]
    players: tuple[str, ...]
    random: tuple[int, ...]
    choices: tuple[Choice, ...]
    snapshot: bytes
    fingerprint: str
    moves: tuple[str, ...] = ()
    outcome: Mapping[str, Any] | None = None
    language: str = field(default="")
    rules: bytes = field(default=b"", repr=False)
    """The document of the program, compressed; empty where the file has none."""
    checks: Mapping[int, str] = field(default_factory=dict)
    """Fingerprints by the number of decisions taken."""
    steps: int | None = None
    """How many could be taken between two decisions; none where the file does not say it."""


def write(path: Path, save: Save) -> None:
    """Puts a save in place, whole; raises OSError."""
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "game": save.game,
        "target": save.target,
        "mods": list(save.mods),
        "program": save.program,
        "language": save.language,
        "seed": save.seed,
        "options": dict(save.options),
        **({} if save.steps is None else {"steps": save.steps}),
        "players": list(save.players),
        "random": list(save.random),
        "outcome": save.outcome,
        "fingerprint": save.fingerprint,
        "snapshot": base64.b64encode(save.snapshot).decode(),
        "rules": base64.b64encode(save.rules).decode(),
        "checks": [[number, each] for number, each in save.checks.items()],
        "moves": list(save.moves),
        "choices": [[offer, list(values)] for offer, values in save.choices],
    }
    write_atomically(path, _written(document))


def _written(document: Mapping[str, Any]) -> str:
    """The document with a key, a move or a choice on each line, for whoever reads or compares it."""

    def text(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    def lines(value: Any) -> str:
        tall = isinstance(value, list) and len(value) > 0 and isinstance(value[0], list | str)
        return "[\n  " + ",\n  ".join(map(text, value)) + "\n ]" if tall else text(value)

    return "{\n " + ",\n ".join(f"{text(key)}: {lines(value)}" for key, value in document.items()) + "\n}\n"


def read(path: Path) -> Save | Diagnostic:
    """The save in a file, or what is wrong with it."""
    try:
        data = read_regular(path, MAX_BYTES)
    except NoFile:
        return Diagnostic(Code.UNREADABLE_FILE, tr("{path} is not a file", path=path))
    except TooLarge:
        return damaged(f"{path} is larger than any save ({MAX_BYTES // 1024 // 1024} MiB)")
    except OSError as error:
        return Diagnostic(
            Code.UNREADABLE_FILE,
            tr("{path} cannot be read: {strerror}", path=path, strerror=error.strerror or error),
        )
    return parsed(data, str(path))


def parsed(data: bytes, name: str) -> Save | Diagnostic:
    """The save that some bytes are, or what is wrong with them; `name` says where they come from."""
    try:
        return _save(parse(data, MAX_BYTES))
    except Fault as fault:
        return damaged(f"{name} is not a saved game: {fault.message}")
    except _Wrong as wrong:
        return damaged(f"{name} is not a saved game: {wrong}")


def restored(machine: Machine, save: Save, *, verify: bool = False) -> Game | list[Diagnostic]:
    """The game of a save, for the program that it was made with; `verify` plays it again from its choices."""
    if save.program != machine.hash:
        return [other_program(save)]
    found = Game.restore(machine, save.snapshot, telling=True)
    if isinstance(found, list):
        return found
    if found.fingerprint != save.fingerprint:
        return [damaged("the save's fingerprint is not that of its state")]
    if not verify:
        return found
    again = replayed(machine, save)
    if isinstance(again, Diagnostic):
        return [again]
    if again.fingerprint != save.fingerprint:
        return [damaged("playing its choices again leads to another state")]
    return again


def other_program(save: Save) -> Diagnostic:
    """What is said of a save whose game has moved on."""
    message = tr("the save was made with another version of the rules of {game}", game=save.game)
    hint = "it can be played on with the files of then; a changed rule makes another game"
    return Diagnostic(Code.SAVE_OF_OTHER_PROGRAM, message, hint=hint)


def replayed(machine: Machine, save: Save, count: int | None = None) -> Game | Diagnostic:
    """The game played again from its start, up to a number of choices (none: all of them)."""
    try:
        game = Game.start(machine, seed=save.seed, options=save.options, telling=True)
    except StartError as error:
        return damaged(f"the game cannot start as the save says: {error}")
    except RuleFailure as error:
        return damaged(f"the rules fail where the save begins: {error.message}")
    for number, choice in enumerate(save.choices[:count], 1):
        try:
            game.choose(choice)
        except (IllegalChoice, TypeError):
            return damaged(f"choice {number} of the save is not among the options there")
        except RuleFailure as error:
            return damaged(f"the rules fail at choice {number} of the save: {error.message}")
        if save.checks.get(number, "") not in {"", game.fingerprint}:
            return damaged(f"playing its choices again leads to another state by choice {number}")
    return game


# ---------------------------------------------------------------- the rules that it carries


def compressed(program: Program) -> bytes:
    """A program as a save carries it."""
    return zlib.compress(encode(program), 9)


def own_rules(save: Save) -> Playable | Diagnostic:
    """The machine of the program that a save was made with, from the save itself: verified, and of its hash."""
    if not save.rules:
        message = tr("the save does not carry the rules of {game} with which it was made", game=save.game)
        return Diagnostic(Code.SAVE_OF_OTHER_PROGRAM, message, hint="load it with the files of then")
    unpacking = zlib.decompressobj()
    try:
        most = limits.PACKED_SPARE + limits.PACKED_RATIO * len(save.rules)
        data = unpacking.decompress(save.rules, min(most, limits.MAX_BYTES) + 1)
    except zlib.error:
        return damaged("the rules in the save are cut off or changed")
    if not unpacking.eof or len(data) > min(most, limits.MAX_BYTES):
        return damaged("the rules in the save are cut off or changed")
    found = Diagnostics()
    program = decode(data, found, "the rules in the save")
    if program is not None:
        found.extend(verify_program(program))
    if program is None or found.has_errors:
        return damaged("the rules in the save are no program that can be played")
    if identity(program) != save.program:
        return damaged("the rules in the save are not those that it names")
    return Playable(program)


# ---------------------------------------------------------------- the form of the document


class _Wrong(Exception):
    """What in a document is not as it must be."""


def _save(document: Any) -> Save:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise _Wrong("it has another format")
    version = document.get("version")
    if version != VERSION or isinstance(version, bool):
        raise _Wrong(f"it has the version {version!r}, and this is {VERSION}"[:200])
    if strange := sorted(set(document) - KEYS):
        raise _Wrong(f"it has a key `{strange[0][:40]}` that saves have not")
    raw = document.get("choices")
    if not isinstance(raw, list) or len(raw) > MAX_CHOICES:
        raise _Wrong("`choices` is no list of choices")
    outcome = document.get("outcome")
    return Save(
        _text(document, "game"),
        _text(document, "target"),
        _texts(document, "mods"),
        _text(document, "program"),
        _number(document.get("seed"), "seed"),
        _options(document.get("options")),
        _texts(document, "players"),
        tuple(_number(each, "random") for each in _list(document, "random")),
        tuple(_choice(each) for each in raw),
        _bytes(_text(document, "snapshot")),
        _text(document, "fingerprint"),
        _texts(document, "moves"),
        outcome if isinstance(outcome, dict) else None,
        _text(document, "language"),
        _bytes(_text(document, "rules"), "rules") if "rules" in document else b"",
        dict(_check(each) for each in _list(document, "checks")) if "checks" in document else {},
        _steps(document["steps"]) if "steps" in document else None,
    )


def _text(document: Mapping[str, Any], key: str) -> str:
    found = document.get(key)
    if not isinstance(found, str):
        raise _Wrong(f"`{key}` is no text")
    return found


def _list(document: Mapping[str, Any], key: str) -> list[Any]:
    found = document.get(key)
    if not isinstance(found, list):
        raise _Wrong(f"`{key}` is no list")
    return found


def _texts(document: Mapping[str, Any], key: str) -> tuple[str, ...]:
    found = _list(document, key)
    if not all(isinstance(each, str) for each in found):
        raise _Wrong(f"`{key}` is no list of texts")
    return tuple(found)


def _number(value: Any, key: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 2**64:
        raise _Wrong(f"`{key}` is no whole number")
    return value


def _steps(value: Any) -> int:
    found = _number(value, "steps")
    if not FEWEST_ASKED <= found <= MOST_ASKED:
        raise _Wrong(f"`steps` is no number from {FEWEST_ASKED:,} to {MOST_ASKED:,}")
    return found


def _options(value: Any) -> dict[str, str | int]:
    if not isinstance(value, dict):
        raise _Wrong("`options` are no options")
    return {
        str(name): chosen if isinstance(chosen, str) else _number(chosen, "options")
        for name, chosen in value.items()
    }


def _choice(value: Any) -> Choice:
    if not isinstance(value, list) or len(value) != 2 or not isinstance(value[1], list):
        raise _Wrong("a choice is no offer with its values")
    values = tuple(
        tuple(_whole(part) for part in each) if isinstance(each, list) else _whole(each) for each in value[1]
    )
    return _number(value[0], "choices"), values


def _whole(value: Any) -> int:
    """A value of a choice: sets may have many bits."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise _Wrong("a choice has a value that is no number")
    return value


def _check(value: Any) -> tuple[int, str]:
    match value:
        case [int(number), str(fingerprint)] if not isinstance(number, bool):
            return number, fingerprint
        case _:
            pass
    raise _Wrong("a check is no decision with its fingerprint")


def _bytes(text: str, what: str = "snapshot") -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise _Wrong(f"its {what} is cut off or changed") from None
