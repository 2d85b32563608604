"""Documents of every kind of collection met in the field."""
