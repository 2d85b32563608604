"""Backups: made on a ladder of ages, checked, compressed, and restored."""
