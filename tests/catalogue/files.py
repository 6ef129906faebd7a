"""Catalogues as files: `.po` is read, brought up to date and written, `.mo` compiled."""

from __future__ import annotations

import struct
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po as read
from babel.messages.pofile import write_po

from dsl.catalogue import DOMAIN, FOLDER

HEAD = b"""msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""


def po_of(language: str) -> Path:
    """The file of a language that is edited."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read_po(language: str) -> Catalog:
    """The catalogue of a language as it is kept; an empty one where there is none."""
    path = po_of(language)
    if not path.is_file():
        return Catalog(language, domain=DOMAIN)
    with path.open("rb") as file:
        return read(file, language, domain=DOMAIN)


def updated(old: Catalog, texts: dict[str, list[str]], language: str) -> Catalog:
    """The texts of the sources (each with its files) and what the old catalogue has for them; nothing is guessed."""
    new = Catalog(language, domain=DOMAIN, fuzzy=False)
    for text, places in texts.items():
        known = old.get(text)
        comments = known.user_comments if known is not None else ()
        new.add(
            text,
            known.string if known is not None else "",
            [(each, None) for each in places],
            user_comments=comments,
        )
    return new


def written(catalogue: Catalog) -> bytes:
    """The text of a `.po` file: the same for the same catalogue, whenever it is written."""
    file = BytesIO()
    write_po(file, catalogue, width=100, omit_header=True, include_lineno=False, sort_output=True)
    return HEAD + file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """The `.mo` file of a catalogue, as GNU gettext defines it: what is translated, in the same bytes each time."""
    texts = {
        str(each.id).encode(): str(each.string).encode() for each in catalogue if each.id and each.string
    }
    texts[b""] = b"Content-Type: text/plain; charset=utf-8\n"
    pairs = sorted(texts.items())
    start = 28 + 16 * len(pairs)
    tables, data = [b"", b""], b""
    for side in (0, 1):
        for pair in pairs:
            tables[side] += struct.pack("<II", len(pair[side]), start + len(data))
            data += pair[side] + b"\0"
    head = struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return head + tables[0] + tables[1] + data
