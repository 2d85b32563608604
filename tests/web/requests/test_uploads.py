"""What a server takes in files, and who says so."""

from __future__ import annotations

from flask import Flask


def test_only_views_that_take_files_say_so(app: Flask) -> None:
    found = {name for name, view in app.view_functions.items() if getattr(view, "takes_uploads", False)}
    assert "new_campaign.take" in found
    assert not {"sign_in.prove", "new_campaign.make", "campaigns.home"} & found
