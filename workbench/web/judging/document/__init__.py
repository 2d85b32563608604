"""How a document is shown: always as its words, never as its code, with marks on the words that matter.

A document's text is untrusted. It leaves here as HTML of our own making: the words of plain text between
tags that we write, or the cleaned tags of a page around its words. It is shown in a frame that cannot run, load
or navigate anything.
"""
