"""Text files, whatever they hold: compression, encoding, lines, columns, JSON values, identifiers."""
