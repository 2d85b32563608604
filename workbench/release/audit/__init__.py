"""The audit: a campaign file's consistency, check by check, and the round trip of what it exports."""
