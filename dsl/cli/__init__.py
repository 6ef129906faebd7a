"""The command `scenarii`: one module per verb. Only here are files, terminals and exit codes touched."""
