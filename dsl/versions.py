"""The versions of what is written down: the language of sources, and the document of a compiled program.

They stand by themselves so that saying them needs neither the compiler nor the engine.
"""

LANGUAGE = 1
"""The newest version of the language that this compiler reads."""

IR = 2
"""The version of the document of a compiled program."""
