"""The process that serves: waitress, its threads and limits, slow clients, warming, and a clean end."""
