#!/usr/bin/env bash
# Plays known games under other Pythons and compares every state with those of the current one:
# `tests/fingerprints.sh PYTHON...`. Each of them has a fresh environment and a hash seed of its own.
# FINGERPRINTS are what is printed; by default fewer and shorter games than the command prints by itself.
set -euo pipefail

: "${1:?usage: tests/fingerprints.sh PYTHON...}"
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra printed <<< "${FINGERPRINTS---states 500 --choices 1000}"

# prints PYTHON HASH_SEED NAME: installs the package for a Python and keeps the lines that it prints.
prints() {
    "$1" -m venv --without-pip "$work/venv-$3"
    python3 -m pip --python "$work/venv-$3/bin/python" install -qq --disable-pip-version-check --no-compile \
        "$work"/dist/scenarii-*.whl
    (cd "$root" && PYTHONHASHSEED=$2 PYTHONDONTWRITEBYTECODE=1 \
        "$work/venv-$3/bin/python" -m tests.figures fingerprints "${printed[@]}" > "$work/$3.txt")
}

python3 -m pip wheel -qq --disable-pip-version-check --no-deps -w "$work/dist" "$root"
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
