"""Clauses that cannot both hold, and whether they can stand at once: two `becomes`, two `instead of`, a floor above a
ceiling.

Which pairs are asked about is found by what their conditions touch: clauses that want different values of one thing are
told apart without looking at each pair. The rest is for the `solver`. A pair with a situation in which both stand is an
error, where the situation is made of parameters, fields and printed data, which rules may choose and set freely; where
it rests on what follows from more than that (a value with clauses, a `count`), or where no answer was found within the
bounds of work, it is a warning.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations, islice

from dsl.catalogue import tr
from dsl.diagnostics import Code, Label
from dsl.elaborate.clauses.solver import EXCLUDED, UNDECIDED, Answer, Situation, Terms, Variable, compatible
from dsl.ir import nodes as ir
from dsl.ir.types import NONE, TRUTH, Id, Int, SetOf
from dsl.records import record
from dsl.resolve.kinds import Unknown
from dsl.resolve.symbol_table import World
from dsl.source import Span

MOST_WORK = 3_000_000
"""Terms that are read for all questions of one game."""
MOST_PAIRS = 20_000
"""Pairs of clauses of one head that are looked at."""
MOST_OPEN = 400
"""Pairs of clauses that replace one action and are held against each other in play."""
MOST_TOLD = 5
"""Pairs of one head of which is told."""
FEW = 6
"""So few clauses are looked at pair by pair."""
NARROW = 16
"""A condition that leaves at most so many values of a thing tells clauses apart."""

WINS = "say which of them wins, `, over [ID]` behind its condition, or let one condition exclude the other"
Pair = tuple[int, int]
Allowed = dict[int, frozenset[int]]
"""For each term that a condition speaks of alone, the values under which it holds."""


@record(slots=True)
class Work:
    """What is left of the work that a game may cost."""

    left: int = MOST_WORK


@record(slots=True)
class Rivalry:
    """The clauses of one head, and which of them can stand at once."""

    world: World
    work: Work
    names: Sequence[str]
    """What the head's parameters are called."""
    terms: Terms
    stands: list[int] = field(default_factory=list)
    """The term of each clause that says that it stands."""
    unnamed: frozenset[int] = frozenset()
    """Variables that no author knows of: how often a modifier has been set, and for what."""
    own_names: Mapping[Span, Sequence[str]] = field(default_factory=dict)
    """What clauses call the parameters, by where they stand; those that are not here call them as the head does."""
    called: Sequence[str] = ()
    """In a situation, what its clause calls the parameters."""
    given: dict[tuple[int, int], str] = field(default_factory=dict)
    """In a situation, the parameters that stand for members of domains."""

    def pairs(self, chosen: Sequence[int], sides: Callable[[int, int], bool]) -> tuple[list[Pair], bool]:
        """Pairs of clauses that nothing plain tells apart, of those that `sides` takes to be rivals; and whether
        these are all, or there were too many to look at.
        """
        allowed = {each: self._allowed(each) for each in chosen}
        grouped = _grouped(sorted(chosen), allowed, frozenset())
        looked = list(islice(grouped, MOST_PAIRS))
        return sorted({pair for pair in looked if sides(*pair)}), next(grouped, None) is None

    def _allowed(self, clause: int) -> Allowed:
        found: Allowed = {}
        for part in self.terms.conjuncts(self.stands[clause]):
            plain = self._touched(part)
            if plain is not None:
                at, values = plain
                found[at] = found[at] & values if at in found else values
        return found

    def _touched(self, part: int) -> tuple[int, frozenset[int]] | None:
        """The one thing that a simple condition is about, and what it may be."""
        term = self.terms.terms[part]
        if term.op == "not" and self._is_read(term.args[0]):
            return term.args[0], frozenset({0})
        if self._is_read(part):
            return part, frozenset({1})
        if term.op not in {"eq", "has"}:
            return None
        one, two = term.args
        holder, item = (two, one) if self.terms.terms[two].op == "const" else (one, two)
        value = self.terms.terms[holder].data[0] if self.terms.terms[holder].op == "const" else None
        if not isinstance(value, int) or not self._is_read(item):
            return None
        if term.op == "eq":
            return item, frozenset({value})
        kind = self.terms.types[holder]
        if not isinstance(kind, SetOf) or value.bit_count() > NARROW:
            return None
        low = kind.of.low if isinstance(kind.of, Int) else 0
        return item, frozenset(at + low for at in range(value.bit_length()) if value >> at & 1)

    def _is_read(self, at: int) -> bool:
        return self.terms.terms[at].op in {"local", "load", "item", "lookup", "ask", "opaque"}

    def ask(self, wanted: Iterable[int]) -> Answer:
        """Can all of some terms hold at once?"""
        if self.work.left <= 0:
            return UNDECIDED
        answer, spent = compatible(self.terms, wanted)
        self.work.left -= spent
        return answer

    # ------------------------------------------------------------ in words

    def words(self, found: Situation, clause: Span) -> str:
        """A situation as the author of a clause would say it."""
        names = self.own_names.get(clause, ())
        self.called = (*names, *self.names[len(names) :])
        self.given = {
            member: self.called[variable.key[0]]
            for variable, value in reversed(found.chosen)
            if variable.kind == "local" and isinstance(variable.type, Id)
            if variable.key[0] < len(self.called)
            for member in self._as_parts(variable.type.domain, value)
        }
        told = [self._told(variable, value) for variable, value in found.chosen]
        said = list(dict.fromkeys(each for each in told if each))
        if not said:
            return tr("both always stand") if not (found.is_opaque or found.chosen) else ""
        listed = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} and {said[-1]}"
        return tr("both stand where {listed}", listed=listed)

    def _as_parts(self, domain: int, value: int) -> Iterator[tuple[int, int]]:
        """A member under its own domain and, of a union, as the part has it in which it stands."""
        yield domain, value
        for part in self.world.domains[domain].parts or ():
            start = self.world.offset(part, domain)
            if start is not None and 0 <= value - start < len(self.world.domains[part].members):
                yield part, value - start

    def _told(self, variable: Variable, value: int) -> str:
        match variable.kind:
            case "local":
                number = variable.key[0]
                name = self.called[number] if number < len(self.called) else ""
                return self._is(name, variable, value) if name else ""
            case "load" | "item" | "has" if variable.key[0] in self.unnamed:
                return ""
            case "load" | "item" | "has":
                return self._state(variable, value)
            case "ask":
                asked, *given = variable.key
                head = self.world.values[asked]
                args = [
                    self._shown(param.type, each) for param, each in zip(head.params, given, strict=False)
                ]
                called = f"{head.name}({', '.join(args)})" if args else head.name
                return self._is(called, variable, value)
            case _:
                return ""

    def _state(self, variable: Variable, value: int) -> str:
        var = self.world.vars[variable.key[0]]
        rest = list(variable.key[1:])
        name = var.name.rpartition(".")[2]
        if var.of is not None:
            owner = rest.pop(0)
            name = f"{self.given.get((var.of, owner)) or self._shown(Id(var.of), owner)}.{name}"
        if variable.kind == "has":
            of = var.type.of if isinstance(var.type, SetOf) else Int(0, 0)
            return f"{name} has {'' if value else 'no '}{self._shown(of, rest[0])}"
        if variable.kind == "item":
            name = f"{name}[{rest[0]}]"
        return self._is(name, variable, value)

    def _is(self, name: str, variable: Variable, value: int) -> str:
        kind = variable.type
        if isinstance(kind, Int) and kind.truth and value != NONE:
            return name if value else f"not {name}"
        return f"{name} is {self._shown(kind, value)}"

    def _shown(self, kind: object, value: int) -> str:
        if value == NONE:
            return "none"
        match kind:
            case Id(domain=domain):
                return self.world.domains[domain].members[value]
            case SetOf(of=of):
                low = of.low if isinstance(of, Int) else 0
                held = [self._shown(of, at + low) for at in range(value.bit_length()) if value >> at & 1]
                return "{" + ", ".join(held) + "}" if held else "empty"
            case _:
                return str(value)


