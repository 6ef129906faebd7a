"""What is written in bodies: expressions and statements, resolved, typed and turned into nodes of the IR."""
