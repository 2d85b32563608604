"""Writes static/vendor/vega.js: Vega, Vega-Lite and Vega-Embed as one script, which sets `window.workbenchEmbed`.

It is the one that vl-convert-python draws figures on paper with, so that a page draws them alike. It is in the program,
since the program does without that package, which is 88 MB. The licences beside it are those of its parts: where a
version changes, `npm install vega vega-lite vega-embed` has them.

    python docs/make_vega.py    write the script
"""

from __future__ import annotations

from pathlib import Path

import vl_convert

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "static" / "vendor" / "vega.js"
LICENCES = SCRIPT.with_name("vega.LICENCES.txt")


def script() -> str:
    """The script of the version that is installed."""
    return str(vl_convert.javascript_bundle("window.workbenchEmbed = vegaEmbed;"))


def versions() -> dict[str, str]:
    """The versions of the three programs in it."""
    return {
        "vega": vl_convert.get_vega_version(),
        "vega-lite": vl_convert.get_vegalite_versions()[-1],
        "vega-embed": vl_convert.get_vega_embed_version(),
    }


if __name__ == "__main__":
    SCRIPT.write_text(script(), encoding="utf-8", newline="")
