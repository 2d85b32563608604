"""Storage: a campaign is one SQLite file, and every SQL statement about it is a named function in here.

`event` and `judgment` form one append-only log with one sequence and one hash chain; everything that changes
a number is in it. The other tables are raw material (texts, rankings, sources) or projections of the log.

Eight parts, each of which imports only those before it: file, log, organising, collection, assigning, grades,
counts, people; and opening, which imports them all.
"""

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.opening.opening import backup, create_campaign, open_campaign

__all__ = ["Campaign", "backup", "create_campaign", "open_campaign"]
