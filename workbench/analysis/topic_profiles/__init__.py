"""Topics of a campaign: how hard each is, what its runs rank where, and how its relevant documents were found."""
