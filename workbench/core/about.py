"""What the questions of a campaign are about."""

DOCUMENTS, CITATIONS, NUGGETS, ANSWERS, SPANS = "documents", "citations", "nuggets", "answers", "spans"
DOCUMENT_PAIRS, ANSWER_PAIRS, LIST_PAIRS = PAIRS = ("document-pairs", "answer-pairs", "list-pairs")
"""Two documents, two answers, or the first results of two runs, of which an assessor prefers one."""
ABOUT = (DOCUMENTS, CITATIONS, NUGGETS, ANSWERS, SPANS, *PAIRS)
"""What a question is about: documents, citations of sentences, nuggets with answers, answers, spans, pairs."""

ONE = {DOCUMENTS: "document", CITATIONS: "citation", NUGGETS: "nugget", ANSWERS: "answer", SPANS: "span"}
ONE |= dict.fromkeys(PAIRS, "pair")
"""What one of them is called."""
