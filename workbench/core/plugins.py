"""Plugins: packages beside this one, whose modules register measures, readers and more as modules of the inside do.

    [project.entry-points.relevance_workbench]
    enough = "enough_measures"

They are found by the group of their entry points and imported once, where a registry is listed or lacks a name
(core/registry.py). A plugin that cannot be imported, or breaks a rule of a registry, is switched off as a whole, with
the reason; what one raises later names it. Neither stops anything else. `workbench.plugins` says what they may use.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from pathlib import Path
from threading import RLock
from typing import Any

from workbench.core.errors import CampaignError, WorkbenchError

GROUP, PACKAGE = "relevance_workbench", "relevance-workbench"
WITHOUT = "WORKBENCH_WITHOUT_PLUGINS"
"""The variable of the environment with the names of plugins that are switched off, with commas between, or "all"."""

MOST_FAILURES, LONGEST_REASON = 20, 300


class PluginFailed(CampaignError):
    """A plugin raised an error; the message names it, its version and the way out."""


@dataclass(eq=False)
class Plugin:
    """An installed plugin.

    Attributes:
        name, version: those of its package.
        problem: why it is switched off; "" where it is not. `is_unwanted` is by the variable WITHOUT.
        adds: what it registered, such as "measure Enough", each with what takes it out of its registry.
        failures: what it raised since, each once.
    """

    name: str
    version: str
    problem: str = ""
    is_unwanted: bool = False
    adds: dict[str, Callable[[], Any]] = field(default_factory=dict, repr=False)
    failures: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def troubles(self) -> list[str]:
        """Why it is switched off, unless by hand, and what it raised."""
        is_broken = self.problem and not self.is_unwanted
        return [f"plugin {self} is switched off: {self.problem}"] * bool(is_broken) + self.failures

    def failed(self, what: str, reason: str) -> PluginFailed:
        """The error to raise for what it did, which is kept for those who run the server."""
        message = f"{what} of plugin {self} failed: {self.with_way_out(reason)}"
        self.failures = list(dict.fromkeys([*self.failures, message]))[:MOST_FAILURES]
        return PluginFailed(message)

    def with_way_out(self, reason: str) -> str:
        """A reason, cut where it is long, and what to do."""
        way_out = f"update it, remove it (pip uninstall {self.name}) or switch it off ({WITHOUT}={self.name})"
        return f"{reason[:LONGEST_REASON]}; {way_out}"

    def guarded(self, what: str, function: Callable[..., Any], gives: type = object) -> Callable[..., Any]:
        """A function of it whose errors are PluginFailed, also while what it yields is read, and where what it gives is
        of another type. Refusals of the workbench stay as they are: a plugin may refuse what it is given.
        """

        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            with self._answering(what):
                found = function(*given, **named)
            if not isinstance(found, gives):
                raise self.failed(what, f"it gave a value of type {type(found).__name__}")
            return self._each(what, found) if isinstance(found, Generator) else found

        return call

    def _each(self, what: str, found: Generator[Any, Any, Any]) -> Iterator[Any]:
        with self._answering(what):
            yield from found

    @contextmanager
    def _answering(self, what: str) -> Iterator[None]:
        try:
            yield
        except WorkbenchError:
            raise
        except (Exception, SystemExit) as error:
            raise self.failed(what, _reason(error)) from error


KNOWN: list[Plugin] = []
"""The plugins that were loaded, none where nothing needed them yet."""


class _State:
    """Whether all are loaded, and else the plugin whose modules are being imported."""

    lock = RLock()
    done = False
    current: Plugin | None = None


def load() -> list[Plugin]:
    """All plugins, imported by the first call outside any import of the workbench's own modules, which plugins use;
    one from inside a plugin's import gets those before it.
    """
    if not _State.done and not _importing():
        with _State.lock:
            if not _State.done and _State.current is None:
                for described in _installed():
                    import_module("workbench.plugins")  # what it registers is no plugin's
                    _load(described)
                _State.done = True
    return KNOWN


def plugin_of(function: Callable[..., Any]) -> Plugin | None:
    """The plugin whose modules are being imported, if a function is of these and not of what they import of ours."""
    is_ours = getattr(function, "__module__", "").partition(".")[0] == "workbench"
    return None if is_ours else _State.current


def _load(described: Path) -> None:
    name, version, *_ = [*described.stem.split("-"), "without a version"]
    _State.current = plugin = Plugin(_normal(name), version)
    KNOWN.append(plugin)
    try:
        if {"all", plugin.name} & set(map(_normal, os.environ.get(WITHOUT, "").split(","))):
            plugin.problem, plugin.is_unwanted = f"{WITHOUT} names it", True
        else:
            _import(described)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, the rest goes on without it
        plugin.problem = plugin.with_way_out(_reason(error))
        while plugin.adds:
            plugin.adds.popitem()[1]()
    finally:
        _State.current = None


def _import(described: Path) -> None:
    """ValueError where the plugin asks for another version of the workbench, which pip may be told to overlook."""
    from importlib.metadata import PathDistribution

    from packaging.requirements import Requirement

    from workbench import __version__

    found = PathDistribution(described)
    for wanted in map(Requirement, found.requires or ()):
        is_for_us = _normal(wanted.name) == PACKAGE and (
            not wanted.marker or wanted.marker.evaluate({"extra": ""})
        )
        if is_for_us and not wanted.specifier.contains(__version__, prereleases=True):
            raise ValueError(f"it needs {PACKAGE} {wanted.specifier}, and this is {__version__}")
    for entry in found.entry_points.select(group=GROUP):
        import_module(entry.module)


def _importing() -> bool:
    """Whether a module of the workbench is half imported."""
    ours = (module for name, module in list(sys.modules.items()) if name.startswith("workbench."))
    return any(getattr(module.__spec__, "_initializing", False) for module in ours)


def _installed() -> list[Path]:
    """Where packages with our group are described, by name; to import importlib.metadata for it takes 30 ms."""
    found: dict[str, Path] = {}
    declared = list[Path]()
    for folder in sys.path:
        with suppress(OSError):  # what this user may not read has no plugins for them
            declared += Path(folder).glob("*-info/entry_points.txt")
    for each in declared:
        with suppress(OSError):
            if f"[{GROUP}]".encode() in each.read_bytes():
                found.setdefault(_normal(each.parent.name.partition("-")[0]), each.parent)
    return [found[name] for name in sorted(found)]


def _normal(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(".", "-")


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
