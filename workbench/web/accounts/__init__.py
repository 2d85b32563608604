"""Signing in and out, one's own account, invitations, and the people of a campaign."""
