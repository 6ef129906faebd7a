"""`scenarii explain`, as a user runs it."""

from __future__ import annotations

from click.testing import CliRunner, Result

from dsl.cli.main import cli
from dsl.diagnostics import Code
from dsl.resources import errors_folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["explain", *arguments])


def test_each_code_has_a_page_that_is_shown() -> None:
    for code in Code:
        assert (errors_folder() / f"{code.id}.md").is_file(), code.id
        result = run(code.id)
        assert result.exit_code == 0
        assert (
            f"{code.id}: {code.title}" in result.output.replace("`", "").replace("\n", " ")
            or "`" in code.title
        )


def test_a_page_is_text_for_people() -> None:
    result = run("e0201")
    assert "forbid fire when t is Tower" in result.output
    assert "](" not in result.output
    assert "```" not in result.output
    assert "frame=" not in result.output
    assert "\x1b" not in result.output


def test_without_a_code_all_are_listed() -> None:
    lines = run().output.splitlines()
    assert len(lines) == len(Code)
    assert lines[0] == "E0001  file cannot be read"


def test_words_and_beginnings_of_codes_list_what_fits() -> None:
    assert run("colon").output.splitlines() == [
        "E0111  colon without its lines",
        "E0115  block without its colon",
    ]
    assert {line[:3] for line in run("w").output.splitlines()} == {"W01", "W02", "W04"}


def test_an_unknown_code_is_wrong_usage_with_the_nearest() -> None:
    result = run("E021O")
    assert result.exit_code == 2
    assert "did you mean E0" in result.output
    assert run("xyzzy").exit_code == 2
