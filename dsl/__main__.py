"""`python -m dsl` is the command `scenarii`."""

from dsl.cli.start import main

main()
