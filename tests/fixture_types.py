"""The types of fixtures that are functions, for those who ask for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from click.testing import Result
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Page
from werkzeug.test import TestResponse

from workbench.campaign.assessing import Receipt
from workbench.core.records import Judgment
from workbench.methods.measures.judged import JudgedRankings

AppendJudgment = Callable[..., int]
Fails = Callable[..., str]
JudgeAs = Callable[..., Receipt]
MakeApp = Callable[..., Flask]
MakeCampaign = Callable[..., Path]
MakeJudged = Callable[..., JudgedRankings]
PageOf = Callable[..., Page]
Post = Callable[..., TestResponse]
Rows = Callable[..., list[dict[str, str]]]
SignIn = Callable[[Flask, str | None], FlaskClient]
Submit = Callable[..., Judgment]
TokenOf = Callable[..., str]
Visit = Callable[..., Page]
Workbench = Callable[..., Result]
WriteRun = Callable[[Path, str, dict[str, str]], str]
