"""Readers of JSON text that report any fault in one clear line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import NotationError, quote
from engine.wording import phrase


def load_json(text: str, what: str) -> object:
    """Return the value that JSON `text` writes; `what` names the text in errors, as in "the position".

    Raises NotationError, with line and column where they are known. A name that occurs twice in one object is also an
    error.
    """
    try:
        value: object = json.loads(text, object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = phrase("line %(line)s, column %(column)s", line=error.lineno, column=error.colno)
        raise NotationError(
            phrase(
                "%(what)s is not readable JSON (%(reason)s, %(place)s): correct it there",
                what=what,
                reason=error.msg,
                place=place,
            )
        ) from None
    except (ValueError, RecursionError) as error:
        reason = phrase("it is nested too deeply") if isinstance(error, RecursionError) else str(error)
        raise NotationError(
            phrase("%(what)s is not readable JSON (%(reason)s): correct it", what=what, reason=reason)
        ) from None
    return value


def load_own_json(text: str | bytes) -> Any:
    """Return the value of JSON text that Upscore wrote; raise ValueError if it is damaged, or nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def as_mapping(value: object, what: str) -> Mapping[str, object]:
    """Return `value` as a JSON object; raise NotationError if it isn't one."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise NotationError(
            phrase('%(what)s must be an object, {"name": value, ...}, not %(value)s', what=what, value=quote(value))
        )
    return value


def as_list(value: object, what: str) -> Sequence[object]:
    """Return `value` as a JSON list; raise NotationError if it isn't one."""
    if not isinstance(value, (list, tuple)):
        raise NotationError(phrase("%(what)s must be a list, [...], not %(value)s", what=what, value=quote(value)))
    return value


def as_text(value: object, what: str) -> str:
    """Return `value` as a string; raise NotationError if it isn't one."""
    if not isinstance(value, str):
        raise NotationError(phrase("%(what)s must be a text, not %(value)s", what=what, value=quote(value)))
    return value


def as_int(value: object, what: str, low: int, high: int) -> int:
    """Return `value` as a whole number from `low` to `high`; raise NotationError if it isn't one."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise NotationError(
            phrase(
                "%(what)s must be a whole number from %(low)s to %(high)s, not %(value)s",
                what=what,
                low=low,
                high=high,
                value=quote(value),
            )
        )
    return value


def as_bool(value: object, what: str) -> bool:
    """Return `value` as true or false; raise NotationError if it is neither."""
    if not isinstance(value, bool):
        raise NotationError(phrase("%(what)s must be true or false, not %(value)s", what=what, value=quote(value)))
    return value


def only_keys(mapping: Mapping[str, object], known: Sequence[str], what: str) -> None:
    """Check that every name in `mapping` is in `known`; raise NotationError that lists `known` if not."""
    for key in mapping:
        if key not in known:
            raise NotationError(
                phrase("%(what)s has no %(key)s: use %(names)s", what=what, key=quote(key), names=", ".join(known))
            )


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(phrase("%(key)s appears twice", key=quote(key)))
        result[key] = value
    return result


def _no_constant(name: str) -> object:
    raise ValueError(phrase("%(name)s is not a number", name=name))
