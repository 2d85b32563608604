"""What the questions of a campaign are about."""

from workbench.core.wording import translatable as _
from workbench.core.wording import translatable_counts

DOCUMENTS, CITATIONS, NUGGETS, ANSWERS, SPANS = "documents", "citations", "nuggets", "answers", "spans"
DOCUMENT_PAIRS, ANSWER_PAIRS, LIST_PAIRS = PAIRS = ("document-pairs", "answer-pairs", "list-pairs")
"""Two documents, two answers, or the first results of two runs, of which an assessor prefers one."""
ABOUT = (DOCUMENTS, CITATIONS, NUGGETS, ANSWERS, SPANS, *PAIRS)
"""What a question is about: documents, citations of sentences, nuggets with answers, answers, spans, pairs."""

ONE = {
    DOCUMENTS: _("document"),
    CITATIONS: _("citation"),
    NUGGETS: _("nugget"),
    ANSWERS: _("answer"),
    SPANS: _("span"),
}
ONE |= dict.fromkeys(PAIRS, _("pair"))
"""What one of them is called."""

COUNTED = {
    DOCUMENTS: translatable_counts("%(num)s document", "%(num)s documents"),
    CITATIONS: translatable_counts("%(num)s citation", "%(num)s citations"),
    NUGGETS: translatable_counts("%(num)s nugget", "%(num)s nuggets"),
    ANSWERS: translatable_counts("%(num)s answer", "%(num)s answers"),
    SPANS: translatable_counts("%(num)s span", "%(num)s spans"),
} | dict.fromkeys(PAIRS, translatable_counts("%(num)s pair", "%(num)s pairs"))
"""What several of them are called; `gettext` has it in other languages."""
