"""Pooling, relevance assessment and live scoring for information-retrieval evaluation.

As a library: `evaluate`, `read_run` and `read_qrels`, see `workbench.library`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.library import Scores, evaluate, read_qrels, read_run

__version__ = "0.1.0"

__all__ = ["Scores", "__version__", "evaluate", "read_qrels", "read_run"]


def __getattr__(name: str) -> Any:
    # The command line imports this package too, and should not wait for numpy.
    if name in __all__:
        from workbench import library

        return getattr(library, name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
