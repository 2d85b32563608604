"""Registries: what is chosen by its name is one function and one decorator line.

    STRATEGIES = Registry("pooling strategy", "strategies", Strategy)
    strategy = STRATEGIES.register

    @strategy("depth")
    def pool_to_depth(rankings: Rankings, *, depth: Depth) -> PoolPairs: ...

The function's docstring is its help, its keyword-only parameters are what it can be given (core/parameters.py).
Plugins (core/plugins.py) are loaded before a registry is listed, and where it lacks a name.
"""

from __future__ import annotations

import inspect
from collections import UserDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, TypeVar

from workbench.core import plugins
from workbench.core.errors import UnknownName
from workbench.core.parameters import Parameter, parameters_of
from workbench.core.wording import did_you_mean, none_such

Value = TypeVar("Value")
Function = TypeVar("Function", bound=Callable[..., Any])


class Registry(UserDict[str, Value]):
    """Entries by name, in the order in which they were registered."""

    def __init__(
        self,
        what: str,
        several: str,
        entry: Callable[..., Value] = lambda name, function: function,
        gives: type = object,
    ) -> None:
        """An empty registry.

        Args:
            what, several: what messages call one entry and two: "pooling strategy", "strategies".
            entry: makes an entry of a name, a function and the further arguments of the decorator; without it the
                function itself is the entry.
            gives: what functions return, which is checked of those of plugins.
        """
        super().__init__()
        self.what, self._several, self._entry, self._gives = what, several, entry, gives
        self._sources: dict[str, plugins.Plugin] = {}

    def register(self, name: str, **attributes: Any) -> Callable[[Function], Function]:
        """The decorator that puts a function under `name` into the registry.

        ValueError when the name is taken; for a plugin also when its function has no docstring, and TypeError when a
        parameter has a type that none can have.
        """

        def put(function: Function) -> Function:
            if name in self.data:
                of = f" (the other is of plugin {self._sources[name]})" if name in self._sources else ""
                raise ValueError(f"two {self._several} are called {name}{of}")
            if (plugin := plugins.plugin_of(function)) is None:
                self[name] = self._entry(name, function, **attributes)
            else:
                self._put_of(plugin, name, function, attributes)
            return function

        return put

    def _put_of(
        self, plugin: plugins.Plugin, name: str, function: Callable[..., Any], attributes: Mapping[str, Any]
    ) -> None:
        what = f"{self.what} {name}"
        if not inspect.getdoc(function):
            raise ValueError(f"{what} has no docstring, which is its help")
        guarded = {
            key: plugin.guarded(f"{what}, {key},", value) if inspect.isfunction(value) else value
            for key, value in attributes.items()
        }
        found = self._entry(name, plugin.guarded(what, function, self._gives), **guarded)
        if isinstance(found, Entry):
            _ = found.parameters
        self[name], self._sources[name] = found, plugin
        plugin.adds[what] = lambda: (self.pop(name), self._sources.pop(name))

    def plugin_of(self, name: str) -> plugins.Plugin | None:
        """The plugin that registered a name; None for what is of the workbench, or not there."""
        return self._sources.get(name) if name in self else None

    def of_plugins(self) -> dict[str, Value]:
        """The entries that plugins registered, by name."""
        return {name: value for name, value in self.items() if name in self._sources}

    def __missing__(self, name: str) -> Value:
        if name in self:
            return self.data[name]
        raise KeyError(name)

    def __contains__(self, name: object) -> bool:
        return name in self.data or bool(plugins.load() and name in self.data)

    def __iter__(self) -> Iterator[str]:
        plugins.load()
        return iter(self.data)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def find(self, name: str, source: str = "") -> Value:
        """The entry called `name`; UnknownName, with the nearest names, when there is none.

        `source` is the plugin, with its version, that a record says it was of.
        """
        if name in self:
            return self[name]
        if source:
            message = f"the {self.what} {name} is of plugin {source}, which is not here or switched off"
            raise UnknownName(f"{message}; install it: pip install {source.partition(' ')[0]}")
        raise UnknownName(none_such(self.what, name, list(self), shown=len(self)))


