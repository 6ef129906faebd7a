"""Mutation: what a test would have to notice. Each clause that cites a rule is spoiled in turn; a rule whose
loss no test notices is not held by the tests.
"""