def _grouped(clauses: list[int], allowed: dict[int, Allowed], used: frozenset[int]) -> Iterator[Pair]:
    """All pairs but those that want different values of one thing; the thing that most speak of parts them first."""
    if len(clauses) <= FEW:
        for one, two in combinations(clauses, 2):
            if _may_meet(allowed[one], allowed[two]):
                yield one, two
        return
    spoken = Counter(at for each in clauses for at in allowed[each] if at not in used)
    if not spoken or spoken.most_common(1)[0][1] < 2:
        yield from combinations(clauses, 2)
        return
    most = max(spoken.values())
    chosen = min(at for at, count in spoken.items() if count == most)
    groups: dict[int, list[int]] = defaultdict(list)
    others: list[int] = []
    for each in clauses:
        if chosen not in allowed[each]:
            others.append(each)
        for value in allowed[each].get(chosen, ()):
            groups[value].append(each)
    inside = used | {chosen}
    for group in groups.values():
        yield from _grouped(group, allowed, inside)
    yield from _grouped(others, allowed, inside)
    for each in clauses:
        if chosen in allowed[each]:
            yield from ((min(each, other), max(each, other)) for other in others)


def _may_meet(one: Allowed, two: Allowed) -> bool:
    return all(at not in two or values & two[at] for at, values in one.items())


