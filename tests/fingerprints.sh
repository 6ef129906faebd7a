#!/usr/bin/env bash
# Plays known games under other Pythons and compares every state with those of the current one:
# `tests/fingerprints.sh PYTHON...`. Each of them has a fresh environment and a hash seed of its own.
set -euo pipefail

: "${1:?usage: tests/fingerprints.sh PYTHON...}"
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

runs=(python3 "$@")
jobs=()
for number in $(seq 0 $#); do
    prints "${runs[$number]}" $((number + 1)) "$number" &
    jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job"; done
for number in $(seq 1 $#); do
    diff -u "$work/0.txt" "$work/$number.txt"
    echo "$(wc -l < "$work/0.txt") lines of fingerprints are the same under ${runs[$number]}"
done
