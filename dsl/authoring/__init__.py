"""What helps those who write games: drafts to begin with, what a game holds, what bears on a name, and what random
games show.
"""
