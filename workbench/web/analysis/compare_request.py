"""What an address of the comparing pages asks for, read with suspicion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from werkzeug.datastructures import MultiDict

from workbench.analysis.comparing.all_pairs import STEPS
from workbench.analysis.figures.comparisons import CORRECTIONS
from workbench.core.errors import UnknownName
from workbench.core.seed import SEED
from workbench.core.values import LARGEST_INTEGER
from workbench.methods.measures import parse_measure

MOST_RUNS = 5
LONGEST = 1000
"""Letters of a measure or a run that are read."""

FIRST, SECOND = "AP", "nDCG@10"
DIFFERENCE = 0.05
POWER = 0.8
POWERS = (0.7, 0.8, 0.9, 0.95)


class Runs(NamedTuple):
    """Runs to be compared with the first of them, and a topic on which one of them is looked at closely."""

    tags: tuple[str, ...]
    measure: str
    topic: str
    closer: str
    as_of: int | None = None


class Pairs(NamedTuple):
    """A test of all pairs; `permutations` is None where the server is to choose."""

    measure: str
    baseline: str | None
    permutations: int | None
    seed: int
    correction: str
    as_of: int | None = None


class Boards(NamedTuple):
    """Two leaderboards: a measure each, as of a row of the log each, or now."""

    one: str
    two: str
    one_at: int | None
    two_at: int | None


class Plan(NamedTuple):
    """The difference that is to be seen, and the chance to see it."""

    measure: str
    difference: float
    power: float
    as_of: int | None = None


def runs(args: MultiDict[str, str]) -> Runs:
    """The runs of `?run=` in their order, `?baseline=` first.

    Raises UnknownName where there are more than five.
    """
    chosen = [args.get("baseline", ""), *args.getlist("run")]
    tags = tuple(dict.fromkeys(tag[:LONGEST] for tag in chosen if tag))
    if len(tags) > MOST_RUNS:
        message = f"at most {MOST_RUNS} runs can be compared at once, not {len(tags)}; all pairs has them all"
        raise UnknownName(message)
    topic, closer = args.get("topic", "")[:LONGEST], args.get("closer", "")[:LONGEST]
    return Runs(tags, measure(args), topic, closer, row(args))


def pairs(args: MultiDict[str, str]) -> Pairs:
    """What `?measure=&baseline=&permutations=&seed=&correction=` asks for; errors as in `whole` and `measure`."""
    seed, correction = whole(args, "seed", "the seed"), args.get("correction") or "tukey"
    if correction not in CORRECTIONS:
        message = f"the correction must be one of {', '.join(CORRECTIONS)}, not {correction[:40]!r}"
        raise UnknownName(message)
    return Pairs(
        measure(args),
        args.get("baseline", "")[:LONGEST] or None,
        whole(args, "permutations", "the number of permutations", least=1, most=STEPS[-1]),
        SEED if seed is None else seed,
        correction,
        row(args),
    )


def boards(args: MultiDict[str, str]) -> Boards:
    """What `?one=&two=&one_at=&two_at=` asks for; errors as in `whole` and `measure`."""
    return Boards(
        measure(args, "one"),
        measure(args, "two", FIRST if args.get("one_at") or args.get("two_at") else SECOND),
        row(args, "one_at"),
        row(args, "two_at"),
    )


def plan(args: MultiDict[str, str]) -> Plan:
    """What `?measure=&difference=&power=` asks for.

    Raises UnknownName for a difference that is no number above 0, or another power than POWERS.
    """
    difference = _number(args, "difference", DIFFERENCE)
    if not 0.0001 <= difference <= 1000:
        message = f"the difference must be a number above 0, like {DIFFERENCE}, not {difference:g}"
        raise UnknownName(message)
    power = _number(args, "power", POWER)
    if power not in POWERS:
        message = f"the chance must be one of {', '.join(map(str, POWERS))}, not {power:g}"
        raise UnknownName(message)
    return Plan(measure(args), difference, power, row(args))


def row(args: MultiDict[str, str], name: str = "as-of") -> int | None:
    """A row of the log, None for now; errors as in `whole`."""
    return whole(args, name, "the row of the log")


def measure(args: MultiDict[str, str], name: str = "measure", default: str = FIRST) -> str:
    """One measure of rankings by judgments; UnknownName for anything else."""
    text = args.get(name, "").strip()[:LONGEST] or default
    if parse_measure(text).measure.of != "judgments":
        message = (
            f"{text} needs judgments of subtopics or a sample with its design, which comparisons do not take"
        )
        raise UnknownName(message)
    return text


def whole(
    args: MultiDict[str, str], name: str, words: str, *, least: int = 0, most: int = LARGEST_INTEGER
) -> int | None:
    """A whole number, None where none is given; UnknownName for what is none, or beyond the limits."""
    text = args.get(name, "").strip().replace(",", "")
    if not text:
        return None
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 20 else None
    if number is None or not least <= number <= most:
        limits = f"from {least:,}" + (f" to {most:,}" if most < LARGEST_INTEGER else "")
        message = f"{words} must be a whole number {limits}, not {text[:40]!r}"
        raise UnknownName(message)
    return number


def best_two(tags: Sequence[str], means: Sequence[float], *, lowest: bool) -> tuple[str, ...]:
    """The two runs at the top, the better one first; what is compared by default."""
    merit = dict(zip(tags, ((-mean if lowest else mean) for mean in means), strict=True))
    return tuple(sorted(tags, key=lambda tag: -merit[tag])[:2])


def _number(args: MultiDict[str, str], name: str, default: float) -> float:
    text = args.get(name, "").strip()
    try:
        return float(text) if text else default
    except ValueError:
        message = f"{name} must be a number, not {text[:40]!r}"
        raise UnknownName(message) from None
