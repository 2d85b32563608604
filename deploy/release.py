"""Makes all files of a release in dist/: `make release`.

The source archive, a wheel for each usual platform (deploy/wheels.py), the list of components (.ci/sbom.py), a recipe
for conda, notes, the image where Docker or podman runs, and SHA256SUMS of all of them. Nothing is published. The
version stands in pyproject.toml, workbench/__init__.py and CITATION.cff, and CHANGELOG.md has a heading for it: where
one says something else, or a file is not committed, nothing is made.
"""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import click

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r'^(?:__version__ = "|version: )([^"\n]+)"?$', re.MULTILINE)
OTHER_NAMES = {"backports-zstd": "backports.zstd", "prometheus-client": "prometheus_client"}
"""What conda-forge calls packages otherwise than PyPI."""

OF_EXTRAS = {"apispec[yaml]": "pyyaml"}
"""What an extra of a package brings, since conda has no extras."""

RECIPE = """\
# Made of pyproject.toml by `make release`, for rattler-build. Whether conda-forge has each package was not checked.
schema_version: 1
package:
  name: relevance-workbench
  version: "{version}"
source:
  path: {archive}
  sha256: {checksum}
build:
  script: ${{{{ PYTHON }}}} -m pip install . --no-deps --no-build-isolation -vv
  python:
    entry_points:
{commands}
requirements:
  build:
    - ${{{{ compiler("c") }}}}
    - ${{{{ stdlib("c") }}}}
  host:
    - python
    - pip
{build}
  run:
    - python {python}
{run}
tests:
  - script:
      - relevance-workbench --version
      - workbench pooling strategies
about:
  license: {license}
  license_file: LICENSE
  summary: {summary}
"""


@click.command(help=__doc__)
@click.option("--to", default="dist", type=click.Path(file_okay=False, path_type=Path), help="A folder.")
@click.option("--only", multiple=True, metavar="TARGET", help="A platform whose wheel is built; else all.")
def main(to: Path, only: tuple[str, ...]) -> None:
    """Make the files; end with status 1 where something is not ready for it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version = project["project"]["version"]
    if faults := list(faults_of(version)):
        raise click.ClickException("\n".join(faults))
    to = to.absolute()
    to.mkdir(parents=True, exist_ok=True)
    if any(to.iterdir()):
        raise click.ClickException(f"{to}: is not empty; remove what is in it")
    run(sys.executable, "deploy/wheels.py", "--to", str(to), *only)
    run(sys.executable, ".ci/sbom.py", str(to / f"relevance-workbench-{version}.cdx.json"))
    (archive,) = to.glob("*.tar.gz")
    (to / "recipe.yaml").write_text(recipe(project, archive), encoding="utf-8")
    (to / "NOTES.md").write_text(notes(version), encoding="utf-8")
    image(version, to)
    (to / "SHA256SUMS").write_text(checksums(to), encoding="ascii")
    click.echo((to / "SHA256SUMS").read_text(encoding="ascii"))


def faults_of(version: str) -> Iterator[str]:
    """Why this version cannot be released as things are."""
    for name in ("workbench/__init__.py", "CITATION.cff"):
        if VERSION.findall((ROOT / name).read_text(encoding="utf-8")) != [version]:
            yield f"{name}: says another version than pyproject.toml, {version}"
    if not section(version):
        yield f"CHANGELOG.md: has no text below a heading '## {version}'"
    for line in output("git", "status", "--porcelain").splitlines():
        yield f"{line[3:]}: is not committed"
    if f"v{version}" in output("git", "tag").split():
        yield f"v{version}: there is such a tag; choose the next version"


def section(version: str) -> str:
    """What CHANGELOG.md says of a version."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(version)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def notes(version: str) -> str:
    """What CHANGELOG.md says of a version, and after a first release the subjects of commits, by their areas."""
    tags = output("git", "tag", "--merged", "HEAD", "--sort=-creatordate", "--list", "v*").split()
    text = f"# {version}\n\n{section(version)}\n"
    if not tags:
        return text
    areas = defaultdict[str, list[str]](list)
    for subject in output("git", "log", "--no-merges", "--format=%s", f"{tags[0]}..HEAD").splitlines():
        area, _, what = subject.partition(": ")
        areas[area].append(what)
    lines = [f"- {area}: {what}\n" for area in sorted(areas) for what in areas[area]]
    return f"{text}\n## Commits since {tags[0]}\n\n{''.join(lines)}"


def recipe(project: dict[str, Any], archive: Path) -> str:
    """The recipe for conda, which builds the source archive."""
    about = project["project"]
    return RECIPE.format(
        version=about["version"],
        archive=archive.name,
        checksum=sha256(archive.read_bytes()).hexdigest(),
        commands="\n".join(f"      - {name} = {place}" for name, place in about["scripts"].items()),
        build="\n".join(map(requirement, project["build-system"]["requires"])),
        python=about["requires-python"],
        run="\n".join(map(requirement, about["dependencies"])),
        license=about["license"],
        summary=about["description"],
    )


def requirement(line: str) -> str:
    """A line of pyproject.toml as one of a recipe, or two: with its marker as a condition."""
    named, _, marker = line.partition("; ")
    name, extra, wanted = re.fullmatch(r"([\w.-]+)(\[\w+\])?(.*)", named).groups("")  # type: ignore[union-attr]
    item = f"{OTHER_NAMES.get(name, name)} {wanted}".strip()
    if not marker:
        return "\n".join(f"    - {each}" for each in (item, *([OF_EXTRAS[name + extra]] if extra else ())))
    python = re.fullmatch(r"python_version (\S+) '([\d.]+)'", marker)
    when = "win" if marker == "sys_platform == 'win32'" else f'match(python, "{python[1]}{python[2]}")'  # type: ignore[index]
    return f"    - if: {when}\n      then: {item}"


def image(version: str, to: Path) -> None:
    """The image of the program as a file, where something runs that can build it."""
    for program in ("docker", "podman"):
        if shutil.which(program) and not subprocess.run([program, "info"], capture_output=True).returncode:
            name = f"relevance-workbench:{version}"
            run(program, "build", "-f", "deploy/Containerfile", "-t", name, ".")
            target = to / f"relevance-workbench-{version}-image.tar.gz"
            with gzip.open(target, "wb") as packed:
                saving = subprocess.Popen([program, "save", name], stdout=subprocess.PIPE)
                shutil.copyfileobj(saving.stdout, packed)  # type: ignore[arg-type]
            if saving.wait():
                raise click.ClickException(f"{program} save failed")
            return
    click.echo("There is no image: neither docker nor podman runs here.", err=True)


def checksums(folder: Path) -> str:
    """The checksums of all files of a folder, as `sha256sum --check` reads them."""
    files = sorted(path for path in folder.iterdir() if path.name != "SHA256SUMS")
    return "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


def run(*words: str) -> None:
    """Run a program in the checkout; ClickException if it fails."""
    if subprocess.run(words, cwd=ROOT, check=False).returncode:
        raise click.ClickException(f"{' '.join(words[:3])} failed")


def output(*words: str) -> str:
    """What a program prints in the checkout."""
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    main()
