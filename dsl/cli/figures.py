"""The statistics of random games, in words, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING, Any

from dsl.authoring.trials import ending_name
from dsl.catalogue import told as said
from dsl.catalogue import tr
from dsl.cli.counted import counted_data, counted_lines, counted_rows
from dsl.cli.promise_report import broken, command_of, promised
from dsl.diagnostics.excerpt import printable
from dsl.diagnostics.harmless import cell, json_text
from dsl.engine.bits import bits
from dsl.engine.display import member_name
from dsl.simulation.comparing import Tried
from dsl.simulation.tally import CONFIDENCE, interval, mean_between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dsl.ir.program import Program
    from dsl.simulation.counting import Counts
    from dsl.simulation.running import Simulation
    from dsl.simulation.tally import Tally

FORMAT, VERSION = "scenarii-simulation", 1
QUANTILES = {
    "least": (0, 1),
    "lower_quartile": (1, 4),
    "median": (1, 2),
    "upper_quartile": (3, 4),
    "most": (1, 1),
}
COLUMNS = ("statistic", "of", "value", "share", "low", "high")


def told(
    program: Program, found: Simulation, form: str, jobs: int, asked: tuple[str, Sequence[str]] = ("", ())
) -> str:
    """All figures in a form: text, json or csv. `asked` is the game as it was asked for, and its mods."""
    if form == "text":
        counted = [printable(line) for line in counted_lines(_as_it_is(program, found))]
        return "\n".join((*_text(program, found, jobs, asked), *counted, *broken(program, found, asked), ""))
    data = figures(program, found, jobs)
    return f"{json_text(data)}\n" if form == "json" else _csv(data, found.tally.counts)


def _as_it_is(program: Program, found: Simulation) -> Tried:
    return Tried(program.scenario or program.name, program, found)


def figures(program: Program, found: Simulation, jobs: int) -> dict[str, Any]:
    """All figures as data. What is under `speed` alone differs from run to run."""
    tally, wanted = found.tally, found.wanted
    players = program.domains[program.players].members
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": program.name,
        "scenario": program.scenario,
        "options": dict(wanted.options),
        "seed": wanted.seed,
        **({"seats": list(wanted.players)} if wanted.players else {}),
        "games": tally.played,
        **({"exchanged": exchanged(found)} if wanted.exchanged else {}),
        "complete": found.complete,
        "confidence": CONFIDENCE,
        "players": [
            {"player": name, **_share(tally.wins(who), tally.games)} for who, name in enumerate(players)
        ],
        "winners": [
            {"players": [players[each] for each in bits(who)], **_share(tally.winners[who], tally.games)}
            for who in sorted(tally.winners, key=lambda who: (-tally.winners[who], who))
        ],
        "endings": [
            {"ending": name, **_share(count, tally.games)} for name, count in _ends(program, tally).items()
        ],
        "choices": {
            **{name: tally.quantile(*each) for name, each in QUANTILES.items()},
            **_mean(tally),
        },
        "failures": [
            {"code": code, "games": tally.failures[code], "seed": tally.first[code]}
            for code in sorted(tally.failures)
        ],
        **({"promises": promised(program, tally)} if wanted.watched else {}),
        **(counted_data(tally.counts) if tally.counts is not None else {}),
        "speed": {
            "engine": wanted.engine,
            "jobs": jobs,
            "seconds": round(found.seconds, 3),
            "games_per_second": round(_rate(tally.played - found.earlier, found.seconds), 1),
            "decisions_per_second": round(_rate(tally.decisions, found.seconds), 1),
        },
    }


def exchanged(found: Simulation) -> dict[str, Any]:
    """How the kinds of players fared, whatever seats they had, as data."""
    from dsl.simulation.seated import kinds_of
    from dsl.simulation.standing import elo, score

    tally, wanted = found.tally, found.wanted
    kinds = kinds_of(wanted.players)
    games = tally.kinds.total()
    mean = score(tally.pairs, wanted.of_seed)
    data: dict[str, Any] = {
        "seatings": wanted.of_seed,
        "seeds": tally.pairs.total(),
        "kinds": [
            {
                "kind": kind,
                **_share(sum(count for who, count in tally.kinds.items() if who >> number & 1), games),
            }
            for number, kind in enumerate(kinds)
        ],
        "undecided": _share(tally.kinds[0] + tally.kinds[(1 << len(kinds)) - 1], games),
        "score": {name: round(value, 6) for name, value in mean._asdict().items()},
    }
    if len(kinds) == 2:
        data["elo"] = {
            name: round(elo(value), 1) if 0 < value < 1 else None for name, value in mean._asdict().items()
        }
    return data


def _ends(program: Program, tally: Tally) -> dict[str, int]:
    """How often the games ended by each ending; those that are called alike together, the commonest first."""
    found: Counter[str] = Counter()
    for reason in sorted(tally.reasons):
        found[ending_name(program, reason)] += tally.reasons[reason]
    return dict(found.most_common())


def _share(hits: int, games: int) -> dict[str, Any]:
    low, high = interval(hits, games)
    share = hits / games if games else 0.0
    return {"games": hits, "share": round(share, 6), "low": round(low, 6), "high": round(high, 6)}


def _rate(count: int, seconds: float) -> float:
    return count / seconds if seconds > 0 else 0.0


# ---------------------------------------------------------------- CSV


def _mean(tally: Tally) -> dict[str, float | None]:
    """The mean length of a game, and where it lies."""
    low, high = mean_between(tally.lengths) or (None, None)
    return {
        "mean": round(tally.choices / tally.games, 3) if tally.games else 0.0,
        "mean_low": None if low is None else round(low, 3),
        "mean_high": None if high is None else round(high, 3),
    }


def _csv(data: dict[str, Any], counts: Counts | None) -> str:
    """A figure a line; the columns of shares are empty where a figure is none."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    rows: list[tuple[object, ...]] = [tuple(COLUMNS)]
    rows.append(("games", "", data["games"], "", "", ""))
    for statistic, of in (("wins", "player"), ("won by", "players"), ("ended by", "ending")):
        for each in data[{"wins": "players", "won by": "winners", "ended by": "endings"}[statistic]]:
            name = "+".join(each[of]) if isinstance(each[of], list) else each[of]
            rows.append((statistic, name, each["games"], each["share"], each["low"], each["high"]))
    choices = data["choices"]
    rows += (("choices", name, choices[name], "", "", "") for name in QUANTILES)
    rows.append(("choices", "mean", choices["mean"], "", choices["mean_low"], choices["mean_high"]))
    for each in data["failures"]:
        rows.append(("failed", each["code"], each["games"], "", "", ""))
    for each in data.get("promises", {}).get("broken", ()):
        rows.append(("broken", each["promise"], each["games"], "", "", ""))
    rows += counted_rows(counts) if counts is not None else ()
    table.writerows([cell(each) for each in row] for row in rows)
    return out.getvalue()


