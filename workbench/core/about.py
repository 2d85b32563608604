"""What the questions of a campaign are about."""

DOCUMENTS, CITATIONS, NUGGETS, ANSWERS, SPANS = "documents", "citations", "nuggets", "answers", "spans"
ABOUT = (DOCUMENTS, CITATIONS, NUGGETS, ANSWERS, SPANS)
"""What a question is about: documents, citations of sentences, nuggets with answers, answers, spans of documents."""

ONE = {DOCUMENTS: "document", CITATIONS: "citation", NUGGETS: "nugget", ANSWERS: "answer", SPANS: "span"}
"""What one of them is called."""
