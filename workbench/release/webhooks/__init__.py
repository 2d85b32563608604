"""Webhooks: signed messages about events of a campaign, which the server sends to addresses of its organisers."""
