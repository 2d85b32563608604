"""Simulating: what strategies of pooling would have found on a collection that is judged, and at what cost."""
