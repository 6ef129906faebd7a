"""The typed program: what a compiled scenario is, as closed data with every name resolved, its JSON form and
the verifier that refuses a program which is not well made.
"""
