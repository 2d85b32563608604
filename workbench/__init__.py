"""Pooling, relevance assessment and live scoring for information-retrieval evaluation.

As a library: `evaluate`, `evaluator`, `score_labels`, `read_run` and `read_qrels`, see `workbench.library`; `Campaign`,
see `workbench.release.reading`; `connect`, see `workbench.client`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.client import connect
    from workbench.library import Scores, evaluate, evaluator, read_qrels, read_run, score_labels
    from workbench.release.reading import Campaign

__version__ = "0.1.0"

__all__ = [
    "Campaign",
    "Scores",
    "__version__",
    "connect",
    "evaluate",
    "evaluator",
    "read_qrels",
    "read_run",
    "score_labels",
]


def __getattr__(name: str) -> Any:
    # The command line imports this package too, and should not wait for numpy.
    if name == "Campaign":
        from workbench.release import reading

        return reading.Campaign
    if name == "connect":
        from workbench import client

        return client.connect
    if name in __all__:
        from workbench import library

        return getattr(library, name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
