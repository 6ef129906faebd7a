"""What the installed command runs: Ctrl-C ends it in words even while it is being loaded."""

from __future__ import annotations

import sys

STOPPED = 130


def main() -> None:
    """Runs the command; 130 where Ctrl-C ends it while it is being loaded."""
    from dsl.garbage import leave, one_command

    try:
        one_command()
        from dsl.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("\nstopped\n")
        sys.exit(STOPPED)
    finally:
        leave()
