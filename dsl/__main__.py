"""`python -m dsl` is the command `scenarii`."""

from dsl.cli.main import main

main()
