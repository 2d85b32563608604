"""Formats: the files of the field and the records they become, and tables that are written.

Here belongs everything that knows how a kind of file looks: runs, qrels, topics, documents, lists of
assignments. Foreign words (qid, docno, iteration) live here and nowhere else. Every reader refuses a bad file
as a whole with `core.errors.InputError`, which names file, line, value and the way out; identifiers stay
text. A format imports `core` and nothing of campaigns. Read first: `runs.py`; `text/` has what all readers of
text share.

One function for each of topics and documents finds the kind of a file, without a registry: its tests are
asked in an order, in which one kind is what others are not. Tried for the topics, eight entries of a test and a
reader took 46 lines in place of 25, and a new kind still had to be put in its place among them. Runs have one kind.
"""
