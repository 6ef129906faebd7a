"""Every check of the repository: format, lint, types and imports, and the tests beside them.

All are run whatever fails; what a failing check said is shown. Arguments go to pytest. `--soak` leaves out nothing of
what a run tries in part (`tests/soak.py`).
"""

import os
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.soak import VARIABLE

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
GATES = {
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "lint": [PYTHON, "-m", "ruff", "check", "."],
    "types": [PYTHON, "-m", "mypy"],
    "imports": [str(Path(sysconfig.get_path("scripts")) / "lint-imports")],
}

SOAK = "--soak"


def main(pytest_arguments: list[str]) -> int:
    if SOAK in pytest_arguments:
        pytest_arguments = [each for each in pytest_arguments if each != SOAK]
        os.environ[VARIABLE] = "1"
    total = len(GATES) + 1
    failed = []
    print(f"[1/{total}] tests, and {', '.join(GATES)} beside them", flush=True)
    with ThreadPoolExecutor() as pool:
        verdicts = {name: pool.submit(verdict, name) for name in GATES}
        # No processor is left without work: each takes from the other what it has not begun.
        tests = subprocess.run(
            [PYTHON, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", *pytest_arguments],
            cwd=ROOT,
            check=False,
        )
        for number, name in enumerate(GATES, 2):
            passed, told = verdicts[name].result()
            print(f"[{number}/{total}] {name} ... {told}", flush=True)
            if not passed:
                failed.append(name)
    if failed:
        print(f"failed beside the tests: {', '.join(failed)}", flush=True)
    return 1 if failed else tests.returncode


def verdict(name: str) -> tuple[bool, str]:
    """Does a check pass, and what is there to say of it?"""
    begun = time.monotonic()
    run = subprocess.run(GATES[name], cwd=ROOT, check=False, capture_output=True, text=True)
    taken = f"({time.monotonic() - begun:.1f} s)"
    if run.returncode == 0:
        return True, f"ok {taken}"
    return False, f"FAILED {taken}\n{run.stdout}{run.stderr}"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
