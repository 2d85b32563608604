"""The progress of a campaign, and its warnings."""
