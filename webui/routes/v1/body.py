"""Reading the JSON bodies that programs send. Each error is one line that says what to correct."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TypeAlias

from engine.board import Board
from engine.editions import EDITIONS
from engine.formats.position import parse_position
from engine.game.game import Game
from engine.json_reading import as_bool, as_int, as_list, as_mapping, as_text, load_json, only_keys
from engine.play import Play, parse_play
from engine.rules.house_rules import HouseRules, house_rules_from
from webui.errors import WebError
from webui.routes.forms import NewGame

Fields: TypeAlias = Mapping[str, object]

NEW_GAME_FIELDS = ("edition", "players", "lexicon", "rules", "position")
ANSWER_FIELDS = ("version", "choice", "dismiss")
TURN_FIELDS = ("version", "kind", "tiles", "insist", "upheld", "by", "racks", "reason")
UNDO_FIELDS = ("version",)
TURN_KINDS = ("play", "pass", "exchange", "challenge", "end")

_MAX_NUMBER = 999


def parse_body(data: bytes, known: tuple[str, ...]) -> Fields:
    """Parse a body into its fields. Raises UpscoreError for bad JSON, and for any field that is not in `known`."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise WebError("The body is not readable JSON (no UTF-8): send UTF-8.") from None
    fields = as_mapping(load_json(text, "the body"), "the body")
    only_keys(fields, known, "the body")
    return fields


def version_in(fields: Fields) -> int:
    """Read the version of the game that the program means. Raises WebError if it sent none."""
    version = fields.get("version")
    if not isinstance(version, int) or isinstance(version, bool):
        raise WebError('Say which version of the game this is meant for, as its state has it: "version": 3.')
    return version


def choice_in(fields: Fields) -> int | None:
    """Read the number of the answer, None if the question is put aside. Raises UpscoreError for anything else."""
    if "dismiss" in fields and as_bool(fields["dismiss"], '"dismiss"'):
        if "choice" in fields:
            raise WebError('Send "choice", or "dismiss": true, not both.')
        return None
    if "choice" not in fields:
        raise WebError('Which answer is meant? Send its number, from 0, as "choice", or "dismiss": true.')
    return as_int(fields["choice"], '"choice"', 0, _MAX_NUMBER)


def new_game_in(fields: Fields, lexicons: tuple[str, ...], rules: HouseRules) -> tuple[NewGame, Board | None]:
    """Read the set-up of a new game, and the board it starts from, None for an empty one. Raises UpscoreError.

    `rules` hold unless the body says otherwise. The first of the `lexicons` is the usual one.
    """
    edition = fields.get("edition")
    if not isinstance(edition, str) or edition not in EDITIONS:
        raise WebError(f'Which board is it? Send one of {", ".join(EDITIONS)} as "edition".')
    players = tuple(as_text(name, "a player").strip() for name in as_list(fields.get("players"), '"players"'))
    lexicon = fields.get("lexicon", lexicons[0])
    if lexicon not in lexicons:
        raise WebError(f'Which word list is agreed on? Send one of {", ".join(lexicons)} as "lexicon".')
    changed = house_rules_from({**asdict(rules), **as_mapping(fields.get("rules", {}), '"rules"')})
    board = None
    if "position" in fields:
        position = parse_position(fields["position"])
        if position.edition.name != edition:
            raise WebError(
                f"The position is for {position.edition.name}, but the game for {edition}: send one edition."
            )
        board = position.board
    return NewGame(edition, players, changed, as_text(lexicon, '"lexicon"')), board


def play_in(fields: Fields) -> Play | None:
    """Read the tiles of a play, None for another kind of turn. Raises UpscoreError for an unknown kind."""
    kind = fields.get("kind")
    if kind not in TURN_KINDS:
        raise WebError(f'What was the turn? Send one of {", ".join(TURN_KINDS)} as "kind".')
    return parse_play(as_text(fields.get("tiles", ""), '"tiles"')) if kind == "play" else None


def check_placing(game: Game, play: Play, fields: Fields) -> None:
    """Raise WebError, which says why, if a play breaks a rule of placing and the program does not insist."""
    if as_bool(fields.get("insist", False), '"insist"'):
        return
    breaches = game.judge(play).breaches
    if breaches:
        raise WebError(f'{breaches[0].text} Correct the tiles, or send "insist": true to enter them anyway.')


def turn_in(fields: Fields) -> Callable[[Game], Game]:
    """Return the change that a pass, an exchange, a challenge or the end makes to a game. Raises UpscoreError."""
    kind = fields["kind"]
    if kind == "pass":
        return Game.pass_turn
    if kind == "exchange":
        return Game.exchange
    if kind == "challenge":
        upheld = as_bool(fields.get("upheld"), '"upheld"')
        by = None if fields.get("by") is None else as_text(fields["by"], '"by"')
        return lambda game: game.challenge(by, upheld=upheld)
    reason = None if fields.get("reason") is None else as_text(fields["reason"], '"reason"')
    racks = None if fields.get("racks") is None else as_mapping(fields["racks"], '"racks"')
    return lambda game: game.end(reason, None if racks is None else _left(racks, game.players))


def _left(racks: Fields, players: tuple[str, ...]) -> tuple[int, ...]:
    """Read how many tiles each player has left, in the order of the players."""
    only_keys(racks, players, '"racks"')
    for name in players:
        if name not in racks:
            raise WebError(f'How many tiles has {name} left? Send one number for each player in "racks".')
    return tuple(as_int(racks[name], f'"racks" of {name}', 0, _MAX_NUMBER) for name in players)
