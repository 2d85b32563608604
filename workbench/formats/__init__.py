"""Files of the field and the records they become: runs, qrels, topics, documents, plain or compressed.

Foreign words (qid, docno, iteration) live here and nowhere else. Every reader refuses a bad file as a whole
with `workbench.errors.InputError`, which names file, line, value and the way out. Identifiers stay text.
"""
