"""Plays, passes, exchanges and challenges: what they do to a game's state. All functions are pure.

A challenge (Rule 8) concerns the last word played. That play can be challenged until another word is played, even if
players pass or exchange in between. The functions at the end say what people hear of a play before a
challenge.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engine.board import Board
from engine.errors import GameError
from engine.game.events import Authority, BoardTaken, Challenged, Exchanged
from engine.game.records import Challenge, GameState, KnownBoard, Memory, Setup, TurnKind, TurnRecord
from engine.lexicon.lexicon import WordList
from engine.play import Play
from engine.rules.referee import Verdict, oddities, referee
from engine.tiles import Rack, excess_of_play, first_racks, refill
from engine.wording import join_texts, phrase

SOLO_EXCHANGES = 5
"""Exchanges that a solo player may make."""

IMPOSSIBLE = frozenset({"5-one", "5-five"})
"""The breaches that leave a board nobody can write down: no game can record such a play."""


def player_due(setup: Setup, state: GameState) -> int:
    """Return the index of the player whose turn it is, lost turns taken off."""
    turn, lost_turns = state.turn, set(state.lost_turns)
    while turn in lost_turns:
        lost_turns.remove(turn)
        turn = (turn + 1) % len(setup.players)
    return turn


def give_turn(setup: Setup, state: GameState, player: int) -> GameState:
    """Give the next turn to a player; it adds no line.

    The player doesn't lose this turn to a failed challenge. The play before can still be challenged. Raises GameError
    where there is no such player.
    """
    setup.check_player(player)
    if player == player_due(setup, state):
        return state
    last = state.turns[-1] if state.turns else None
    number = 1 if last is None else last.number + 1
    if last is not None and last.taken_back and state.again == player:
        number = last.number
    return replace(state, turn=player, number=number, lost_turns=state.lost_turns - {player})


def take_board(setup: Setup, state: GameState, taken: BoardTaken) -> GameState:
    """Take the board as it lies; it adds no line, and all totals stay.

    Nobody knows what was played since the last line. So no earlier play can be challenged, no failed challenge costs a
    turn any more, and racks and pile are those of a game that starts from this board. Raises GameError for an empty
    board or a missing player, PositionError for an impossible board.
    """
    setup.check_player(taken.player)
    if not taken.tiles.tiles:
        raise GameError(phrase("no tile lies on the board: undo the turns instead, or begin a new game"))
    board = Board.empty(setup.edition.size, setup.edition.alphabet).with_play(taken.tiles)
    racks, pile = first_racks(setup.edition, len(setup.players), board.tile_count())
    notes = (note for note in oddities(setup.edition, board) if note not in state.notes)
    return replace(
        state,
        board=board,
        racks=racks,
        pile=pile,
        turn=taken.player,
        number=state.turns[-1].number + 1 if state.turns else 1,
        lost_turns=frozenset(),
        before_play=None,
        again=None,
        notes=(*state.notes, *notes),
        taken=(*state.taken, KnownBoard(len(state.turns), board)),
    )


def take_lost_turns(setup: Setup, state: GameState, event: int) -> GameState:
    """Record the turns that failed challenges cost, up to the next player who has a turn."""
    while state.turn in state.lost_turns:
        record = new_record(setup, state, "lost", event)
        state = replace(_turn_over(setup, state, record), lost_turns=state.lost_turns - {state.turn})
    return state


def new_record(setup: Setup, state: GameState, kind: TurnKind, event: int) -> TurnRecord:
    """Return the scoresheet's line for the current turn."""
    return TurnRecord(state.number, setup.players[state.turn], kind, event)


def play_turn(setup: Setup, state: GameState, play: Play, event: int, lexicon: WordList | None) -> GameState:
    """Apply a play.

    An illegal play scores and keeps its verdict, since it stands unless somebody challenges it (Rule 8). Raises
    PositionError for a tile off the board, GameError for a play that leaves no possible board.
    """
    player = state.turn
    rack = state.racks[player]
    verdict = referee(state.board, play, edition=setup.edition, lexicon=lexicon, rules=setup.rules, rack_size=rack.size)
    impossible = [broken.text for broken in verdict.violations if broken.rule in IMPOSSIBLE]
    if impossible:
        raise GameError(phrase("%(problem)s Correct the tiles.", problem=impossible[0]))
    notes = _play_notes(setup, state, play)
    record = replace(
        new_record(setup, state, "play", event), play=play, verdict=verdict, points=verdict.points, notes=notes
    )
    memory = Memory(state.board, rack, state.pile, len(state.turns))
    full, pile = refill(setup.edition, rack.without(play.faces), state.pile)
    after = replace(state.with_rack(player, full), board=state.board.with_play(play), pile=pile)
    return replace(_turn_over(setup, after, record), before_play=memory)


def pass_turn(setup: Setup, state: GameState, event: int) -> GameState:
    """Apply a pass (Rule 9)."""
    return _turn_over(setup, state, new_record(setup, state, "pass", event))


