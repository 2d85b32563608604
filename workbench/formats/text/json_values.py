"""JSON objects of a file, one at a time: JSON lines, objects one after another, or one array.

Numbers stay as they are written: 1.10 is '1.10', and a long id loses no digit. Memory holds one object and a
buffer; an object of more than `LONGEST_OBJECT` characters is refused.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from workbench.core.errors import InputError
from workbench.formats.text.files import refused

CHUNK = 256 * 1024
LONGEST_OBJECT = 64 * 1024 * 1024
SURROGATES = re.compile("[\ud800-\udfff]")
BLANKS = re.compile(r"[ \t\r\n]*")
LINE_ENDS = ("\n", "", "\r\n")
JsonValue = Any
WAY_OUT = "JSON is in UTF-8: convert the file, or name what documents are in (--encoding)"
Placed = tuple[int, JsonValue]
"""The line, from 1, where a value starts, and the value."""
AsSent = tuple[int, JsonValue, str]
"""The same with its text: of JSON lines the line without its end."""


class NumberText(str):
    """A number as the file writes it; distinguished from a text only where lists of numbers are left out."""

    __slots__ = ()


AS_WRITTEN: dict[str, Any] = dict.fromkeys(("parse_int", "parse_float", "parse_constant"), NumberText)
DECODER = json.JSONDecoder(**AS_WRITTEN)
"""One for all values: to make a decoder takes as long as to read a short object."""


def loads(text: str) -> JsonValue:
    """One JSON value, its numbers as text. Raises `json.JSONDecodeError`; too deep a nesting is one as well."""
    try:
        return DECODER.decode(text)
    except RecursionError as error:
        raise json.JSONDecodeError("nested too deeply", text[:1], 0) from error


def json_of(value: JsonValue) -> str:
    """JSON on one line, with numbers as they were read, and half characters escaped."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json_of(name)}: {json_of(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(json_of, value)) + "]"
    if isinstance(value, NumberText):
        return str(value)
    return json.dumps(value, ensure_ascii=isinstance(value, str) and SURROGATES.search(value) is not None)


def json_objects(stream: BinaryIO, file: str) -> Iterator[Placed]:
    """All values of a stream in UTF-8: of JSON lines, of values one after another, or the elements of one array.

    Raises `InputError` for what is not JSON or not UTF-8, with the line.
    """
    return ((line, value) for line, value, _ in json_texts(stream, file))


def json_texts(stream: BinaryIO, file: str) -> Iterator[AsSent]:
    """The same values, each with its text; errors as there."""
    first = _first_line(stream, file)
    if first is None:
        return
    line, raw = first
    if not raw.lstrip().startswith(b"["):
        text = _utf8(raw, file, line)
        try:
            value = loads(text)
        except json.JSONDecodeError:
            pass
        else:
            yield line, value, text.removesuffix("\n")
            yield from _lines(stream, file, line)
            return
    yield from _Values(stream, file, line, raw).read()


def _first_line(stream: BinaryIO, file: str) -> tuple[int, bytes] | None:
    """The first line that is not blank, and its number; of an array, only its start."""
    line = 0
    while raw := stream.readline(CHUNK):
        line += 1
        raw = raw.removeprefix(codecs.BOM_UTF8) if line == 1 else raw
        if raw.lstrip().startswith(b"["):
            return line, raw  # an array may be one line of any length
        if not raw.endswith(b"\n"):
            raw += stream.readline(LONGEST_OBJECT)
        if raw.strip():
            return line, raw
    return None


def _utf8(raw: bytes, file: str, line: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise refused(file, f"not UTF-8 (byte {raw[error.start]:#04x}); {WAY_OUT}", line) from error


def _lines(stream: BinaryIO, file: str, line: int) -> Iterator[AsSent]:
    read, value_in = stream.readline, DECODER.raw_decode
    while raw := read(LONGEST_OBJECT):
        line += 1
        if len(raw) == LONGEST_OBJECT:
            raise _too_long(file, line)
        try:
            text = raw.decode()
            value, end = value_in(text)
            is_all = text[end:] in LINE_ENDS
        except (ValueError, RecursionError):
            is_all = False
        if not is_all:
            if not raw.strip():
                continue
            text = _utf8(raw, file, line)
            try:
                value = loads(text)
            except json.JSONDecodeError as error:
                found = f"{error.msg} at character {error.pos + 1}"
                message = f"not a JSON object on one line ({found}); repair the line"
                raise refused(file, message, line) from error
        yield line, value, text.removesuffix("\n")


def _too_long(file: str, line: int) -> InputError:
    message = (
        f"one object is longer than {LONGEST_OBJECT // 1024 // 1024} MiB: split the file into JSON lines"
    )
    return refused(file, message, line)


class _Values:
    """JSON values that are not one a line, found in a stream with a buffer."""

    def __init__(self, stream: BinaryIO, file: str, line: int, start: bytes) -> None:
        self.stream = stream
        self.file = file
        self.line = line
        self.ended = False
        self.array = False
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.buffer = self._decoded(start)
        self.at = 0

    def read(self) -> Iterator[AsSent]:
        """The values in order."""
        self._skip_blanks()
        if self._starts("["):
            self.array = True
            self._pass(self.at + 1)
        while self._more():
            value, end = self._next()
            line, text = self.line, self.buffer[self.at : end]
            self._pass(end)
            yield line, value, text
        if self.array and not self._starts("]"):
            raise self._broken("the array is not closed; was the file written to the end?")

    def _more(self) -> bool:
        """Whether another value starts here, after the separator."""
        self._skip_blanks()
        if self.array and self._starts(","):
            self._pass(self.at + 1)
            self._skip_blanks()
        return self.at < len(self.buffer) and not (self.array and self._starts("]"))

    def _next(self) -> tuple[JsonValue, int]:
        """The value that starts here, and where it ends in the buffer; reads on until it is complete."""
        while True:
            try:
                value, end = DECODER.raw_decode(self.buffer, self.at)
            except RecursionError as error:
                raise self._broken("nested too deeply") from error
            except json.JSONDecodeError as error:
                if self.ended:
                    raise self._broken(f"not JSON: {error.msg}", error.pos) from error
            else:
                # A number or word at the very end of the buffer may go on.
                if end < len(self.buffer) or self.ended:
                    return value, end
            if len(self.buffer) - self.at > LONGEST_OBJECT:
                raise _too_long(self.file, self.line)
            self._fill()

    def _fill(self) -> None:
        """Read on; the buffer doubles where one value needs it, lest a long one be parsed again and again."""
        rest = self.buffer[self.at :]
        data = self.stream.read(max(CHUNK, len(rest)))
        self.ended = not data
        self.buffer, self.at = rest + self._decoded(data), 0

    def _decoded(self, data: bytes) -> str:
        try:
            return self.decoder.decode(data, final=not data)
        except UnicodeDecodeError as error:
            raise self._broken(f"not UTF-8; {WAY_OUT}") from error

    def _starts(self, character: str) -> bool:
        return self.buffer.startswith(character, self.at)

    def _skip_blanks(self) -> None:
        while True:
            blanks = BLANKS.match(self.buffer, self.at)
            self._pass(blanks.end() if blanks else self.at)
            if self.at < len(self.buffer) or self.ended:
                return
            self._fill()

    def _pass(self, end: int) -> None:
        self.line += self.buffer.count("\n", self.at, end)
        self.at = end

    def _broken(self, message: str, place: int | None = None) -> InputError:
        line = self.line + (0 if place is None else self.buffer.count("\n", self.at, place))
        return refused(self.file, message, line)
