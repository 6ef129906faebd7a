"""What a comparison of variants found, in words, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.counted import aligned, counted_lines, counted_rows
from dsl.cli.figures import figures
from dsl.diagnostics.excerpt import printable
from dsl.diagnostics.harmless import cell, json_text
from dsl.engine.display import member_name
from dsl.simulation.comparing import Difference, Tried, differences, favoured, same
from dsl.simulation.tally import interval

FORMAT, VERSION = "scenarii-comparison", 1
COLUMNS = ("variant", "statistic", "of", "value", "share", "low", "high")


def told(tried: Sequence[Tried], form: str, *, counted: bool) -> str:
    """All of it in a form: text, json or csv."""
    if form == "json":
        return f"{json_text(data_of(tried))}\n"
    if form == "csv":
        return _csv(tried)
    return "\n".join(printable(line) for line in (*lines(tried), *(_counted(tried) if counted else ()), ""))


def _counted(tried: Sequence[Tried]) -> Iterator[str]:
    for each in tried:
        if each is tried[0] or not same(each, tried[0]):
            yield from counted_lines(each)


# ---------------------------------------------------------------- text


def lines(tried: Sequence[Tried]) -> Iterator[str]:
    """The table of the variants, and what can be said of them."""
    base = tried[0]
    wanted = base.simulation.wanted
    who = ", ".join(wanted.players) or "random"
    game = base.program.scenario or base.program.name
    one, many = (
        tr(
            "{game}: one variant, games of {players}, seeds from {seed}",
            game=game,
            players=who,
            seed=wanted.seed,
        ),
        tr(
            "{game}: {count} variants, games of {players}, seeds from {seed}",
            game=game,
            count=len(tried),
            players=who,
            seed=wanted.seed,
        ),
    )
    yield said(one if len(tried) == 1 else many)
    yield from aligned(table(tried))
    yield ""
    yield from sentences(tried)


def table(tried: Sequence[Tried]) -> list[tuple[str, ...]]:
    """A row for each variant under a heading: games, who wins how often, how long games are."""
    players = tried[0].players
    labels = [_player(tried[0], player) for player in players]
    heading = (said(tr("variant")), said(tr("games")), *labels, said(tr("nobody")), said(tr("choices")))
    rows = [heading]
    for each in tried:
        tally = each.simulation.tally
        nobody = tally.winners[0] / tally.games if tally.games else 0.0
        rows.append(
            (
                each.name,
                f"{tally.games:,}",
                *(_share(*each.wins(player)) for player in players),
                f"{nobody:.1%}",
                f"{tally.quantile(1, 2):,}",
            )
        )
    return rows


def sentences(tried: Sequence[Tried]) -> Iterator[str]:
    """What is certain, and what is not, in words."""
    for each in tried:
        found = favoured(each)
        if found is not None:
            player, share = found
            yield said(
                tr(
                    "{variant}: favours {player}, who wins {share} of the decided games ({low} to {high})",
                    variant=each.name,
                    player=_player(each, player),
                    share=f"{share.share:.1%}",
                    low=f"{share.low:.1%}",
                    high=f"{share.high:.1%}",
                )
            )
    for each in tried[1:]:
        if same(each, tried[0]):
            yield said(
                tr(
                    "{variant}: every game went as in `{base}`: what differs never came into play",
                    variant=each.name,
                    base=tried[0].name,
                )
            )
    changes = differences(tried)
    for change in changes:
        if change.certain:
            yield said(_change(tried[0], change))
    if changes and not any(change.certain for change in changes):
        widest = max((change.share.half for change in changes), default=0.0)
        yield said(
            tr(
                "no variant differs for certain from `{base}`: differences of less than about {width} would not show "
                "in so few games",
                base=tried[0].name,
                width=f"{widest:.1%}",
            )
        )
    if not tried[0].simulation.wanted.players:
        yield said(tr("games by chance say little about players who plan: --players mcts:50 has them think"))


def _change(base: Tried, change: Difference) -> str:
    words = {
        "variant": change.variant,
        "player": _player(base, change.player),
        "share": f"{abs(change.share.share):.1%}",
        "low": f"{change.share.low:+.1%}",
        "high": f"{change.share.high:+.1%}",
        "base": base.name,
    }
    if change.share.share > 0:
        return tr("{variant}: {player} wins {share} more than in `{base}` (from {low} to {high})", **words)
    return tr("{variant}: {player} wins {share} less than in `{base}` (from {low} to {high})", **words)


def _player(tried: Tried, player: str) -> str:
    return member_name(tried.program, tried.program.players, tried.players.index(player))


def _share(hits: int, trials: int) -> str:
    low, high = interval(hits, trials)
    return f"{hits / trials if trials else 0:.1%} ({low:.0%}-{high:.0%})"


# ---------------------------------------------------------------- data


def data_of(tried: Sequence[Tried]) -> dict[str, Any]:
    """All of it as data."""
    wanted = tried[0].simulation.wanted
    return {
        "format": FORMAT,
        "version": VERSION,
        "seed": wanted.seed,
        "seats": list(wanted.players) or ["random"],
        "variants": [_variant(each) for each in tried],
        "differences": [
            {
                "variant": each.variant,
                "player": each.player,
                **{name: round(value, 6) for name, value in each.share._asdict().items()},
                "certain": each.certain,
            }
            for each in differences(tried)
        ],
    }


def _variant(tried: Tried) -> dict[str, Any]:
    found = favoured(tried)
    data = figures(tried.program, tried.simulation, 1)
    del data["format"], data["version"]
    return {
        "name": tried.name,
        **data,
        "favoured": found[0] if found else None,
        **({} if tried.simulation.tally.counts is not None else {"chosen": []}),
    }


def _csv(tried: Sequence[Tried]) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    for each in tried:
        data = _variant(each)
        name = each.name
        rows.writerow(cell(x) for x in (name, "games", "", data["games"], "", "", ""))
        for entry in data["players"]:
            share = (entry["games"], entry["share"], entry["low"], entry["high"])
            rows.writerow(cell(x) for x in (name, "wins", entry["player"], *share))
        rows.writerow(cell(x) for x in (name, "choices", "median", data["choices"]["median"], "", "", ""))
        counts = each.simulation.tally.counts
        for row in counted_rows(counts) if counts is not None else ():
            rows.writerow(cell(x) for x in (name, *row))
    for change in differences(tried):
        differing = (change.player, "", *(round(value, 6) for value in change.share))
        rows.writerow(cell(x) for x in (change.variant, "difference", *differing))
    return out.getvalue()
