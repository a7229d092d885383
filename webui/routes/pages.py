"""The pages: the list of games, one game, one turn, the editors, the word box."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict

from flask import Blueprint, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from engine import EDITIONS, FACES, MAX_HEIGHT, Edition, HouseRules, UpscoreError
from engine.editions import MAX_NAME, MAX_OF_A_FACE
from engine.rules.house_rules import HOUSE_RULES
from engine.squares import MAX_SIZE
from engine.wording import number_word
from webui.access.gate import Permission, needs, principal
from webui.routes.editors import CorrectionKind, correcting_editor, play_editor, render_editor, turn_at
from webui.routes.forms import form_like, parse_rules, parse_terms
from webui.routes.parts import render_parts
from webui.services import app
from webui.storage.database import GameRow
from webui.views.analysis import can_look_back, view_hooks
from webui.views.board import view_board
from webui.views.finish import view_finish
from webui.views.game import photo_at
from webui.views.games import record_to_beat, view_all_time, view_game_line
from webui.views.new_game import nearest_counts, own_sets, remembered_players, view_editions
from webui.views.rules import view_house_rules, view_rules
from webui.views.sheet import bonus_text, view_turns

pages = Blueprint("pages", __name__)


@pages.get("/")
def home() -> ResponseReturnValue:
    """Open the game that is being played, or else the list of games, or else the form for a new game.

    A phone that joins before the game begins waits here: its page goes on to the game by itself.
    """
    tables = app.tables
    newest = tables.newest()
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
        lines=[view_game_line(row, app.tables.standing) for row in app.store.games()],
        has_tour=app.demo is not None,
        notice=app.notice or app.housekeeping.trouble,
        room=app.room(),
        known=app.own_sets.all(),
    )


@pages.get("/all-time")
def all_time() -> str:
    """Show the table of all finished games: wins, who beat whom, the best words."""
    return render_template("all_time.html", view=view_all_time(app.tables.standings()))


@pages.get("/new")
@needs(Permission.BEGIN)
def new_game() -> str:
    """Show the form for a new game, filled in like the game whose number `like` gives."""
    like = request.args.get("like", type=int)
    return render_new_game({} if like is None else form_like(app.tables.open(like)), None)


def render_new_game(form: dict[str, str], problem: str | None) -> str:
    """Return the form for a new game, filled in with what was sent before, and the problem with that."""
    values: dict[str, bool | int | str] = asdict(app.config.rules)
    if "rules" in form:
        for rule in HOUSE_RULES:
            sent = form.get(f"rule-{rule.name}", "")
            values[rule.name] = sent == "on" if rule.kind == "bool" else sent
    rules = _rules_shown(form)
    played = app.store.games()
    editions = [*EDITIONS.values(), *_own_sets_for(form, played)]
    totals = [(edition, app.solo_totals(edition, rules)) for edition in editions]
    return render_template(
        "new.html",
        problem=problem,
        names=[form.get(f"player{at}", "") for at in range(4)],
        remembered=remembered_players(played),
        editions=view_editions(editions),
        records=[record_to_beat(edition, rows) for edition, rows in totals if rows],
        chosen_edition=form.get("edition", ""),
        own=_typed_set(form),
        most={"size": MAX_SIZE, "stack": MAX_HEIGHT, "name": MAX_NAME, "face": MAX_OF_A_FACE},
        lexicons=app.config.lexicons.names(),
        chosen_lexicon=form.get("lexicon", ""),
        photographed=form.get("photographed", "turn"),
        house_rules=view_house_rules(values),
        once=played[0].touched if played else 0,  # Changes as soon as this game begins or another one goes on.
    )


_USUAL_SIZE = 9
"""Rows of the board that the form for another set begins with. [by eye]"""


def _typed_set(form: dict[str, str]) -> dict[str, object]:
    """Return what the form for another set shows. Its letters begin as those of the board nearest in size."""
    counts = nearest_counts(_USUAL_SIZE)
    return {
        "name": form.get("set-name", "Our set"),
        "size": form.get("set-size", _USUAL_SIZE),
        "start": form.get("set-start", ""),
        "stack": form.get("set-stack", EDITIONS["8x8"].stack_limit),
        "counts": {face: form.get(f"set-{face}", counts[face]) for face in FACES},
        "nearest": {each.size: dict(each.distribution) for each in EDITIONS.values() if each.distribution},
    }


def _own_sets_for(form: dict[str, str], played: Sequence[GameRow]) -> list[Edition]:
    """Return the sets of people's own to offer: the one that the form has chosen, and those of the newest games."""
    offered = {edition.name: edition for edition in own_sets(played)}
    if form.get("edition", "").startswith("{"):
        with suppress(UpscoreError):  # the page says what is wrong with it
            chosen, _ = parse_terms(form)
            offered[chosen.name] = chosen
    return list(offered.values())


