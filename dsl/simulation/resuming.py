"""What a simulation, or a comparison of several, has counted, in a file: one that was stopped goes on from there.

The file says which games they are: of which program, with which options, seeds and players. Another simulation is not
mixed into it. A file is data from anywhere: whatever is not as it was written is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import Any

from dsl.catalogue import tr
from dsl.files import read_regular, write_atomically
from dsl.simulation.counting import Chosen, Counts
from dsl.simulation.holding import GROUPS, Held, Thing
from dsl.simulation.running import Wanted
from dsl.simulation.tally import Breach, Tally

FORMAT, VERSION = "scenarii-simulation-state", 1
COMPARED = "scenarii-comparison-state"
MOST_BYTES = 64_000_000
MOST_CHARACTERS = 10_000
MOST = 2**63
_COUNTS = ("winners", "reasons", "lengths", "kinds", "pairs")


class StateError(ValueError):
    """A file that holds no simulation, or another one."""


def games_of(wanted: Wanted, program: str) -> dict[str, Any]:
    """Which games are counted, as data: how many there are to be is left open. `program` is the hash of the program."""
    data: dict[str, Any] = {
        "program": program,
        "seed": wanted.seed,
        "options": {name: str(value) for name, value in sorted(wanted.options.items())},
        "players": list(wanted.players),
        "exchanged": wanted.exchanged,
        "promises": wanted.watched,
        "steps": wanted.steps,
    }
    if wanted.counted:
        data |= {"counted": "rules" if wanted.ruled else "choices", "language": wanted.language}
    return data


def keep(path: Path, wanted: Wanted, program: str, tally: Tally) -> None:
    """Writes what has been counted. Raises `OSError` where it cannot be written."""
    _write(path, {"format": FORMAT, "version": VERSION, **_entry(wanted, program, tally)})


def keep_all(path: Path, entries: Sequence[tuple[Wanted, str, Tally]]) -> None:
    """Writes what has been counted of several, each with its program. Raises `OSError` where it cannot be written."""
    _write(path, {"format": COMPARED, "version": VERSION, "variants": [_entry(*each) for each in entries]})


def _write(path: Path, data: dict[str, Any]) -> None:
    write_atomically(path, json.dumps(data) + "\n", lasting=False)


def _entry(wanted: Wanted, program: str, tally: Tally) -> dict[str, Any]:
    return {"of": games_of(wanted, program), "counted": counted_of(wanted, tally)}


def counted_of(wanted: Wanted, tally: Tally) -> dict[str, Any]:
    """What has been counted, as data."""
    counted: dict[str, Any] = {name: _pairs(getattr(tally, name)) for name in _COUNTS}
    counted |= {
        "games": tally.games,
        "failures": sorted(tally.failures.items()),
        "first": sorted(tally.first.items()),
        "stops": tally.stops,
        "breaches": [[line, *found] for line, found in sorted(tally.breaches.items())],
    }
    if wanted.counted:
        counts = tally.counts or Counts()
        counted["counts"] = {
            "chosen": [[*key, *astuple(each)] for key, each in sorted(counts.chosen.items())],
            "things": [[*thing, *astuple(each)] for thing, each in sorted(counts.things.items())],
            "everybody": astuple(counts.everybody),
        }
    return counted


def kept_all(path: Path, wanted: Sequence[tuple[Wanted, str]]) -> list[Tally | None]:
    """What the file has counted of each of these games; none where it has nothing of them yet. A file with other games
    too is refused. Raises `StateError`, and `OSError` where the file cannot be read or is too large.
    """
    if not path.exists():
        return [None for _ in wanted]
    data = read_regular(path, MOST_BYTES)
    asked = [games_of(*each) for each in wanted]
    try:
        found = json.loads(data)
        if found["format"] != COMPARED or found["version"] != VERSION or not found["variants"]:
            raise ValueError
        entries = [
            (each["of"], tally_of(each["counted"], counted="counted" in each["of"]))
            for each in found["variants"]
        ]
        if any(not isinstance(of, dict) for of, _ in entries):
            raise ValueError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StateError(tr("{path} holds no comparison: name another file", path=path)) from None
    for of, _ in entries:
        if of not in asked:
            nearest = min((_differ(each, of) for each in asked), key=len)
            raise StateError(
                tr(
                    "{path} holds a comparison of other games ({differ}): name another file, or ask for the same",
                    path=path,
                    differ=", ".join(nearest) or "of",
                )
            )
    return [next((tally for of, tally in entries if of == each), None) for each in asked]


def kept(path: Path, wanted: Wanted, program: str) -> Tally | None:
    """What the file has counted of these games; none where there is no file yet. Raises `StateError`, and `OSError`
    where the file cannot be read or is too large.
    """
    if not path.exists():
        return None
    data = read_regular(path, MOST_BYTES)
    try:
        found = json.loads(data)
        if found["format"] != FORMAT or found["version"] != VERSION or not isinstance(found["of"], dict):
            raise ValueError
        other = found["of"]
        if other == games_of(wanted, program):
            return tally_of(found["counted"], counted=wanted.counted)
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StateError(tr("{path} holds no simulation: name another file", path=path)) from None
    differ = ", ".join(_differ(games_of(wanted, program), other))
    raise StateError(
        tr(
            "{path} holds a simulation of other games ({differ}): name another file, or ask for the same",
            path=path,
            differ=differ or "of",
        )
    )


def _differ(asked: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """In what games that were asked for differ from others."""
    return sorted(n for n in {*asked, "counted", "language"} if other.get(n) != asked.get(n))


def _pairs(counts: Counter[int]) -> list[list[int]]:
    return [[value, count] for value, count in sorted(counts.items())]


def tally_of(data: dict[str, Any], *, counted: bool) -> Tally:
    """What `counted_of` gave. Raises `ValueError`, `KeyError` or `TypeError` for anything else."""
    found = Tally(games=_whole(data["games"]), stops=_whole(data["stops"]))
    for name in _COUNTS:
        counts = getattr(found, name)
        for value, count in data[name]:
            counts[_whole(value, least=-MOST)] = _whole(count)
    found.failures = Counter({_code(code): _whole(count) for code, count in data["failures"]})
    found.first = {_code(code): _whole(seed, least=-MOST) for code, seed in data["first"]}
    for line, games, seed, choices, code in data["breaches"]:
        found.breaches[_whole(line)] = Breach(
            _whole(games), _whole(seed, least=-MOST), _whole(choices), _code(code) if code else ""
        )
    ended = found.winners.total() == found.reasons.total() == found.lengths.total() == found.games
    if not ended or set(found.first) != set(found.failures):
        raise ValueError
    if counted:
        found.counts = _counts(data["counts"])
    return found


def _counts(data: dict[str, Any]) -> Counts:
    """Raises as `tally_of` does."""
    found = Counts(everybody=Chosen(*_numbers(data["everybody"], 4)))
    for action, what, *numbers in data["chosen"]:
        found.chosen[_words(action), _words(what)] = Chosen(*_numbers(numbers, 4))
    for group, where, name, *numbers in data["things"]:
        if group not in GROUPS:
            raise ValueError
        found.things[Thing(group, _words(where), _words(name))] = Held(*_numbers(numbers, 8))
    return found


def _numbers(values: list[object], count: int) -> list[int]:
    if len(values) != count:
        raise ValueError
    return [_whole(each) for each in values]


def _words(value: object) -> str:
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS:
        raise ValueError
    return value


def _whole(value: object, *, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2 * MOST:
        raise ValueError
    return value


def _code(value: object) -> str:
    if not isinstance(value, str) or len(value) > 8 or not value.isalnum():
        raise ValueError
    return value
