"""What the tab of somebody who judges holds, after so many judgments without loading the page again.

    .venv/bin/python benchmarks/tab_memory.py [passages] [cards] [--judgments N]

Judged are made-up passages of one topic, on the page of one document and on cards, in a Chromium that nothing watches
(bare_chromium.py); `workbench serve` is a process of its own. After every tenth part of the judgments what nobody holds
is collected, and printed are the heap of JavaScript, its nodes and documents, and the resident memory of the tab's
process (Linux). Through the readings after the first fifth a straight line is laid by least squares.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bare_chromium import BareChromium, bare_chromium
from data import machine
from judging import ASSESSOR, PASSWORD, SETS, served

READINGS = 10
GAP = 0.3  # seconds between two presses, at least
CAN_JUDGE = "document.querySelector('#document')?.getAttribute('aria-busy') === 'false'"


class Memory(NamedTuple):
    """What a tab holds after so many judgments: megabytes of heap and process, and counts."""

    judgments: int
    heap: float
    nodes: int
    documents: int
    process: float


def sign_in(tab: BareChromium, address: str) -> None:
    """Until the judging page is open."""
    tab.open(f"{address}/sign-in", "document.querySelector('[type=password]')")
    tab.ask(
        f"""(() => {{
            const form = document.querySelector("[type=password]").form;
            form.elements.name.value = "{ASSESSOR}";
            form.querySelector("[type=password]").value = "{PASSWORD}";
            form.requestSubmit();
        }})()"""
    )
    tab.until("document.readyState === 'complete' && !document.querySelector('[type=password]')")
    for words in ("I have read the guidelines", "Leave the tour"):
        tab.open(f"{address}/c/demo/judge", "document.querySelector('button')")
        button = (
            f"[...document.querySelectorAll('button')].find((one) => one.textContent.includes('{words}'))"
        )
        tab.until(f"({button}?.click(), {button} === undefined || {button}.offsetParent === null)")


def readings(tab: BareChromium, judgments: int) -> list[Memory]:
    """Judge, and look from time to time."""
    tab.call("Performance.enable")
    found: list[Memory] = []
    for count in range(judgments + 1):
        tab.until(CAN_JUDGE)
        if count % max(1, judgments // READINGS) == 0:
            found.append(now := reading(tab, count))
            print(
                f"{count:10,} {now.heap:8.2f} {now.nodes:8,} {now.documents:5} {now.process:8.1f}", flush=True
            )
        tab.press(random.choice("01"))
        time.sleep(GAP)
    tab.until("document.querySelector('#save-state').dataset.state === 'saved'")
    return found


def reading(tab: BareChromium, count: int) -> Memory:
    tab.call("HeapProfiler.collectGarbage")
    at = {metric["name"]: metric["value"] for metric in tab.call("Performance.getMetrics")["metrics"]}
    return Memory(count, at["JSHeapUsedSize"] / 1e6, int(at["Nodes"]), int(at["Documents"]), tab.resident())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="*", metavar="passages|cards", default=["passages", "cards"])
    parser.add_argument("--judgments", type=int, default=1000)
    asked = parser.parse_args()
    for name in asked.sets:
        with tempfile.TemporaryDirectory() as folder:
            SETS[name][0](Path(folder), asked.judgments)
            with served(Path(folder)) as address, bare_chromium(1440, 900) as tab:
                print(f"{name}: judgments, MB of heap, nodes, documents, MB of the process")
                sign_in(tab, address)
                found = readings(tab, asked.judgments)
        warm = [each for each in found if each.judgments >= asked.judgments / 5]
        for what, values in (
            ("heap", [each.heap for each in warm]),
            ("process", [each.process for each in warm]),
        ):
            slope = statistics.linear_regression([each.judgments for each in warm], values).slope
            print(f"{name}: {what} {slope * 1e3:+.2f} MB for 1,000 judgments")
    print(machine())


if __name__ == "__main__":
    main()
