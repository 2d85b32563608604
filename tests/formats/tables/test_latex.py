"""Sheets as LaTeX."""

from __future__ import annotations

from workbench.core.results import Column
from workbench.formats.tables.latex import as_latex
from workbench.formats.tables.sheets import Sheet, with_best


def test_its_own_characters_are_harmless_and_signs_are_mathematics() -> None:
    columns = (
        Column("Run", "run", "text"),
        Column("p_t %", "p", "p"),
        Column("Δ", "difference", "signed"),
        Column("gm", "gm", "value"),
    )
    sheet = Sheet(columns, (("a_b & c", 0.00001, -0.25, -0.5), ("=1+1", None, 0.1, 0)))
    assert "".join(as_latex(sheet)).splitlines() == [
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"Run & p\_t \% & Δ & gm \\",
        r"\midrule",
        r"a\_b \& c & $<0.0001$ & $-0.2500$ & -0.5000 \\",
        r"=1+1 &  & $+0.1000$ & 0.0000 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_the_best_values_are_bold() -> None:
    columns = [Column("Run", "run", "text"), Column("AP", "ap", "value", "highest")]
    lines = "".join(as_latex(with_best(columns, [("bm25", 0.5), ("a_b", 0.25)]))).splitlines()
    assert lines[4:6] == [r"bm25 & \textbf{0.5000} \\", r"a\_b & 0.2500 \\"]
