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
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from inspect import isfunction
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from workbench.core.errors import CampaignError, WorkbenchError

if TYPE_CHECKING:
    from importlib.metadata import Distribution

GROUP = "relevance_workbench"
PACKAGE = "relevance-workbench"
WITHOUT = "WORKBENCH_WITHOUT_PLUGINS"
"""The variable of the environment with the names of plugins that are switched off, with commas between, or "all"."""

MOST_FAILURES = 20
LONGEST_REASON = 300


class PluginFailed(CampaignError):
    """A plugin raised an error; the message names it, its version and the way out."""


@dataclass(eq=False)
class Plugin:
    """An installed plugin.

    Attributes:
        name, version: those of its package.
        problem: why it is switched off; "" where it is not. `is_unwanted` is by the variable WITHOUT.
        adds: what it registered, such as "measure Enough".
        failures: what it raised since, each once.
    """

    name: str
    version: str
    problem: str = ""
    is_unwanted: bool = False
    adds: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    take_back: list[Callable[[], Any]] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def way_out(self) -> str:
        """What to do where it fails."""
        return f"update it, remove it (pip uninstall {self.name}) or switch it off ({WITHOUT}={self.name})"

    @property
    def troubles(self) -> list[str]:
        """Why it is switched off, unless by hand, and what it raised."""
        off = (
            f"plugin {self} is switched off: {self.problem}" if self.problem and not self.is_unwanted else ""
        )
        return [*filter(None, [off]), *self.failures]

    def failed(self, what: str, reason: str) -> PluginFailed:
        """The error to raise for what it did, which is kept for those who run the server."""
        message = f"{what} of plugin {self} failed: {reason[:LONGEST_REASON]}; {self.way_out}"
        if message not in self.failures and len(self.failures) < MOST_FAILURES:
            self.failures.append(message)
        return PluginFailed(message)

    def guarded(
        self, what: str, function: Callable[..., Any], gives: type | tuple[type, ...] = object
    ) -> Callable[..., Any]:
        """A function of it whose errors are PluginFailed, also those that are raised while what it yields is read, and
        where it gives something of another type than it must.

        Refusals of the workbench stay as they are: a plugin may refuse what it is given.
        """

        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            with self._answering(what):
                found = function(*given, **named)
            if not isinstance(found, gives):
                raise self.failed(what, f"it gave a value of type {type(found).__name__}")
            return self._each(what, found) if isinstance(found, Generator) else found

        return call

    def guarded_attributes(self, what: str, attributes: Mapping[str, Any]) -> dict[str, Any]:
        """The further arguments of a decorator, their functions likewise."""
        return {
            name: self.guarded(f"{what}, {name},", value) if isfunction(value) else value
            for name, value in attributes.items()
        }

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


class _Plugins:
    """The plugins of this process, and the one whose modules are being imported."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._begun = self._done = False
        self.known: list[Plugin] = []
        self.current: Plugin | None = None

    def load(self) -> list[Plugin]:
        """All plugins, imported by the first call outside any import of the workbench's own modules, which plugins use;
        one from inside a plugin's import gets those before it.
        """
        if not self._done and not _importing():
            with self._lock:
                if not self._begun:
                    self._begun = True
                    for found in _installed():
                        import_module("workbench.plugins")  # what it registers is no plugin's
                        self._load(found)
                    self._done = True
        return self.known

    def _load(self, found: Distribution) -> None:
        plugin = Plugin(found.metadata["Name"] or "without a name", found.version or "without a version")
        self.known.append(plugin)
        off = {_normal(name) for name in os.environ.get(WITHOUT, "").split(",")}
        if off & {"all", _normal(plugin.name)}:
            plugin.problem, plugin.is_unwanted = f"{WITHOUT} names it", True
            return
        self.current = plugin
        try:
            _refuse_newer(found)
            for entry in found.entry_points:
                if entry.group == GROUP:
                    import_module(entry.module)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever it is, the rest goes on without it
            plugin.problem = f"{_reason(error)[:LONGEST_REASON]}; {plugin.way_out}"
            plugin.adds.clear()
            for take_back in plugin.take_back:
                take_back()
        finally:
            self.current = None


_plugins = _Plugins()
load = _plugins.load


def known() -> list[Plugin]:
    """The plugins that were loaded, none where nothing needed them yet."""
    return _plugins.known


def plugin_of(function: Callable[..., Any]) -> Plugin | None:
    """The plugin whose modules are being imported, if a function is of these and not of what they import of ours."""
    is_ours = getattr(function, "__module__", "").partition(".")[0] == "workbench"
    return None if is_ours else _plugins.current


def _importing() -> bool:
    """Whether a module of the workbench is half imported."""
    ours = (module for name, module in list(sys.modules.items()) if name.startswith("workbench."))
    return any(getattr(module.__spec__, "_initializing", False) for module in ours)


def _installed() -> Iterator[Distribution]:
    """The installed packages with our group, by name.

    Asking importlib.metadata for it reads the same files but takes some 30 ms, most of it to import that.
    """
    found: dict[str, Path] = {}
    for folder in map(Path, sys.path):
        try:
            beside = [each for each in folder.iterdir() if each.suffix in {".dist-info", ".egg-info"}]
        except OSError:
            continue
        for package in beside:
            try:
                declared = (package / "entry_points.txt").read_bytes()
            except OSError:
                continue
            if f"[{GROUP}]".encode() in declared:
                found.setdefault(_normal(package.name.partition("-")[0]), package)
    if found:
        from importlib.metadata import PathDistribution

        yield from (PathDistribution(path) for _, path in sorted(found.items()))


def _normal(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(".", "-")


def _refuse_newer(found: Distribution) -> None:
    """ValueError where the plugin asks for another version of the workbench, which pip may be told to overlook."""
    from packaging.requirements import Requirement

    from workbench import __version__

    for text in found.requires or ():
        wanted = Requirement(text)
        if _normal(wanted.name) == PACKAGE and not wanted.specifier.contains(__version__, prereleases=True):
            message = f"it needs {PACKAGE} {wanted.specifier}, and this is {__version__}"
            raise ValueError(message)


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).removesuffix(":")
