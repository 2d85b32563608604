"""The repairs of run files as choices of a form."""

from __future__ import annotations

REPAIRS = (
    (
        "duplicates",
        "Documents listed twice in a topic",
        (
            ("identical", "keep one of identical lines"),
            ("first", "keep the first line"),
            ("best-score", "keep the line with the best score"),
        ),
    ),
    (
        "topics",
        "Topics under other ids",
        (
            ("as-suggested", "rename them as the report suggests"),
            ("by-position", "rename 1, 2, 3, … by their position in the topic files"),
        ),
    ),
    ("extra_topics", "Topics that the campaign does not have", (("drop", "leave their lines out"),)),
    ("documents", "Documents under other ids", (("as-suggested", "rename them as the report suggests"),)),
    ("extra_documents", "Documents outside a complete collection", (("drop", "leave their lines out"),)),
    ("own_documents", "Documents that are the topic itself", (("drop", "leave their lines out"),)),
    ("tags", "Several tags in a file", (("first", "one run, named by the first tag"),)),
    ("bad_lines", "Lines that cannot be read", (("drop", "leave them out"),)),
)
"""The repairs of run files in the order of the form: name, label, and its ways with their words."""
