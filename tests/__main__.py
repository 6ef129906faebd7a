"""Every check of the repository: format, lint, types and imports at the same time, then the tests.

All are run whatever fails; what a failing check said is shown. Arguments go to pytest.
"""

import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = sys.executable
GATES = {
    "format": [PYTHON, "-m", "ruff", "format", "--check", "."],
    "lint": [PYTHON, "-m", "ruff", "check", "."],
    "types": [PYTHON, "-m", "mypy"],
    "imports": [str(Path(sysconfig.get_path("scripts")) / "lint-imports")],
}


def main(pytest_arguments: list[str]) -> int:
    total = len(GATES) + 1
    failed = []
    with ThreadPoolExecutor() as pool:
        for number, (name, (passed, told)) in enumerate(zip(GATES, pool.map(verdict, GATES), strict=True), 1):
            print(f"[{number}/{total}] {name} ... {told}", flush=True)
            if not passed:
                failed.append(name)
    print(f"[{total}/{total}] tests", flush=True)
    tests = subprocess.run(
        [PYTHON, "-m", "pytest", "-q", "-n", "auto", *pytest_arguments], cwd=ROOT, check=False
    )
    if failed:
        print(f"failed before the tests: {', '.join(failed)}", flush=True)
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
