"""Which tests belong to a file of the program, for planted_faults.py."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cached_property
from pathlib import Path

from checkouts import ROOT

WIDER, TOO_LITTLE = 15, 0.05


class Tests:
    """Which tests belong to a file."""

    def __init__(self) -> None:
        self.texts = {
            str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
            for path in sorted((ROOT / "tests").rglob("test_*.py"))
        }

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """Files of the package that import from a module, by the module's name."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for path in sorted((ROOT / "workbench").rglob("*.py")):
            name = str(path.relative_to(ROOT))
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module:
                    found[node.module].add(name)
                    for alias in node.names:
                        found[f"{node.module}.{alias.name}"].add(name)
        return found

    def stages(self, name: str) -> list[list[str]]:
        """Test files of a file: the mirrored ones, the rest of their folder, and wider ones; each only once."""
        is_script = name.startswith("static/")
        beside = [] if is_script else [test for test in self.texts if Path(test).parent == self._folder(name)]
        wider = self._of_script(name) if is_script else self._of_module(name)
        stages, seen = [], set[str]()
        for stage in (self.mirrored(name), beside, wider[:WIDER]):
            fresh = [test for test in stage if test not in seen]
            seen.update(fresh)
            if fresh:
                stages.append(fresh)
        return stages

    def mirrored(self, name: str) -> list[str]:
        """Test files that have the name of the file, or begin with it."""
        stem = Path(name).stem
        return [test for test in self.texts if self._mirrors(test, self._folder(name), stem)]

    def _folder(self, name: str) -> Path:
        """Where tests of a file stand: in the mirrored folder, or the nearest one above it that has any."""
        family, *parts = Path(name).parts
        folder = Path("tests", *(["web"] if family == "static" else []), *parts[:-1])
        while not any(Path(test).parent == folder for test in self.texts) and len(folder.parts) > 1:
            folder = folder.parent
        return folder

    def importing(self, name: str) -> list[str]:
        """Tests that import a script, or one that imports it, by its address: first those without a server."""
        names = {name}
        while more := {user for user, used in self._imports if used in names} - names:
            names |= more
        found = [test for test, text in self.texts.items() if any(_names(one, text) for one in names)]
        return sorted(
            found, key=lambda test: ("PageOf" not in self.texts[test], not _names(name, self.texts[test]))
        )

    @cached_property
    def _imports(self) -> set[tuple[str, str]]:
        """Every script with each that it imports."""
        return {
            (str(path.relative_to(ROOT)), str(path.parent.joinpath(used).resolve().relative_to(ROOT)))
            for path in (ROOT / "static").rglob("*.js")
            for used in re.findall(r'from "(\.[^"]+)"', path.read_text(encoding="utf-8"))
        }

    @staticmethod
    def _mirrors(test: str, folder: Path, stem: str) -> bool:
        path = Path(test)
        return path.parent == folder and (
            path.stem == f"test_{stem}" or path.stem.startswith(f"test_{stem}_")
        )

    def _of_script(self, name: str) -> list[str]:
        """Tests in a browser: first those that mention the file, then those of its family of pages."""
        browsers = [test for test in self.texts if "_in_the_browser" in test]
        return sorted(
            browsers,
            key=lambda test: (
                Path(name).name not in self.texts[test],
                Path(name).parts[1] not in Path(test).parts,
                test,
            ),
        )

    def _of_module(self, name: str) -> list[str]:
        """Tests of the modules that import this one, and those that mention most of what it defines."""
        module = ".".join(Path(name).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse((ROOT / name).read_text(encoding="utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        weights = defaultdict[str, float](
            float, {test: 1.0 for test in self.texts if f"{module} import" in self.texts[test]}
        )
        for importer in self.importers[module]:
            of_importer = Path("tests", *Path(importer).parts[1:-1], f"test_{Path(importer).name}")
            weights[str(of_importer)] += 0.5 * (str(of_importer) in self.texts)
        for word in defined:
            mentioned = [test for test, text in self.texts.items() if re.search(rf"\b{word}\b", text)]
            for test in mentioned:
                weights[test] += 1 / len(mentioned)
        return [
            test for test, weight in sorted(weights.items(), key=lambda item: -item[1]) if weight > TOO_LITTLE
        ]


def _names(script: str, text: str) -> bool:
    """Whether a test has the address of a script, in quotes of either kind."""
    return f'/{script}"' in text or f"/{script}'" in text
