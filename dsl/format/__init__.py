"""From tree back to text, in the one layout. Formatting loses no comment, changes no meaning, and formatting
twice changes nothing more.
"""