def _rules_shown(form: dict[str, str]) -> HouseRules:
    """Return the rules that the form shows, or the preset ones if the form can't be read."""
    if "rules" in form:
        with suppress(UpscoreError):
            return parse_rules(form)
    return app.config.rules


@pages.get("/games/<int:game_id>")
def game(game_id: int) -> str:
    """Show the scoresheet, the board and what to do next."""
    view, parts = render_parts(app.tables.open(game_id))
    return render_template("game.html", view=view, parts=parts, lexicon=view.lexicon)


@pages.get("/games/<int:game_id>/turns/<int:place>")
def turn(game_id: int, place: int) -> str:
    """Show one turn: its words, the board after it, its photograph."""
    opened = app.tables.open(game_id)
    record = turn_at(opened.game, place)
    photos = app.photos(opened)
    squares = record.play.squares if record.play is not None and not record.taken_back else ()
    return render_template(
        "turn.html",
        game_id=game_id,
        turn=view_turns(opened.game, photos)[place - 1],
        view=view_board(opened.game.board_after(place), start=opened.game.setup.edition.start, new=squares),
        photo=photo_at(opened.game, place, photos, app.shelf.kinds),
        version=opened.row.version,
        can_correct=record.kind != "lost",
        others=[(at, name) for at, name in enumerate(opened.game.players) if name != record.player],
        bonus_text=bonus_text(opened.game.setup.edition),
        over=can_look_back(opened.game),
    )


@pages.get("/games/<int:game_id>/play")
@needs(Permission.SCORE)
def enter(game_id: int) -> str:
    """Open the editor for a play entered by hand."""
    opened = app.tables.open(game_id)
    return render_editor(play_editor(opened), request.args.get("tiles", ""))


@pages.get("/games/<int:game_id>/turns/<int:place>/<any(correct, insert):way>")
@needs(Permission.SCORE)
def correct(game_id: int, place: int, way: CorrectionKind) -> str:
    """Open the editor for a past turn, for one that was missed before it, or for a later one that no longer fits.

    `said` are the answers so far, which the later one no longer fits.
    """
    opened, said = app.tables.open(game_id), request.args.getlist("said")
    if said:
        opened.check_version(request.args.get("version", type=int))
    editor = correcting_editor(opened, place, way, said)
    return render_editor(editor, request.args.get("tiles", editor.tiles))


@pages.get("/games/<int:game_id>/end")
@needs(Permission.SCORE)
def finish(game_id: int) -> str:
    """Show the form for the end of the game: tiles left, and why it ends."""
    opened = app.tables.open(game_id)
    opened.check_under_way()
    shows_turn = app.store.newest_photo(game_id) in app.photos(opened).values()
    return render_template(
        "finish.html",
        game_id=game_id,
        version=opened.row.version,
        view=view_finish(opened.game),
        in_doubt=opened.belief.in_doubt and opened.question is None and not shows_turn,
    )


@pages.get("/rules")
@pages.get("/games/<int:game_id>/rules")
def rules(game_id: int | None = None) -> str:
    """Show the rules, with the house rules of a game, or those that are preset."""
    setup = None if game_id is None else app.tables.open(game_id).game.setup
    edition = EDITIONS["8x8"] if setup is None else setup.edition
    house = view_house_rules(asdict(app.config.rules if setup is None else setup.rules))
    return render_template(
        "rules.html",
        game_id=game_id,
        editions=view_editions(EDITIONS.values() if setup is None else [setup.edition]),
        rack=number_word(edition.rack_size),
        rules=view_rules(house, edition),
    )


@pages.get("/words")
def words() -> str:
    """Show the word box, with the answer for the word that was typed."""
    names = app.config.lexicons.names()
    lexicon = request.args.get("lexicon", "")
    lexicon = lexicon if lexicon in names else names[0]
    word = request.args.get("word", "").strip()
    answer = app.config.judge(word, lexicon) if word else None
    near = view_hooks(answer.word, app.tables.lexicon(lexicon), app.config.suggest) if answer else ()
    return render_template("words.html", lexicons=names, lexicon=lexicon, asked=word, answer=answer, near=near)
