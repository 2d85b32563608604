"""The application is put together so that forgetting something fails loudly."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, render_template_string
from jinja2 import UndefinedError

from workbench.storage.instance import secret_key
from workbench.web.app import create_app

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_secret_is_the_instances_own(app: Flask, instance: Path) -> None:
    assert app.secret_key == secret_key(instance)
    assert not app.debug


def test_a_template_that_asks_for_something_unknown_fails(app: Flask) -> None:
    with app.test_request_context("/"), pytest.raises(UndefinedError):
        render_template_string("{{ no_such_thing }}")


def test_in_a_checkout_templates_and_static_files_stand_outside_the_package(app: Flask) -> None:
    assert app.static_folder == str(ROOT / "static")
    assert app.template_folder == str(ROOT / "templates")


def test_an_instance_folder_is_made_where_there_is_none(tmp_path: Path) -> None:
    app = create_app(tmp_path / "new")
    assert app.test_client().get("/sign-in").status_code == 200
    assert {path.name for path in (tmp_path / "new").iterdir()} >= {"secret_key"}
    app.extensions["workbench_connections"].close()


def test_what_people_wrote_is_escaped(app: Flask) -> None:
    with app.test_request_context("/"):
        assert render_template_string("{{ name }}", name="<b>") == "&lt;b&gt;"
