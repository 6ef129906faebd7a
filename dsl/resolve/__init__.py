"""The symbols: players, tables, cells, pieces and fields, entered into their table before any expression is read."""
