"""`python -m tests.catalogue`: brings the catalogues up to date with the sources, compiles them, tells what they lack.

python -m tests.catalogue            the shares that are translated, by package and code
python -m tests.catalogue --write    enters what is new, comments out what is gone, and compiles
python -m tests.catalogue --missing fr    the texts that have no French yet
python -m tests.catalogue --new de --write    begins a catalogue
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict

from dsl import catalogue
from tests.catalogue.extract import ROOT, Said, said, whole
from tests.catalogue.files import compiled, po_of, read_po, updated, written


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.catalogue")
    parser.add_argument("--write", action="store_true", help="write the catalogues")
    parser.add_argument("--missing", metavar="LANG", help="list what a language lacks")
    parser.add_argument("--new", metavar="LANG", help="a catalogue to begin")
    wanted = parser.parse_args()
    texts = whole()
    languages = sorted(
        {path.parents[1].name for path in catalogue.FOLDER.glob("*/LC_MESSAGES/*.po")} | {wanted.new or "fr"}
    )
    for language in languages:
        found = updated(read_po(language), texts, language)
        if wanted.write:
            po_of(language).parent.mkdir(parents=True, exist_ok=True)
            po_of(language).write_bytes(written(found))
            po_of(language).with_suffix(".mo").write_bytes(compiled(found))
        if wanted.missing == language:
            for each in found:
                if each.id and not each.string:
                    print(each.id)
        if wanted.missing is None:
            _tell(language, {str(each.id) for each in found if each.id and each.string})


def _tell(language: str, known: set[str]) -> None:
    """The shares of what is said that a language has."""
    texts = said()
    print(f"{language}: {_share(texts, known)} of the texts in the sources")
    by_package: dict[str, list[Said]] = defaultdict(list)
    for each in texts:
        by_package[each.path.relative_to(ROOT / "dsl").parts[0]].append(each)
    for package, found in sorted(by_package.items()):
        print(f"    {package:24} {_share(found, known)}")
    by_code: dict[str, list[Said]] = defaultdict(list)
    for each in texts:
        if each.code:
            by_code[each.code].append(each)
    whole_codes = Counter(all(each.text in known for each in found) for found in by_code.values())
    print(f"    codes with all their texts translated: {whole_codes[True]} of {len(by_code)}")


def _share(texts: list[Said], known: set[str]) -> str:
    count = sum(each.text in known for each in texts)
    fixed = sum(each.text is None for each in texts)
    return f"{count} of {len(texts)} ({100 * count // max(1, len(texts))} %; {fixed} put together in English)"


if __name__ == "__main__":
    main()
