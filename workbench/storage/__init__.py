"""Storage: campaign files, the file of accounts, the instance folder, and their backups.

Here belongs every SQL statement and everything that opens, checks, copies or replaces one of these files.
Storage imports `core` and `methods`; it decides nothing about judging or scoring. Read first:
`campaign/log/log.py`, then `campaign/file/schema.py`.
"""
