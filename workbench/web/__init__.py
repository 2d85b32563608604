"""The web application: pages and addresses, each of which calls one function of a room and shows what it returns.

`app.py` puts the application together; `requests/` and `access/` are what every page needs; the page families
have the same names in `templates/` and `static/`; `server/` runs the application. The
web imports every room and never the command line. Read first: `access/rules.py`, then `judging/judge.py`.
"""
