"""Models that judge: the judges that are declared in the log, and what they answered."""
