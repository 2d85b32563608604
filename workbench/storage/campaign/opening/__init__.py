"""Opening: a campaign file is made, checked and copied, and compared with its hashes.

It imports all other parts. Read first: opening.py, then damage.py.
"""
