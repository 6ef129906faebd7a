"""Drawings between triple quotes."""


def drawn(text: str) -> str:
    """What is drawn, wherever it stands on the page: without the margins around it."""
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    while lines and not lines[0]:
        lines.pop(0)
    margin = min((len(line) - len(line.lstrip(" ")) for line in lines if line), default=0)
    return "\n".join(line[margin:] for line in lines)
