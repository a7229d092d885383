"""Boards and games as text, for people and programs (docs/notation.md): a diagram, or one line an entry."""

from __future__ import annotations

import json
from collections.abc import Sequence

from engine.board import Board
from engine.editions import Edition, edition_data, edition_from_data
from engine.errors import NotationError, UpscoreError, quote
from engine.faces import ENGLISH, Alphabet, format_faces
from engine.game import events
from engine.game.game import Game
from engine.game.records import Setup, make_setup
from engine.json_reading import load_json
from engine.lexicon.lexicon import WordList
from engine.play import format_play, format_run, parse_play
from engine.rules.house_rules import house_rules_from
from engine.squares import MAX_SIZE, SQUARES, square_name
from engine.wording import phrase

_EMPTY = "."


def format_diagram(board: Board) -> str:
    """Draw a board as text: column letters above, row numbers at the left, ``.`` for an empty square.

    A stack is written from bottom to top: ``MW`` is a W on an M. The last line has no line break.
    """
    cells = [[format_faces(stack) or _EMPTY for stack in row] for row in board.stacks]
    widths = [max(len(row[col]) for row in cells) for col in range(board.size)]
    names = [square_name(SQUARES[0][col])[0] for col in range(board.size)]
    lines = [_line("", names, widths)]
    lines += [_line(str(number + 1), row, widths) for number, row in enumerate(cells)]
    return "\n".join(lines)


