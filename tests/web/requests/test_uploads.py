"""What a server takes in files, and who says so."""

from __future__ import annotations

from flask import Flask

from workbench.web.requests.uploads import UploadLimits


def test_a_compressed_file_may_hold_two_and_a_half_times_what_a_request_may_bring() -> None:
    assert UploadLimits.of_megabytes(200) == UploadLimits() == UploadLimits(200_000_000, 500_000_000)


def test_only_views_that_take_files_say_so(app: Flask) -> None:
    found = {name for name, view in app.view_functions.items() if getattr(view, "takes_uploads", False)}
    assert "new_campaign.take" in found
    assert not {"sign_in.prove", "new_campaign.make", "campaigns.home"} & found
