"""What a comparison of variants found, in words, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.figures import figures
from dsl.diagnostics.excerpt import printable
from dsl.diagnostics.harmless import cell, json_text
from dsl.engine.display import member_name
from dsl.simulation.comparing import Difference, Tried, differences, favoured, same
from dsl.simulation.counting import Chosen, Key
from dsl.simulation.tally import CONFIDENCE, interval

FORMAT, VERSION = "scenarii-comparison", 1
COLUMNS = ("variant", "statistic", "of", "value", "share", "low", "high")
MOST_CHOSEN = 15
"""So many choices are told of each variant; all of them in JSON and CSV."""
FEWEST = 10
"""Choices of fewer players in games are not told in text: nothing can be said of them."""


def told(tried: Sequence[Tried], form: str, *, counted: bool) -> str:
    """All of it in a form: text, json or csv."""
    if form == "json":
        return f"{json_text(data_of(tried))}\n"
    if form == "csv":
        return _csv(tried)
    return "\n".join(printable(line) for line in (*lines(tried), *(_chosen(tried) if counted else ()), ""))


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
    yield from _aligned(table(tried))
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


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        others = (f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
        yield "  ".join((f"{row[0]:<{widths[0]}}", *others))


def _chosen(tried: Sequence[Tried]) -> Iterator[str]:
    for each in tried:
        if each is not tried[0] and same(each, tried[0]):
            continue
        rows = chosen_table(each)
        yield ""
        yield said(tr("{variant}: what was chosen, and how often whoever chose it won", variant=each.name))
        yield from _aligned(rows)
        baseline = _baseline(each)
        yield said(
            tr(
                "of all who played a decided game {share} won; what differs goes together with winning, and "
                "need not cause it",
                share=f"{baseline:.1%}",
            )
        )


def chosen_table(tried: Tried) -> list[tuple[str, ...]]:
    """A row for each thing that was chosen under a heading, what differs most from the others first."""
    between = said(tr("{confidence} between", confidence=f"{CONFIDENCE:.0%}"))
    rows: list[tuple[str, ...]] = [
        (said(tr("choice")), said(tr("times")), said(tr("games")), said(tr("won")), between)
    ]
    for (action, name), found in ranked(tried)[:MOST_CHOSEN]:
        low, high = interval(found.won, found.decided)
        rows.append(
            (
                f"{action} {name}".strip(),
                f"{found.times:,}",
                f"{found.games:,}",
                f"{found.won / found.decided:.1%}",
                f"{low:.1%} - {high:.1%}",
            )
        )
    return rows


def ranked(tried: Tried) -> list[tuple[Key, Chosen]]:
    """What was chosen often enough, and not by everybody; what differs most for certain from the average first."""
    counts = tried.simulation.tally.counts
    baseline = _baseline(tried)

    def certainty(item: tuple[Key, Chosen]) -> float:
        low, high = interval(item[1].won, item[1].decided)
        return max(low - baseline, baseline - high)

    found = [each for each in (counts.chosen.items() if counts else ()) if each[1].decided >= FEWEST]
    return sorted(found, key=lambda item: (-certainty(item), item[0]))


def _baseline(tried: Tried) -> float:
    """Which share of all who play a decided game wins it."""
    tally = tried.simulation.tally
    decided = tally.games - tally.winners[0]
    if len(tried.players) == 1:
        return decided / tally.games if tally.games else 0.0
    won = sum(who.bit_count() * count for who, count in tally.winners.items())
    return won / (decided * len(tried.players)) if decided else 0.0


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
    counts = tried.simulation.tally.counts
    data = figures(tried.program, tried.simulation, 1)
    del data["format"], data["version"]
    return {
        "name": tried.name,
        **data,
        "favoured": found[0] if found else None,
        "chosen": [
            {
                "action": action,
                "what": name,
                "times": each.times,
                "games": each.games,
                "decided": each.decided,
            }
            | {"won": each.won}
            for (action, name), each in sorted(counts.chosen.items() if counts else ())
        ],
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
        for entry in data["chosen"]:
            what = f"{entry['action']} {entry['what']}".strip()
            low, high = interval(entry["won"], entry["decided"])
            won = entry["won"] / entry["decided"] if entry["decided"] else 0.0
            ends = (round(won, 6), round(low, 6), round(high, 6))
            rows.writerow(cell(x) for x in (name, "chosen", what, entry["games"], *ends))
    for change in differences(tried):
        differing = (change.player, "", *(round(value, 6) for value in change.share))
        rows.writerow(cell(x) for x in (change.variant, "difference", *differing))
    return out.getvalue()
