"""What a simulation has counted, in a file: one that was stopped goes on from there.

The file says which games they are: of which program, with which options, seeds and players. Another simulation is not
mixed into it. A file is data from anywhere: whatever is not as it was written is refused.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from dsl.catalogue import tr
from dsl.files import read_regular, write_atomically
from dsl.simulation.running import Wanted
from dsl.simulation.tally import Breach, Tally

FORMAT, VERSION = "scenarii-simulation-state", 1
MOST_BYTES = 16_000_000
MOST = 2**63
_COUNTS = ("winners", "reasons", "lengths", "kinds", "pairs")


class StateError(ValueError):
    """A file that holds no simulation, or another one."""


def games_of(wanted: Wanted, program: str) -> dict[str, Any]:
    """Which games are counted, as data: how many there are to be is left open. `program` is the hash of the program."""
    return {
        "program": program,
        "seed": wanted.seed,
        "options": {name: str(value) for name, value in sorted(wanted.options.items())},
        "players": list(wanted.players),
        "exchanged": wanted.exchanged,
        "promises": wanted.watched,
        "steps": wanted.steps,
    }


def keep(path: Path, wanted: Wanted, program: str, tally: Tally) -> None:
    """Writes what has been counted. Raises `OSError` where it cannot be written."""
    counted: dict[str, Any] = {name: _pairs(getattr(tally, name)) for name in _COUNTS}
    counted |= {
        "games": tally.games,
        "failures": sorted(tally.failures.items()),
        "first": sorted(tally.first.items()),
        "stops": tally.stops,
        "breaches": [[line, *found] for line, found in sorted(tally.breaches.items())],
    }
    data = {
        "format": FORMAT,
        "version": VERSION,
        "of": games_of(wanted, program),
        "counted": counted,
    }
    write_atomically(path, json.dumps(data) + "\n", lasting=False)


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
            return _tally(found["counted"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise StateError(tr("{path} holds no simulation: name another file", path=path)) from None
    differ = ", ".join(sorted(n for n, value in games_of(wanted, program).items() if other.get(n) != value))
    raise StateError(
        tr(
            "{path} holds a simulation of other games ({differ}): name another file, or ask for the same",
            path=path,
            differ=differ or "of",
        )
    )


def _pairs(counts: Counter[int]) -> list[list[int]]:
    return [[value, count] for value, count in sorted(counts.items())]


def _tally(data: dict[str, Any]) -> Tally:
    """Raises `ValueError`, `KeyError` or `TypeError` for what was not written by `keep`."""
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
    return found


def _whole(value: object, *, least: int = 0) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value < 2 * MOST:
        raise ValueError
    return value


def _code(value: object) -> str:
    if not isinstance(value, str) or len(value) > 8 or not value.isalnum():
        raise ValueError
    return value
