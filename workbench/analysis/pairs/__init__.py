"""Single pairs as the organiser sees them: all that is known of one, and the pairs of a topic with their judgments."""