# ---------------------------------------------------------------- text


def _text(program: Program, found: Simulation, jobs: int, asked: tuple[str, Sequence[str]]) -> list[str]:
    tally, wanted = found.tally, found.wanted
    name = program.scenario or program.name
    last = wanted.seed + max(tally.played // wanted.of_seed, 1) - 1
    played = f"{tally.played:,}"
    if wanted.players:
        head = tr(
            "{game}: games of {players}: {count}, seeds {first} to {last}",
            game=name,
            players=", ".join(wanted.players),
            count=played,
            first=wanted.seed,
            last=last,
        )
    elif tally.played == 1:
        head = tr("{game}: 1 random game, seed {seed}", game=name, seed=wanted.seed)
    else:
        head = tr(
            "{game}: {count} random games, seeds {first} to {last}",
            game=name,
            count=played,
            first=wanted.seed,
            last=last,
        )
    lines = [said(head)]
    if wanted.options:
        lines.append("    " + ", ".join(f"{option}={value}" for option, value in wanted.options.items()))
    lines += _shares(
        said(tr("won by")), {_names(program, who): count for who, count in tally.winners.items()}
    )
    if wanted.exchanged and tally.pairs:
        lines += _exchanged(found)
    lines += _shares(said(tr("ended by")), _ends(program, tally))
    lines += _length(found)
    for code, count in sorted(tally.failures.items()):
        failed = (
            tr("a rule failed in 1 game: {code}; it is shown by", code=code)
            if count == 1
            else tr(
                "a rule failed in {count} games: {code}; the first is shown by", count=f"{count:,}", code=code
            )
        )
        lines.append(said(failed))
        lines.append(f"    {command_of(tally.first[code], *asked, wanted.options, wanted.players)}")
    games, decisions = (
        _rate(tally.played - found.earlier, found.seconds),
        _rate(tally.decisions, found.seconds),
    )
    speed = tr(
        "speed: {games} games/s, {decisions} decisions/s ({engine}, processes: {jobs})",
        games=f"{games:,.0f}",
        decisions=f"{decisions:,.0f}",
        engine=wanted.engine,
        jobs=jobs,
    )
    lines.append(said(speed))
    return [printable(line) for line in lines]


def _exchanged(found: Simulation) -> list[str]:
    """How the kinds of players fared, whatever seats they had."""
    data = exchanged(found)
    kinds = data["kinds"]
    counts = {each["kind"]: each["games"] for each in kinds}
    counts[said(tr("nobody, or all"))] = data["undecided"]["games"]
    first, mean = kinds[0]["kind"], data["score"]
    lines = _shares(said(tr("won by, all seats")), counts, data["seeds"] * data["seatings"])
    told_score = tr(
        "{kind} scores {share} a game, from {low} to {high} (seeds: {seeds}, each in {seatings} seatings)",
        kind=first,
        share=f"{mean['share']:.1%}",
        low=f"{mean['low']:.1%}",
        high=f"{mean['high']:.1%}",
        seeds=f"{data['seeds']:,}",
        seatings=data["seatings"],
    )
    lines.append(said(told_score))
    if "elo" in data:
        low, middle, high = (_elo(data["elo"][name]) for name in ("low", "share", "high"))
        lines.append(said(tr("    Elo: {middle}, from {low} to {high}", middle=middle, low=low, high=high)))
    return lines


def _elo(points: float | None) -> str:
    return f"{points:+.0f}" if points is not None else said(tr("beyond measure"))


def _shares(title: str, counts: dict[str, int], games: int = 0) -> list[str]:
    """A table of shares with their intervals, the greatest first; of so many games, or of as many as are counted."""
    games = games or sum(counts.values())
    if not games:
        return []
    between = tr("{confidence} between", confidence=f"{CONFIDENCE:.0%}")
    rows = [(title, said(tr("games")), said(tr("share")), said(between))]
    for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0])):
        low, high = interval(count, games)
        rows.append(
            (
                f"  {name}",
                f"{count:,}",
                f"{count / games:.1%}",
                said(tr("{low} and {high}", low=f"{low:.1%}", high=f"{high:.1%}")),
            )
        )
    widths = [max(len(row[at]) for row in rows) for at in range(4)]
    return [
        f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]:>{widths[3]}}"
        for row in rows
    ]


def _names(program: Program, who: int) -> str:
    names = [member_name(program, program.players, each) for each in bits(who)]
    return ", ".join(names) or said(tr("nobody"))


def _length(found: Simulation) -> list[str]:
    tally = found.tally
    if not tally.games:
        return []
    least, lower, middle, upper, most = (tally.quantile(*each) for each in QUANTILES.values())
    mean, between = f"{tally.choices / tally.games:,.1f}", mean_between(tally.lengths)
    if between is not None:
        mean += f" ({between[0]:,.1f}-{between[1]:,.1f})"
    numbers = {"lower": lower, "middle": middle, "upper": upper, "least": least, "most": most}
    choices = tr(
        "choices: median {middle}, mean {mean}, half of the games from {lower} to {upper}, all from {least} to {most}",
        mean=mean,
        **{name: f"{number:,}" for name, number in numbers.items()},
    )
    return [said(choices)]
