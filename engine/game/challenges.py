"""What a challenge (Rule 8) does to a game's state, which may be made, and what is told before one. Pure functions.

A challenge is of the last word played: it is open until another word is played, whoever passes or exchanges meanwhile.
"""

from __future__ import annotations

from dataclasses import replace

from engine.errors import GameError
from engine.game.events import Authority, Challenged
from engine.game.records import Challenge, GameState, Memory, Setup, TurnRecord
from engine.rules.referee import Verdict

OVER = "the game is over: undo its end to go on"
NOTHING_OPEN = (
    "there is no play to challenge: a challenge comes after a word was played, before the next word is played"
)


def open_play(state: GameState) -> TurnRecord | None:
    """The play that can still be challenged, None where there is none."""
    memory = state.before_play
    return None if memory is None or state.end is not None else state.turns[memory.place]


def challenge_play(setup: Setup, state: GameState, challenge: Challenged, event: int) -> GameState:
    """A challenge of the last word played: upheld, its tiles come off and its player plays again or passes.

    Raises GameError when no play is open to a challenge, or the challenger can't challenge it.
    """
    memory = state.before_play
    if memory is None:
        raise GameError(NOTHING_OPEN)
    record = state.turns[memory.place]
    _check_challenger(setup, record, challenge.challenger)
    challenger = challenge.challenger
    costs = not challenge.upheld and setup.rules.failed_challenge_loses_turn and not setup.solo
    if costs and challenger is None:
        raise GameError("a failed challenge costs the next turn here: say who challenged")
    costs = costs and challenger not in state.lost_turns  # the next turn is lost once, by the first of them
    name = None if challenger is None else setup.players[challenger]
    made = Challenge(name, challenge.upheld, challenge.authority, costs, event)
    record = replace(record, challenges=(*record.challenges, made))
    if challenge.upheld:
        return _take_back(setup, state, memory, record)
    lost = state.lost_turns | {challenger} if costs and challenger is not None else state.lost_turns
    return replace(state, turns=_with(state, memory.place, record), lost_turns=lost)


def new_challenge(setup: Setup, state: GameState, challenger: int | None, *, upheld: bool) -> Challenged:
    """A challenge that somebody makes now, ruled as `upheld` says; by whose word follows from the play.

    Raises GameError where it can't be, also where the same player challenged the play already and it stands. That tiles
    come off, and nobody says who asked for it, can always be.
    """
    if state.end is not None:
        raise GameError(OVER)
    record = open_play(state)
    if record is None:
        raise GameError(NOTHING_OPEN)
    _check_challenger(setup, record, challenger)
    name = None if challenger is None else setup.players[challenger]
    refused = record.refused_challenges
    if name in refused or (name is None and refused and not upheld):
        what = (
            f"turn {record.number} was challenged"
            if name is None
            else f"{name} challenged turn {record.number}"
        )
        raise GameError(f"{what} already, and it stands: undo that challenge to rule otherwise")
    return Challenged(challenger, upheld, _authority(setup, record.verdict, upheld=upheld))


def challenge_text(challenge: Challenge) -> str:
    """A challenge as a sentence: ``"Blue challenged it: by the word list it came off."``."""
    if challenge.challenger is None and challenge.authority is None:
        return "It was taken back." if challenge.upheld else "It was challenged, and it stands."
    who = "It was challenged" if challenge.challenger is None else f"{challenge.challenger} challenged it"
    word = {
        "list": " by the word list",
        "table": " by the table's own dictionary",
        "rules": " by the rules of placing",
        None: "",
    }[challenge.authority]
    lost = f" {challenge.challenger} loses the next turn." if challenge.costs_turn else ""
    return f"{who}:{word} it {'came off' if challenge.upheld else 'stands'}.{lost}"


def told_now(verdict: Verdict, setup: Setup) -> Verdict:
    """The verdict as it may be told before anybody challenges: without a word on words, unless the table wants it."""
    if setup.words_always_checked:
        return verdict
    return replace(verdict, violations=verdict.breaches)


def told_of(record: TurnRecord, setup: Setup) -> Verdict | None:
    """The same of a turn on the sheet, None where it was no play: of one that was challenged, everything."""
    if record.verdict is None or any(each.authority is not None for each in record.challenges):
        return record.verdict
    return told_now(record.verdict, setup)


def _authority(setup: Setup, verdict: Verdict | None, *, upheld: bool) -> Authority:
    """Whose word a ruling is: the list's where that says the same of the words, or else the table's.

    What comes off though the list has all its words, and breaks a rule of placing, comes off by that rule.
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
    """The tiles come off, and their player has the turn again; play goes round from there.

    Passes and exchanges made since were turns: the second try then counts as the next one.
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
        turns=_with(state, memory.place, taken_back),
        before_play=None,
        again=player,
    )


def _with(state: GameState, place: int, record: TurnRecord) -> tuple[TurnRecord, ...]:
    return (*state.turns[:place], record, *state.turns[place + 1 :])
