"""Reusability: what those who took part lose without their own documents, and what others may miss."""
