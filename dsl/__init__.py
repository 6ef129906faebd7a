"""Scenarii: a language for the rules, content and scenarios of board games, its compiler, and an
engine that plays whatever was compiled.
"""
