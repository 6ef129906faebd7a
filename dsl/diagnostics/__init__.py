"""What is told to authors: coded, placed, sortable values first; text, JSON and SARIF second."""

from dsl.diagnostics.codes import Code, Severity
from dsl.diagnostics.model import Capped, Citation, Diagnostic, Diagnostics, Fix, Label, Meant, Subject, Thing

__all__ = [
    "Capped",
    "Citation",
    "Code",
    "Diagnostic",
    "Diagnostics",
    "Fix",
    "Label",
    "Meant",
    "Severity",
    "Subject",
    "Thing",
]
