"""What is sent to models and what comes back: templates of prompts, cut texts, and how a reply becomes a grade."""
