"""A game on paper, to print, cut out and play: boards, cards, counters, tables and a sheet of rules.

- `page`: pages, their sizes, what stands on them, and marks to cut along
- `boards`, `cards`, `counters`, `tables`, `rules`: one kind of pages each
- `book`: all of them in one document
"""
