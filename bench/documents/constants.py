"""The tables of docs/constants.md: the constants of each room of the source, and what their docstrings say of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bench.documents.record import ROOT

_NAME = re.compile(r"_?[A-Z][A-Z0-9_]*")
_ATTRIBUTE = re.compile(r"^ {4}(\w+): ", re.MULTILINE)
_APART = ("calibration/training/", "vision/weights/")
"""Folders that are no rooms of tuned constants: the training recipe, and the networks' weights."""
HEADS = ("constant", "value", "what it is, and where it comes from")


@dataclass(frozen=True)
class Constant:
    """A constant of a module, or several that are assigned together.

    Attributes:
        module: its name, without the room's.
        names: as the source has them.
        value: likewise, "" for a class whose attributes are constants and follow.
        text: what the source says of it, "" for nothing.
    """

    module: str
    names: str
    value: str
    text: str

    def row(self) -> tuple[str, str, str]:
        """The constant's row in the table."""
        name = f"`{self.names}`" if self.value else f"**{self.names}**"
        return f"{self.module}: {name}", f"`{self.value}`" if self.value else "", self.text


def rooms() -> dict[str, list[Constant]]:
    """The constants of each room of vision and calibration that has any, by module, as they stand there."""
    found: dict[str, list[Constant]] = {}
    for path in sorted((*ROOT.glob("vision/**/*.py"), *ROOT.glob("calibration/**/*.py"))):
        room = f"{path.parent.relative_to(ROOT).as_posix()}/"
        if not room.startswith(_APART):
            found.setdefault(room, []).extend(constants_in(path.stem, path.read_text(encoding="utf-8")))
    return {room: constants for room, constants in found.items() if constants}


def constants_in(module: str, source: str) -> Iterator[Constant]:
    """The constants of a module, in their order: all but text, and of classes those that hold nothing but numbers.

    Such a class is told where the module makes one with no other numbers than those it has.
    """
    body = ast.parse(source).body
    classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
    for node, following in zip(body, [*body[1:], ast.Pass()], strict=True):
        assigned = _assigned(node)
        if assigned is None:
            continue
        names, value = assigned
        if isinstance(value, ast.Call) and ast.unparse(value).removesuffix("()") in classes:
            yield from _attributes(module, classes[ast.unparse(value.func)])
        elif _has(value, int, float) or not _has(value, str, bytes):
            yield Constant(module, names, ast.unparse(value), _said(following))


def _said(node: ast.stmt) -> str:
    """What a string that stands by itself says, on one line; "" for anything else."""
    if (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ):
        return " ".join(node.value.value.split())
    return ""


def _assigned(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The names and the value of an assignment to constants."""
    if isinstance(node, ast.Assign):
        names, value = ast.unparse(node.targets[0]).strip("()"), node.value
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        names, value = ast.unparse(node.target), node.value
    else:
        return None
    return (names, value) if all(_NAME.fullmatch(name) for name in names.split(", ")) else None


def _has(value: ast.expr, *kinds: type) -> bool:
    """Whether a value is written with constants of some kinds."""
    return any(isinstance(part, ast.Constant) and type(part.value) in kinds for part in ast.walk(value))


def _attributes(module: str, made: ast.ClassDef) -> Iterator[Constant]:
    """A class and its attributes, where all of these are numbers."""
    fields = {
        ast.unparse(node.target): node.value
        for node in made.body
        if isinstance(node, ast.AnnAssign) and node.value is not None and _has(node.value, int, float)
    }
    if len(fields) < sum(isinstance(node, ast.AnnAssign) for node in made.body):
        return
    about, _, attributes = (ast.get_docstring(made) or "").partition("Attributes:\n")
    told = _ATTRIBUTE.split(attributes)[1:]
    texts = dict(zip(told[::2], told[1::2], strict=True))
    yield Constant(module, made.name, "", " ".join(about.split()))
    for name, value in fields.items():
        yield Constant(module, name, ast.unparse(value), " ".join(texts.get(name, "").split()))
