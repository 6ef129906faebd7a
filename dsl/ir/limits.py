"""How large a compiled program may be: what the decoder and the verifier refuse, in one place.

They keep a program from a stranger within the memory, the time and the call stack of whoever runs it. A game
that a person would play is far below each of them.
"""

MAX_BYTES = 64 * 1024 * 1024
"""Size of the JSON document."""

MAX_NODES = 2_000_000
"""Expressions and statements, each shared expression counted wherever it stands."""

MAX_NESTING = 90
"""Expressions and statements inside each other, within one function or block."""

MAX_CALL_NESTING = 400
"""The same, through every value, judgement and procedure that is called on the way."""

MAX_LOOPS = 10
"""Loops, guarded blocks and batches inside each other."""

MAX_BLOCKS = 10_000
"""Blocks of a routine."""

MAX_INT = 2**63 - 1
"""Greatest size of a number that an expression may yield."""

MAX_STORED = 2**31 - 1
"""Greatest size of a number in the state."""

MAX_MEMBERS = 4_096
"""Members of a domain, and elements that a set can have."""

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
"""Nodes that one evaluation of an expression can visit."""

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
