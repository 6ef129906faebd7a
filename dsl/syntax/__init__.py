"""From text to tree. The syntax tree keeps every span and comment, says nothing about meaning, and is the
only thing here that knows which parser made it.
"""
