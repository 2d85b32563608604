"""What answers about whole analyses hold, as JSON Schema."""

from __future__ import annotations

from workbench.web.api.schemas import (
    ANY_TEXT,
    BOOLEAN,
    INTEGER,
    NUMBER,
    Schema,
    described,
    list_of,
    named,
    one_of,
    or_null,
    thing,
)

LEVEL = one_of(("red", "amber", "fine", "unknown"))
SHARES: Schema = {"type": "object", "additionalProperties": NUMBER}
DOCUMENTS = dict.fromkeys(
    ("unique_relevant", "judged", "relevant", "topics", "judged_outside_pools"), INTEGER
)

ANALYSIS_SCHEMAS: dict[str, Schema] = {
    "CertainPairs": thing(
        {
            "seq": described(INTEGER, "The row of the log that it is as of."),
            "measure": ANY_TEXT,
            "exact": described(BOOLEAN, "Whether some way to judge the rest reaches each bound."),
            "topics": INTEGER,
            "judged": INTEGER,
            "waiting": described(INTEGER, "Pooled pairs without a grade."),
            "runs": list_of(thing({"run": ANY_TEXT, "mean": NUMBER})),
            "left_out": described(list_of(ANY_TEXT), "Runs that are not compared: it would take too long."),
            "certain": INTEGER,
            "tied": INTEGER,
            "open": INTEGER,
            "unlisted": described(
                list_of(ANY_TEXT), "Runs that count, whose pairs are not listed: name them."
            ),
            "pairs": list_of(
                thing(
                    {
                        "run_a": ANY_TEXT,
                        "run_b": ANY_TEXT,
                        **dict.fromkeys(("difference", "lower", "upper"), NUMBER),
                        "state": one_of(("certain", "open", "tied for certain")),
                    }
                )
            ),
        }
    ),
    "CertainCount": thing(
        {
            "seq": described(INTEGER, "The row of the log that it is as of."),
            "measure": ANY_TEXT,
            **dict.fromkeys(("certain", "tied", "open"), INTEGER),
            "left_out": described(INTEGER, "Runs that are not compared: it would take too long."),
            "text": described(ANY_TEXT, "The same in a sentence."),
        }
    ),
    "CertaintyHistory": thing(
        {
            "seq": described(INTEGER, "The row of the log up to which it goes."),
            "measure": ANY_TEXT,
            "points": list_of(
                thing(
                    {
                        "seq": described(INTEGER, "The row of the log that it is as of."),
                        **dict.fromkeys(("judged", "waiting"), INTEGER),
                        "pairs": described(INTEGER, "Pairs of runs that are compared."),
                        **dict.fromkeys(("certain", "tied"), INTEGER),
                        "share": described(
                            NUMBER, "The share of pairs that are certain or tied for certain."
                        ),
                    }
                )
            ),
        }
    ),
    "Witness": thing(
        {
            "ahead": ANY_TEXT,
            "behind": ANY_TEXT,
            "difference": NUMBER,
            "after": described(or_null(NUMBER), "The difference if judged so; null where no way was found."),
            "documents": list_of(
                thing(
                    {
                        "topic_id": ANY_TEXT,
                        "document_id": ANY_TEXT,
                        "grade": INTEGER,
                        "rank_behind": or_null(INTEGER),
                        "rank_ahead": or_null(INTEGER),
                    }
                )
            ),
        }
    ),
    "Decisions": thing(
        {
            "decisions": or_null(
                thing(
                    {
                        "seq": described(INTEGER, "The row of the log that it is as of."),
                        "measure": ANY_TEXT,
                        "alpha": described(NUMBER, "The risk of each decision that it is wrong."),
                        "pools": described(list_of(INTEGER), "The pools that were drawn in the order."),
                        "other_orders": described(
                            list_of(INTEGER), "Pools that were drawn in other orders, each with its own risk."
                        ),
                        "topics": INTEGER,
                        "documents": described(INTEGER, "All documents of the order."),
                        "pooled": described(INTEGER, "How many of the first are pooled."),
                        "drawn": described(
                            INTEGER, "How many of the first are judged: evidence is from these."
                        ),
                        "judged": described(INTEGER, "All that are judged, those behind a gap included."),
                        "elsewhere": described(INTEGER, "Pairs of other pools, which are not of the order."),
                        "left_out": list_of(ANY_TEXT),
                        "likely": described(
                            INTEGER, "Pairs likely to be known after as many again; a guess."
                        ),
                        "history": list_of(thing({"drawn": INTEGER, "decided": INTEGER})),
                        "pairs": list_of(named("Decision")),
                    }
                )
            ),
            "topics": or_null(
                list_of(
                    thing(
                        {
                            "topic_id": ANY_TEXT,
                            **dict.fromkeys(("found", "drawn", "of", "waiting"), INTEGER),
                            "missing": or_null(INTEGER),
                            "recall": or_null(NUMBER),
                        }
                    )
                )
            ),
        }
    ),
    "Decision": thing(
        {
            "run_a": ANY_TEXT,
            "run_b": ANY_TEXT,
            **dict.fromkeys(("difference", "lower", "upper"), NUMBER),
            "state": one_of(("certain", "decided", "open", "tied for certain")),
            "better": ANY_TEXT,
            "risk": described(NUMBER, "The smallest risk at which it is decided; 0 where it is certain."),
            "together": described(BOOLEAN, "Whether it holds together with all other pairs."),
            "in_list": described(BOOLEAN, "Whether it is in the list of which few are wrong on average."),
        }
    ),
    "RunWithout": thing(
        {
            "run": ANY_TEXT,
            **dict.fromkeys(("score", "score_without", "change"), NUMBER),
            **dict.fromkeys(("rank", "rank_without"), INTEGER),
            **dict.fromkeys(("change_percent", "score_at_cost"), or_null(NUMBER)),
            "rank_at_cost": or_null(INTEGER),
        }
    ),
    "LeftOut": thing(
        {
            "left_out": ANY_TEXT,
            "pairs": INTEGER,
            "unique_relevant": INTEGER,
            "runs": list_of(named("RunWithout")),
            "significant_pairs": or_null(
                thing(dict.fromkeys(("before", "agree", "lost", "gained", "reversed"), INTEGER))
            ),
            "at_cost": or_null(thing({"pairs": INTEGER, "unjudged": INTEGER, "depth": or_null(INTEGER)})),
        }
    ),
    "Reuse": thing(
        {
            "as_of": thing({"seq": INTEGER, "hash": ANY_TEXT}),
            "measure": ANY_TEXT,
            "by": one_of(("team", "run")),
            "depth": described(or_null(INTEGER), "Of the pools that were assumed; null for the campaign's."),
            **DOCUMENTS,
            "verdict": LEVEL,
            "reasons": list_of(thing({"level": LEVEL, "words": ANY_TEXT})),
            "notes": list_of(ANY_TEXT),
            "left_out": list_of(named("LeftOut")),
            "not_left_out": list_of(ANY_TEXT),
            "significance": thing({"test": ANY_TEXT}),
            "judged_at": thing({"cutoff": INTEGER, "runs": SHARES, "topics": SHARES}),
            "dense_topics": list_of(thing({"topic_id": ANY_TEXT, "judged": INTEGER, "relevant": INTEGER})),
            "late_topics": list_of(thing({"topic_id": ANY_TEXT, "last": INTEGER, "relevant": INTEGER})),
        }
    ),
}
"""By the names that `OPERATIONS` and other schemas refer to."""