def exchange_problem(setup: Setup, state: GameState) -> str | None:
    """Return why the current player can't exchange a tile (Rules 8 and 10), or None.

    Apply `take_lost_turns` to the state first.
    """
    if state.again == state.turn:
        return phrase("no tile can be exchanged after an upheld challenge: play another word or pass")
    if state.pile == 0:
        return phrase("the draw pile is empty, so nothing can be exchanged: play or pass")
    if setup.solo and state.exchanges >= SOLO_EXCHANGES:
        return phrase("the %(count)s exchanges of a solo game are used: play or pass", count=SOLO_EXCHANGES)
    if state.racks[state.turn].size == 0:
        return phrase("%(player)s has no tile to exchange: pass instead", player=setup.players[state.turn])
    return None


def exchange_turn(setup: Setup, state: GameState, exchange: Exchanged, event: int) -> GameState:
    """Apply an exchange (Rule 10), which costs no turn in a solo game; raise GameError for an `exchange_problem`."""
    problem = exchange_problem(setup, state)
    if problem is not None:
        raise GameError(problem)
    player = state.turn
    rack = state.racks[player]
    given = () if exchange.given is None else (exchange.given,)
    notes = tuple(
        phrase("%(player)s gave back %(face)s, which was not on the rack", player=setup.players[player], face=face)
        for face in rack.missing(given)
    )
    record = replace(new_record(setup, state, "exchange", event), notes=notes)
    after = replace(state.with_rack(player, _exchange(rack, exchange)), exchanges=state.exchanges + 1)
    memory = state.before_play
    if memory is not None and state.turns[memory.place].player == record.player:
        after = replace(after, before_play=replace(memory, rack=_exchange(memory.rack, exchange)))
    return _turn_over(setup, after, record)


def _exchange(rack: Rack, exchange: Exchanged) -> Rack:
    rack = rack.without_unknown(1) if exchange.given is None else rack.without((exchange.given,))
    return rack.with_hidden(1) if exchange.drawn is None else Rack((*rack.known, exchange.drawn), rack.hidden)


def _turn_over(setup: Setup, state: GameState, record: TurnRecord) -> GameState:
    return replace(
        state,
        turn=(state.turn + 1) % len(setup.players),
        number=state.number + 1,
        turns=(*state.turns, record),
        again=None,
    )


def _play_notes(setup: Setup, state: GameState, play: Play) -> tuple[str, ...]:
    """Return notes on how a play contradicts the numbers of tiles."""
    others = [face for player, rack in enumerate(state.racks) if player != state.turn for face in rack.known]
    elsewhere = state.board.counts() + Counter(others)
    notes = list(excess_of_play(setup.edition, elsewhere, play.faces))
    rack = state.racks[state.turn]
    name = setup.players[state.turn]
    missing = rack.missing(play.faces)
    if rack.size is not None and len(play.tiles) > rack.size:
        notes.append(
            phrase(
                "%(name)s held %(size)s tiles and played %(count)s: was a turn missed?",
                name=name,
                size=rack.size,
                count=len(play.tiles),
            )
        )
    elif missing:
        notes.append(
            phrase("%(name)s played %(tiles)s, which was not on the rack", name=name, tiles=", ".join(missing))
        )
    return tuple(notes)


GAME_OVER = phrase("the game is over: undo its end to go on")


def open_play(state: GameState) -> TurnRecord | None:
    """Return the play that can still be challenged, None if there is none."""
    memory = state.before_play
    return None if memory is None or state.end is not None else state.turns[memory.place]


def challenge_play(setup: Setup, state: GameState, challenge: Challenged, event: int) -> GameState:
    """Apply a challenge of the last word played.

    If it is upheld, the tiles come off, and their player plays again or passes. Raises GameError when no play is open
    to a challenge, or when this challenger can't challenge it.
    """
    challenger = challenge.challenger
    memory, record = _find_challenged(setup, state, challenger)
    costs = not challenge.upheld and setup.rules.failed_challenge_loses_turn and not setup.solo
    if costs and challenger is None:
        raise GameError(phrase("a failed challenge costs the next turn here: say who challenged"))
    costs = costs and challenger not in state.lost_turns  # only the first failed challenge costs the next turn
    name = None if challenger is None else setup.players[challenger]
    new = Challenge(name, challenge.upheld, challenge.authority, costs, event)
    record = replace(record, challenges=(*record.challenges, new))
    if challenge.upheld:
        return _take_back(setup, state, memory, record)
    lost = state.lost_turns | {challenger} if costs and challenger is not None else state.lost_turns
    return replace(state, turns=_with_turn(state, memory.place, record), lost_turns=lost)


