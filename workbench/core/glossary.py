"""The glossary: every term of art on the screens in one sentence, for pages and for docs/use/glossary.md alike."""

from __future__ import annotations

GLOSSARY = {
    "AC1": (
        "Agreement corrected for chance in a way that stays stable where nearly all pairs have one "
        "grade (Gwet)."
    ),
    "adaptive pool": "A pool that chooses its next documents by what is judged so far, while it is judged.",
    "additive measure": (
        "A measure that is a sum over documents of a gain times the weight of a rank, such as P, RBP and DCG."
    ),
    "adjudication": "The decision on a pair of which assessors disagree, which becomes its label.",
    "as of": (
        "Everything as it stood after one log row; a date or a time stands for the last row written up to it."
    ),
    "baseline": "The run that the other runs are compared with.",
    "Benjamini-Hochberg": (
        "A correction of many p-values by which at most 5 % of the differences called significant are "
        "false, on average."
    ),
    "bootstrap": "Drawing the topics, or pairs, again with replacement to see how much a number varies.",
    "bounds": (
        "The lowest and the highest value that a score, or a difference, can have once every pooled "
        "pair is judged."
    ),
    "certain pair": "Two runs whose order stays the same however the rest of the pool is judged.",
    "claim": (
        "A topic that an assessor takes for a while: others cannot judge it until it is released or expires."
    ),
    "conflict": "A pair to which assessors gave different grades and which no adjudicator has decided.",
    "datasheet": "Standard questions on how a collection was made and what it is fit for, with the campaign's answers.",
    "decided pair": (
        "Two runs of which one is shown not to be worse than the other, with at most the stated risk "
        "of being wrong, however often one looks."
    ),
    "double judging": "A random sample of pairs that two assessors judge, each without the other's grade.",
    "drift": "A change of how strictly, or how fast, an assessor judges as the campaign goes on.",
    "effect size": (
        "The mean difference of two runs divided by the standard deviation of their differences over "
        "topics (d_z)."
    ),
    "hidden repeats": "Documents that an assessor is shown again without being told, to measure self-agreement.",
    "Holm": (
        "A correction of many p-values by which one false positive or more occurs in at most 5 % of "
        "the cases."
    ),
    "inclusion probability": "The probability with which a pair was drawn into a sample; weights are its inverse.",
    "interval": (
        "A range around a value, computed so that it contains the true value in 95 % of repetitions, or in the share "
        "that is named."
    ),
    "interpolated precision": "At each recall, the highest precision at this recall or a greater one.",
    "kappa": "Agreement corrected for what chance would give: Cohen's for two assessors, Fleiss' for more.",
    "Kendall's tau": (
        "Of all pairs of runs, the share in the same order on two leaderboards minus the share in "
        "opposite order; tau_b takes ties into account."
    ),
    "Krippendorff's alpha": "Agreement by grade, corrected for chance, for any number of assessors and missing grades.",
    "label": "The one grade that counts for a pair, by the campaign's rule, where several were given.",
    "leaving out": (
        "Scoring all runs without the judgments of documents that only one team, or run, put into the "
        "pools: what it then loses is what a system that took no part may miss."
    ),
    "log row": "One entry of the campaign's append-only log, numbered from 1; every result belongs to one.",
    "max-T": (
        "A test of all pairs of runs at once by the largest difference that random signs produce: one "
        "false positive or more occurs in at most 5 % of the cases."
    ),
    "near duplicate": "A document whose text is almost the same as another's in the same topic.",
    "norming session": "A few documents that all assessors judge alone and then discuss; the grades do not count.",
    "open pair": "Two runs whose order the judgments so far leave undecided.",
    "paired t-test": "A test of the mean difference between two runs over the same topics.",
    "pool": (
        "The documents of each topic that assessors judge, chosen from the runs; all others count as "
        "not relevant."
    ),
    "pool depth": "How far down each run documents are taken into the pool.",
    "power": "The probability that a test detects a difference of a given size.",
    "practice set": (
        "Judged pairs with known grades that an assessor judges first, with feedback; these grades "
        "never count."
    ),
    "prels": "Judgments of a sample, each with the probability with which its document was drawn.",
    "p-value": (
        "The probability of a difference at least as large as the one seen, if the two runs were in truth equally good."
    ),
    "qrels": "The released judgments: topic, document and grade, one a line.",
    "quota": "The most that the files of one campaign may take on the server's disk.",
    "randomisation test": (
        "A test of the mean difference between two runs that exchanges their scores on random topics."
    ),
    "randomised Tukey HSD": (
        "A test of all pairs of runs at once: scores are permuted among the runs of each topic, and a "
        "difference counts if a range between best and worst that is at least as large is rare."
    ),
    "rationale": "A piece of a document that an assessor marked as the reason for a grade.",
    "RBO": "Rank-biased overlap: how much two rankings share, with more weight on the first ranks.",
    "release bundle": "One archive with everything that a campaign publishes, the same bytes for the same log row.",
    "residual collection": "What is left of a round's rankings when the pairs judged before the round are taken out.",
    "ROC curve": "The share of relevant documents found over the share of others found, down a ranking.",
    "round": (
        "A stretch of a campaign with runs, topics, pools and judgments of its own; each opens with a "
        "log row."
    ),
    "second factor": "A code from an app on another device that signing in asks for besides the password.",
    "self-agreement": "How often an assessor gives the same grade to the same pair twice.",
    "sign test": (
        "A test that counts on how many topics one run is better than the other, whatever the size of "
        "the difference."
    ),
    "stratum": "A part of the candidates from which documents are drawn with one probability.",
    "tau_AP": (
        "Kendall's tau with more weight on the top of the leaderboard; tau_AP,b is symmetric and counts ties."
    ),
    "team sheet": "A team's own results beside the median and the best of all teams.",
    "unique relevant document": "A relevant document that only one team, or one run, put into the pools.",
    "viewing order": "The order in which assessors are shown the documents of a topic.",
    "Wilcoxon test": "A test of two runs by the ranks of their differences on the topics.",
}
"""Terms by name; `anchor` makes the name of the place of one on a page."""


def anchor(term: str) -> str:
    """The fragment of an address at which a page has a term: `Kendall's tau` is `kendall-s-tau`."""
    return "".join(letter if letter.isalnum() else "-" for letter in term.lower())
