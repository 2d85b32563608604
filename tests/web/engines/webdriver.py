"""A browser spoken to in the commands of WebDriver: over HTTP (WebKit), or by Firefox's own wire (Marionette).

https://www.w3.org/TR/webdriver2/ and https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import urlsplit

PATIENCE = 60.0  # seconds for one answer
COMMANDS = {
    "NewSession": ("POST", "/session"), "DeleteSession": ("DELETE", ""), "Navigate": ("POST", "/url"),
    "Refresh": ("POST", "/refresh"), "ExecuteScript": ("POST", "/execute/sync"),
    "PerformActions": ("POST", "/actions"), "ReleaseActions": ("DELETE", "/actions"),
    "AddCookie": ("POST", "/cookie"), "SetWindowRect": ("POST", "/window/rect"),
    "NewWindow": ("POST", "/window/new"), "GetWindowHandle": ("GET", "/window"),
    "GetWindowHandles": ("GET", "/window/handles"), "SwitchToWindow": ("POST", "/window"),
    "CloseWindow": ("DELETE", "/window"),
}  # fmt: skip


KEYS = {
    "Backspace": "\ue003", "Tab": "\ue004", "Enter": "\ue007", "Shift": "\ue008", "Control": "\ue009",
    "Escape": "\ue00c", "PageUp": "\ue00e", "PageDown": "\ue00f", "End": "\ue010", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
}  # fmt: skip


"""What WebDriver calls the keys that write nothing: https://www.w3.org/TR/webdriver2/#keyboard-actions."""
Point = tuple[float, float]


class Refused(Exception):
    """The browser says that a command failed."""


class Wire(Protocol):
    """Carries one command, and brings its value."""

    def ask(self, command: str, parameters: Mapping[str, Any]) -> Any: ...

    def close(self) -> None: ...


class HttpWire:
    """WebDriver over HTTP. `address` is of the driver, without a slash at its end."""

    def __init__(self, address: str, capabilities: Mapping[str, Any]) -> None:
        self.address = urlsplit(address)
        self.session = ""
        opened = self.ask("NewSession", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = f"/session/{opened['sessionId']}"
        self.version = str(opened["capabilities"]["browserVersion"])

    def ask(self, command: str, parameters: Mapping[str, Any]) -> Any:
        method, path = COMMANDS[command]
        body = json.dumps(parameters) if method == "POST" else None
        connection = http.client.HTTPConnection(self.address.netloc, timeout=PATIENCE)
        try:
            connection.request(method, self.session + path, body, {"Content-Type": "application/json"})
            value = json.loads(connection.getresponse().read())["value"]
        finally:
            connection.close()
        return _checked(command, value)

    def close(self) -> None:
        self.ask("DeleteSession", {})


class MarionetteWire:
    """Firefox started with `--marionette`: each message is its length, a colon, and JSON."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.stream = self.socket.makefile("rb")
        self.count = 0
        self._message()  # its greeting
        opened = self.ask("NewSession", {})
        self.version = str(opened["capabilities"]["browserVersion"])

    def ask(self, command: str, parameters: Mapping[str, Any]) -> Any:
        return self.call(f"WebDriver:{command}", parameters)

    def call(self, name: str, parameters: Mapping[str, Any]) -> Any:
        """Also for what is no command of WebDriver."""
        self.count += 1
        data = json.dumps([0, self.count, name, dict(parameters)]).encode()
        self.socket.sendall(b"%d:%b" % (len(data), data))
        _, number, error, value = self._message()
        assert number == self.count
        value = error or value
        return _checked(
            name, value["value"] if isinstance(value, dict) and value.keys() == {"value"} else value
        )

    def close(self) -> None:
        self.call("Marionette:Quit", {"flags": ["eForceQuit"]})
        self.stream.close()
        self.socket.close()

    def _message(self) -> Any:
        digits = b""
        while (byte := self.stream.read(1)) != b":":
            if not byte:
                raise Refused("Firefox has closed its wire")
            digits += byte
        return json.loads(self.stream.read(int(digits)))


def _checked(command: str, value: Any) -> Any:
    if isinstance(value, dict) and "error" in value:
        raise Refused(f"{command}: {value['error']}: {value.get('message', '')}")
    return value


class WebDriverTabs:
    """What somebody does in a browser that is spoken to by WebDriver; see `Engine` for what each does."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    def ask(self, expression: str) -> Any:
        return self.wire.ask("ExecuteScript", {"script": f"return ({expression});", "args": []})

    def open(self, url: str) -> None:
        self.wire.ask("Navigate", {"url": url})

    def put_cookie(self, name: str, value: str) -> None:
        self.wire.ask("AddCookie", {"cookie": {"name": name, "value": value, "path": "/"}})

    def reload(self) -> None:
        self.wire.ask("Refresh", {})

    def tabs(self) -> Sequence[str]:
        found: list[str] = self.wire.ask("GetWindowHandles", {})
        return found

    def this_tab(self) -> str:
        return str(self.wire.ask("GetWindowHandle", {}))

    def open_tab(self) -> str:
        return str(self.wire.ask("NewWindow", {"type": "window"})["handle"])

    def go_to_tab(self, tab: str) -> None:
        self.wire.ask("SwitchToWindow", {"handle": tab})

    def close_tab(self) -> None:
        self.wire.ask("CloseWindow", {})

    def press(self, *keys: str) -> None:
        for key in keys:
            held = [KEYS.get(part, part) for part in (key.split("+") if len(key) > 1 else key)]
            strokes = [{"type": "keyDown", "value": one} for one in held]
            strokes += [{"type": "keyUp", "value": one} for one in reversed(held)]
            self._act({"type": "key", "id": "keyboard", "actions": strokes})

    def click(self, at: Point, times: int = 1) -> None:
        self._act(
            _mouse(_move(at), *[{"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp") * times])
        )

    def drag(self, start: Point, end: Point) -> None:
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act(_mouse(_move(start), down, _move(middle, 50), _move(end, 50), up))

    def wheel(self, at: Point, by: int) -> None:
        x, y = map(round, at)
        scroll = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": by, "duration": 0}
        self._act({"type": "wheel", "id": "wheel", "actions": [scroll]})
        self.wire.ask("ReleaseActions", {})  # else WebKit takes the same turn of the wheel for no change

    def _act(self, source: Mapping[str, Any]) -> None:
        self.wire.ask("PerformActions", {"actions": [source]})


def _move(at: Point, duration: int = 0) -> dict[str, Any]:
    return {"type": "pointerMove", "x": round(at[0]), "y": round(at[1]), "duration": duration}


def _mouse(*actions: Mapping[str, Any]) -> dict[str, Any]:
    kind = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
    return {**kind, "actions": list(actions)}
