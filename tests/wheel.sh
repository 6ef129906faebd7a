#!/usr/bin/env bash
# Builds the wheel, installs it in a bare environment elsewhere on the disk, and holds it to what the checkout does:
# the same game for the same seed, and the tests of the game that comes with it. `tests/wheel.sh [PYTHON]`.
set -euo pipefail

python=${1:-python3}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SCENARII_CACHE=off

# environment NAME WHAT...: a fresh environment in which pip has installed something.
environment() {
    "$python" -m venv --without-pip "$work/$1"
    "$python" -m pip --python "$work/$1/bin/python" install -qq --disable-pip-version-check --no-compile "${@:2}"
}

# told NAME: the game of seed 7 as an environment tells it, away from the checkout.
told() {
    mkdir -p "$work/elsewhere"
    (cd "$work/elsewhere" && "$work/$1/bin/scenarii" play cristal_et_acier --auto --seed 7 > "$work/$1.txt")
}

# holds NAME: does the wheel hold the data without which nothing runs?
holds() {
    [[ $contents == *"$1 "* ]] || { echo "the wheel has no $1" >&2; return 1; }
}

"$python" -m pip wheel -qq --disable-pip-version-check --no-deps -w "$work/dist" "$root"
wheel=$(echo "$work"/dist/scenarii-*.whl)
contents=$("$python" -m zipfile -l "$wheel")
holds dsl/_grammar/scenarii.lark
holds dsl/_grammar/scenarii.tables.json
holds dsl/_stdlib/cristal_et_acier/cristal_et_acier.scn
holds dsl/_stdlib/cristal_et_acier/rulebook.json
holds dsl/_errors/E0201.md
holds dsl/ir/schema.json
holds dsl/py.typed
holds dsl/wasm/telling.wat
holds dsl/browser/page/page.html
holds dsl/browser/page/engine.js

environment bare "$wheel"
environment editable -e "$root"
told bare
told editable
diff "$work/editable.txt" "$work/bare.txt"
tail -n 1 "$work/bare.txt"
(cd "$work/elsewhere" && "$work/bare/bin/scenarii" test cristal_et_acier && "$work/bare/bin/scenarii" list)
(cd "$work/elsewhere" && "$work/bare/bin/scenarii" export cristal_et_acier -o page.html && grep -q scenarii-page page.html)
inside=$(cd "$work/elsewhere" && "$work/bare/bin/python" -c 'import dsl; print(dsl.__file__)')
[[ $inside == "$work/bare/"* ]] || { echo "the wheel was not what ran, but $inside" >&2; exit 1; }
echo "$(basename "$wheel") plays and passes its tests elsewhere, as the checkout does"
