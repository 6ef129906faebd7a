"""What was counted in games, in words and as data: what was chosen, had, in force, and the first moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.simulation.comparing import Tried
from dsl.simulation.counting import BEGINS, CHOICE, Chosen, Counts, Key
from dsl.simulation.holding import FIRST, GROUPS, KIND, PLACE, RULE, Held, Thing
from dsl.simulation.tally import CONFIDENCE, interval

MOST_CHOSEN = 15
"""So many choices are told of each variant; all of them in JSON and CSV."""
MOST_HELD = 10
"""The same of kinds, places, rules and first moves."""
FEWEST = 10
"""What fewer players in games had or chose is not told in text: nothing can be said of it."""

Row = tuple[str, ...]


# ---------------------------------------------------------------- text


def counted_lines(tried: Tried) -> Iterator[str]:
    """The tables, and what they show."""
    counts = tried.simulation.tally.counts
    if counts is None:
        return
    for title, rows in tables(tried):
        yield ""
        yield title
        yield from aligned(rows)
    yield said(
        tr(
            "of all who played a decided game {share} won; what differs goes together with winning, and "
            "need not cause it",
            share=f"{counts.baseline:.1%}",
        )
    )


def tables(tried: Tried) -> Iterator[tuple[str, list[Row]]]:
    """Each table that has rows, with its title."""
    name = tried.name
    yield (
        said(tr("{variant}: what was chosen, and how often whoever chose it won", variant=name)),
        chosen_table(tried),
    )
    titles = {
        KIND: tr("{variant}: what players had, and how often whoever had it won", variant=name),
        PLACE: tr("{variant}: where players were, and how often whoever was there won", variant=name),
        RULE: tr("{variant}: which rules took effect, and how often whoever had chosen won", variant=name),
        FIRST: tr("{variant}: first moves, and how often whoever made them won", variant=name),
    }
    for group in GROUPS:
        rows = held_table(tried, group)
        if len(rows) > 1:
            yield said(titles[group]), rows


def aligned(rows: Sequence[Row]) -> Iterator[str]:
    """A table as lines: the first column to the left, the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        others = (f"{text:>{width}}" for text, width in zip(row[1:], widths[1:], strict=True))
        yield "  ".join((f"{row[0]:<{widths[0]}}", *others))


def chosen_table(tried: Tried) -> list[Row]:
    """A row for each thing that was chosen under a heading, what differs most from the others first."""
    rows: list[Row] = [(said(tr("choice")), said(tr("times")), said(tr("games")), *_headings())]
    for (action, name), found in ranked(tried)[:MOST_CHOSEN]:
        rows.append(
            (
                f"{action} {name}".strip(),
                f"{found.times:,}",
                f"{found.games:,}",
                *_told(found.won, found.decided),
            )
        )
    return rows


def held_table(tried: Tried, group: str) -> list[Row]:
    """The same of what players had, of a group; how often it came and left, and who had it at the end."""
    counts = tried.simulation.tally.counts
    if counts is None:
        return [()]
    moves = {KIND: ("came", "left"), PLACE: ("came", "left"), RULE: ("times",)}.get(group, ())
    ends = group in {KIND, PLACE}
    words = {CHOICE: said(tr("choice")), BEGINS: said(tr("begins"))}
    words |= {"came": said(tr("came")), "left": said(tr("left")), "times": said(tr("times"))}
    ending = (said(tr("at the end of wins")), said(tr("of losses"))) if ends else ()
    heading = {
        KIND: tr("kind"),
        PLACE: tr("place"),
        RULE: tr("rule"),
        FIRST: tr("first move"),
    }[group]
    rows: list[Row] = [
        (said(heading), *(words[each] for each in moves), said(tr("games")), *_headings(), *ending)
    ]
    for thing, found in ranked_things(counts, group)[:MOST_HELD]:
        moved = {"came": found.came, "left": found.left, "times": found.came}
        rows.append(
            (
                _name(thing._replace(where=words.get(thing.where, thing.where)) if group == FIRST else thing),
                *(f"{moved[each]:,}" for each in moves),
                f"{found.games:,}",
                *_told(found.won, found.decided),
                *((_share(*_wins(counts, found)), _share(*_losses(counts, found))) if ends else ()),
            )
        )
    return rows


