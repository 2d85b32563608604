"""What the questions of a campaign are about."""

DOCUMENTS, CITATIONS, NUGGETS, ANSWERS = "documents", "citations", "nuggets", "answers"
ABOUT = (DOCUMENTS, CITATIONS, NUGGETS, ANSWERS)
"""What a question is about: documents, citations of sentences of answers, nuggets with answers, or whole answers."""

ONE = {DOCUMENTS: "document", CITATIONS: "citation", NUGGETS: "nugget", ANSWERS: "answer"}
"""What one of them is called."""
