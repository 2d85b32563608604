"""Who may do what: sessions, rules of access, passwords, the second factor, and refusals as pages."""