def new_challenge(setup: Setup, state: GameState, challenger: int | None, *, upheld: bool) -> Challenged:
    """Make a challenge that a player makes now, ruled as `upheld` says; the play decides who has ruled.

    Raises GameError if the challenge is not allowed, for example by a player who challenged this play before. Tiles may
    always come off if nobody says who asked for it.
    """
    if state.end is not None:
        raise GameError(GAME_OVER)
    _, record = _find_challenged(setup, state, challenger)
    name = None if challenger is None else setup.players[challenger]
    refused = record.refused_challenges
    if name in refused or (name is None and refused and not upheld):
        raise GameError(_second_challenge_text(record.number, name))
    return Challenged(challenger, upheld, _authority(setup, record.verdict, upheld=upheld))


def _second_challenge_text(turn: int, name: str | None) -> str:
    if name is None:
        return phrase(
            "turn %(number)s was challenged already, and it stands: undo that challenge to rule otherwise", number=turn
        )
    return phrase(
        "%(name)s challenged turn %(number)s already, and it stands: undo that challenge to rule otherwise",
        name=name,
        number=turn,
    )


def _authority(setup: Setup, verdict: Verdict | None, *, upheld: bool) -> Authority:
    """Return who has ruled: the word list if it agrees with the ruling on the words, otherwise the table.

    A play comes off by the rules of placing if it breaks one and the list has all its words.
    """
    unknown = verdict is not None and any(broken.of_words for broken in verdict.violations)
    if upheld and not unknown and verdict is not None and verdict.breaches:
        return "rules"
    return "list" if setup.lexicon_name is not None and upheld == unknown else "table"


def _find_challenged(setup: Setup, state: GameState, challenger: int | None) -> tuple[Memory, TurnRecord]:
    """Return the last word played, with what was there before; raise GameError if this player can't challenge it."""
    memory = state.before_play
    if memory is None:
        what = phrase("a challenge comes after a word was played, before the next word is played")
        raise GameError(phrase("there is no play to challenge: %(what)s", what=what))
    record = state.turns[memory.place]
    if challenger is not None:
        setup.check_player(challenger)
        if setup.players[challenger] == record.player and not setup.solo:
            raise GameError(phrase("%(player)s made the play: another player challenges it", player=record.player))
    return memory, record


def _take_back(setup: Setup, state: GameState, memory: Memory, record: TurnRecord) -> GameState:
    """Take the tiles off and give their player the turn again; play goes round from there.

    Passes and exchanges made since were turns, so the second try then counts as the next turn.
    """
    player = setup.players.index(record.player)
    taken_back = replace(record, points=0, taken_back=True)
    is_last = memory.place == len(state.turns) - 1
    return replace(
        state.with_rack(player, memory.rack),
        board=memory.board,
        pile=memory.pile,
        turn=player,
        number=record.number if is_last else state.number,
        turns=_with_turn(state, memory.place, taken_back),
        before_play=None,
        again=player,
    )


def _with_turn(state: GameState, place: int, record: TurnRecord) -> tuple[TurnRecord, ...]:
    return (*state.turns[:place], record, *state.turns[place + 1 :])


def challenge_text(challenge: Challenge) -> str:
    """Write a challenge as a sentence: ``"Blue challenged it, and it came off by the word list."``."""
    if challenge.challenger is None and challenge.authority is None:
        return phrase("It was taken back.") if challenge.upheld else phrase("It was challenged, and it stands.")
    who = phrase("It was challenged")
    if challenge.challenger is not None:
        who = phrase("%(player)s challenged it", player=challenge.challenger)
    ruling = _RULINGS[challenge.authority][0 if challenge.upheld else 1]
    lost = phrase("%(player)s loses the next turn.", player=challenge.challenger) if challenge.costs_turn else ""
    return join_texts((phrase("%(who)s, and %(ruling)s.", who=who, ruling=ruling), lost))


_RULINGS: dict[Authority | None, tuple[str, str]] = {
    "list": (phrase("it came off by the word list"), phrase("it stands by the word list")),
    "table": (phrase("it came off by the table's own dictionary"), phrase("it stands by the table's own dictionary")),
    "rules": (phrase("it came off by the rules of placing"), phrase("it stands by the rules of placing")),
    None: (phrase("it came off"), phrase("it stands")),
}
"""By who ruled: the words for tiles that came off, and for tiles that stand."""


def shown_verdict(verdict: Verdict, setup: Setup) -> Verdict:
    """Return the verdict without what only a challenge reveals: words, unless the house rules check them at once."""
    if setup.words_always_checked:
        return verdict
    return replace(verdict, violations=verdict.breaches)


def shown_turn_verdict(record: TurnRecord, setup: Setup) -> Verdict | None:
    """Return the verdict that people may hear of a turn on the sheet, None if it was no play.

    A play that was challenged shows its whole verdict, any other only what `shown_verdict` leaves.
    """
    if record.verdict is None or any(each.authority is not None for each in record.challenges):
        return record.verdict
    return shown_verdict(record.verdict, setup)
