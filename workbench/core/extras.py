"""Packages that few need and that weigh much: what each is for, and the one sentence where it is not installed.

    with needed():
        import typst

`pyproject.toml` has an extra of each name here, `docs/build/dependencies.md` what each weighs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import NamedTuple

from workbench.core.errors import CampaignError


class Extra(NamedTuple):
    """The extra that brings a package, and what does not work without it, as the subject of a sentence."""

    name: str
    package: str
    what: str


EXTRAS = {
    "vl_convert": Extra("pictures", "vl-convert-python", "drawing a figure as SVG, PNG or PDF"),
    "typst": Extra("sheets", "typst", "making a team sheet as PDF (HTML needs nothing)"),
    "simplemma": Extra("compounds", "simplemma", "marking a topic’s words inside German compounds"),
    "pypdfium2": Extra("pdf", "pypdfium2", "keeping pages of PDF files as images beside their texts"),
    "openai": Extra("models", "openai", "asking a model"),
    "httpx2": Extra("models", "httpx2", "asking a model"),
    "distributed": Extra("distributed", "dask", "working in other processes (--workers, --scheduler)"),
    "fsspec": Extra("distributed", "fsspec", "reading an address"),
    "aiohttp": Extra("distributed", "aiohttp", "reading an address"),
    "mcp": Extra("assistants", "mcp", "serving an assistant (workbench campaign mcp)"),
    "authlib": Extra("sso", "authlib", "signing in with a provider (--sign-in-with)"),
    "joserfc": Extra("sso", "joserfc", "signing in with a provider (--sign-in-with)"),
    "requests": Extra("sso", "requests", "signing in with a provider (--sign-in-with)"),
    "ir_datasets": Extra("collections", "ir-datasets", "reading a test collection (irds:)"),
}
"""By the name under which each is imported."""


class NotInstalled(CampaignError):
    """A package of EXTRAS is needed and is not installed; the message says for what, and how to install it."""


def missing(module: str) -> str:
    """The sentence about a module of EXTRAS; "" where it is installed."""
    return "" if find_spec(module) else _sentence(module)


@contextmanager
def needed() -> Iterator[None]:
    """Imports of modules of EXTRAS; NotInstalled, with the sentence, where one is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        raise NotInstalled(_sentence(module)) from None


def _sentence(module: str) -> str:
    extra, package, what = EXTRAS[module]
    return f'{what} needs {package}, which is not installed: pip install "relevance-workbench[{extra}]"'
