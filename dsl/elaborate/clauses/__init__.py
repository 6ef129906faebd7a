"""What rules are about: heads, and the clauses that files add to them."""
