"""The linker: modules and mods are found, read and merged into one set of declarations."""
