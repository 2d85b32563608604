"""What a server says of itself: health, metrics, the request log and the server log."""
