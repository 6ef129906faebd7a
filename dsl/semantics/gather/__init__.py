"""What the files say: modules and mods are found, read and merged into one set of declarations."""
