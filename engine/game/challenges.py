"""Challenges (Rule 8): which are allowed, what they do to a game's state, and what people hear before one.

A challenge concerns the last word played. That play can be challenged until another word is played, even if players
pass or exchange in between. All functions are pure.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import GameError
from engine.game.events import Authority, Challenged
from engine.game.records import Challenge, GameState, Memory, Setup, TurnRecord
from engine.rules.referee import Verdict

GAME_OVER = "the game is over: undo its end to go on"
NO_OPEN_PLAY = (
    "there is no play to challenge: a challenge comes after a word was played, before the next word is played"
)


def open_play(state: GameState) -> TurnRecord | None:
    """Return the play that can still be challenged, None where there is none."""
    memory = state.before_play
    return None if memory is None or state.end is not None else state.turns[memory.place]


def challenge_play(setup: Setup, state: GameState, challenge: Challenged, event: int) -> GameState:
    """Apply a challenge of the last word played.

    If it is upheld, the tiles come off, and their player plays again or passes. Raises GameError when no play is open
    to a challenge, or when this challenger can't challenge it.
    """
    memory = state.before_play
    if memory is None:
        raise GameError(NO_OPEN_PLAY)
    record = state.turns[memory.place]
    _check_challenger(setup, record, challenge.challenger)
    challenger = challenge.challenger
    costs = not challenge.upheld and setup.rules.failed_challenge_loses_turn and not setup.solo
    if costs and challenger is None:
        raise GameError("a failed challenge costs the next turn here: say who challenged")
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

    Raises GameError where the challenge is not allowed, also where the same player challenged the play in vain before.
    It is always allowed that tiles come off where nobody says who asked for it.
    """
    if state.end is not None:
        raise GameError(GAME_OVER)
    record = open_play(state)
    if record is None:
        raise GameError(NO_OPEN_PLAY)
    _check_challenger(setup, record, challenger)
    name = None if challenger is None else setup.players[challenger]
    refused = record.refused_challenges
    if name in refused or (name is None and refused and not upheld):
        what = f"turn {record.number} was challenged" if name is None else f"{name} challenged turn {record.number}"
        raise GameError(f"{what} already, and it stands: undo that challenge to rule otherwise")
    return Challenged(challenger, upheld, _authority(setup, record.verdict, upheld=upheld))


def challenge_text(challenge: Challenge) -> str:
    """Write a challenge as a sentence: ``"Blue challenged it: by the word list it came off."``."""
    if challenge.challenger is None and challenge.authority is None:
        return "It was taken back." if challenge.upheld else "It was challenged, and it stands."
    who = "It was challenged" if challenge.challenger is None else f"{challenge.challenger} challenged it"
    rulers = {"list": "word list", "table": "table's own dictionary", "rules": "rules of placing"}
    word = "" if challenge.authority is None else f" by the {rulers[challenge.authority]}"
    lost = f" {challenge.challenger} loses the next turn." if challenge.costs_turn else ""
    return f"{who}:{word} it {'came off' if challenge.upheld else 'stands'}.{lost}"


def shown_verdict(verdict: Verdict, setup: Setup) -> Verdict:
    """Return what people hear before a challenge: no rules on words, unless the house checks them at once."""
    if setup.words_always_checked:
        return verdict
    return replace(verdict, violations=verdict.breaches)


def shown_turn_verdict(record: TurnRecord, setup: Setup) -> Verdict | None:
    """Return the verdict that people may hear of a turn on the sheet, None where it was no play.

    A play that was challenged shows its whole verdict, any other only what `shown_verdict` leaves.
    """
    if record.verdict is None or any(each.authority is not None for each in record.challenges):
        return record.verdict
    return shown_verdict(record.verdict, setup)


def _authority(setup: Setup, verdict: Verdict | None, *, upheld: bool) -> Authority:
    """Return who has ruled: the word list where it agrees with the ruling on the words, otherwise the table.

    A play comes off by the rules of placing where it breaks one and the list has all its words.
    """
    unknown = verdict is not None and any(broken.of_words for broken in verdict.violations)
    if upheld and not unknown and verdict is not None and verdict.breaches:
        return "rules"
    return "list" if setup.lexicon_name is not None and upheld == unknown else "table"


def _check_challenger(setup: Setup, record: TurnRecord, challenger: int | None) -> None:
    if challenger is None:
        return
    setup.check_player(challenger)
    if setup.players[challenger] == record.player and not setup.solo:
        raise GameError(f"{record.player} made the play: another player challenges it")


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
