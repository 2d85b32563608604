"""The pages from which an organiser sets a campaign up and follows it: new campaign, dashboard, pools."""
