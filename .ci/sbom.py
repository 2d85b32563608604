"""Lists what the program consists of as CycloneDX JSON: `make sbom`.

cyclonedx-py reads names, versions and licences from the environment; the hashes are those of pins/, of all files
of each release. What only developers need is left out. A slow test holds the list against its schema.
"""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PINS = [ROOT / "pins" / f"{name}.txt" for name in ("run", "compounds", "pictures", "sheets")]
"""What the image installs."""
TOOLS = Path(sys.prefix) / "audit"
LICENCES = {"sqlite-fts4": "Apache-2.0"}
"""Of packages that state theirs only as free text."""


def main(target: Path) -> None:
    """Write the list to a file."""
    document = environment()
    hashes = pinned_hashes()
    # Without the packages of cyclonedx-py itself, some of which the program needs on another system.
    installed = {normalized(each.name) for each in distributions()}
    document["components"] = [
        with_licence(component, name)
        | {"hashes": [{"alg": "SHA-256", "content": each} for each in hashes[name]]}
        for component in document["components"]
        if (name := normalized(component["name"])) in hashes and name in installed
    ] + scripts()
    kept = {component["bom-ref"] for component in document["components"]}
    kept.add(document["metadata"]["component"]["bom-ref"])
    document["dependencies"] = [
        each | {"dependsOn": [ref for ref in each.get("dependsOn", ()) if ref in kept]}
        for each in document["dependencies"]
        if each["ref"] in kept
    ]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{target}: {len(document['components'])} packages\n")


def scripts() -> list[dict[str, Any]]:
    """What static/vendor/vega.js consists of; its licences have the parts of these."""
    versions = runpy.run_path(str(ROOT / "docs" / "make_vega.py"))["versions"]()
    return [
        {
            "bom-ref": f"pkg:npm/{name}@{version}",
            "type": "library",
            "name": name,
            "version": version,
            "purl": f"pkg:npm/{name}@{version}",
            "licenses": [{"license": {"id": "BSD-3-Clause"}}],
        }
        for name, version in versions.items()
    ]


def with_licence(component: dict[str, Any], name: str) -> dict[str, Any]:
    """The component, with its licence from LICENCES where its own metadata does not say it in standard words."""
    if "licenses" in component or name not in LICENCES:
        return component
    return component | {"licenses": [{"license": {"id": LICENCES[name]}}]}


def environment() -> dict[str, Any]:
    """The CycloneDX document of everything that is installed where this runs."""
    words = [sys.executable, "-m", "cyclonedx_py", "environment", "--pyproject", "pyproject.toml"]
    words += ["--output-reproducible", "--output-format", "JSON", "--no-validate"]
    with_tools = {**os.environ, "PYTHONPATH": str(TOOLS)}
    done = subprocess.run(  # noqa: S603
        words, cwd=ROOT, env=with_tools, check=True, capture_output=True, text=True
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def pinned_hashes() -> dict[str, list[str]]:
    """The hashes of every package that the program needs, by its name."""
    found: dict[str, list[str]] = {}
    for file in PINS:
        for pin in re.split(r"\n(?=[a-z])", file.read_text(encoding="utf-8"))[1:]:
            found[normalized(pin.partition("==")[0])] = re.findall(r"--hash=sha256:([0-9a-f]{64})", pin)
    return found


def normalized(name: str) -> str:
    """The name of a package as its pin has it."""
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
