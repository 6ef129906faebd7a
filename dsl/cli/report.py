"""A page that shows a comparison: tables, plots made by matplotlib as SVG, and what is shown and what is not, in words.

The page needs no other file and no network: text, a style sheet and inline SVG, no script.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.compared import sentences, table
from dsl.cli.counted import tables
from dsl.files import write_atomically
from dsl.simulation.comparing import Difference, Tried, differences
from dsl.simulation.tally import interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; }
table { border-collapse: collapse; margin: 1em 0; } th, td { padding: .25em .75em; border-bottom: 1px solid #ccc; }
th { text-align: left; } td + td, th + th { text-align: right; } svg { max-width: 100%; height: auto; }
"""
WIDTH = 8.0
"""Inches."""
ROW = 0.35


def write(path: Path, tried: Sequence[Tried]) -> None:
    """Writes the page."""
    try:
        write_atomically(path, page(tried))
    except OSError as error:
        raise click.ClickException(
            said(tr("{path} cannot be written: {reason}", path=path, reason=error.strerror or str(error)))
        ) from None


def page(tried: Sequence[Tried]) -> str:
    """The page as HTML."""
    base = tried[0]
    game = base.program.scenario or base.program.name
    title = escape(
        said(
            tr("{game}: variants compared", game=game)
            if len(tried) > 1
            else tr("{game}: games played", game=game)
        )
    )
    body = "\n".join(_parts(tried))
    return (
        f'<!doctype html>\n<html lang="{escape(base.program.language)}">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n{body}\n</body>\n</html>\n"
    )


def _parts(tried: Sequence[Tried]) -> Iterator[str]:
    wanted = tried[0].simulation.wanted
    players = ", ".join(wanted.players) or "random"
    yield _paragraph(
        tr(
            "Games of {players} with equal seeds from {seed}; the others are compared with the first, {base}.",
            players=players,
            seed=wanted.seed,
            base=tried[0].name,
        )
        if len(tried) > 1
        else tr("Games of {players}, seeds from {seed}.", players=players, seed=wanted.seed)
    )
    yield _heading(tr("What is shown, and what is not"))
    yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in sentences(tried)) + "</ul>"
    yield _paragraph(
        tr(
            "Shares stand with intervals of 95 % (Wilson 1927), differences with intervals that hold 95 % all together "
            "(Newcombe 1998, Bonferroni). What such players do with a game is shown, not what people would; nothing is "
            "shown of a player who would find a better plan."
        )
    )
    yield _table(table(tried))
    yield _plot(shares_plot(tried))
    if len(tried) > 1:
        yield _heading(tr("Differences from the first"))
        yield _plot(differences_plot(tried))
    yield _heading(tr("How long games are"))
    yield _plot(lengths_plot(tried))
    for each in tried:
        if each.simulation.tally.counts is not None:
            for title, rows in tables(each):
                yield f"<h2>{escape(title)}</h2>"
                yield _table(rows)


def _heading(text: str) -> str:
    return f"<h2>{escape(said(text))}</h2>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(said(text))}</p>"


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *others = rows
    lines = ["<tr>" + "".join(f"<th>{escape(each)}</th>" for each in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{escape(each)}</td>" for each in row) + "</tr>" for row in others]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


# ---------------------------------------------------------------- plots


def _plot(figure: Figure) -> str:
    """A figure as SVG within the page: the same text for the same data."""
    import matplotlib as mpl

    out = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "scenarii", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None}, bbox_inches="tight")
    return out.getvalue()[out.getvalue().index("<svg") :]


def _axes(rows: int) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, 1.2 + ROW * rows))
    return figure, figure.add_subplot()


def _plain(text: str) -> str:
    """A text in which matplotlib sees no formula."""
    return text.replace("$", r"\$")


def shares_plot(tried: Sequence[Tried]) -> Figure:
    """Each player's share of wins in each variant, with its interval."""
    players = tried[0].players
    figure, axes = _axes(len(tried) * len(players))
    for number, player in enumerate(players):
        shares = [each.wins(player) for each in tried]
        middle = [hits / max(1, trials) for hits, trials in shares]
        ends = [interval(hits, trials) for hits, trials in shares]
        axes.errorbar(
            [100 * each for each in middle],
            [row + 0.6 * (number / len(players) - 0.3) for row in range(len(tried))],
            xerr=[
                [100 * max(0.0, value - low) for value, (low, _) in zip(middle, ends, strict=True)],
                [100 * max(0.0, high - value) for value, (_, high) in zip(middle, ends, strict=True)],
            ],
            fmt="o",
            capsize=3,
            label=_plain(player),
        )
    axes.set_yticks(range(len(tried)), [_plain(each.name) for each in tried])
    axes.invert_yaxis()
    axes.set_xlim(0, 100)
    axes.set_xlabel(said(tr("games won, in %")))
    axes.grid(axis="x", alpha=0.3)
    axes.legend()
    return figure


def differences_plot(tried: Sequence[Tried]) -> Figure:
    """The differences from the first variant, with their intervals, and a line where there is none."""
    found: list[Difference] = differences(tried)
    figure, axes = _axes(len(found))
    axes.errorbar(
        [100 * each.share.share for each in found],
        range(len(found)),
        xerr=[
            [100 * (each.share.share - each.share.low) for each in found],
            [100 * (each.share.high - each.share.share) for each in found],
        ],
        fmt="o",
        capsize=3,
    )
    axes.axvline(0, color="gray", linewidth=1)
    axes.set_yticks(range(len(found)), [_plain(f"{each.variant}, {each.player}") for each in found])
    axes.invert_yaxis()
    axes.set_xlabel(said(tr("games won more or less, in %")))
    axes.grid(axis="x", alpha=0.3)
    return figure


def lengths_plot(tried: Sequence[Tried]) -> Figure:
    """How long the games of each variant are: their quartiles and ends."""
    figure, axes = _axes(len(tried))
    boxes = []
    for each in tried:
        least, lower, middle, upper, most = (
            each.simulation.tally.quantile(*at) for at in ((0, 1), (1, 4), (1, 2), (3, 4), (1, 1))
        )
        box = {"whislo": least, "q1": lower, "med": middle, "q3": upper, "whishi": most}
        boxes.append({**box, "label": _plain(each.name), "fliers": []})
    axes.bxp(boxes, orientation="horizontal", showfliers=False)
    axes.invert_yaxis()
    axes.set_xlabel(said(tr("choices")))
    axes.grid(axis="x", alpha=0.3)
    return figure
