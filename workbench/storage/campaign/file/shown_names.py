"""The names by which people are shown, in SQL."""


def shown(column: str) -> str:
    """An SQL expression of the name that is shown for the id in a column."""
    return f"coalesce((SELECT shown FROM person WHERE id = {column}), {column})"
