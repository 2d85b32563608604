"""Files about answers: which nuggets each answer holds."""
