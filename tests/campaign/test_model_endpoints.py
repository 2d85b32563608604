"""Which addresses a campaign's texts may be sent to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.model_endpoints import address_of, key_for, keys_in, require_permitted
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

SAME = ["https://LLM.example/v1/", "https://llm.example/v1", " https://llm.example/v1 "]


@pytest.mark.parametrize("address", SAME)
def test_an_address_is_compared_without_case_of_its_host_and_a_last_slash(address: str) -> None:
    assert address_of(address) == "https://llm.example/v1"


@pytest.mark.parametrize(
    "text",
    ["", "llm.example", "ftp://llm.example", "https://", "https://a:b@llm.example", "https://x/v1?key=1",
     "https://x/#a", "https://x:99999", "file:///etc/passwd", "https://a b/"],
)  # fmt: skip
def test_what_is_no_address_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="address"):
        address_of(text)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("https://llm.example/v1", "documents"),
        ("https://llm.example/v1 texts", "texts"),
        ("http://llm.example/v1 documents", "unencrypted"),
        ("llm.example documents", "llm.example"),
    ],
)
def test_a_setting_that_does_not_say_enough_is_refused(text: str, named: str) -> None:
    with refused(SettingRefused, named):
        SETTINGS["model-endpoints"].value_of(text)


@pytest.mark.parametrize("host", ["localhost:1", "127.0.0.1:1", "127.8.8.8", "[::1]:8080"])
def test_without_encryption_a_text_stays_on_this_machine_or_an_organiser_says_so(
    host: str, small: Campaign
) -> None:
    set_to = SETTINGS["model-endpoints"].value_of
    change_settings(small.by("Olga"), {"model-endpoints": set_to(f"http://{host}/v1 documents")})
    require_permitted(small, f"http://{host}/v1", "documents")
    change_settings(
        small.by("Olga"), {"model-endpoints": set_to("http://gpu.example/v1 documents, unencrypted")}
    )
    require_permitted(small, "http://gpu.example/v1", "documents")


def test_what_may_be_sent_where_is_in_the_log_and_can_be_taken_back(small: Campaign) -> None:
    here = "https://llm.example/v1"
    changed = change_settings(small.by("Olga"), {"model-endpoints": f"{here} documents, answers"})
    assert changed.seq is not None
    event = log.events(small, "settings", at=changed.seq)[0]
    assert (event.actor, event.content) == ("Olga", {"model_endpoints": f"{here} documents, answers"})
    require_permitted(small, here, "answers")
    for address, about in [
        (here, "nuggets"),
        (f"{here}/other", "documents"),
        ("https://other.example/v1", "answers"),
    ]:
        with pytest.raises(CampaignError):
            require_permitted(small, address, about)
    change_settings(small.by("Olga"), {"model-endpoints": ""})
    with refused(CampaignError, here):
        require_permitted(small, here, "answers")


def test_a_key_comes_from_the_environment_or_the_file(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    assert key_for("https://a.example/v1", file, environment={}) == ""
    file.touch(mode=0o600)
    file.write_text("# mine\nhttps://A.example/v1/ secret\nhttp://127.0.0.1:1/v1\n")
    assert keys_in(file) == {"https://a.example/v1": "secret", "http://127.0.0.1:1/v1": ""}
    assert key_for("https://a.example/v1", file, environment={}) == "secret"
    mine = {"WORKBENCH_MODEL_KEY": "mine"}
    assert [key_for(f"https://{host}.example/v1", file, environment=mine) for host in "ab"] == [
        "secret",
        "mine",
    ]
    assert key_for("http://127.0.0.1:1/v1", file, environment=mine) == ""
