"""Packed numbers are readable by anyone who knows two formats."""

from __future__ import annotations

import struct

import numpy as np

from workbench.storage.campaign.collection.ranking_blobs import (
    pack_documents,
    pack_scores,
    unpack_documents,
    unpack_scores,
)


def test_documents_are_little_endian_unsigned_32_bit_numbers() -> None:
    numbers = np.array([0, 1, 2**32 - 1], np.uint32)
    assert pack_documents(numbers) == struct.pack("<3I", 0, 1, 2**32 - 1)
    assert pack_documents(numbers.astype(">u4")) == pack_documents(numbers)
    assert unpack_documents(pack_documents(numbers)).tolist() == numbers.tolist()


def test_scores_are_little_endian_64_bit_floats() -> None:
    scores = np.array([1.5, -0.0, 1e308, np.inf, -np.inf, 5e-324])
    assert pack_scores(scores) == struct.pack("<6d", *scores)
    assert pack_scores(scores.astype(">f8")) == pack_scores(scores)
    assert unpack_scores(pack_scores(scores)).tobytes() == scores.tobytes()
