#!/usr/bin/env bash
# Plays known games under another Python and compares every state with those of the current one:
# `tests/fingerprints.sh PYTHON`. Each of the two has a fresh environment and a hash seed of its own.
set -euo pipefail

other=${1:?usage: tests/fingerprints.sh PYTHON}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# prints PYTHON HASH_SEED NAME: installs the package for a Python and keeps the lines that it prints.
prints() {
    "$1" -m venv "$work/venv-$3"
    "$work/venv-$3/bin/pip" install -qq --disable-pip-version-check "$root"
    (cd "$root" && PYTHONHASHSEED=$2 PYTHONDONTWRITEBYTECODE=1 \
        "$work/venv-$3/bin/python" -m tests.figures fingerprints > "$work/$3.txt")
}

prints python3 1 here &
here=$!
prints "$other" 2 there
wait "$here"
diff -u "$work/here.txt" "$work/there.txt"
echo "$(wc -l < "$work/here.txt") lines of fingerprints are the same"
