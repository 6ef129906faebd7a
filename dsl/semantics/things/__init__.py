"""What there is: players, tables, cells, pieces and fields, entered into the world before any expression is read."""
