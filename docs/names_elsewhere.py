"""What other programs call our measures: tool -> its name there, and how it differs if it does."""

from __future__ import annotations

ELSEWHERE: dict[str, dict[str, str]] = {
    "AP": {"ir-measures": "`AP`, `AP@k`", "pytrec_eval": "`map`, `map_cut_k`", "ranx": "`map`, `map@k`"},
}
