"""Webhooks: signed messages about events of a campaign, which the server sends to addresses of its organisers.

Messages are derived from the log, from the row on up to which it was looked at before: none is lost with the server.
"""
