"""People: who they are, how they prove it, who invited them, and what is stored about them.

Here belong accounts, their sessions, passwords and second factors (`accounts/`), invitations and the roles that
they give (`members/`), pseudonyms, and the export of one person's data. It imports the rooms up to `campaign`.
Read first: `accounts/file.py`, then `members/inviting.py`.
"""