@dataclass(frozen=True, eq=False)
class Entry:
    """A function with its name, its help and its parameters."""

    name: str
    function: Callable[..., Any]

    @property
    def prose(self) -> str:
        """The whole explanation."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The explanation's first line."""
        return self.prose.partition("\n")[0]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The function's keyword-only parameters."""
        return parameters_of(self.function)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, or None."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)

    def words(self, values: Mapping[str, Any]) -> str:
        """These values in a sentence, without those that are the defaults."""
        return ", ".join(filter(None, (one.words(values.get(one.name)) for one in self.parameters)))

    def read(self, texts: Mapping[str, Sequence[str]], known: Collection[str] = ()) -> dict[str, Any]:
        """The parameters that were given as text, each with all its texts, in their types.

        `known` are the names of those that have a value already.

        Raises:
            UnknownName: a parameter does not exist, is missing, or its text is none of its values.
        """
        self._refuse_others(texts)
        given = {name: values for name, values in texts.items() if values}
        self._refuse_missing({*given, *known})
        try:
            return {one.name: one.read_all(given[one.name]) for one in self.parameters if one.name in given}
        except ValueError as reason:
            raise UnknownName(str(reason)) from None

    def read_assignments(self, texts: Iterable[str], known: Collection[str] = ()) -> dict[str, Any]:
        """The parameters that were given as `NAME=VALUE`, in their types; `known` and errors as in `read`."""
        given: dict[str, list[str]] = {}
        for text in texts:
            name, sign, value = text.partition("=")
            if not sign:
                such_as = self._such_as(self.parameters)
                message = f"{text!r} is not a parameter of {self.name}; write NAME=VALUE{such_as}"
                raise UnknownName(message)
            given.setdefault(name.strip(), []).append(value.strip())
        for parameter in self.parameters:
            times = len(given.get(parameter.name, ()))
            if (times > 1 and not parameter.repeated) or (times and parameter.name in known):
                raise UnknownName(f"{self.name}: {parameter.name} is given twice; give it once")
        return self.read(given, known)

    def check(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of all parameters as JSON keeps them, defaults included; errors as in `read`."""
        self._refuse_others(values)
        self._refuse_missing(values)
        found = [(parameter, values.get(parameter.name, parameter.default)) for parameter in self.parameters]
        try:
            for parameter, value in found:
                parameter.check(value)
        except ValueError as reason:
            raise UnknownName(str(reason)) from None
        return {parameter.name: parameter.plain(value) for parameter, value in found}

    def _refuse_others(self, names: Mapping[str, Any]) -> None:
        known = [parameter.name for parameter in self.parameters]
        for name in names:
            if name not in known:
                from difflib import get_close_matches

                near = get_close_matches(name, known, n=1)
                nearest = f"; {did_you_mean(near)}" if near else ""
                message = f"{self.name} has no parameter {name!r}; it has: {', '.join(known) or 'none'}"
                raise UnknownName(message + nearest)

    def _refuse_missing(self, names: Collection[str]) -> None:
        missing = [one for one in self.parameters if one.required and one.name not in names]
        if missing:
            message = f"{self.name} needs {' and '.join(one.name for one in missing)}{self._such_as(missing)}"
            raise UnknownName(message)

    @staticmethod
    def _such_as(parameters: Iterable[Parameter]) -> str:
        such = " ".join(f"{one.name}={one.limits.example}" for one in parameters if one.limits.help)
        return such and f", such as {such}"


def load_modules(package: str, path: Iterable[str]) -> None:
    """Import all modules of a package, so that what they register is there."""
    import pkgutil

    for module in pkgutil.iter_modules(path):
        import_module(f"{package}.{module.name}")
