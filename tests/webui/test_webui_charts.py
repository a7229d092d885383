"""Charts, the replay, the 3-D board and the large view: what they draw is what was played."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from presencekit import there
from webkit import EXAMPLE, EXAMPLE_POINTS, Site, doubt, example, new_game, picture, sure, text

from engine import Board, parse_play
from engine.game.events import Challenged
from webui.views.board import DEPTH, LAYER, view_board_3d
from webui.views.charts import WIDTH, view_charts, view_step


def test_points_by_turn_end_at_the_totals() -> None:
    chart = view_charts(example().end("agreed", (1, 3))).score
    assert chart.rows[0] == (1, "Red", (8, 0))
    assert chart.rows[-1] == (8, "tiles left", (41, 12))
    assert [(line.name, line.total) for line in chart.lines] == [("Red", 41), ("Blue", 12)]
    assert chart.summary == "Points by turn. After seven turns: Red 41, Blue 12."
    assert [len(line.marks) for line in chart.lines] == [4, 3]


def test_the_chance_to_win_comes_with_the_end_and_names_the_turning_points() -> None:
    game = new_game().play(parse_play("b4-MOOD")).play(parse_play("a5-ABCDEFG"))
    assert view_charts(game).chances is None
    view = there(view_charts(game.end("agreed", (0, 0))).chances)
    assert [line.total for line in view.chart.lines] == [0, 100]
    assert [(number, who) for number, who, _ in view.chart.rows] == [(1, "Red"), (2, "Blue")]
    ((place, told),) = view.turning_points
    assert place == 2
    assert re.search(r"for \d+ points\. The chance to win went from \d+% to \d+%\.$", told)
    assert view_charts(new_game("Red").play(parse_play("b4-MOOD")).end("agreed", (0,))).chances is None


@given(st.lists(st.sampled_from(["play", "pass", "challenge"]), max_size=12), st.integers(1, 4))
def test_every_line_stays_on_its_chart_and_names_stay_apart(happenings: list[str], players: int) -> None:
    game = new_game(*(f"P{at}" for at in range(players)))
    played = 0
    for what in happenings:
        if what == "play":
            game = game.play(parse_play(f"A@{'abcdefgh'[played % 8]}{1 + played // 8}"))
            played += 1
        elif what == "challenge" and game.state.before_play is not None:
            game = game.with_event(Challenged(None, upheld=True))
        else:
            game = game.pass_turn()
    chart = view_charts(game).score
    for line in chart.lines:
        numbers = [float(number) for number in re.findall(r"[\d.]+", line.path)]
        assert all(0 <= x <= WIDTH for x in numbers[::2])
        assert all(0 <= y <= chart.height for y in numbers[1::2])
        assert len(numbers) == 2 * (len(game.turns) + 1)
    places = sorted(line.label_y for line in chart.lines)
    assert all(below - above >= 14.9 for above, below in pairwise(places))


def test_the_best_words_and_who_made_them() -> None:
    view = view_charts(example())
    assert (view.words[0].word, view.words[0].points, view.words[0].player) == ("MOOD", 8, "Red")
    assert [bar.points for bar in view.words] == sorted((bar.points for bar in view.words), reverse=True)
    assert (view.words[0].share, view.words[0].number) == (1.0, 1)
    assert [(each.words, each.average, each.best) for each in view.by_player] == [
        (7, "6.6", "MOOD 8"),
        (4, "6.8", "DEAR 8"),
    ]


def test_a_play_that_was_taken_back_made_no_words_and_drew_no_tiles() -> None:
    game = new_game("Red")
    view = view_charts(game.play(parse_play(EXAMPLE[0])).challenge(None, upheld=True))
    assert view.words == ()
    assert (view.by_player[0].average, view.bag[1].tiles) == ("none", 0)


def test_stacks_and_the_bag_are_counted() -> None:
    view = view_charts(example())
    assert view.stacks == (("e7", 3, "R P N"),)
    assert sum(count * height for height, count in view.heights) == example().board.tile_count()
    whole, red, blue = view.bag
    assert sum(count or 0 for count in whole.counts) == 64
    assert (red.tiles + blue.tiles, sum(red.shares)) == (21, 100)
    assert view_charts(example(edition="11x11")).bag == ()


def test_in_3d_higher_stacks_are_drawn_higher_and_the_near_ones_last() -> None:
    board = example().board
    view = view_board_3d(board, parse_play(EXAMPLE[-1]).squares)
    assert [block.face for block in view.blocks] == [board.top(square) for square in board.list_occupied()]
    assert sum(block.new for block in view.blocks) == 4
    for block, square in zip(view.blocks, board.list_occupied(), strict=True):
        heights = [float(point.split(",")[1]) for point in block.front.split()]
        assert max(heights) - min(heights) == pytest.approx(board.height(square) * LAYER, abs=0.002)
        assert block.seams.count("M") == board.height(square) - 1
        points = [tuple(map(float, point.split(","))) for point in block.top.split()]
        assert all(0 <= x <= view.width and 0 <= y <= view.height for x, y in points)
    assert view_board_3d(Board.empty(10)).blocks == ()
    assert view_board_3d(Board.empty(10)).height > 10 * DEPTH


def test_each_step_has_the_board_of_its_turn() -> None:
    game = example().pass_turn()
    first = view_step(game, 0)
    assert (first.sentence, first.turn, dict(first.totals)) == ("The board at the start.", None, {"Red": 0, "Blue": 0})
    board = Board.empty(8)
    for at, tiles in enumerate(EXAMPLE, start=1):
        board = board.with_play(parse_play(tiles))
        step = view_step(game, at)
        shown = tuple(tuple(square.face for square in row) for row in step.board.rows)
        assert shown == board.tops()
        assert sum(points for _, points in step.totals) == sum(EXAMPLE_POINTS[:at])
    assert view_step(game, 99).sentence == "Blue passed."
    assert view_step(game, -4).at == 0


def test_the_pages(site: Site) -> None:
    assert "No turns yet" in text(site.client.get("/games/1/charts"))
    site.reader.say([sure(EXAMPLE[0]), doubt(EXAMPLE[1])])
    site.services.intake.take(1, picture(600, 1200), "camera")
    charts = text(site.client.get("/games/1/charts"))
    assert 'aria-label="Points by turn. After one turn: Red 8, Blue 0."' in charts
    assert "http://" not in charts.replace("http://www.w3.org", "")
    replay = text(site.client.get("/games/1/replay?at=1"))
    (key,) = re.findall(r"/pictures/([0-9a-f]{24})-photo-960\.webp", replay)
    with site.client.get(f"/pictures/{key}-photo-480.webp") as small:
        assert (small.mimetype, small.get_data()[8:12]) == ("image/webp", b"WEBP")
    assert site.client.get(f"/pictures/{key}-photo-4000.webp").status_code == 404
    assert site.client.get(f"/pictures/{key}-secret-480.webp").status_code == 404
    large = text(site.client.get("/games/1/tv"))
    assert "Blue to play" in large
    assert '<span class="words">MOOD</span> <b>+8</b>' in large
    site.services.intake.take(1, picture(), "camera")
    assert "Question waiting" in text(site.client.get("/games/1/tv"))
    paper = text(site.client.get("/games/1/print"))
    assert "MOOD <small>8</small>" in paper
    assert "word list standard" in paper
    for page in ("charts", "replay", "tv", "print"):
        assert site.client.get(f"/games/9/{page}").status_code == 404
