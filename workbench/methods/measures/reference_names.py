"""The names of the reference program, trec_eval: how they are built, in which order it prints, what it abbreviates."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from workbench.methods.measures.parameters import Value

STANDARD_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""The cutoffs of the reference program where a family of measures is asked for by its bare name."""


@dataclass(frozen=True)
class TrecEvalName:
    """One name of the reference program.

    Attributes:
        template: `map`, or `P_{cutoff}` with the parameter that stands after the family's name.
        defaults: the values of that parameter where the family is asked for by its bare name.
        fixed: parameters that the name itself settles: `gm_map` is AP with mean=geometric.
        reads: for names whose whole text after the dot is one thing (`utility.1,-1,0,0`): the parameters it
            means; ValueError if it means none. The printed name repeats that text.
    """

    template: str
    defaults: tuple[Value, ...] = STANDARD_CUTOFFS
    fixed: Mapping[str, Value] = field(default_factory=dict)
    reads: Callable[[str], Mapping[str, Value]] | None = None

    @property
    def family(self) -> str:
        """What stands after `-m` in the reference program, up to the dot."""
        return self.template.partition("_{")[0]

    @property
    def parameter(self) -> str | None:
        """The parameter that the name carries, if any."""
        inside = re.search(r"\{(\w+)", self.template)
        return inside[1] if inside else None

    def printed(self, given: Mapping[str, Value]) -> str:
        """The name as it is printed with these values of parameters."""
        return self.template.format(**given)


PRINTING_ORDER = tuple(
    """
    runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P relstring recall
    infAP gm_bpref Rprec_mult utility 11pt_avg binG G dcg ideal_dcg ndcg ndcg_rel Rndcg ndcg_cut map_cut
    relative_P success set_P set_relative_P set_recall set_map set_F num_nonrel_judged_ret yaap rbp rbp_resid unj
    """.split()
)
"""Families in the order of the reference program's table (measures.c): it prints in this order, whatever was asked."""

TEXTS = ("runid", "relstring")
"""Families whose values are words, not numbers."""

NICKNAMES: dict[str, tuple[str, ...]] = {
    "official": tuple(
        "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P".split()
    ),
    "set": tuple(
        "runid num_q num_ret num_rel num_rel_ret utility set_P set_recall set_relative_P set_map set_F".split()
    ),
    "all_trec": tuple(name for name in PRINTING_ORDER if name not in {"dcg", "ideal_dcg", "yaap"}),
}
"""Names for several families (measures.c)."""

REFUSED = {
    name: f"{what}, which is not read here; give qrels of four columns and measures of rankings"
    for what, names in {
        "a measure of preferences between documents": """
            prefs all_prefs prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret prefs_simp prefs_pair
            prefs_avgjg prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret prefs_avgjg_ret prefs_avgjg_Rnonrel_ret
            prefs_simp_imp prefs_pair_imp prefs_avgjg_imp""",
        "a measure over groups of judgments": "qrels_jg map_avgjg P_avgjg Rprec_mult_avgjg",
    }.items()
    for name in names.split()
}
"""Names that the reference knows and this program does not, with the reason."""
