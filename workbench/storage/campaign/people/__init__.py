"""People: members of a campaign, what each keeps for their own work, and what is stored about each of them.

It imports the file, the log, the collection and the grades. Read first: members.py, then identities.py.
"""
