"""Which of several sums is the larger, from some of their terms: evidence that may be looked at after every draw.

Each of S runs has the sum Σ_d w_s(d) g_d over N documents. The gains g_d become known one by one, in an order drawn
with probabilities proportional to sizes h_d among the documents that are left. Before the draw of document d, let C be
what the known documents add to the difference of two runs, and H the size of all that are left, d included. Then

    z = C + (w_s(d) - w_t(d)) g_d H / h_d

is the difference of the whole sums on average, whatever was drawn before. Who bets on "run s is not worse" has the
stake multiplied by 1 + λ z at each draw. If run s is worse, no way to bet gains on average, and to have ever multiplied
the stake by 1 / α has at most the probability α (Ville's inequality): one may look after every draw, and stop whenever
one likes. The stake is the evidence. Of "s is not worse" and "t is not worse" at most one can be wrong.

What a model says of the gains can be given beforehand, as in an audit that compares: with its gains f, fixed before the
first draw, the known sums begin with Σ_d w_s(d) f_d, and each draw adds g_d - f_d. The average is the same whatever f
is, and z varies the less the better f is; a gain or a difference of two gains is never more than the largest gain.

Source: I. Waudby-Smith, P. Stark and A. Ramdas, RiLACS: Risk Limiting Audits via Confidence Sequences, E-Vote-ID 2021;
P. Stark, ALPHA: Audit that Learns from Previously Hand-Audited Ballots, Annals of Applied Statistics 17 (2023);
R. Wang and A. Ramdas, False Discovery Rate Control with E-values, JRSS-B 84 (2022).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.methods.statistics.arrays import FloatArray, one_row

SHARE = 0.5
"""A bet risks at most this share of the stake, so that no draw can end it."""
NUMBERS_AT_A_TIME = 1 << 20
"""Draws are looked at together while their pairs of runs make up to this many numbers."""

BETS = tuple(2.0**power for power in range(1, -5, -1))
"""What a unit of a value is worth: values from a few tenths of a unit to about thirty units are found."""


class Evidence(NamedTuple):
    """Evidence for "run s is not worse than run t" after the draws; logarithms of stakes that began with 1.

    Attributes:
        now: float64 (S, S). As it stands; what holds for several pairs together in expectation needs this.
        highest: float64 (S, S). The highest that it ever was, at least 0.
        difference: float64 (S, S). The sum of s less that of t, as estimated: the mean of z, 0 without a draw.
        growth: float64 (S, S). What `now` is likely to grow by with each further draw, if these are like the past ones:
            mean(z)^2 / (2 mean(z^2)), at least 0. A guess, not a bound.
    """

    now: FloatArray
    highest: FloatArray
    difference: FloatArray
    growth: FloatArray

    def decided(self, alpha: float) -> NDArray[np.bool_]:
        """Where s is not worse than t, bool (S, S): for each pair alone, wrong with at most the probability alpha."""
        decided: NDArray[np.bool_] = self.highest >= -np.log(alpha)
        return decided

    def decided_together(self, alpha: float, pairs: int) -> NDArray[np.bool_]:
        """The same for all `pairs` pairs together: any one is wrong with at most the probability alpha (Bonferroni)."""
        return self.decided(alpha / max(1, pairs))

    def likely_decided(self, alpha: float, draws: int) -> NDArray[np.bool_]:
        """Where s is decided, or likely to be after `draws` further ones: a guess."""
        likely: NDArray[np.bool_] = self.decided(alpha) | (self.now + draws * self.growth >= -np.log(alpha))
        return likely

    def discovered(self, alpha: float, pairs: int) -> NDArray[np.bool_]:
        """The same by e-BH: on average at most the share alpha of those decided is wrong, at the moment one looks.

        Of the two directions of a pair at most one is wrong, so `pairs` counts each pair of runs once. With more draws
        a pair may leave the list again.
        """
        off = ~np.eye(len(self.now), dtype=np.bool_)
        stakes = np.sort(self.now[off])[::-1]
        enough = stakes >= np.log(max(1, pairs) / (alpha * np.arange(1, len(stakes) + 1)))
        if not enough.any():
            return np.zeros(self.now.shape, np.bool_)
        least = stakes[np.flatnonzero(enough)[-1]]
        found: NDArray[np.bool_] = off & (self.now >= least)
        return found


def evidence(
    weight: FloatArray,
    gain: FloatArray,
    size: FloatArray,
    left: FloatArray,
    *,
    known: FloatArray,
    worst: float,
) -> Evidence:
    """The evidence after n draws, in terms of the top of this module.

    `weight` is float64 (S, n); gains, sizes (above 0, fixed before the first draw) and `left`, what H was before each
    draw, are float64 (n). `known`, float64 (S), is what each run has from documents that were known before. Of no
    document, drawn or not, the gain times the difference of two weights can be more than `worst` times its size.
    """
    state = _State.first(known)
    if len(weight) > 1:
        step = max(1, NUMBERS_AT_A_TIME // len(weight) ** 2)
        for start in range(0, len(gain), step):
            at = slice(start, start + step)
            state = state.after(weight[:, at] * gain[at], left[at], left[at] / size[at], worst)
    mean, squares = (each / max(1, len(gain)) for each in (state.total, state.squares))
    rising = np.where(mean > 0, mean, 0.0) ** 2
    growth = np.divide(rising, 2 * squares, out=np.zeros_like(mean), where=squares > 0)
    return Evidence(state.stake, state.highest, mean, growth)


class _State(NamedTuple):
    """What the next bet depends on; all float64 (S, S).

    Attributes:
        ahead: C.
        total, squares: the sums of all z and of their squares.
        stake, highest: as in Evidence.
    """

    ahead: FloatArray
    total: FloatArray
    squares: FloatArray
    stake: FloatArray
    highest: FloatArray

    @classmethod
    def first(cls, known: FloatArray) -> _State:
        nothing = np.zeros((len(known), len(known)))
        return cls(known[:, None] - known, nothing, nothing, nothing, nothing)

    def after(self, worth: FloatArray, left: FloatArray, times: FloatArray, worst: float) -> _State:
        """The state after n draws: `worth` is float64 (S, n), `left` H and `times` H / h_d before each, float64 (n)."""
        gained = worth.T[:, :, None] - worth.T[:, None, :]
        ahead = _running(self.ahead, gained)
        z = ahead[:-1] + gained * times[:, None, None]
        total, squares = _running(self.total, z), _running(self.squares, z * z)
        lowest = ahead[:-1] - left[:, None, None] * worst
        stake = _running(self.stake, np.log1p(_bets(total[:-1], squares[:-1], lowest) * z))
        return _State(
            ahead[-1], total[-1], squares[-1], stake[-1], np.maximum(self.highest, stake.max(axis=0))
        )


def _running(before: FloatArray, parts: FloatArray) -> FloatArray:
    """The running sums of n parts, (n, S, S), from what was before: float64 (n + 1, S, S)."""
    sums: FloatArray = np.cumsum(np.concatenate([before[None], parts]), axis=0)
    return sums


def _bets(total: FloatArray, squares: FloatArray, lowest: FloatArray) -> FloatArray:
    """λ from what came before: the mean of z over that of its squares, and never so much that the stake could be lost.

    That ratio is what makes the stake grow fastest while bets are small. Where z cannot be below 0 there is nothing to
    lose, and nothing to learn either: the difference is certain.
    """
    wanted = np.divide(total, squares, out=np.zeros_like(total), where=squares > 0)
    most = np.divide(SHARE, -lowest, out=np.full_like(lowest, np.inf), where=lowest < 0)
    return np.asarray(np.clip(wanted, 0.0, most), np.float64)


def against_symmetry(values: ArrayLike) -> float:
    """Evidence that independent values, (topics,), are not as likely to be x as -x, each for itself; a logarithm.

    Of a bet λ the stake is the mean of Π exp(λ x) / cosh(λ x) and the same of -x: two-sided. In all it is the mean over
    bets of fixed sizes, so topics may come in any order, however many and however unequal they are.

    Source: V. H. de la Peña, Annals of Probability 27, 1999 (symmetric differences).
    """
    found = one_row(values)
    total = abs(float(found.sum()))
    stakes = [_log_cosh(bet * total) - float(np.sum(_log_cosh(bet * found))) for bet in BETS]
    return _mean_stake(np.array(stakes))


def against_mean(values: ArrayLike, least: float) -> float:
    """Evidence that values from 0 to 1, (topics,), are below `least` on average, where others do not tell of them.

    Of a bet λ up to 1 / (1 - least) the stake is Π (1 + λ (least - x)); otherwise as for `against_symmetry`.

    Source: I. Waudby-Smith and A. Ramdas, JRSS-B 86, 2024 (means of bounded values).
    """
    found = one_row(values)
    bets = np.array([0.9, 0.6, 0.3, 0.15])[:, None] / (1 - least)
    return _mean_stake(np.log1p(bets * (least - found)).sum(axis=1))


def _log_cosh(values: ArrayLike) -> FloatArray:
    there = np.asarray(values, np.float64)
    return np.asarray(np.logaddexp(there, -there) - math.log(2), np.float64)


def _mean_stake(logarithms: FloatArray) -> float:
    return float(np.logaddexp.reduce(logarithms)) - math.log(len(logarithms))
