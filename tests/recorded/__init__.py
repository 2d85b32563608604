"""What commands and pages say of eventful campaigns, and the program's numbers, as a person last read them.

After a change that is meant, record again, and read what `git diff` shows:

    RECORD=1 .venv/bin/python -m pytest tests/recorded
"""
