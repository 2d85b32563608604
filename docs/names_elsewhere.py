"""What other programs call our measures: tool -> its name there, and how it differs if it does.

Their versions: pytrec_eval-terrier 0.5.11, ir-measures 0.4.3, ranx 0.3.21, trectools 0.0.50, cwl_eval 1.0.12,
pyNTCIREVAL of July 2019, gdeval.pl 1.3, ndeval.c 4.5, pyndeval 0.0.8. A name alone means the same value, but for
the order of equal scores and what docs/audits/differences_of_peers.md says of the tool as a whole. Where a tool is
missing, it has no such measure. `k` stands for a cutoff.
"""

from __future__ import annotations

ELSEWHERE: dict[str, dict[str, str]] = {
    "NumQ": {
        "pytrec_eval": "`num_q`",
        "ir-measures": "`NumQ`, which leaves out judged topics that the run lacks",
    },
    "NumRet": {
        "pytrec_eval": "`num_ret`",
        "ir-measures": "`NumRet`",
        "trectools": "`get_retrieved_documents`, topics without judgments as well",
    },
    "NumRel": {
        "pytrec_eval": "`num_rel`",
        "ir-measures": "`NumRel`, which leaves out judged topics that the run lacks",
        "trectools": "`get_relevant_documents`",
    },
    "NumRelRet": {
        "pytrec_eval": "`num_rel_ret`",
        "ir-measures": "`NumRelRet`, `NumRet(rel=1)`",
        "ranx": "`hits`, averaged over topics instead of added up",
        "trectools": "`get_relevant_retrieved_documents`",
    },
    "NumNonrelJudgedRet": {"pytrec_eval": "`num_nonrel_judged_ret`"},
    "SetP": {"pytrec_eval": "`set_P`", "ir-measures": "`SetP`", "ranx": "`precision`"},
    "SetRelP": {"pytrec_eval": "`set_relative_P`", "ir-measures": "`SetP(relative=True)`, `SetRelP`"},
    "SetR": {"pytrec_eval": "`set_recall`", "ir-measures": "`SetR`", "ranx": "`recall`"},
    "SetF": {
        "pytrec_eval": "`set_F`; the number after it is the square of beta",
        "ir-measures": "`SetF(beta=4)`, which is ours with `beta=2`: it takes the square",
        "ranx": "`f1`; with a cutoff, `f1@k` divides precision by k also where fewer were retrieved",
    },
    "SetAP": {"pytrec_eval": "`set_map`", "ir-measures": "`SetAP`"},
    "SetAccuracy": {
        "ir-measures": "none; its `Accuracy` is the share of pairs of retrieved documents in right order",
    },
    "Utility": {"pytrec_eval": "`utility`"},
    "P": {
        "pytrec_eval": "`P_k`",
        "ir-measures": "`P@k`",
        "ranx": "`precision@k`",
        "trectools": "`get_precision(depth=k)`",
        "cwl_eval": "`P@k`",
        "pyNTCIREVAL": "`P@k`",
    },
    "R": {"pytrec_eval": "`recall_k`", "ir-measures": "`R@k`", "ranx": "`recall@k`"},
    "RelP": {"pytrec_eval": "`relative_P_k`"},
    "Success": {
        "pytrec_eval": "`success_k`",
        "ir-measures": "`Success@k`",
        "ranx": "`hit_rate@k`",
        "pyNTCIREVAL": "`Hit@k`",
    },
    "AP": {
        "pytrec_eval": "`map`, `map_cut_k`; `gm_map`, whose values of topics are logarithms",
        "ir-measures": "`AP`, `AP@k`",
        "ranx": "`map`, `map@k`",
        "trectools": "`get_map(depth=k)`; `get_geometric_map`, where only 0 becomes 0.00001",
        "cwl_eval": "`AP`, divided by the relevant documents that were retrieved, not by all",
        "pyNTCIREVAL": "`AP`; `AP@k` is divided by min(k, R), not by R",
    },
    "RR": {
        "pytrec_eval": "`recip_rank`",
        "ir-measures": "`RR`; `RR@k`, with equal scores in ascending order of ids",
        "ranx": "`mrr`, `mrr@k`",
        "trectools": "`get_reciprocal_rank(depth=k)`",
        "cwl_eval": "`RR`",
        "pyNTCIREVAL": "`RR`",
    },
    "Rprec": {
        "pytrec_eval": "`Rprec`",
        "ir-measures": "`Rprec`",
        "ranx": "`r-precision`",
        "trectools": "`get_rprec`, of the first 1,000 documents",
    },
    "RprecMult": {"pytrec_eval": "`Rprec_mult_0.20` and so on"},
    "binG": {"pytrec_eval": "`binG`"},
    "IPrec": {
        "pytrec_eval": "`iprec_at_recall_0.10` and so on, as ours with `rounding=up`",
        "ir-measures": "`IPrec@0.1`, as ours with `rounding=up`",
        "ranx": "for curves only, as ours with `rounding=up`",
    },
    "IPrec11": {"pytrec_eval": "`11pt_avg`, as ours with `rounding=up`"},
    "DCG": {"ranx": "`dcg`; `dcg_burges`, as ours with `gains=exp`"},
    "nDCG": {
        "pytrec_eval": "`ndcg`, `ndcg_cut_k`",
        "ir-measures": (
            "`nDCG`, `nDCG@k`, `nDCG(gains={0:0,1:3})@k`; `nDCG(dcg='exp-log2')@k` is ours with `gains=exp`, "
            "in five digits"
        ),
        "ranx": "`ndcg`, `ndcg@k`; `ndcg_burges` is ours with `gains=exp`; `ndcg-l2` takes away the gain of grade 1",
        "trectools": "`get_ndcg(depth=k)`; with `trec_eval=False`, ours with `gains=exp`",
        "cwl_eval": "none; its `NDCG-k@k` is divided by the gain of k perfect documents",
        "pyNTCIREVAL": "`MSnDCG@k`; its `nDCG@k` is ours with `discount=below-base`",
        "gdeval": "`ndcg@k` is ours with `gains=exp`, in five digits; no topics without a relevant document",
    },
    "nDCGrel": {"pytrec_eval": "`ndcg_rel`"},
    "Rndcg": {"pytrec_eval": "`Rndcg`"},
    "G": {"pytrec_eval": "`G`"},
    "Q": {"pyNTCIREVAL": "`Q-measure`; its `Q@k` is divided by min(k, R)"},
    "O": {"pyNTCIREVAL": "`O-measure`"},
    "ERR": {
        "ir-measures": "`ERR@k`, that of gdeval",
        "gdeval": "`err@k`, always with `max_grade=4`, in five digits; no topics without a relevant document",
        "pyNTCIREVAL": "`ERR`, where a document satisfies with probability gain / (highest gain + 1)",
    },
    "nERR": {"pyNTCIREVAL": "`nERR@k`, where a document satisfies with probability gain / (highest gain + 1)"},
    "RBP": {
        "ir-measures": "`RBP(p=0.8,rel=1)`, that of cwl_eval; refused without `rel`",
        "ranx": "`rbp.80`, which multiplies by the grade as it is, so that it may be above 1",
        "trectools": "`get_rbp(p=0.8)`",
        "cwl_eval": "`RBP@0.8`, over 1,000 ranks, whose weights are scaled to add up to 1",
        "pyNTCIREVAL": "`RBP`, with p = 0.95 and gains divided by the highest gain",
    },
    "Compat": {
        "ir-measures": "`Compat`, whose sums end with the longer ranking; a score below 0 ranks as not retrieved",
    },
    "RBPResidual": {"trectools": "the second value that `get_rbp` returns", "cwl_eval": "the residuals that `-r` adds"},
    "INST": {
        "cwl_eval": "`INST-T=1`, over 1,000 ranks, so a little higher",
        "ir-measures": "`INST(T=1,max_rel=1)`, that of cwl_eval",
    },
    "INSQ": {
        "cwl_eval": "`INSQ-T=1`, over 1,000 ranks, so a little higher",
        "ir-measures": "`INSQ(T=1,max_rel=1)`, that of cwl_eval",
    },
    "Bpref": {
        "pytrec_eval": "`bpref`; `gm_bpref`, whose values of topics are logarithms",
        "ir-measures": "`Bpref`",
        "ranx": "`bpref`, nan where no document is judged non-relevant, and with negative grades as non-relevant",
        "trectools": "`get_bpref`",
    },
    "infAP": {"pytrec_eval": "`infAP`", "ir-measures": "`infAP`"},
    "Judged": {"ir-measures": "`Judged@k`, with equal scores in ascending order of ids"},
    "Unjudged": {"trectools": "`get_unjudged(depth=k)`"},
    "alpha_DCG": {
        "ir-measures": "`alpha_DCG@k`, that of pyndeval",
        "pyndeval": "`alpha-DCG@k`, with k up to 20; not divided at rank 1",
        "ndeval": "`alpha-DCG@k`; not divided at rank 1; takes ranks, not scores, unless told `-traditional`",
    },
    "alpha_nDCG": {
        "ir-measures": "`alpha_nDCG@k`, that of pyndeval",
        "pyndeval": "`alpha-nDCG@k`, with k up to 20",
        "ndeval": "`alpha-nDCG@k`; takes ranks, not scores, unless told `-traditional`",
    },
    "ERR_IA": {
        "ir-measures": "`ERR_IA@k`, that of pyndeval",
        "pyndeval": "`ERR-IA@k`, with k up to 20; not divided at rank 1",
        "ndeval": "`ERR-IA@k`; not divided at rank 1",
    },
    "nERR_IA": {
        "ir-measures": "`nERR_IA@k`, that of pyndeval",
        "pyndeval": "`nERR-IA@k`, with k up to 20",
        "ndeval": "`nERR-IA@k`",
    },
    "NRBP": {"ir-measures": "`NRBP`, that of pyndeval", "pyndeval": "`NRBP`", "ndeval": "`NRBP`"},
    "nNRBP": {
        "ir-measures": "`nNRBP`, that of pyndeval",
        "pyndeval": "`nNRBP`, nan for a topic without a relevant document",
        "ndeval": "`nNRBP`, nan for a topic without a relevant document",
    },
    "P_IA": {
        "ir-measures": "`P_IA@k`, that of pyndeval",
        "pyndeval": "`P-IA@k`, with k up to 20",
        "ndeval": "`P-IA@k`",
    },
    "AP_IA": {"ir-measures": "`AP_IA`, that of pyndeval", "pyndeval": "`MAP-IA`", "ndeval": "`MAP-IA`"},
    "StRecall": {
        "ir-measures": "`StRecall@k`, that of pyndeval",
        "pyndeval": "`strec@k`, with k up to 20",
        "ndeval": "`strec@k`",
    },
}  # fmt: skip
