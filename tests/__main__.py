"""Every check of the repository, in order: format, lint, types, imports, tests.

All are run whatever fails; what a failing check said is shown. Arguments go to pytest.
"""

import subprocess
import sys
import sysconfig
import time
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
    failed = [name for number, name in enumerate(GATES, 1) if not passes(name, f"[{number}/{total}]")]
    print(f"[{total}/{total}] tests", flush=True)
    tests = subprocess.run(
        [PYTHON, "-m", "pytest", "-q", "-n", "auto", *pytest_arguments], cwd=ROOT, check=False
    )
    if failed:
        print(f"failed before the tests: {', '.join(failed)}", flush=True)
    return 1 if failed else tests.returncode


def passes(name: str, progress: str) -> bool:
    print(f"{progress} {name} ... ", end="", flush=True)
    begun = time.monotonic()
    run = subprocess.run(GATES[name], cwd=ROOT, check=False, capture_output=True, text=True)
    verdict = "FAILED" if run.returncode else "ok"
    print(f"{verdict} ({time.monotonic() - begun:.1f} s)", flush=True)
    if run.returncode:
        print(run.stdout + run.stderr, flush=True)
    return run.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