def parse_diagram(text: str, alphabet: Alphabet = ENGLISH) -> Board:
    """Return the board that a diagram shows, the inverse of `format_diagram`.

    The diagram may leave out the line of column letters and the row numbers. Raises NotationError for text that isn't a
    diagram, PositionError for an impossible board.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if lines and "".join(lines[0]) == "abcdefghijklmnopqrstu"[: len(lines[0])]:
        lines = lines[1:]
    if not 2 <= len(lines) <= MAX_SIZE:
        raise NotationError(phrase("a diagram has 2 to %(most)s rows, not %(count)s", most=MAX_SIZE, count=len(lines)))
    rows: list[list[tuple[str, ...]]] = []
    for number, cells in enumerate(lines, start=1):
        squares = cells[1:] if cells[0] == str(number) else cells
        if len(squares) != len(lines):
            raise NotationError(
                phrase(
                    "row %(number)s of the diagram (%(cells)s) has %(count)s squares: %(rows)s rows need %(rows)s",
                    number=number,
                    cells=quote(" ".join(cells)),
                    count=len(squares),
                    rows=len(lines),
                )
            )
        rows.append([() if cell == _EMPTY else alphabet.parse_faces(cell) for cell in squares])
    return Board.of(rows, alphabet)


def _line(head: str, cells: list[str], widths: list[int]) -> str:
    body = " ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"{head:>2} {body}".rstrip()


HEADING = "upscore game 1"
_VERDICTS = {"upheld": True, "refused": False}
_HEAD_WORDS = ("edition", "player", "rule", "lexicon", "row", "scores", "first")


def format_game(game: Game) -> str:
    """Write a game in text notation, with a line break at the end; `parse_game` restores the same game."""
    edition = edition_data(game.setup.edition)
    lines = [HEADING, f"edition {edition if isinstance(edition, str) else json.dumps(edition, ensure_ascii=False)}"]
    lines += [f"player {name}" for name in game.players]
    lines += [f"rule {name} {str(value).lower()}" for name, value in game.setup.rules.changes().items()]
    if game.setup.lexicon_name is not None:
        lines.append(f"lexicon {game.setup.lexicon_name}")
    if not game.setup.start.is_empty:
        lines += [f"row {line.strip()}" for line in format_diagram(game.setup.start).splitlines()[1:]]
    if any(game.setup.scores):
        lines.append(f"scores {' '.join(map(str, game.setup.scores))}")
    if game.setup.first:
        lines.append(f"first {game.setup.first + 1}")
    comments = _comments(game)
    lines += [f"{format_entry(entry)}{comments.get(at, '')}" for at, entry in enumerate(game.log)]
    lines.append(f"entries {len(game.log)}")
    return "\n".join(lines) + "\n"


def parse_game(text: str, lexicon: WordList | None) -> Game:
    """Parse a game in text notation; `lexicon` judges its plays.

    It skips empty lines, and whatever follows a ``;`` except in names. Raises an UpscoreError, one line, for a newer
    version or a text that was cut off. For anything unreadable or impossible, the error also gives the line or the
    entry.
    """
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    _check_heading(lines)
    head: list[tuple[str, str]] = []
    alphabet = ENGLISH
    entries: list[events.Entry] = []
    count: str | None = None
    for number, line in lines[1:]:
        word, _, rest = line.partition(" ")
        try:
            if count is not None:
                raise NotationError(phrase("nothing comes after the line with the number of entries: take it out"))
            if word in _HEAD_WORDS and not entries:
                head.append((word, rest.strip()))
                if word == "edition":
                    alphabet = _edition(rest.strip()).alphabet
            elif word == "entries":
                count = _without_comment(rest)
            elif _without_comment(line):
                entries.append(parse_entry(_without_comment(line), alphabet))
        except UpscoreError as error:
            raise NotationError(phrase("line %(number)s: %(error)s", number=number, error=error)) from None
    if count is None:
        raise NotationError(phrase('the text stops before its last line, "entries" and their number: it was cut off'))
    if _number(count, 0, phrase("the number of entries")) != len(entries):
        raise NotationError(
            phrase(
                "%(count)s entries are written where %(expected)s should be: a part is missing",
                count=len(entries),
                expected=count,
            )
        )
    return Game.from_log(_setup(head), entries, lexicon)


def format_entry(entry: events.Entry) -> str:
    """Write one entry as a line: ``play e6-N.T``, ``exchange E for T``, ``challenge 2 upheld``, ``undo``."""
    match entry:
        case events.Undone():
            return "undo"
        case events.Redone():
            return "redo"
        case events.Corrected(at, put, insert, also):
            return " also ".join([_format_put(at, put, insert), *(_format_put(*other) for other in also)])
        case _:
            return _format_event(entry)


def parse_entry(line: str, alphabet: Alphabet = ENGLISH) -> events.Entry:
    """Parse a line as an entry, the inverse of `format_entry`; raise NotationError."""
    words = line.split()
    match words:
        case ["undo"]:
            return events.Undone()
        case ["redo"]:
            return events.Redone()
        case ["remove" | "correct" | "insert" as kind, *_]:
            first, *others = (part.split() for part in " ".join(words).split(" also "))
            at, put = _parse_put(first, alphabet)
            if any(other[:1] == ["insert"] for other in others):
                raise NotationError(phrase("only one event is put in at a time: write the other on a line of its own"))
            return events.Corrected(at, put, kind == "insert", tuple(_parse_put(other, alphabet) for other in others))
        case _:
            return _parse_event(words, alphabet)


def _format_put(at: int, put: events.Event | None, insert: bool = False) -> str:
    if put is None:
        return f"remove {at + 1}"
    return f"{'insert' if insert else 'correct'} {at + 1}: {_format_event(put)}"


def _parse_put(words: Sequence[str], alphabet: Alphabet) -> tuple[int, events.Event | None]:
    """Return the number of an event and its correction, None to remove it."""
    match words:
        case ["remove", at]:
            return _number(at, 1, phrase("the event's number")) - 1, None
        case ["correct" | "insert", at, *event] if at.endswith(":"):
            return _number(at[:-1], 1, phrase("the event's number")) - 1, _parse_event(event, alphabet)
    raise NotationError(
        phrase(
            "%(written)s isn't a correction: write it as in correct 2: pass, insert 2: pass or remove 2",
            written=quote(" ".join(words)),
        )
    )


def _format_event(event: events.Event) -> str:
    match event:
        case events.Drawn(faces):
            return f"draw {' '.join(face or '-' for face in faces)}"
        case events.RackSeen(player, held):
            return f"rack {player + 1} {format_faces(held) or '-'}"
        case events.Played(play):
            return f"play {format_run(play)}"
        case events.Passed():
            return "pass"
        case events.Exchanged(None, None):
            return "exchange"
        case events.Exchanged(given, drawn):
            return f"exchange {given or '-'} for {drawn or '-'}"
        case events.Challenged(challenger, upheld, authority):
            who = "-" if challenger is None else str(challenger + 1)
            by = "" if authority is None else f" by {authority}"
            return f"challenge {who} {'upheld' if upheld else 'refused'}{by}"
        case events.TurnGiven(player):
            return f"turn {player + 1}"
        case events.BoardTaken(tiles, player):
            return f"board {player + 1} {format_play(tiles)}"
        case events.Ended(reason, left):
            return " ".join(["end", reason, *(str(count) for count in left or ())])


def _parse_event(words: Sequence[str], alphabet: Alphabet) -> events.Event:
    match list(words):
        case ["draw", *faces] if faces:
            return events.Drawn(tuple(_face(face, alphabet) for face in faces))
        case ["rack", player, faces]:
            rack = () if faces == "-" else alphabet.parse_faces(faces)
            return events.RackSeen(_number(player, 1, phrase("the player's number")) - 1, rack)
        case ["play", *tiles] if tiles:
            return events.Played(parse_play(" ".join(tiles), alphabet=alphabet))
        case ["pass"]:
            return events.Passed()
        case ["exchange"]:
            return events.Exchanged()
        case ["exchange", given, "for", drawn]:
            return events.Exchanged(_face(given, alphabet), _face(drawn, alphabet))
        case ["challenge", who, outcome, *by] if outcome in _VERDICTS and by[:1] in ([], ["by"]) and len(by) in (0, 2):
            number = None if who == "-" else _number(who, 1, phrase("the challenger's number")) - 1
            return events.Challenged(number, _VERDICTS[outcome], events.find_authority(by[1] if by else None))
        case ["turn", player]:
            return events.TurnGiven(_number(player, 1, phrase("the player's number")) - 1)
        case ["board", player, *tiles] if tiles:
            lying = parse_play(" ".join(tiles), alphabet=alphabet)
            return events.BoardTaken(lying, _number(player, 1, phrase("the player's number")) - 1)
        case ["end", reason, *left]:
            counts = tuple(_number(count, 0, phrase("the tiles left")) for count in left)
            return events.Ended(reason, counts or None)
    raise NotationError(
        phrase(
            "%(written)s isn't an event: use draw, rack, play, pass, exchange, challenge, turn, board or end",
            written=quote(" ".join(words)),
        )
    )


def _check_heading(lines: Sequence[tuple[int, str]]) -> None:
    heading = lines[0][1] if lines else ""
    if heading == HEADING:
        return
    words = heading.split()
    if words[:2] == ["upscore", "game"] and len(words) == 3 and words[2].isdecimal() and int(words[2][:9]) > 1:
        raise NotationError(
            phrase(
                "the game was written by a newer version (format %(number)s): update this program", number=words[2][:9]
            )
        )
    raise NotationError(phrase('this is not a game: the first line must be "%(heading)s"', heading=HEADING))


def _edition(text: str) -> Edition:
    """Return the edition of the edition line."""
    return edition_from_data(load_json(text, phrase("the edition")) if text.startswith("{") else _without_comment(text))


def _setup(head: Sequence[tuple[str, str]]) -> Setup:
    values: dict[str, list[str]] = {word: [] for word in _HEAD_WORDS}
    for word, rest in head:
        as_it_is = word in ("player", "lexicon") or rest.startswith("{")
        values[word].append(rest if as_it_is else _without_comment(rest))
    if len(values["edition"]) != 1 or any(len(values[word]) > 1 for word in ("lexicon", "scores", "first")):
        raise NotationError(
            phrase("a game has one edition line, and at most one of lexicon, scores and first each: correct the head")
        )
    rules: dict[str, object] = {}
    for line in values["rule"]:
        name, _, value = line.partition(" ")
        if name in rules:
            raise NotationError(phrase("house rule %(name)s appears twice: once is enough", name=name))
        rules[name] = load_json(value, phrase("the value of house rule %(name)s", name=name))
    edition = _edition(values["edition"][0])
    start = parse_diagram("\n".join(values["row"]), edition.alphabet) if values["row"] else None
    scores = [_number(score, 0, phrase("a score to start with")) for line in values["scores"] for score in line.split()]
    first = [_number(line, 1, phrase("the number of the player who begins")) for line in values["first"]]
    return make_setup(
        edition,
        tuple(values["player"]),
        house_rules_from(rules),
        start=start,
        lexicon_name=values["lexicon"][0] if values["lexicon"] else None,
        scores=tuple(scores) if values["scores"] else None,
        first=first[0] - 1 if first else 0,
    )


def _comments(game: Game) -> dict[int, str]:
    """Return comments with number, player and points for the lines of a log without corrections."""
    if game.log != game.events:
        return {}
    comments: dict[int, str] = {}
    for record in game.turns:
        words = () if record.verdict is None else record.verdict.words
        score = f" {record.points}: {', '.join(f'{w.word} {w.points}' for w in words)}" if words else ""
        comments[record.event] = f"  ; {record.number} {record.player}{score}"
    return comments


def _without_comment(line: str) -> str:
    return line.partition(";")[0].strip()


def _face(text: str, alphabet: Alphabet) -> str | None:
    return None if text == "-" else alphabet.parse_face(text)


def _number(text: str, low: int, what: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 6 and int(text) >= low:
        return int(text)
    raise NotationError(
        phrase("%(what)s must be a number from %(low)s, not %(text)s", what=what, low=low, text=quote(text))
    )
