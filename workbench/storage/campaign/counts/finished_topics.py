"""Which rows of the log finished a topic: the judgments after which each of its pooled pairs had had one."""

from __future__ import annotations

import json

from workbench.storage.campaign.collection import broken, pools
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS

_FIRST = f"""SELECT min(seq) FROM judgment WHERE topic = pooled.topic AND document = pooled.document
    AND (kind IN ({OWN_KINDS}) AND kind <> 'cleared' OR kind = 'adjudication' AND grade IS NOT NULL)"""


def finished_topics(campaign: Campaign, after: int, last: int) -> list[tuple[int, str, str, int]]:
    """The rows behind `after`, up to `last`, that finished a topic, once more where its pool had grown.

    Each with its time, the topic, and how many pairs were pooled by then. Left out are pairs that are held back now.
    """
    pool_rows = json.dumps({pool.pool: pool.seq for pool in pools.all_pools(campaign)})
    return campaign.execute(
        f"""WITH pair AS MATERIALIZED (
            SELECT topic, coalesce(choice, :pools ->> ('$."' || pool || '"')) AS came, ({_FIRST}) AS judged
            FROM pooled JOIN document USING (document)
            WHERE topic IN (SELECT topic FROM judgment WHERE seq > :after AND seq <= :last)
                AND document.text IS NOT NULL AND document NOT IN ({broken.BROKEN_NOW})
        )
        SELECT judged, (SELECT received_at FROM judgment WHERE seq = judged), topic,
            (SELECT count(*) FROM pair WHERE topic = newest.topic AND came <= newest.judged)
        FROM pair AS newest WHERE judged > :after AND judged <= :last AND came <= judged AND NOT EXISTS (
            SELECT 1 FROM pair
            WHERE topic = newest.topic AND came <= newest.judged AND coalesce(judged, :last + 1) > newest.judged
        ) ORDER BY judged""",
        {"after": after, "last": last, "pools": pool_rows, "broken": broken.now(campaign)},
    ).fetchall()