def _headings() -> Row:
    return said(tr("won")), said(tr("{confidence} between", confidence=f"{CONFIDENCE:.0%}"))


def _told(won: int, decided: int) -> Row:
    low, high = interval(won, decided)
    return _share(won, decided), f"{low:.1%} - {high:.1%}"


def _share(hits: int, trials: int) -> str:
    return f"{hits / trials:.1%}" if trials else "-"


def _name(thing: Thing) -> str:
    return f"{thing.name} ({thing.where})" if thing.where else thing.name


def _wins(counts: Counts, found: Held) -> tuple[int, int]:
    """Who won and had it at the end, of all who won."""
    return found.end_won, counts.everybody.won


def _losses(counts: Counts, found: Held) -> tuple[int, int]:
    """Who lost and had it at the end, of all who lost."""
    return found.end_decided - found.end_won, counts.everybody.decided - counts.everybody.won


def ranked(tried: Tried) -> list[tuple[Key, Chosen]]:
    """What was chosen often enough; what differs most for certain from the average first."""
    counts = tried.simulation.tally.counts
    if counts is None:
        return []
    found = [each for each in counts.chosen.items() if each[1].decided >= FEWEST]
    return sorted(found, key=lambda item: (-_certainty(counts, item[1]), item[0]))


def ranked_things(counts: Counts, group: str) -> list[tuple[Thing, Held]]:
    """The same of what players had, of a group."""
    found = [each for each in counts.things.items() if each[0].group == group and each[1].decided >= FEWEST]
    return sorted(found, key=lambda item: (-_certainty(counts, item[1]), item[0]))


def _certainty(counts: Counts, found: Chosen | Held) -> float:
    low, high = interval(found.won, found.decided)
    return max(low - counts.baseline, counts.baseline - high)


# ---------------------------------------------------------------- data


def counted_data(counts: Counts) -> dict[str, Any]:
    """All of it as data."""
    return {
        "chosen": [
            {
                "action": action,
                "what": name,
                "times": each.times,
                "games": each.games,
                "decided": each.decided,
                "won": each.won,
            }
            for (action, name), each in sorted(counts.chosen.items())
        ],
        "counted": [
            {
                "group": thing.group,
                "where": thing.where,
                "name": thing.name,
                "came": each.came,
                "left": each.left,
                "games": each.games,
                "decided": each.decided,
                **_interval("won", each.won, each.decided),
                "ends": each.end,
                **_interval("ends_of_wins", *_wins(counts, each)),
                **_interval("ends_of_losses", *_losses(counts, each)),
            }
            for thing, each in sorted(counts.things.items())
        ],
        "played": {"games": counts.everybody.games, "decided": counts.everybody.decided}
        | _interval("won", counts.everybody.won, counts.everybody.decided),
    }


def _interval(name: str, hits: int, trials: int) -> dict[str, Any]:
    low, high = interval(hits, trials)
    return {
        name: hits,
        f"{name}_share": round(hits / trials if trials else 0.0, 6),
        f"{name}_low": round(low, 6),
        f"{name}_high": round(high, 6),
    }


def counted_rows(counts: Counts) -> Iterator[tuple[object, ...]]:
    """All of it as lines of CSV: statistic, of, value, share, low, high."""
    data = counted_data(counts)
    for entry in data["chosen"]:
        share = _interval("won", entry["won"], entry["decided"])
        what = f"{entry['action']} {entry['what']}".strip()
        yield "chosen", what, entry["games"], share["won_share"], share["won_low"], share["won_high"]
    for entry in data["counted"]:
        group, name = entry["group"], _name(Thing(entry["group"], entry["where"], entry["name"]))
        yield group, name, entry["games"], entry["won_share"], entry["won_low"], entry["won_high"]
        if group != FIRST:
            yield f"{group} came", name, entry["came"], "", "", ""
        if group in {KIND, PLACE}:
            yield f"{group} left", name, entry["left"], "", "", ""
            for end in ("ends_of_wins", "ends_of_losses"):
                shares = (entry[f"{end}_{each}"] for each in ("share", "low", "high"))
                yield f"{group} {end.replace('_', ' ')}", name, entry[end], *shares
