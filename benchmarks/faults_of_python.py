"""Faults for a Python file, found in its syntax tree, for planted_faults.py.

Annotations, docstrings, messages and what only type checkers read are left alone, and so is the order of what min and
max choose from.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import NamedTuple


class Fault(NamedTuple):
    """A fault: its kind, and the text in the place of that between two offsets in characters."""

    kind: str
    start: int
    end: int
    text: str

    def planted(self, source: str) -> str:
        """The source with the fault in it."""
        return source[: self.start] + self.text + source[self.end :]


Change = tuple[str, ast.AST, str]
"""Kind, the node to be replaced, and the text for it."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
}
CHOOSING = ("min", "max", "np.minimum", "np.maximum")
REMOVED = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)
EMPTY: dict[type[ast.AST], str] = {
    ast.List: "[]",
    ast.ListComp: "[]",
    ast.Dict: "{}",
    ast.DictComp: "{}",
    ast.Set: "set()",
    ast.SetComp: "set()",
    ast.Tuple: "()",
}


def faults_of_python(source: str) -> list[Fault]:
    """All faults for this file, in the order of their places."""
    starts = _line_starts(source)
    found = [
        Fault(kind, _offset(source, starts, node, "start"), _offset(source, starts, node, "end"), text)
        for kind, node, text in _changes(ast.parse(source))
    ]
    return sorted(found, key=lambda fault: fault.start)


def is_another_program(source: str, planted: str) -> bool:
    """Whether the planted source is valid, and does not say the same in other characters."""
    try:
        return ast.dump(ast.parse(planted)) != ast.dump(ast.parse(source))
    except SyntaxError:  # `not (x := y)` and the like, where parentheses are missing
        return False


def _line_starts(source: str) -> list[int]:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _offset(source: str, starts: list[int], node: ast.AST, side: str) -> int:
    """Where a node begins or ends, in characters; the parser counts bytes of a line."""
    line = getattr(node, "lineno" if side == "start" else "end_lineno")
    column = getattr(node, "col_offset" if side == "start" else "end_col_offset")
    text = source[starts[line - 1] : starts[line]].encode()[:column]
    return starts[line - 1] + len(text.decode())


def _changes(tree: ast.Module) -> Iterator[Change]:
    for node in _code(tree):
        for change in CHANGES:
            yield from change(node)


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of code that runs: no annotations, docstrings, messages and imports for type checkers, and not
    `strict=True`, which like an assertion changes nothing unless something else is wrong.
    """
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _says_nothing(child):
                yield child
                yield from _code(child)


def _says_nothing(node: ast.AST) -> bool:
    is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    if isinstance(
        node, ast.JoinedStr
    ):  # the parser of Python 3.11 does not say where in the file its parts stand
        return True
    is_guard = isinstance(node, ast.keyword) and node.arg == "strict"
    is_for_types = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    is_alias = isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)
    names = [ast.unparse(target) for target in node.targets] if isinstance(node, ast.Assign) else []
    return (
        is_docstring
        or is_guard
        or is_for_types
        or (is_alias and names[0][:1].isupper())
        or names == ["__all__"]
    )


def _comparison(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = copy.copy(node)
        other.ops = [COMPARISONS[type(node.ops[0])]()]
        yield "comparison", node, f"({ast.unparse(other)})"


def _logic(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.BoolOp):
        other = copy.copy(node)
        other.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and/or", node, f"({ast.unparse(other)})"


def _arithmetic(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC and not _is_text(node):
        other = copy.copy(node)
        other.op = ARITHMETIC[type(node.op)]()
        yield "arithmetic", node, f"({ast.unparse(other)})"


def _is_text(node: ast.BinOp) -> bool:
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr) or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def _constant(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant", node, str(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield "constant", node, str(node.value + 1)


def _removed(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "removed call", node, "pass"
    elif isinstance(node, REMOVED) or (
        isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name | ast.Tuple)
    ):
        yield "removed statement", node, "pass"


def _swapped(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Call) and len(node.args) > 1 and ast.unparse(node.func) not in CHOOSING:
        first, second, *others = node.args
        if ast.Starred not in (type(first), type(second)):
            other = copy.copy(node)
            other.args = [second, first, *others]
            yield "swapped arguments", node, ast.unparse(other)


def _negated(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "negated condition", node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield "negated condition", test, f"(not ({ast.unparse(test)}))"


def _returned(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Return) and node.value and ast.unparse(node.value) != "None":
        # A function that may return False is asked whether, and None says the same.
        yield "returns nothing", node, "return True" if ast.unparse(node.value) == "False" else "return None"
    if isinstance(node, ast.FunctionDef):
        for statement in node.body[1:]:
            if isinstance(statement, ast.If | ast.For | ast.With | ast.While):
                yield "returns early", statement, "return None"


def _emptied(node: ast.AST) -> Iterator[Change]:
    if type(node) in EMPTY and not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        yield "emptied", node, EMPTY[type(node)]


CHANGES: tuple[Callable[[ast.AST], Iterator[Change]], ...] = (
    _comparison,
    _logic,
    _arithmetic,
    _constant,
    _removed,
    _swapped,
    _negated,
    _returned,
    _emptied,
)
