"""The text of a random board game: `python -m tests.wasm.programs SEED`."""

from __future__ import annotations

import sys

from tests.wasm.programs.boards import accepted


def main() -> None:
    """Prints the game of each seed that is named."""
    for seed in sys.argv[1:]:
        print(accepted(int(seed))[0])


if __name__ == "__main__":
    main()
