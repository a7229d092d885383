"""Pictures of a game to send to others: the final board with the scores, and the game turn by turn as a short film."""

from __future__ import annotations

import io
import unicodedata

from PIL import Image, ImageDraw, ImageFont

from engine import Game
from vision.system import bold_font
from webui.language import translate
from webui.views.board import BoardView, view_board
from webui.views.charts import view_step
from webui.views.finish import ResultView

WIDTH = 1080
"""Width of the picture, px. Chats show no more. [by eye]"""
FILM_WIDTH = 540
"""Width of the film, px: a game of 40 turns has less than 1 MB. [by eye]"""
STEP_MS, END_MS = 1200, 5000
"""Milliseconds that the film shows a turn, and the result. [by eye]"""
_MARGIN, _HEAD, _ROW = 40, 170, 64
_PAPER, _INK, _SOFT, _ACCENT, _RULE = "#f7f2e8", "#2a231d", "#6d6155", "#7b1e2e", "#d9cfbd"
_BOARD, _PAD, _TILE, _TILE_SIDE, _TILE_LINE, _NEW = "#3d5a57", "#486764", "#f6ecd3", "#cdbb93", "#8f7d58", "#ffc34d"

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont


def draw_result(game: Game, result: ResultView) -> bytes:
    """Return a PNG of the final board, with who won and the players by points."""
    out = io.BytesIO()
    _draw_end(game, result).save(out, "PNG", optimize=True)
    return out.getvalue()


def draw_film(game: Game, result: ResultView) -> bytes:
    """Return an animated GIF of the game turn by turn, which ends with the result and begins again."""
    steps = [view_step(game, at) for at in range(len(game.turns) + 1)]
    pictures = [_draw(step.board, step.sentence, "", step.totals) for step in steps]
    frames = [_reduce(picture) for picture in (*pictures, _draw_end(game, result))]
    out = io.BytesIO()
    times = [STEP_MS] * len(pictures) + [END_MS]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0)
    return out.getvalue()


def _draw_end(game: Game, result: ResultView) -> Image.Image:
    rows = tuple((each.name, each.total) for each in result.ranking)
    return _draw(view_board(game.board), result.won, result.by, rows)


def _reduce(picture: Image.Image) -> Image.Image:
    size = FILM_WIDTH, round(picture.height * FILM_WIDTH / picture.width)
    return picture.resize(size, Image.Resampling.LANCZOS).quantize(64, dither=Image.Dither.NONE)


def _draw(board: BoardView, headline: str, detail: str, rows: tuple[tuple[str, int], ...]) -> Image.Image:
    """Draw a headline with a line below it, the players' points, and the board."""
    side = WIDTH - 2 * _MARGIN
    picture = Image.new("RGB", (WIDTH, _HEAD + _ROW * len(rows) + side + 2 * _MARGIN), _PAPER)
    pen = ImageDraw.Draw(picture)
    _write(pen, (_MARGIN, 80), translate(headline), 64, _ACCENT, width=side)
    _write(pen, (_MARGIN, 145), translate(detail), 32, _SOFT, width=side)
    for at, (name, points) in enumerate(rows):
        middle = _HEAD + _ROW * at + _ROW / 2
        pen.line((_MARGIN, middle + _ROW / 2, WIDTH - _MARGIN, middle + _ROW / 2), _RULE, 2)
        _write(pen, (_MARGIN, middle), name, 38, _INK, width=side - 160)
        _write(pen, (WIDTH - _MARGIN, middle), str(points).replace("-", "\u2212"), 44, _INK, width=150, anchor="rm")
    _draw_board(pen, board, _MARGIN, _HEAD + _ROW * len(rows) + _MARGIN, side)
    return picture


def _draw_board(pen: ImageDraw.ImageDraw, board: BoardView, left: float, top: float, side: float) -> None:
    square = side / (board.size + 0.4)
    pen.rounded_rectangle((left, top, left + side, top + side), square * 0.2, _BOARD)
    for row, views in enumerate(board.rows):
        for col, view in enumerate(views):
            x, y = left + (col + 0.2) * square, top + (row + 0.2) * square
            _draw_rounded(pen, x, y, square * 0.93, _PAD)
            for layer in range(view.height):
                up = layer * square * 0.03
                colour = _TILE if layer + 1 == view.height else _TILE_SIDE
                _draw_rounded(pen, x - up, y - up * 1.6, square * 0.93, _NEW if view.new else colour, _TILE_LINE)
            if view.height:
                up = (view.height - 1) * square * 0.03
                middle = x - up + square * 0.465, y - up * 1.6 + square * 0.465
                _write(
                    pen, middle, view.face, round(square * (0.42 if len(view.face) > 1 else 0.54)), _ACCENT, anchor="mm"
                )
            if view.height > 1:
                corner = x - up + square * 0.86, y - up * 1.6 + square * 0.8
                _write(pen, corner, str(view.height), round(square * 0.2), _SOFT, anchor="rm")


def _draw_rounded(
    pen: ImageDraw.ImageDraw, x: float, y: float, side: float, fill: str, line: str | None = None
) -> None:
    pen.rounded_rectangle((x, y, x + side, y + side), side * 0.12, fill, line)


def _write(
    pen: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, colour: str,
    *, width: float = WIDTH, anchor: str = "lm",
) -> None:  # fmt: skip
    """Write a line, in smaller letters if it would be wider than `width`.

    A letter that the font lacks loses its accents.
    """
    font = bold_font(size)
    letters = (each if _has(font, each) else unicodedata.normalize("NFD", each)[0] for each in text)
    text = "".join(each for each in letters if _has(font, each)).strip()
    if (wide := font.getlength(text)) > width:
        font = bold_font(max(12, int(size * width / wide)))
    pen.text(at, text, colour, font, anchor)


def _has(font: Font, letter: str) -> bool:
    """Return whether a font has a letter. It draws a box instead of a letter that it lacks."""
    return letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask("\uffff"))
