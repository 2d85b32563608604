"""Runs and qrels of the ordinary shape by `lines.c`, where it was compiled: read, checked, joined, ordered in one pass.

The library is optional. It declines whatever is not of the ordinary shape (comments, a broken line, a topic that stands
in two places, an unusual number): then, and where there is no library, `workbench.formats` reads, which also knows what
is wrong. `deploy/compile_lines.py` compiles it; its name holds a checksum of the source, so an older one is not loaded.
WORKBENCH_COMPILED=off leaves it out.
"""

from __future__ import annotations

import ctypes
import os
from functools import cache
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from workbench.core.ranking import Labels, starts_of
from workbench.formats.text.parse_mode import ParseMode
from workbench.scoring.evaluation.joining import Labelled

SWITCH = "WORKBENCH_COMPILED"
SOURCE = Path(__file__).with_name("lines.c")
HEADER = SOURCE.with_name("text.h")
Pointer = ctypes.c_void_p
Number = ctypes.c_int64


class _Run(ctypes.Structure):
    """`Run` in lines.c."""

    _fields_ = (
        ("data", ctypes.c_char_p),
        ("size", Number),
        ("lines", Number),
        ("comments", ctypes.c_int32),
        ("single_precision", ctypes.c_int32),
        ("label", Pointer),
        ("start", Pointer),
        ("topic", Pointer),
        ("rankings", Number),
        ("tag", Number * 2),
        ("first_topic", Number * 2),
    )


class CompiledRun(NamedTuple):
    """A run: its tag, the first of its topics, its labels."""

    tag: str
    first_topic: str
    labelled: Labelled


class CompiledQrels:
    """Judgments that the library has read; `topic_ids`, `labels` as in `joining.Judgments`, the highest grade."""

    def __init__(self, library: ctypes.CDLL, data: bytes, handle: int) -> None:
        self._library, self._data, self._handle = library, data, handle
        begin, length, judged = (np.empty(library.wb_topics(handle), np.int64) for _ in range(3))
        library.wb_list_topics(handle, data, begin.ctypes.data, length.ctypes.data, judged.ctypes.data)
        found = [
            data[at : at + size].decode() for at, size in zip(begin.tolist(), length.tolist(), strict=True)
        ]
        order = np.array(sorted(range(len(found)), key=found.__getitem__), np.int64)
        self.topic_ids = tuple(found[place] for place in order.tolist())
        self._number = np.full(len(found) + 1, -1, np.int32)  # the last one for the topics without judgments
        self._number[order] = np.arange(len(found))
        starts = starts_of(judged[order])
        label, begins = np.empty(library.wb_judgments(handle), np.int16), starts[self._number[:-1]]
        library.wb_labels(handle, begins.ctypes.data, label.ctypes.data)
        self.labels = Labels(starts, label)
        self.highest: int = library.wb_highest(handle)

    def __del__(self) -> None:
        self._library.wb_free(self._handle)

    def read_run(self, data: bytes, *, comments: bool, single_precision: bool) -> CompiledRun | None:
        """A run with its labels, or None: read it the other way. Others may be read at the same time."""
        lines = data.count(b"\n") + 1
        label, topic = np.empty(lines, np.int16), np.empty(lines, np.int32)
        start = np.empty(lines + 1, np.int64)
        places = (array.ctypes.data for array in (label, start, topic))
        run = _Run(data, len(data), lines, comments, single_precision, *places)
        if not self._library.wb_read_run(self._handle, ctypes.byref(run)):
            return None
        starts = start[: run.rankings + 1].copy()
        numbers = self._number[topic[: run.rankings]]
        tag, first_topic = (data[at : at + size].decode() for at, size in (run.tag, run.first_topic))
        return CompiledRun(tag, first_topic, Labelled(label[: starts[-1]], starts, numbers))


def compiled_qrels(data: bytes, parse_mode: ParseMode) -> CompiledQrels | None:
    """The judgments in the bytes of a file without byte order mark, or None: read them the other way."""
    library = None if parse_mode.lenient or os.environ.get(SWITCH) == "off" else _library()
    if library is None:
        return None
    seed = int.from_bytes(os.urandom(8))  # so that no file can be made whose hashes are all equal
    handle = library.wb_read_qrels(data, len(data), data.count(b"\n") + 1, parse_mode.comments, seed)
    return None if handle is None else CompiledQrels(library, data, handle)


def library_path() -> Path:
    """Where the library of this very source stands, or would stand."""
    checksum = crc32(HEADER.read_bytes(), crc32(SOURCE.read_bytes()))
    return SOURCE.with_name(f"lines-{checksum:08x}.shared")


@cache
def _library() -> ctypes.CDLL | None:
    """The library, if it was compiled, and for this machine."""
    try:
        library = ctypes.CDLL(str(library_path()))
    except OSError:
        return None
    library.wb_read_qrels.restype = Pointer
    library.wb_read_qrels.argtypes = (ctypes.c_char_p, Number, Number, ctypes.c_int, ctypes.c_uint64)
    for name in ("wb_topics", "wb_judgments", "wb_highest"):
        function = getattr(library, name)
        function.restype, function.argtypes = Number, (Pointer,)
    library.wb_list_topics.argtypes = (Pointer, ctypes.c_char_p, Pointer, Pointer, Pointer)
    library.wb_labels.argtypes = (Pointer, Pointer, Pointer)
    library.wb_read_run.argtypes = (Pointer, Pointer)
    library.wb_free.argtypes = (Pointer,)
    for name in ("wb_list_topics", "wb_labels", "wb_free"):
        getattr(library, name).restype = None
    return library
