"""The same module in JavaScript: `python -m tests.wasm.javascript --runtime node`.

Plays random games of every game there, and compares them with wasmtime's. It takes a runtime that knows WebAssembly's
exceptions, such as Node.js 24.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from dsl.wasm.memory import INFO, info_at
from dsl.wasm.module import MOST_CHOICES, Module, binary
from dsl.wasm.statistics import TALLY
from tests.figures.targets import targets
from tests.wasm.soak import machine_of

SCRIPT = Path(__file__).with_suffix(".mjs")


def compared(
    what: str, games: int, runtime: str, folder: Path
) -> tuple[dict[str, object], dict[str, object]]:
    """What random games of a program come to in wasmtime, and in the other runtime."""
    module = Module.of(machine_of(what))
    instance = module.instance()
    module.prepare(instance, {})
    path = folder / "game.wasm"
    path.write_bytes(binary(module.program))
    request = {
        "module": str(path),
        "state": list(instance.state),
        "choices": info_at(module.program) + INFO - 4,
        "tally": TALLY,
        "games": games,
        "seed": 1,
        "most": MOST_CHOICES,
    }
    told = subprocess.run(
        [runtime, str(SCRIPT)], input=json.dumps(request), capture_output=True, text=True, check=True
    )
    ours = module.playouts(games, seed=1)
    ends = {f"{reason} {winners}": count for (reason, winners), count in ours.ends.items()}
    return {"imports": 0, "games": ours.games, "decisions": ours.decisions, "ends": ends}, json.loads(
        told.stdout
    )


def main() -> int:
    """A line for each game; 1 if one differs."""
    parser = argparse.ArgumentParser("python -m tests.wasm.javascript", description=__doc__)
    parser.add_argument("--runtime", default="node", help="the command that runs JavaScript")
    parser.add_argument("--games", type=int, default=100)
    given = parser.parse_args()
    failed = False
    print("| game | games | decisions | imports | as in wasmtime |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for what in dict.fromkeys(each.what for each in targets()):
            ours, theirs = compared(what, given.games, given.runtime, Path(folder))
            name, alike = Path(what).name, ours == theirs
            counted = f"{theirs['games']} | {theirs['decisions']} | {theirs['imports']}"
            print(f"| {name} | {counted} | {'yes' if alike else 'NO'} |", flush=True)
            failed = failed or not alike
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
