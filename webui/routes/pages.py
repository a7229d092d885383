"""The pages: the list of games, one game, one turn, the editors, the word box, and what looks back at a game.

Looking back has possible plays, charts, replay, television, paper, and leftover tiles. Each searches for one turn at
most, so none is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine import EDITIONS, FACES, MAX_HEIGHT, Edition, Game, HouseRules, UpscoreError
from engine.analysis.missed_plays import searchable_lexicon
from engine.editions import MAX_NAME, MAX_OF_A_FACE
from engine.faces import format_faces
from engine.rules.house_rules import HOUSE_RULES
from engine.squares import MAX_SIZE
from engine.wording import number_word, phrase
from vision.images import Image
from vision.letters.eyes import all_faces
from vision.turn.prior import MOST_PLAYS
from webui.access.gate import Permission, needs, principal, takes
from webui.errors import WebError
from webui.routes.editors import CorrectionKind, correcting_editor, play_editor, render_editor, turn_at
from webui.routes.forms import form_like, parse_edition, parse_other_faces, parse_photo, parse_rules
from webui.routes.parts import render_parts
from webui.services import app
from webui.storage.database import GameRow
from webui.views.analysis import (
    PossiblePlay,
    can_look_back,
    check_over,
    turns_to_look_back,
    view_hints,
    view_hooks,
    view_missed,
)
from webui.views.board import view_board, view_board_3d
from webui.views.charts import view_charts, view_step
from webui.views.finish import ResultView, likely_faces, view_finish, view_result
from webui.views.game import board_before, photo_at, view_board_after
from webui.views.games import record_to_beat, view_all_time, view_game_line
from webui.views.new_game import (
    last_board,
    list_remembered_players,
    name_laid_tiles,
    nearest_counts,
    own_sets,
    view_editions,
)
from webui.views.rules import rule_numbers, view_house_rules
from webui.views.sheet import bonus_text, view_sheet, view_turns
from webui.views.souvenir import draw_film, draw_result

if TYPE_CHECKING:
    from vision.letters.loose_tiles import LooseTile

pages = Blueprint("pages", __name__)


@pages.get("/")
def home() -> ResponseReturnValue:
    """Open the game that is being played, or else the list of games, or else the form for a new game.

    A phone that joins before the game begins waits here, and goes on to the game by itself.
    """
    newest = app.games.newest()
    if newest is not None:
        return redirect(url_for("pages.game", game_id=newest.id))
    if principal().session is not None:
        return render_template("waiting.html")
    has_list = app.store.games() or app.demo or not principal().begins
    return redirect(url_for("pages.games" if has_list else "pages.new_game"))


@pages.get("/games")
def games() -> str:
    """Show all games, and offer the tour."""
    return render_template(
        "games.html",
        lines=[view_game_line(row, app.games.standing) for row in app.store.games()],
        has_tour=app.demo is not None,
        notice=app.notice or app.housekeeping.trouble,
        room=app.room(),
        known=app.learned_sets.all(),
    )


@pages.get("/all-time")
def all_time() -> str:
    """Show the table of all finished games: wins, who beat whom, the best words."""
    return render_template("all_time.html", view=view_all_time(app.games.standings()))


@pages.get("/new")
@needs(Permission.BEGIN)
def new_game() -> str:
    """Show the form for a new game, filled in like the game `like`, or else with the last game's board."""
    like = request.args.get("like", type=int)
    form = {"edition": last_board(app.store.games())} if like is None else form_like(app.games.open(like))
    return render_new_game(form, None)


def render_new_game(form: dict[str, str], problem: str | None) -> str:
    """Return the form for a new game, filled in with what was sent before, and the problem with it."""
    values: dict[str, bool | int | str] = asdict(app.config.rules)
    if "rules" in form:
        for rule in HOUSE_RULES:
            sent = form.get(f"rule-{rule.name}", "")
            values[rule.name] = sent == "on" if rule.kind == "bool" else sent
    rules = _read_rules(form)
    played = app.store.games()
    editions = [*EDITIONS.values(), *_own_sets_for(form, played)]
    totals = [(edition, app.solo_totals(edition, rules)) for edition in editions]
    return render_template(
        "new.html",
        problem=problem,
        names=[form.get(f"player{at}", "") for at in range(4)],
        remembered=list_remembered_players(played),
        editions=view_editions(editions),
        records=[record_to_beat(edition, rows) for edition, rows in totals if rows],
        chosen_edition=form.get("edition", ""),
        own=_fill_typed_set(form),
        most={"size": MAX_SIZE, "stack": MAX_HEIGHT, "name": MAX_NAME, "face": MAX_OF_A_FACE},
        lexicons=app.config.lexicons.names(),
        chosen_lexicon=form.get("lexicon", ""),
        photographed=form.get("photographed", "turn"),
        most_in_round=MOST_PLAYS,
        house_rules=view_house_rules(values),
        once=played[0].touched if played else 0,  # Changes as soon as this game begins or another one goes on.
    )