def rivalry(
    world: World,
    work: Work,
    params: Sequence[tuple[str, object]],
    conditions: Sequence[ir.Expr],
    overruled: Sequence[Sequence[int]] | None = None,
    plain: Callable[[int], tuple[int, ir.Expr] | None] | None = None,
) -> Rivalry:
    """The clauses of a head with these parameters and conditions; `overruled` says which are over each."""
    types = [None if isinstance(kind, Unknown) else kind for _, kind in params]
    terms = Terms(
        [len(each.members) for each in world.domains],
        world.data,
        [each.type for each in world.vars],
        types,  # type: ignore[arg-type]
        plain,
    )
    found = Rivalry(world, work, [name for name, _ in params], terms)
    own = [terms.of(each) for each in conditions]
    stands: dict[int, int] = {}

    def standing(clause: int) -> int:
        if clause not in stands:
            over = overruled[clause] if overruled else ()
            above = [terms.op("not", (standing(other),), TRUTH) for other in over]
            stands[clause] = terms.op("and", (own[clause], *above), TRUTH) if above else own[clause]
        return stands[clause]

    found.stands = [standing(clause) for clause in range(len(own))]
    return found


def unlike(found: Rivalry, name: str, spans: Sequence[Span]) -> list[Pair]:
    """The pairs of clauses that replace an action, of which it is not plain that they exclude each other. Too many of
    them are a fault: each is a test in play.
    """
    near, is_all = found.pairs(range(len(spans)), lambda _one, _two: True)
    pairs: list[Pair] = []
    for one, two in near:
        if len(pairs) <= MOST_OPEN and found.ask((found.stands[one], found.stands[two])) is not EXCLUDED:
            pairs.append((one, two))
    if not is_all or len(pairs) > MOST_OPEN:
        found.world.error(
            Code.TWO_INSTEADS,
            spans[-1],
            tr(
                "`{name}` is replaced by {count} clauses, too many to hold each against each other",
                name=name,
                count=len(spans),
            ),
            labels=(Label(spans[0], "the first of them"),),
            hint="let each begin with another case of one thing: `when k is NAME and ...`",
        )
    return pairs


@record(frozen=True, slots=True)
class Wording:
    """What is said of two clauses that stand at once: where they can, where they may, and of each of them."""

    can: str
    may: str
    labels: tuple[str, str]


@record(slots=True)
class Told:
    """Tells of the rivals of one head: contradictions, and the first few doubts."""

    found: Rivalry
    code: Code
    lasting: Sequence[Span] = ()
    """Clauses that stand from when they are set (`for the rest of`): what is set together is not followed."""
    contradictions: int = 0
    doubts: int = 0

    def tell(
        self, answer: Answer, pair: tuple[Span, Span], wording: Wording, *, is_plain: bool = False
    ) -> None:
        """Tells of two clauses, if an answer leaves it possible that both stand. `is_plain`: they do wherever one of
        them does, whatever that follows from.
        """
        if answer is EXCLUDED:
            return
        world = self.found.world
        layers = [world.reporter.layer_of.get(span.source.name, 0) for span in pair]
        at = 0 if layers[0] > layers[1] else 1
        situation = self.found.words(answer, pair[at]) if isinstance(answer, Situation) else ""
        is_sure = is_plain or (isinstance(answer, Situation) and not answer.is_opaque)
        is_set = not set(pair).isdisjoint(self.lasting)
        is_sure = is_sure and not is_set
        if is_sure:
            self.contradictions += 1
            code, message = self.code, wording.can
            situation = situation or "both stand wherever one of them does"
        else:
            self.doubts += 1
            code, message = Code.MAY_CONTRADICT, wording.may
            unsure = "what they ask could not be followed to its end, so nothing tells them apart"
            if is_set:
                unsure = "they stand once they are set, and nothing keeps both from being set"
            situation = f"as far as can be told, {situation}" if situation else unsure
        if (self.contradictions if is_sure else self.doubts) > MOST_TOLD:
            return
        here, other = pair[at], pair[1 - at]
        label, labels = wording.labels[at], (Label(other, wording.labels[1 - at]),)
        notes = (situation,)
        world.error(code, here, message, label=label, labels=labels, hint=WINS, notes=notes, cause=other)

    def is_plain(self, one: int, two: int) -> bool:
        """Do two clauses stand on one condition, or does one of them always stand?"""
        stands = self.found.stands
        always = self.found.terms.constant(1, TRUTH)
        return stands[one] == stands[two] or always in {stands[one], stands[two]}
