"""Members: roles given and taken, invitations, links for a new password, and offers that a person accepts."""