_USUAL_SIZE = 9
"""Rows of the board that the form for another set begins with. [by eye]"""


def _fill_typed_set(form: dict[str, str]) -> dict[str, object]:
    """Return the fields of the form for another set. Its letters start as those of the board nearest in size."""
    counts = nearest_counts(_USUAL_SIZE)
    return {
        "name": form.get("set-name", phrase("Our set")),
        "size": form.get("set-size", _USUAL_SIZE),
        "start": form.get("set-start", ""),
        "stack": form.get("set-stack", EDITIONS["8x8"].stack_limit),
        "counts": {face: form.get(f"set-{face}", counts[face]) for face in FACES},
        "others": form.get("set-others", ""),
        "nearest": {each.size: dict(each.distribution) for each in EDITIONS.values() if each.distribution},
    }


def _own_sets_for(form: dict[str, str], played: Sequence[GameRow]) -> list[Edition]:
    """Return the custom sets to offer: the one chosen in the form, and those of the newest games."""
    offered = {edition.name: edition for edition in own_sets(played)}
    if form.get("edition", "").startswith("{"):
        with suppress(UpscoreError):  # the page shows the problem
            chosen = parse_edition(form)
            offered[chosen.name] = chosen
    return list(offered.values())


def _read_rules(form: dict[str, str]) -> HouseRules:
    """Return the rules in the form, or the preset ones if the form can't be read."""
    if "rules" in form:
        with suppress(UpscoreError):
            return parse_rules(form)
    return app.config.rules


@pages.get("/games/<int:game_id>")
def game(game_id: int) -> str:
    """Show the scoresheet, the board and what to do next."""
    open_game = app.games.open(game_id)
    view, parts = render_parts(open_game)
    return render_template("game.html", view=view, parts=parts, lexicon=open_game.judged_by)


@pages.get("/games/<int:game_id>/turns/<int:place>")
def turn(game_id: int, place: int) -> str:
    """Show one turn: its words, the board after it, its photograph."""
    open_game = app.games.open(game_id)
    record = turn_at(open_game.game, place)
    photos = app.photos(open_game)
    return render_template(
        "turn.html",
        game_id=game_id,
        lexicon=open_game.game.setup.lexicon_name,
        turn=view_turns(open_game.game, photos)[place - 1],
        view=view_board_after(open_game.game, place),
        photo=photo_at(open_game.game, place, photos, app.shelf.kinds),
        version=open_game.row.version,
        can_correct=record.kind != "lost",
        others=[(at, name) for at, name in enumerate(open_game.game.players) if name != record.player],
        bonus_text=bonus_text(open_game.game.setup.edition),
        over=can_look_back(open_game.game),
    )


@pages.get("/games/<int:game_id>/play")
@needs(Permission.SCORE)
def enter(game_id: int) -> str:
    """Open the editor for a play entered by hand."""
    open_game = app.games.open(game_id)
    return render_editor(play_editor(open_game), request.args.get("tiles", ""))


@pages.get("/games/<int:game_id>/turns/<int:place>/<any(correct, insert):way>")
@needs(Permission.SCORE)
def correct(game_id: int, place: int, way: CorrectionKind) -> str:
    """Open the editor for a past turn, for one that was missed before it, or for a later one that no longer fits.

    `said` are the answers so far, which a later turn no longer fits.
    """
    open_game, said = app.games.open(game_id), request.args.getlist("said")
    if said:
        open_game.check_version(request.args.get("version", type=int))
    editor = correcting_editor(open_game, place, way, said)
    return render_editor(editor, request.args.get("tiles", editor.tiles))


