"""How far it is looked ahead to say what an option costs and does, and how much of that is told."""

from __future__ import annotations

MOST_WAYS = 300
"""So many ways of chance are gone through for an option, in all worlds together."""
MOST_IN_ALL = 2_000
"""And so many for all options of a decision."""
WORLDS = 3
"""Worlds that are made by chance where something is hidden or shuffled, besides the one that stands for all."""
WORLDS_OF_VALUES = 24
"""And where more than cards in piles is hidden: values may count together."""
MOST_VALUES = 24
"""Further worlds in which one hidden value is another that nobody shares, and so many in which what changes places has
moved on.
"""
MOST_TOGETHER = 64
"""Where all that hidden values may be together are no more than so many, each is tried."""
MOST_SURE = 4
"""Changes that are told of those which are certain."""
MOST_ODDS = 3
"""And of those which chance decides."""
FEWEST_SPANNED = 3
"""From so many amounts of one thing on only the least and the greatest are told."""
