"""Scoring: rankings times judgments, at one point of the log or live."""

from __future__ import annotations

from workbench.scoring.board.live import Board, board_of
from workbench.scoring.board.loading import Scoring, load_scoring
from workbench.scoring.board.table import DEFAULT_MEASURES, ScoreRow, ScoreTable, TopicScores, score_campaign