@pages.get("/games/<int:game_id>/end")
@needs(Permission.SCORE)
def finish(game_id: int) -> str:
    """Show the form for the end of the game: tiles left, and why it ends."""
    open_game = app.games.open(game_id)
    open_game.check_under_way()
    shows_turn = app.store.newest_photo(game_id) in app.photos(open_game).values()
    return render_template(
        "finish.html",
        game_id=game_id,
        version=open_game.row.version,
        game=open_game.game,
        view=view_finish(open_game.game),
        in_doubt=open_game.belief.in_doubt and open_game.question is None and not shows_turn,
    )


@pages.get("/rules")
@pages.get("/games/<int:game_id>/rules")
def rules(game_id: int | None = None) -> str:
    """Show the rules, with the house rules of a game, or the preset ones."""
    setup = None if game_id is None else app.games.open(game_id).game.setup
    edition = EDITIONS["8x8"] if setup is None else setup.edition
    played_by = app.config.rules if setup is None else setup.rules
    return render_template(
        "rules.html",
        game_id=game_id,
        rules=played_by,
        passing=number_word(played_by.passing_rounds),
        plural_rule=played_by.plural_rule and edition.plural_rule,
        editions=view_editions(EDITIONS.values() if setup is None else [setup.edition]),
        rack=number_word(edition.rack_size),
        house=view_house_rules(asdict(played_by)),
        numbers=rule_numbers(edition),
    )


@pages.get("/words")
def words() -> str:
    """Show the word box, with the answer for the word that was typed."""
    names = app.config.lexicons.names()
    lexicon = request.args.get("lexicon", "")
    lexicon = lexicon if lexicon in names else names[0]
    word = request.args.get("word", "").strip()
    answer = app.config.judge(word, lexicon) if word else None
    near = view_hooks(answer.word, app.games.lexicon(lexicon), app.config.suggest) if answer else ()
    return render_template("words.html", lexicons=names, lexicon=lexicon, asked=word, answer=answer, near=near)


@pages.get("/games/<int:game_id>/turns/<int:place>/missed")
def send_missed(game_id: int, place: int) -> ResponseReturnValue:
    """Send the page's script the best play that a turn missed, null if it missed none."""
    game = app.games.open(game_id).game
    turn_at(game, place)
    check_over(game)
    missed_play = view_missed(game, place, app.config.suggest)
    if missed_play is None:
        return jsonify({"missed": None})
    to = url_for("pages.look_back", game_id=game_id, turn=place, rack=missed_play.rack)
    return jsonify(
        {"missed": {"play": missed_play.best.where, "told": missed_play.summary, "gain": missed_play.gain, "to": to}}
    )


@pages.get("/games/<int:game_id>/analysis")
def look_back(game_id: int) -> ResponseReturnValue:
    """Show what a rack could have played on the board before a turn, or on the final board."""
    game = app.games.open(game_id).game
    check_over(game)
    searchable_lexicon(game)
    place = request.args.get("turn", 0, type=int)
    record = turn_at(game, place) if place else None
    board = board_before(game, place) if place else game.board
    played = record.play.faces if record is not None and record.play is not None else ()
    rack = request.args.get("rack", format_faces(played)).strip()
    plays: tuple[PossiblePlay, ...] = ()
    problem = None
    try:
        plays = view_hints(game, board, rack, app.config.suggest) if rack else ()
    except UpscoreError as error:
        problem = str(error)
    shown = min(max(request.args.get("show", 0, type=int), 0), max(len(plays) - 1, 0))
    new = plays[shown].play if plays else None
    if new:
        board = board.with_play(new)
    page = render_template(
        "analysis.html",
        problem=problem,
        game_id=game_id,
        lexicon=game.setup.lexicon_name,
        labels=turns_to_look_back(game),
        place=place,
        record=record,
        rack=rack,
        plays=plays,
        shown=shown,
        view=view_board(board, new=new.squares if new else ()),
    )
    return page, 400 if problem else 200


@pages.get("/games/<int:game_id>/charts")
def charts(game_id: int) -> str:
    """Show the game in charts."""
    open_game = app.games.open(game_id)
    game = open_game.game
    return render_template(
        "charts.html",
        game_id=game_id,
        lexicon=game.setup.lexicon_name,
        title=open_game.row.title,
        ended=game.ended is not None,
        view=view_charts(game),
        board_3d=view_board_3d(game.board),
    )


