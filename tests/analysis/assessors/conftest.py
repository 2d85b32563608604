"""Campaigns of fair assessors, simulated."""

from __future__ import annotations

import math
import sys
from importlib import import_module
from types import ModuleType

import pytest

from tests.conftest import ROOT


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The benchmark of fair assessors."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    return import_module("fair_assessors")


def at_most(share: float, of: int) -> float:
    """A limit and three standard errors of it."""
    return share + 3 * math.sqrt(share * (1 - share) / of)
