"""Formats: the files of the field and the records they become, and tables that are written.

Here belongs everything that knows how a kind of file looks: runs, qrels, topics, documents, lists of
assignments. Foreign words (qid, docno, iteration) live here and nowhere else. Every reader refuses a bad file
as a whole with `core.errors.InputError`, which names file, line, value and the way out; identifiers stay
text. A format imports `core` and nothing of campaigns. Read first: `runs.py`; `text/` has what all readers of
text share.
"""
