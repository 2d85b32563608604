"""Why what is named by an address or an id cannot be read."""

from __future__ import annotations


class Unreadable(Exception):
    """What stands at an address cannot be read; the message says why, and what to do, without any secret."""
