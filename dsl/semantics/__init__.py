"""From tree to typed program: modules and mods are gathered, names resolved, types, conflicts and termination
checked, and the result lowered to the IR.
"""