@pages.get("/games/<int:game_id>/replay")
def replay(game_id: int) -> str:
    """Show the game turn by turn. `at` is the line of the sheet, 0 for the start."""
    open_game = app.games.open(game_id)
    step = view_step(open_game.game, request.args.get("at", 0, type=int))
    photo = photo_at(open_game.game, step.at, app.photos(open_game), app.shelf.kinds)
    return render_template(
        "replay.html",
        game_id=game_id,
        title=open_game.row.title,
        lexicon=open_game.game.setup.lexicon_name,
        step=step,
        photo=photo,
    )


@pages.get("/games/<int:game_id>/result.png")
def result_picture(game_id: int) -> Response:
    """Send a picture of the final board with the scores."""
    return _souvenir(game_id, draw_result, "image/png")


@pages.get("/games/<int:game_id>/replay.gif")
def film(game_id: int) -> Response:
    """Send the game turn by turn as an animated picture."""
    return _souvenir(game_id, draw_film, "image/gif")


def _souvenir(game_id: int, draw: Callable[[Game, ResultView], bytes], kind: str) -> Response:
    game = app.games.open(game_id).game
    result = view_result(game)
    if result is None:
        raise WebError(phrase("The game isn't over yet."))
    name = kind.replace("image/", "upscore.")  # without the game's number, which opens its page
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(draw(game, result), mimetype=kind, headers=headers)


@pages.get("/games/<int:game_id>/tv")
def television(game_id: int) -> str:
    """Show the totals, the last play and whose turn it is, large enough to read across the room."""
    return render_template("tv.html", view=app.view(app.games.open(game_id)))


@pages.get("/games/<int:game_id>/print")
def on_paper(game_id: int) -> str:
    """Show the scoresheet and the board for printing."""
    open_game = app.games.open(game_id)
    game, photos = open_game.game, app.photos(open_game)
    return render_template(
        "print.html",
        row=open_game.row,
        lexicon=open_game.judged_by,
        game=game,
        view=app.view(open_game),
        sheet=view_sheet(game),
        rules=[each for each in view_house_rules(asdict(game.setup.rules)) if each.changed],
        photo=photo_at(game, max(photos, default=0), photos, app.shelf.kinds),
    )


@pages.post("/games/<int:game_id>/end/rack")
@takes()
def rack(game_id: int) -> Response:
    """Send the tiles found in a photograph, each with its possible faces and its place."""
    game = app.games.open(game_id).game
    image, _ = parse_photo(request.files.get("photo"))
    alphabet = game.setup.edition.alphabet
    tiles = app.config.reader.read_rack(image, alphabet)
    if not tiles:
        raise WebError(_explain_no_tiles(image, _NO_RACK))
    left = game.count_tiles_left()
    return _send_tiles(tiles, [likely_faces(tile, left, alphabet) for tile in tiles])


@pages.post("/new/tiles")
@needs(Permission.BEGIN)
@takes()
def laid_out_tiles() -> Response:
    """Send the tiles of a set that a photograph shows laid out, each with its possible faces and its place."""
    image, _ = parse_photo(request.files.get("photo"))
    given = parse_other_faces(request.form)
    alphabet = all_faces(given)
    tiles = app.config.reader.read_rack(image, alphabet)
    if not tiles:
        raise WebError(_explain_no_tiles(image, _NO_SET))
    return _send_tiles(tiles, name_laid_tiles(tiles, alphabet, given))


_NO_RACK = phrase("No tiles found. Lay them in a row on a plain surface, letters up, and photograph them from above.")
_NO_SET = phrase("No tiles found. Lay them in rows on a plain surface, letters up, and photograph them from above.")


def _explain_no_tiles(image: Image, advice: str) -> str:
    """Return what is wrong with a picture (h, w, 3) in which no tile was found, or the advice if nothing is."""
    from vision.picture_quality import fault_of, lighten  # here, because it loads OpenCV, which other pages don't need

    fault = fault_of(lighten(image).image)
    return advice if fault is None else fault.value


def _send_tiles(tiles: Sequence[LooseTile], faces: Sequence[tuple[str, ...]]) -> Response:
    places = ({"x": tile.x, "y": tile.y, "side": tile.side, "turn": tile.turn} for tile in tiles)
    return jsonify({"tiles": [{"faces": each, **place} for each, place in zip(faces, places, strict=True)]})
