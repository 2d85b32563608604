"""The judging page by itself: no server, and for each part a stand-in that keeps what is asked of it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf

STATIC = Path(__file__).resolve().parents[3] / "static"
SCRIPT = (STATIC / "judging" / "judge.js").read_text(encoding="utf-8")
IMPORTED = re.findall(
    r'^import (?:\{([^}]+)\}|\* as (\w+)) from "\.\.?/(?:.*/)?([\w.]+)";$', SCRIPT, re.MULTILINE
)


def stand_in(route: Route) -> None:
    """A part of the page that says what is asked of it."""
    for names, whole, file in IMPORTED:
        if route.request.url.endswith(f"/{file}"):
            used = re.findall(rf"{whole}\.(\w+)", SCRIPT) if whole else names.split(", ")
            lines = [
                f'export const {name} = window.standIn("{name}", "{whole}");'
                for name in {*map(str.strip, used)}
            ]
            return route.fulfill(content_type="text/javascript", body="\n".join(lines))
    return route.fallback()


PARTS = """() => {
    window.calls = [];
    window.answers = { isBusy: false, "panel.ignoredSoFar": 0, excessOf: 0, "Queue.nextOpen": ["d2", "d3"] };
    window.made = [];
    window.given = {};
    window.parts = {};
    window.fields = {
        Reader: { wanted: null, shown: null, seen: null, ready: 3 }, Viewer: { onsigns: [], frames: new Map() },
        Hits: { map: { show: (one) => void calls.push(["Hits.map.show", one]) } },
        Keyboard: { map: new Map([["x", "cannot tell"]]) }, OfflineState: { downloaded: false, isKept: true },
        MoreDocuments: { areAwaited: false }, Queue: { undone: 2 }, Saving: { isMoving: false, isLeaving: false },
        WayBack: { isOpen: false },
    };
    window.plain = (one) => {
        if (typeof one === "function") return "fn";
        for (const [name, part] of Object.entries(parts)) if (one === part) return name;
        if (one === window.judge) return "judge";
        if (one instanceof Element) return `#${one.id}`;
        if (one instanceof Node) return one.textContent;
        if (Array.isArray(one)) return one.map(plain);
        if (!(one instanceof Object)) return one ?? null;
        return Object.fromEntries(Object.entries(one).map(([name, each]) => [name, plain(each)]));
    };
    const tell = (name, all) => {
        calls.push([name, ...all.map(plain)]);
        const answer = answers[name];
        return typeof answer === "function" ? answer(...all) : answer;
    };
    const partOf = (name) => new Proxy(fields[name] ?? {}, {
        get: (own, key) => key in own || typeof key === "symbol" ? own[key] : (...all) => tell(`${name}.${key}`, all),
    });
    window.standIn = (name, whole) => {
        if (name === "pageData") return () => data;
        if (name === "byId") return (id) => document.getElementById(id);
        if (name === "keyListener") return (...all) => {
            given.keyListener = all;
            tell(name, all);
            return () => void calls.push(["key"]);
        };
        if (!/^[A-Z]/.test(name)) return (...all) => tell(whole ? `${whole}.${name}` : name, all);
        return class {
            constructor(...all) {
                if (name === "Answers") window.judge = all[0];
                given[name] = all;
                made.push([name, ...all.map(plain)]);
                return (parts[name] = partOf(name));
            }
        };
    };
    window.data = {
        campaign: "c/d", account: "Ben B", topic_id: "t 1", norming: null, queue: ["q"], elsewhere: ["e"],
        shut: false,
        preferences: "p", breaks: "b", actions: "acts", reasons: "why", grades: "g", titles: { d9: "Nine" },
    };
    window.items = {};
    answers["Queue.item"] = (id) => (items[id] ??= { document_id: id, state: "open" });
    answers["Queue.has"] = (id) => id !== "elsewhere";
    answers["Queue.counts"] = { open: 7 };
    answers["Preferences.get"] = (name) => preferred[name];
    answers.submission = (page, { document_id }, kind, grade, replaces) => (
        { document_id, kind, grade, replaces, comment: "note", active_seconds: 4 });
    answers["CannotTell.note"] = (reason, note) => `${reason}, ${note}`;
    window.preferred = { stay: false };
    window.show = (document_id, more = {}) => {
        const shown = { document_id, title: "One", state: "shown", ...more };
        Object.assign(parts.Reader, { wanted: document_id, shown, seen: shown });
    };
    window.told = () => calls.splice(0);
}"""
HTML = """<body><div id=keyboard></div><div id=document></div><div id=stage></div><div id=grades></div>
<dialog id=preferences><input id=wish></dialog><dialog id=other></dialog>
<template id=not-here-template>not here</template><template id=awaited-template>awaited</template>
<template id=finished-template>finished</template></body>"""


def judging(page_of: PageOf, before: str = "", address: str = "/") -> tuple[Page, list[Any]]:
    """The page as it has started, and what it asked of its parts until then."""
    page = page_of(HTML)
    page.route("**/static/**", stand_in)
    page.evaluate(PARTS)
    page.evaluate(f"history.replaceState(null, '', '{address}')")
    page.evaluate(f"{{ {before} }}")
    page.evaluate(
        "import('/static/judging/judge.js').then(() => new Promise((done) => queueMicrotask(done)))"
    )
    page.wait_for_function("calls.some(([name]) => name === 'Outbox.run')")
    calls = page.evaluate("told()")
    page.clock.run_for(30)
    page.evaluate("told()")
    return page, calls


def does(page: Page, action: str) -> list[Any]:
    """What is asked of the parts by this; what only reads is left out."""
    calls = page.evaluate(f"(async () => {{ told(); await ({action}); return told(); }})()")
    reads = ("Queue.item", "Queue.has", "Preferences.get", "Queue.nextOpen")
    return [call for call in calls if call[0] not in reads]
