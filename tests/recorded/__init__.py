"""What commands and pages say of one eventful campaign, as it was when a person last read it.

After a change that is meant, record again, and read what `git diff` shows:

    RECORD=1 .venv/bin/python -m pytest tests/recorded
"""
