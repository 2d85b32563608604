"""What a campaign gives away: the release bundle, sheets of results for each team, tables for papers."""

from __future__ import annotations
