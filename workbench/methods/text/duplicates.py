"""Near duplicates: texts of the same words, or whose five-word shingles have a Jaccard similarity of at least 0.8.

MinHash proposes pairs, among many documents with locality-sensitive hashing, and the Jaccard similarity of the whole
sets of shingles decides. The result depends on the texts alone, neither on the order of documents nor on the process.
Sources: A. Broder, "On the resemblance and containment of documents", SEQUENCES 1997; J. Leskovec, A. Rajaraman and
J. Ullman, "Mining of Massive Datasets", chapter 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.methods.text.compared_words import runs_of, words_of

if TYPE_CHECKING:
    from datasketch import MinHash

SHINGLE = 5
"""Words of a shingle. A text of fewer words is a near duplicate only of texts of the same words."""

NEAR = (4, 5)
"""The smallest Jaccard similarity of near duplicates, 0.8, as a fraction: compared without rounding."""

BANDS, ROWS = 25, 5
"""125 minima make a signature, 25 bands of 5."""

ALIKE = 80
"""A pair is proposed when 80 of its 125 minima are equal: at a similarity of 0.8 it is missed with a probability of
0.00001, at 0.9 of 1e-15 (binomial distribution); of pairs at 0.6 four in five are spared the comparison.
"""

MANY = 1000
"""Among more documents than these only pairs with an equal band are looked at: at a similarity of 0.8 that misses a
pair with a probability of (1 - 0.8**5)**25 = 0.00005, at 0.9 of 1e-10; of unlike pairs (0.3) it leaves 6 %.
"""

SEED = 1

PART = 4096
"""Shingles that are hashed at once, so that a large text needs no large array (2 MB)."""

REMEMBERED_WORDS = 2**17

Shingles = NDArray[np.uint64]
"""The distinct shingles of a text as 64-bit hashes, ascending."""


class Signature(NamedTuple):
    """What a text is known by: a hash of its words in their order, and the 125 minima of its shingles, or no
    minima for a text of fewer than five words.
    """

    words: bytes
    minima: NDArray[np.uint32]


def sign(text: str) -> Signature | None:
    """The signature of a plain text, None when it has no words."""
    words = words_of(text)
    if not words:
        return None
    exact = blake2b("\n".join(words).encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return Signature(exact, _minima(_shingles(words)))


def shingles_of(text: str) -> Shingles:
    """The shingles of a plain text; none when it has fewer than five words."""
    return _shingles(words_of(text))


def jaccard_at_least(one: Shingles, other: Shingles, share: tuple[int, int] = NEAR) -> bool:
    """Whether the common shingles are at least that share of all shingles of both; never for texts without."""
    shorter, longer = sorted((len(one), len(other)))
    if not shorter or shorter * share[1] < longer * share[0]:
        return False
    common = len(np.intersect1d(one, other, assume_unique=True))
    return common * share[1] >= (shorter + longer - common) * share[0]


def clusters(
    signatures: Mapping[str, Signature | None], shingles: Callable[[str], Shingles]
) -> list[tuple[str, ...]]:
    """The clusters of documents whose texts have these signatures, as `near_duplicates` gives them.

    `shingles` gives those of one document; it is asked for proposed pairs only, one document often.
    """
    from scipy.cluster.hierarchy import DisjointSet

    union = DisjointSet(signatures)
    first: dict[bytes, str] = {}
    minima: dict[str, NDArray[np.uint32]] = {}
    for document_id, signature in sorted(signatures.items()):
        if signature is not None:
            same = first.setdefault(signature.words, document_id)
            union.merge(document_id, same)
            minima[same] = signature.minima
    for one, other in _proposed(minima):
        if not union.connected(one, other) and jaccard_at_least(shingles(one), shingles(other)):
            union.merge(one, other)
    return sorted(tuple(sorted(ids)) for ids in union.subsets() if len(ids) > 1)


def _proposed(minima: Mapping[str, NDArray[np.uint32]]) -> Iterator[tuple[str, str]]:
    """Pairs of documents that may be near duplicates, each once, in an order that the mapping's order gives."""
    ids = [document_id for document_id in minima if len(minima[document_id])]
    table = np.array([minima[document_id] for document_id in ids])
    for place, others in enumerate(
        _sharing_a_band(table) if len(ids) > MANY else map(np.arange, range(len(ids)))
    ):
        alike = np.count_nonzero(table[others] == table[place], axis=1) >= ALIKE
        yield from ((ids[other], ids[place]) for other in others[alike].tolist())


def _sharing_a_band(table: NDArray[np.uint32]) -> Iterator[NDArray[np.intp]]:
    """For each row the rows before it that are equal to it in one of the bands, ascending."""
    from datasketch import MinHashLSH

    index = MinHashLSH(num_perm=BANDS * ROWS, params=(BANDS, ROWS))
    for place, minima in enumerate(table):
        minhash = _minhash(minima)
        yield np.array(sorted(index.query(minhash)), np.intp)
        index.insert(place, minhash, check_duplication=False)


def _shingles(words: list[str]) -> Shingles:
    return np.unique(runs_of(np.fromiter(map(_number, words), np.uint64, len(words)), SHINGLE))


@lru_cache(REMEMBERED_WORDS)
def _number(word: str) -> int:
    """A word as a 64-bit number, the same in every process."""
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _minima(shingles: Shingles) -> NDArray[np.uint32]:
    if not len(shingles):
        return np.empty(0, np.uint32)
    minhash = _minhash(None)
    halves = (shingles >> np.uint64(32)).tolist()
    for start in range(0, len(halves), PART):
        minhash.update_batch(halves[start : start + PART])
    minima: NDArray[np.uint32] = minhash.hashvalues
    return minima


def _minhash(minima: NDArray[np.uint32] | None) -> MinHash:
    from datasketch import MinHash

    return MinHash(
        num_perm=BANDS * ROWS,
        seed=SEED,
        hashfunc=int,  # shingles are hashed already
        hashvalues=minima,
        permutations=_permutations(),
        scheme="affine32",
    )


@cache
def _permutations() -> NDArray[np.uint32]:
    from datasketch import MinHash

    made: NDArray[np.uint32] = MinHash(num_perm=BANDS * ROWS, seed=SEED, scheme="affine32").permutations
    return made
