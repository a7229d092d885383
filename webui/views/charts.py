"""Views of how a game went: its charts, the luck of the draw, and its replay turn by turn.

Drawings are `WIDTH` units wide. Line, mark and name tell the players apart, never colour alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine import Game, square_name
from engine.analysis.chances import chances, turning_points
from engine.faces import is_vowel
from engine.wording import decimal_text, join_texts, number_of, phrase
from webui.table.games import best_words
from webui.views.board import Board3DView, BoardView, view_board, view_board_3d
from webui.views.finish import pick_vowels
from webui.views.sheet import TurnView, view_turns


@dataclass(frozen=True)
class BagRow:
    """The tiles that a player played, or the whole set.

    `counts` and `shares` (%) count the vowels, the other letters and the rare letters, in this order. `counts` has None
    for the vowels if the set has none, as with the letters of another script.
    """

    name: str
    tiles: int
    counts: tuple[int | None, int, int]
    shares: tuple[int, int, int]


def view_bag(game: Game) -> tuple[tuple[BagRow, ...], str]:
    """Return a row for the whole set and one for each player's tiles played, and the set's rare letters.

    Both are empty if the edition's letters are not known.
    """
    distribution = game.setup.edition.distribution
    if distribution is None:
        return (), ""
    others = {face: count for face, count in distribution.items() if count and not is_vowel(face)}
    rare = [face for face in game.setup.edition.alphabet.faces if others.get(face) == min(others.values(), default=0)]
    rows = [_bag_row(phrase("The whole set"), Counter(distribution), rare, distribution)]
    for name in game.players:
        played: Counter[str] = Counter()
        for record in game.turns:
            if record.player == name and record.play is not None and not record.taken_back:
                played.update(record.play.faces)
        rows.append(_bag_row(name, played, rare, distribution))
    return tuple(rows), ", ".join(rare)


def _bag_row(name: str, tiles: Counter[str], rare: list[str], distribution: Mapping[str, int]) -> BagRow:
    total = tiles.total()
    vowels = pick_vowels(tiles, distribution)
    vowel_count = None if vowels is None else vowels.total()
    rare_count = sum(tiles[face] for face in rare)
    counts = (vowel_count or 0, total - (vowel_count or 0) - rare_count, rare_count)
    shares = [round(100 * count / total) if total else 0 for count in counts]
    shares[1] = 100 - shares[0] - shares[2] if total else 0
    return BagRow(name, total, (vowel_count, *counts[1:]), (shares[0], shares[1], shares[2]))


WIDTH = 360.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 30.0, 46.0, 12.0, 24.0
_PLOT_HEIGHT = 210.0
_LABEL_GAP = 15.0
"""The layout of the chart of points: its margins, its height, and the least distance of two totals. [by eye]"""
_MAX_WORDS = 10
_TALL_STACK_TILES = 3
_SCALE_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 2000)


Rows = tuple[tuple[int, str, tuple[int, ...]], ...]


@dataclass(frozen=True)
class PlayerLine:
    """A player's points by turn: the line, the marks on it, and the height of the total at its end."""

    number: int
    name: str
    total: int
    path: str
    marks: tuple[tuple[float, float], ...]
    label_y: float


@dataclass(frozen=True)
class LineChart:
    """A chart with a line for each player, turn by turn, of points or of chances in percent.

    `levels` and `turns` are the lines of the scales, each with its coordinate and its number. `rows` is the chart as a
    table: turn, its player, every player's number after it. `unit` follows the numbers.
    """

    left, right, bottom = _LEFT, WIDTH - _RIGHT, _TOP + _PLOT_HEIGHT
    height = bottom + _BOTTOM

    levels: tuple[tuple[float, int], ...]
    turns: tuple[tuple[float, int], ...]
    lines: tuple[PlayerLine, ...]
    rows: Rows
    summary: str
    unit: str


@dataclass(frozen=True)
class ChancesView:
    """The chance to win as a chart, and the turning points: their lines on the sheet, and a text for each."""

    chart: LineChart
    turning_points: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class WordBar:
    """One of the best words. `share` is the length of its bar, as a share of the longest."""

    word: str
    points: int
    player: str
    number: int
    share: float


@dataclass(frozen=True)
class PlayerWords:
    """A player's words: how many, their points on average, and the best word."""

    name: str
    words: int
    average: str
    best: str


@dataclass(frozen=True)
class ChartsView:
    """All charts of a game.

    `stacks` are the high ones, each with its square, its height and its letters from the bottom. `chances` is None
    before the game's end. `bag` is empty if the set's letters are not known, `rare` lists its rare letters.
    """

    score: LineChart
    chances: ChancesView | None
    words: tuple[WordBar, ...]
    by_player: tuple[PlayerWords, ...]
    stacks: tuple[tuple[str, int, str], ...]
    heights: tuple[tuple[int, int], ...]
    bag: tuple[BagRow, ...]
    rare: str


def view_charts(game: Game) -> ChartsView:
    """Return the charts of a game that is over or under way."""
    heights = Counter(game.board.height(square) for square in game.board.list_occupied())
    bag, rare = view_bag(game)
    return ChartsView(
        score=_score(game),
        chances=view_chances(game),
        words=_words(game),
        by_player=tuple(_player_words(game, name) for name in game.players),
        stacks=_stacks(game),
        heights=tuple((height, heights[height]) for height in range(1, 6)),
        bag=bag,
        rare=rare,
    )


