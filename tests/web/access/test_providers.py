"""What an operator says of a provider is checked when the server starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.sentences import refused, says
from workbench.cli import main
from workbench.core.errors import CampaignError
from workbench.web.access.providers import Provider, read_provider

ISSUER, HERE = "https://login.example.org", "https://judging.example.org/"
NONE = ("https://[x", f"{ISSUER}?a=b")


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    path = tmp_path / "provider_secrets"
    path.write_text(f"# of 2026\n{ISSUER} the secret\nhttps://other.example another\n")
    path.chmod(0o600)
    return path


def read(
    name: str = "uni", *, issuer: str = ISSUER, secret: str = "env:S", address: str | None = HERE
) -> Provider:
    words = (name, "University", issuer, "workbench", secret)
    return read_provider(words, address, {"S": "of the environment"})


def test_a_secret_is_that_of_the_issuer_in_a_private_file_or_of_the_environment(secrets: Path) -> None:
    found = read(secret=str(secrets))
    assert (found.secret, found.back) == ("the secret", "https://judging.example.org/sign-in/with/uni")
    assert read(issuer="https://other.example", secret=str(secrets)).secret == "another"
    assert read().secret == "of the environment"


def test_what_cannot_be_used_is_refused_with_the_way_out(secrets: Path) -> None:
    for name in ("Uni", "a/b", "", "x" * 33):
        with refused(CampaignError, name):
            read(name=name)
    for issuer in ("http://login.example.org", "login.example.org", "javascript:alert(1)", "https://", *NONE):
        with refused(CampaignError, issuer):
            read(issuer=issuer)
    for address in (None, "http://judging.example.org"):
        with refused(CampaignError, ISSUER):
            read(address=address)
    for secret in ("env:T", str(secrets.with_name("nothing")), str(secrets)):
        with refused(CampaignError, secret.rpartition("/")[2], "https://third.example"):
            read(issuer="https://third.example", secret=secret)
    assert read(issuer="http://127.0.0.1:8080", address="http://localhost:5000").secret


def test_the_server_does_not_start_with_a_file_that_others_can_read_or_with_two_of_a_name(
    secrets: Path, tmp_path: Path
) -> None:
    words = ["--sign-in-with", "uni", "University", ISSUER, "workbench", str(secrets)] * 2
    started = ["serve", *words, "--address", HERE, "--no-open", "--port", "0", "--instance", str(tmp_path)]
    for mode, said in ((0o600, "uni, uni"), (0o640, secrets.name)):
        secrets.chmod(mode)
        done = CliRunner().invoke(main, started)
        assert done.exit_code == 1
        assert says(done.stderr, said)
