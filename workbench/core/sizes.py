"""How many bytes a value takes in memory, estimated from a sample of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from gc import get_referents
from itertools import islice
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np

SAMPLE, FEWEST = 64, 4
"""Elements of a large container that are looked at, and of large ones in it, in each of these a quarter as many."""

STRIDE = 64
"""Of containers in others only the beginning is gone through: an element in so many is looked at."""

_CODE = (type, ModuleType, FunctionType, BuiltinFunctionType)


def size_of(value: object, *, apart: tuple[type, ...] = ()) -> int:
    """The bytes of a value with all that it refers to, each object counted once.

    Left out are code, files mapped into memory, and objects of the types `apart`. Other elements of a large container
    count like those that are looked at. Other threads may change the value meanwhile.
    """
    total, seen = 0.0, set[int]()
    waiting: list[tuple[object, float, int]] = [(value, 1.0, SAMPLE)]
    while waiting:
        found, weight, most = waiting.pop()
        if id(found) in seen or isinstance(found, (*_CODE, *apart)):
            continue
        seen.add(id(found))
        total += weight * sys.getsizeof(found)
        parts, share = _parts(found, most)
        fewer = max(FEWEST, most // 4) if len(parts) > SAMPLE // 4 else most
        waiting += [(part, weight * share, fewer) for part in parts]
    return round(total)


def _parts(found: object, most: int) -> tuple[Sequence[object], float]:
    """What an object refers to, or a sample of it; and how many times as many there are.

    Nothing here runs code of the elements, so no other thread can change a container while it is gone through.
    """
    if isinstance(found, np.ndarray):
        return [found.base], 1  # what a view shows is all in memory
    if not isinstance(found, (dict, list, tuple, set, frozenset)):
        return get_referents(found), 1
    step = max(-(-len(found) // most), 1)
    if most < SAMPLE:
        step = min(step, STRIDE)
    # By the methods of `dict`: those of subclasses may run code, and `get_referents` leaves out texts that are keys.
    parts = list(islice(dict.keys(found) if isinstance(found, dict) else found, 0, most * step, step))
    share = len(found) / max(len(parts), 1)
    if isinstance(found, dict):
        parts += islice(dict.values(found), 0, most * step, step)
    return parts, share