def _score(game: Game) -> LineChart:
    rows = _score_rows(game)
    most = max([1, *(max(points) for _, _, points in rows)])
    step = next((each for each in _SCALE_STEPS if most / each <= 6), _SCALE_STEPS[-1])
    ends = ", ".join(f"{name} {total}" for name, total in game.totals.items())
    summary = phrase(
        "Points by turn. After %(turns)s: %(totals)s.", turns=number_of(len(game.turns), "turn"), totals=ends
    )
    return _line_chart(game.players, rows, -(-most // step) * step, step, summary)


def view_chances(game: Game) -> ChancesView | None:
    """Return the chance to win as a chart, with the turning points, or None if it can't be estimated."""
    shares = chances(game)
    if game.ended is None or len(shares) < 2:
        return None
    percents = [tuple(round(100 * share) for share in row) for row in shares]
    turns = [(0, ""), *((record.number, record.player) for record in game.turns)]
    rows = tuple((*turn, row) for turn, row in zip(turns, percents, strict=True))
    views = view_turns(game)
    points = tuple(
        (
            (at := game.turns.index(point.record)) + 1,
            join_texts(
                (
                    views[at].sentence,
                    phrase(
                        "The chance to win went from %(before)s%% to %(after)s%%.",
                        before=round(100 * point.before),
                        after=round(100 * point.after),
                    ),
                )
            ),
        )
        for point in turning_points(game)
    )
    summary = phrase("The chance to win after each turn, in percent.")
    return ChancesView(_line_chart(game.players, rows, 100, 25, summary, "%"), points)


def _line_chart(players: Sequence[str], rows: Rows, top: int, step: int, summary: str, unit: str = "") -> LineChart:
    """Draw a line for each player through the numbers of the rows, from 0 to `top`."""
    turn_width = (LineChart.right - _LEFT) / max(1, len(rows) - 1)
    label_step = next(each for each in _SCALE_STEPS if (len(rows) - 1) / each <= 10)

    def height(points: int) -> float:
        return round(LineChart.bottom - _PLOT_HEIGHT * points / top, 2)

    lines = []
    for at, name in enumerate(players):
        places = [(round(_LEFT + turn_width * turn, 2), height(row[2][at])) for turn, row in enumerate(rows)]
        marks = [place for place, row in zip(places, rows, strict=True) if row[1] == name]
        path = "M" + " L".join(f"{x},{y}" for x, y in places)
        lines.append(PlayerLine(at + 1, name, rows[-1][2][at], path, tuple(marks), places[-1][1]))
    return LineChart(
        levels=tuple((height(points), points) for points in range(0, top + 1, step)),
        turns=tuple((round(_LEFT + turn_width * turn, 2), turn) for turn in range(0, len(rows), label_step)),
        lines=_separate_labels(lines),
        rows=rows[1:],
        summary=summary,
        unit=unit,
    )


def _score_rows(game: Game) -> Rows:
    """Return every player's points at the start, after each turn and, at the end, after the penalty for tiles left."""
    totals = dict(zip(game.players, game.setup.scores, strict=True))
    rows = [(0, "", tuple(totals.values()))]
    for record in game.turns:
        totals[record.player] += record.points
        rows.append((record.number, record.player, tuple(totals.values())))
    if game.ended is not None and any(game.ended.penalties):
        rows.append((len(rows), phrase("tiles left"), tuple(game.totals.values())))
    return tuple(rows)


def _separate_labels(lines: list[PlayerLine]) -> tuple[PlayerLine, ...]:
    """Return the lines with their totals far enough apart to be read."""
    placed: list[PlayerLine] = []
    for line in sorted(lines, key=lambda each: -each.label_y):
        lowest = placed[-1].label_y - _LABEL_GAP if placed else LineChart.bottom
        placed.append(replace(line, label_y=min(line.label_y, lowest)))
    return tuple(sorted(placed, key=lambda each: each.number))


def _words(game: Game) -> tuple[WordBar, ...]:
    best = best_words(game)[:_MAX_WORDS]
    longest = max([1, *(points for _, points, _ in best)])
    return tuple(
        WordBar(word, points, player, game.players.index(player) + 1, round(points / longest, 3))
        for word, points, player in best
    )


def _player_words(game: Game, name: str) -> PlayerWords:
    words = [(word, points) for word, points, player in best_words(game) if player == name]
    if not words:
        return PlayerWords(name, 0, phrase("none"), phrase("none"))
    average = sum(points for _, points in words) / len(words)
    return PlayerWords(name, len(words), decimal_text(average), "{} {}".format(*words[0]))


def _stacks(game: Game) -> tuple[tuple[str, int, str], ...]:
    """Return the stacks of three tiles and more, the highest first."""
    board = game.board
    tall = [square for square in board.list_occupied() if board.height(square) >= _TALL_STACK_TILES]
    tall.sort(key=board.height, reverse=True)
    return tuple((square_name(square), board.height(square), " ".join(board.stack(square))) for square in tall)


@dataclass(frozen=True)
class StepView:
    """A step of the replay: the board after the turn on line `at` of the sheet, or at the start for 0.

    `totals` are the players' points so far.
    """

    at: int
    last: int
    sentence: str
    turn: TurnView | None
    totals: tuple[tuple[str, int], ...]
    board: BoardView
    board_3d: Board3DView


def view_step(game: Game, at: int) -> StepView:
    """Return step `at` of a game, or the nearest one."""
    last = len(game.turns)
    at = min(max(at, 0), last)
    record = game.turns[at - 1] if at else None
    new = record.play.squares if record is not None and record.play is not None and not record.taken_back else ()
    board = game.board_after(at)
    turns = view_turns(game)
    turn = turns[at - 1] if at else None
    totals = dict(zip(game.players, game.setup.scores, strict=True))
    totals |= {each.player: each.total for each in turns[:at]}
    return StepView(
        at=at,
        last=last,
        sentence=turn.sentence if turn is not None else phrase("The board at the start."),
        turn=turn,
        totals=tuple(totals.items()),
        board=view_board(board, new=new),
        board_3d=view_board_3d(board, new),
    )
