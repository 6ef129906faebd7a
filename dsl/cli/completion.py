"""`scenarii completion`: the script that teaches a shell to complete commands, options, games and names."""

from __future__ import annotations

import click

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print what completes commands and names in your shell.

    \b
    bash: echo 'eval "$(scenarii completion bash)"' >> ~/.bashrc
    zsh:  echo 'eval "$(scenarii completion zsh)"' >> ~/.zshrc
    fish: scenarii completion fish > ~/.config/fish/completions/scenarii.fish
    """  # noqa: D301 - `\b` keeps the lines of the examples
    from click.shell_completion import get_completion_class

    from dsl.cli.main import cli

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "scenarii", "_SCENARII_COMPLETE").source())
