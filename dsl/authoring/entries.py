"""What a name is found to be: entries with their places, in groups, as people and machines read them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entry:
    """A clause or line that bears on the name."""

    text: tuple[str, ...]
    """Its words, as its author wrote them."""
    where: str
    source: str = ""
    titles: tuple[str, ...] = ()
    """The rules that it cites, with their titles."""
    over: tuple[str, ...] = ()
    """The clauses that do not stand while it does."""
    lifted_by: tuple[str, ...] = ()
    origin: str = ""
    """The mod or scenario that it comes from; empty for the game itself."""
    note: str = ""
    undecided: tuple[str, ...] = ()
    """The clauses that it may contradict (W0407): where they stand."""

    def data(self) -> dict[str, object]:
        """As JSON has it."""
        return {
            "text": "\n".join(self.text),
            "where": self.where,
            "source": self.source,
            "titles": list(self.titles),
            "over": list(self.over),
            "lifted_by": list(self.lifted_by),
            "origin": self.origin,
            "note": self.note,
            "undecided": list(self.undecided),
        }


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of one sort, in the order in which they count."""

    name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Resolved:
    """A name with all that bears on it."""

    name: str
    kind: str
    head: str
    groups: tuple[Group, ...] = field(default=())

    def data(self) -> dict[str, object]:
        """As JSON has it."""
        groups = [
            {"name": each.name, "entries": [entry.data() for entry in each.entries]} for each in self.groups
        ]
        return {"name": self.name, "kind": self.kind, "head": self.head, "groups": groups}
