import gc
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from dsl.cli.main import cli

FORD = """\
game ford:
    players red, blue
    rounds 1

victory red when round is 1
"""
LEAVE = """\
import gc
from dsl.garbage import leave, one_command
leave()
assert gc.get_freeze_count() == 0
one_command()
leave()
assert gc.get_freeze_count() > 0
"""


def test_a_check_in_a_process_that_goes_on_leaves_its_garbage_to_be_found(tmp_path: Path) -> None:
    (tmp_path / "ford.scn").write_text(FORD)
    before = gc.get_freeze_count()
    CliRunner().invoke(cli, ["check", str(tmp_path / "ford.scn")])
    assert gc.isenabled()
    assert gc.get_freeze_count() == before


def test_only_a_process_that_runs_one_command_leaves_what_there_is() -> None:
    subprocess.run([sys.executable, "-c", LEAVE], check=True)
