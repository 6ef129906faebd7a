"""Puts a page together: modules of JavaScript, style, facts and the compiled program, in one file.

The files in `page/` are plain modules that import each other by name. In the page they stand one after the other in one
script, without their `import` and `export`: so each name at the top of a module is given once among all of them.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import zlib
from collections.abc import Sequence
from pathlib import Path

from dsl.browser import MARK
from dsl.browser.facts import Json, facts
from dsl.browser.phrases import PHRASES
from dsl.catalogue import nearest, told
from dsl.engine.machine import Machine
from dsl.wasm.telling import telling

FOLDER = Path(__file__).with_name("page")
ENGINE = (
    "values.js",
    "chance.js",
    "events.js",
    "engine.js",
    "other_values.js",
    "worlds.js",
    "forecasts.js",
    "goals.js",
)
"""The modules that play and tell, without a screen."""
SCREEN = (
    "saves.js",
    "taking_back.js",
    "seats.js",
    "thoughts.js",
    "board.js",
    "forces.js",
    "elements.js",
    "look.js",
    "reload.js",
    "asking.js",
    "screen.js",
    "main.js",
)
"""Those that a person sees."""
WORKER = ("chance.js", "other_values.js", "worlds.js", "thinker.js")
"""Those in which a player thinks, in a worker."""
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?:\{[^}]*\};\n)?", re.MULTILINE)


def script(names: tuple[str, ...]) -> str:
    """Some modules as one script."""
    return "\n".join(_bare((FOLDER / name).read_text(encoding="utf-8")) for name in names)


def _bare(text: str) -> str:
    return _EXPORT.sub("", _IMPORT.sub("", text))


def page(
    machine: Machine,
    target: str,
    mods: Sequence[str] = (),
    language: str = "",
    version: str = "",
    printed: Json | None = None,
) -> str:
    """The page of a game as HTML; raises `Unplayable` where there can be no module of it.

    `target` and `mods` are what its saves name as the game, `printed` what is printed of kinds
    (`dsl.authoring.printed`). It speaks `language`, or (empty) what its reader prefers.
    With a `version` it asks its server for another one (`dsl.browser.server`), and is allowed that.
    """
    made = telling(machine, thinking=True)
    known = {**facts(machine, made, target, mods, printed), "spoken": language}
    code = base64.b64encode(zlib.compress(made.code, 9)).decode()
    style = (FOLDER / "page.css").read_text(encoding="utf-8")
    body = f'"use strict";\n{script((*ENGINE, *SCREEN))}'
    title = known["title"][""]
    places = {
        "language": html.escape(language or machine.program.language, quote=True),
        "mark": MARK,
        "title": html.escape(title),
        "without": _without(language or machine.program.language),
        "policy": html.escape(policy(body, style, served=bool(version)), quote=True),
        "version": _version(version),
        "style": style,
        "facts": embedded(known),
        "code": code,
        "thinker": script(WORKER),
        "script": body,
    }
    shell = (FOLDER / "page.html").read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda place: places[place[1]], shell)


def _without(language: str) -> str:
    """What is read where the page may run no script: in its language, and in English."""
    spoken = dict.fromkeys((nearest(language), "en"))
    return "".join(f"<p>{html.escape(told(PHRASES['no script'], each))}</p>" for each in spoken)


def notice(title: str, text: str, version: str) -> str:
    """A page that says why there is none of the game, until its sources change."""
    body = f'"use strict";\n{script(("reload.js",))}\nwatch();'
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8">\n<meta name="generator" content="{MARK}">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy(body, "", served=True))}">\n'
        f"{_version(version)}<title>{html.escape(title)}</title></head>\n"
        f'<body><h1>{html.escape(title)}</h1>\n<pre>{html.escape(text)}</pre>\n<script type="module">{body}</script>\n'
        "</body></html>\n"
    )


def _version(version: str) -> str:
    return f'<meta name="scenarii-version" content="{html.escape(version, quote=True)}">\n' if version else ""


def policy(body: str, style: str, *, served: bool = False) -> str:
    """What the page may do: run this script and this style, the module and workers of its own; nothing from outside,
    but where it is `served` ask its own server.
    """
    source = "'self'" if served else "'none'"
    return (
        f"default-src 'none'; script-src '{_digest(body)}' 'wasm-unsafe-eval'; style-src '{_digest(style)}'; "
        f"worker-src blob:; connect-src {source}; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def embedded(known: Json) -> str:
    """JSON that nothing in it can end or open as HTML."""
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
