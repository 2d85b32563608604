"""Copies for judging without a network, made in a page that has no server."""

from __future__ import annotations

DAY = 24 * 3_600_000

COPIES = """async () => {
    window.copies = await import("/static/judging/offline_copies.js");
    window.owner = { prefix: "copy:", edition: "e1", campaign: "small", account: "Ben" };
    window.place = (document_id, against = null) => ({ document_id, against });
    window.topic = (topic_id, ...places) =>
        ({ topic_id, title: `Title ${topic_id}`, url: `/judge?topic=${topic_id}`, places,
            frame_url: `/doc?topic=${topic_id}&id=`, size: 1_500_000, topic_version: 1, guideline_version: 2 });
    window.keep = async (changes, manifest = {}) => {
        const copy = await copies.OfflineCopy.make({ ...owner, ...changes });
        await copy.describe({ edition: "e1", until: Date.now() + 1, at: 0, whole: false, topics: [], ...manifest });
        return copy;
    };
    window.inIt = async (copy) =>
        (await copy.cache.keys()).map(({ url }) => url.slice(location.origin.length)).sort();
}"""
