"""Tables of commands and calls made from the program: `python -m workshop.bench.documents.references` writes them.

Each stands in a document between two markers that name it. The text around them is written by hand.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from upscore.cli import build_parser
from upscore.words.loader import lexicon_names
from webui.routes.v1.messages import describe, schemas
from workshop.bench.record import ROOT

COMMANDS, API = "docs/commands.md", "docs/api.md"
_PLACE = re.compile(r"(<!-- reference: ([^>]+?) -->\n)(.*?)(\n<!-- end -->)", re.DOTALL)
_SHOWN = ("State", "Turn", "Question", "Game", "Choice", "NewGame", "NewTurn")
"""The schemas that docs/api.md shows."""
SHARED = "shared options"
"""The name of the table of options that several commands have with the same meaning."""
_LONG = 40
"""Length of a meaning, in letters, above which it stands once in the table of shared options. [by eye]"""
_MOST_NAMES = 10
"""Names of an object that are shown; of more, the first two stand for all. [by eye]"""
_PLAIN = {"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false"}
Schema = Mapping[str, Any]


def references() -> dict[str, dict[str, str]]:
    """Return every table, by document and name."""
    return {COMMANDS: dict(_commands(build_parser())), API: dict(_interface())}


def renew(text: str, tables: Mapping[str, str]) -> str:
    """Return a document with the given tables in their places; raise KeyError for a place without a table."""
    return _PLACE.sub(lambda found: f"{found[1]}{tables[found[2]]}{found[4]}", text)


def places(text: str) -> list[str]:
    """Return the names of the places that a document has."""
    return [found[2] for found in _PLACE.finditer(text)]


def _commands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str]]:
    """Yield the name and the table of each command, and the table of what several commands share."""
    commands = {
        each.prog: [(_put_in_words(action), _meaning(action)) for action in _arguments(each)]
        for each in _within(parser)
    }
    counts = Counter(row for rows in commands.values() for row in rows)
    shared: dict[str, str] = {}
    for (word, meaning), count in counts.items():
        if count > 1 and word.startswith("--") and len(meaning) > _LONG:
            shared.setdefault(word, meaning)
    heads = ("option", "meaning")
    yield SHARED, _table(heads, [(f"`{word}`", meaning) for word, meaning in shared.items()])
    for name, rows in commands.items():
        own = [(f"`{word}`", meaning) for word, meaning in rows if shared.get(word) != meaning]
        if others := ", ".join(f"`{word}`" for word, meaning in rows if shared.get(word) == meaning):
            own.append((others, "see [above](#shared-options)"))
        if own:
            yield name, _table(heads, own)


def _within(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield each command, and each command within one."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield inner
                yield from _within(inner)


def _arguments(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return a command's words and options, without --help and the commands within it."""
    apart = (argparse._HelpAction, argparse._SubParsersAction)
    return [action for action in parser._actions if not isinstance(action, apart)]


def _meaning(action: argparse.Action) -> str:
    needed = " (has to be given)" if action.option_strings and action.required else ""
    return f"{str(action.help).replace('%%', '%')}{needed}"


def _put_in_words(action: argparse.Action) -> str:
    """Return how to write an option or a word: `--host H`, `IMAGE...`."""
    metavar = str(action.metavar or action.dest)
    if not action.option_strings:
        return {"+": f"{metavar}...", "*": f"[{metavar}...]"}.get(str(action.nargs), metavar)
    return action.option_strings[-1] if action.nargs == 0 else f"{action.option_strings[-1]} {metavar}"


def _interface() -> Iterator[tuple[str, str]]:
    lists = lexicon_names()
    yield "calls", _calls(describe(lists))
    known = schemas(lists)
    for name in _SHOWN:
        schema = known[name]
        assert isinstance(schema, Mapping)
        yield name, _names(schema)


def _calls(document: Schema) -> str:
    rows: list[tuple[str, ...]] = []
    for path, methods in document["paths"].items():
        for method, call in methods.items():
            if method == "parameters":
                continue
            (status, answer), *_ = call["responses"].items()
            answered = f"{status}: {_describe_answer(document, answer)}"
            rows.append((f"`{method.upper()} {path}`", call["summary"], _describe_sent(call), answered))
    return _table(("call", "does", "is sent", "answers"), rows)


def _describe_sent(call: Schema) -> str:
    """Return the body, the headers and what follows the address of a call."""
    parts = [f"{one['in']} `{one['name']}`" for one in call.get("parameters", ())]
    if "requestBody" in call:
        ((media, body),) = call["requestBody"]["content"].items()
        fields = ", ".join(f"`{name}`" for name in body["schema"].get("properties", ()))
        parts.insert(0, f"{media}: {fields}" if fields else _kind(body["schema"]))
    return "; ".join(parts) or "-"


def _describe_answer(document: Schema, answer: Schema) -> str:
    if "$ref" in answer:
        answer = document["components"]["responses"][answer["$ref"].rsplit("/", 1)[1]]
    ((media, content),) = answer["content"].items()
    return media if media != "application/json" else _kind(content["schema"])


def _names(schema: Schema) -> str:
    needed = schema["required"]
    rows = [
        (f"`{name}`", f"{_kind(each)}{'' if name in needed else ', or left out'}", each.get("description", ""))
        for name, each in schema["properties"].items()
    ]
    return _table(("name", "what it holds", "meaning"), rows)


def _kind(schema: Schema) -> str:
    """Return the type of a schema in words."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[1])
    if "enum" in schema:
        return _enumerate_values(schema["enum"])
    if "anyOf" in schema or "oneOf" in schema:
        return " or ".join(_kind(each) for each in schema.get("anyOf", schema.get("oneOf")))
    if "const" in schema:
        return f"`{str(schema['const']).lower()}`"
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return " or ".join(_plain(kind, schema) for kind in kinds)


def _plain(kind: str, schema: Schema) -> str:
    if kind == "array":
        return f"a list, each {_kind(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"for each player {_kind(schema['additionalProperties'])}"
    if kind == "object":
        names = [f"`{name}`" for name in schema.get("properties", ())]
        shown = names if len(names) <= _MOST_NAMES else [*names[:2], "..."]
        return f"{{{', '.join(shown)}}}" if names else "an object"
    return _PLAIN.get(kind, kind)


def _enumerate_values(values: list[str]) -> str:
    return "a face, `A` to `Z` or `Qu`" if len(values) > 20 else ", ".join(f"`{value}`" for value in values)


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    shown = (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in (heads, *rows))
    first, *others = shown
    return "\n".join((first, "|---" * len(heads) + "|", *others))


def main(root: Path = ROOT) -> int:
    """Write every table into its document. With --check write nothing, and return 1 if one is out of date."""
    parser = argparse.ArgumentParser(prog="python -m workshop.bench.documents.references", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, say which are out of date")
    args = parser.parse_args()
    late = False
    for document, tables in references().items():
        path = root / document
        before = path.read_text(encoding="utf-8")
        after = renew(before, tables)
        if after != before:
            late = True
            print(f"{document} {'is out of date' if args.check else 'renewed'}", file=sys.stderr)
            if not args.check:
                path.write_text(after, encoding="utf-8")
    return 1 if late and args.check else 0


if __name__ == "__main__":
    sys.exit(main())
