"""The types of fixtures that are functions, for those who ask for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page

from workbench.judging.assessing import Receipt, Submission

JudgeAs = Callable[..., Receipt]
MakeApp = Callable[..., Flask]
MakeCampaign = Callable[..., Path]
PageOf = Callable[..., Page]
SignIn = Callable[[Flask, str | None], FlaskClient]
Submit = Callable[..., Submission]
TokenOf = Callable[..., str]
Visit = Callable[..., Page]
Workbench = Callable[..., Result]
WriteRun = Callable[[Path, str, dict[str, str]], str]
