"""The short run of the fuzzer of the commands; the long one is `python -m tests.fuzz commands --count 100000`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.commands import KINDS, WEIGHTS, carry_out

CASES = 60


def test_spoilt_files_through_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCENARII_CACHE", "off")
    found = []
    for number in range(CASES):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        found.append(carry_out(3, number))
    assert [(each.number, each.commands, each.fault) for each in found if each.fault] == []
    assert {0, 1} <= {code for each in found for code in each.codes}


def test_each_kind_of_case_has_its_share() -> None:
    assert set(KINDS) == set(WEIGHTS)
