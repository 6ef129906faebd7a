"""How large a compiled program may be: what the decoder and the verifier refuse, in one place.

They keep a program from a stranger within the memory, the time and the call stack of whoever runs it. A game
that a person would play is far below each of them.
"""

MAX_BYTES = 12 * 1024 * 1024
"""Size of the JSON document."""

MAX_BRACKETS = 400_000
"""Objects and lists of the document: each takes many times the room of its two characters."""

PACKED_RATIO, PACKED_SPARE = 40, 64 * 1024
"""How many bytes a program that is stored compressed may unpack to: so many for each byte, and some more."""

MAX_NODES = 400_000
"""Expressions and statements, each shared expression counted wherever it stands: so often engines write it."""

MAX_FUNCTION = 50_000
"""The same in one value, judgement, procedure or block."""

MAX_NESTING = 90
"""Expressions and statements inside each other, within one function or block."""

MAX_CALL_NESTING = 400
"""The same, through every value, judgement and procedure that is called on the way."""

MAX_OVERRULED = 150
"""Clauses over each other, one over the next."""

MAX_APART = 2 * 4_096
"""How far the least elements of two sets may be apart that are compared or joined."""

MAX_AREA = 400_000
"""Places of the rectangle that holds the cells of a board."""

MAX_LINE = 10_000_000
"""Lines and columns of a place in the sources."""

MAX_LOOPS = 10
"""Loops, guarded blocks and batches inside each other."""

MAX_BLOCKS = 10_000
"""Blocks of a routine."""

MAX_INT = 2**63 - 1
"""Greatest size of a number that an expression may yield."""

MAX_STORED = 2**31 - 1
"""Greatest size of a number in the state."""

MAX_MEMBERS = 16_384
"""Members of a domain, and elements that a set can have."""

MAX_POSITIONS = 256
"""Positions that a game remembers."""

MAX_MEASURED = 2_500
"""Cells of a board whose distances a table follows."""

MAX_SPARSE = 32 * 1024 * 1024
"""Bytes that sets take together which the document writes as lists: a short list can stand for a long number."""

MAX_LIST = 4_096
"""Elements of a list."""

MAX_FIELDS = 64
"""Fields of a record."""

MAX_ENTRIES = 1_000_000
"""Entries of a constant table."""

MAX_LOCALS = 1_000
"""Locals of a function."""

MAX_STATE = 1_000_000
"""Slots of the state."""

MAX_COST = 20_000_000
"""Nodes that one evaluation of an expression can visit between two counts of steps: what a large fold does for each
element, it counts itself."""

HEAVY = 20_000_000
"""Nodes, counted or not, from which on an evaluation is told to its author as heavy."""

MAX_OPTIONS = 100_000
"""Options of one decision; one more is E0612."""

MAX_CODES = 2**31
"""Combinations that the variables of one offer can take."""

MAX_ROUNDS = 1_000_000
"""Rounds of a loop."""

MAX_DICE = 1_000
"""Dice thrown at once."""

MAX_SIDES = 1_000_000
"""Sides of a die."""

MAX_REACH = 64
"""Choices that `reachable` looks ahead."""

REACH_COST = 1_000
"""How many evaluations of its goal a `reachable` counts for."""

MAX_PLAYERS = 30
"""Players: a set of them is one slot."""

MAX_DECISIONS = 1_000_000_000
"""Decisions of a game."""
