"""Turns command-line arguments into editions, house rules, word lists, positions, and the folder of games."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine import EDITIONS, ENGLISH, SHEET_RULES, Edition, Game, HouseRules, Lexicon, find_edition, grid_edition
from engine.editions import MAX_FILE, parse_edition
from engine.errors import UpscoreError, quote
from engine.formats.game_json import FORMAT, POSITION_KEYS, Position, game_from_dict, parse_position
from engine.formats.notation import HEADING, parse_diagram, parse_game
from engine.json_reading import as_mapping, load_json
from engine.rules.house_rules import parse_house_rules
from engine.wording import did_you_mean
from upscore.commands.console import UsageError, say
from upscore.commands.lone_q import has_lone_q, spelt_for_lone_q
from upscore.words.languages import FOLDER, LANGUAGES, load_language
from upscore.words.loader import DEFAULT_LEXICON, is_own_list, load_lexicon, load_word_file

MAX_BYTES = 4 << 20
"""Most bytes of a file, far more than a position or house rules take. [by eye]"""
_LAST_PORT = 65535


def choose_edition(args: argparse.Namespace) -> Edition:
    """Return the edition of --edition or --grid."""
    if args.grid is not None and args.edition is not None:
        raise UsageError("Give --edition or --grid, not both.")
    if args.grid is not None:
        return grid_edition(args.grid)
    names = ", ".join(EDITIONS)
    if args.edition is None:
        raise UsageError(f"Say which board it is: --edition with one of {names}, or --grid N for another game's.")
    if args.edition in EDITIONS:
        return EDITIONS[args.edition]
    if args.edition.endswith(".toml") or _is_file(args.edition):
        return read_edition(Path(args.edition))
    raise UsageError(
        f"{quote(args.edition)} is not an edition: choose {names}, the file of a set of your own, or --grid N for "
        "another game's board."
    )


def read_edition(path: Path) -> Edition:
    """Read the file of an edition; raise UsageError with one line that names the file and what is wrong in it."""
    text = read_text(path, MAX_FILE)
    try:
        return parse_edition(text)
    except UpscoreError as error:
        raise UsageError(f"{path}: {error}") from None


def house_rules(args: argparse.Namespace) -> HouseRules:
    """Return the house rules of --rules, or the sheets'."""
    if args.rules is None:
        return SHEET_RULES
    return parse_house_rules(read_text(args.rules))


def choose_lexicon(args: argparse.Namespace, edition: Edition | None = None, folder: Path = FOLDER) -> Lexicon:
    """Return the word list of --lexicon, or the edition's, as its tiles spell it. Warn about anything odd in a file.

    The lists of languages are looked for in `folder`.
    """
    name = args.lexicon or (edition and edition.lexicon) or DEFAULT_LEXICON
    alphabet = ENGLISH if edition is None else edition.alphabet
    objections: tuple[str, ...] = ()
    if name in LANGUAGES:
        lexicon, objections = load_language(name, folder, alphabet)
    elif is_own_list(name) and _is_file(name):
        lexicon, report = load_word_file(Path(name), alphabet)
        objections = report.lines() if len(report.lines()) > 1 else ()
    else:
        lexicon = load_lexicon(name, alphabet)
    for objection in objections:
        say(f"warning: {objection}")
    return spelt_for_lone_q(lexicon) if edition is not None and has_lone_q(edition) else lexicon


def data_folder(args: argparse.Namespace) -> Path:
    """Return the folder of --data, or the usual folder for the user's data on this system."""
    if args.data is not None:
        return Path(args.data)
    from platformdirs import user_data_path

    return user_data_path("upscore", appauthor=False)


def port_of(args: argparse.Namespace) -> int:
    """Return the port of --port. Raises UsageError if there is no such port."""
    port: int = args.port
    if not 0 <= port <= _LAST_PORT:
        raise UsageError(f"--port takes 0 to {_LAST_PORT}, not {port}.")
    return port


def read_position(path: Path) -> Position:
    """Read the position in a file, as JSON, a diagram or a game's board. Warn about oddities, but accept them."""
    text = read_text(path)
    if _is_game(text):
        game = _parse_game(text, None)
        position = Position(game.setup.edition, game.board, players=game.players)
    elif "{" not in text and "." in text.split():
        board = parse_diagram(text)
        position = Position(find_edition(f"{board.size}x{board.size}"), board)
    else:
        data = load_json(text, "the position")
        position = parse_position(data)
        for key in sorted(as_mapping(data, "the position").keys() - set(POSITION_KEYS)):
            say(f"warning: {quote(key)} in the position means nothing{did_you_mean(key, POSITION_KEYS)}")
    for line in position.oddities:
        say(f"warning: {line}")
    return position


def read_game(path: Path, args: argparse.Namespace) -> Game:
    """Read the game in a file, in text notation or as JSON, judged by its own word list or that of --lexicon."""
    text = read_text(path)
    if not _is_game(text):
        raise UsageError(f"{path} isn't a game: save one from the page, under “Print, keep, rename”, as text or JSON.")
    game = _parse_game(text, None)
    if args.lexicon is None:
        args.lexicon = game.setup.lexicon_name or DEFAULT_LEXICON
    return _parse_game(text, choose_lexicon(args, game.setup.edition))


def _is_game(text: str) -> bool:
    return text.lstrip().startswith(HEADING.rpartition(" ")[0]) or f'"{FORMAT}"' in text


def _parse_game(text: str, lexicon: Lexicon | None) -> Game:
    if text.lstrip().startswith("{"):
        return game_from_dict(load_json(text, "the game"), lexicon)
    return parse_game(text, lexicon)


def read_text(path: Path, most: int = MAX_BYTES) -> str:
    """Read a text file of at most so many bytes; raise UsageError with one line that says what to do."""
    try:
        if path.is_file() and path.stat().st_size > most:
            raise UsageError(f"{path} is far too large for what it should hold: check the name.")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"There is no file {path}: check the name.") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a text file in UTF-8: save it as one.") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): check the name and its permissions.") from None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # a name too long for the file system
        return False
