"""What every page family needs: connections to files, answers, headers, limits on requests, and long work."""
