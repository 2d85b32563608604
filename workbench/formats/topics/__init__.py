"""Topic files of every kind met in the field."""
