"""Strategies for pairs: a module of this folder is loaded with the package, so a new one needs no other file."""

from __future__ import annotations

from workbench.core.registry import load_modules

load_modules(__name__, __path__)
