"""Where games and programs are kept: what may be written over, and names for what has none yet."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from dsl.cli.style import __name__ as _unused  # noqa: F401
