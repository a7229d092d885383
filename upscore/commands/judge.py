"""`upscore judge`, `score` and `solve`: the referee without a camera."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import Any

from engine import Edition, HouseRules, Play, format_play, parse_play, referee
from engine.editions import MAX_PLAYERS
from engine.formats.game_json import Position, choice_json, format_solved, verdict_json
from engine.solver.advice import Adviser
from engine.solver.plays import ScoredPlay
from engine.solver.search import legal_plays, plays_on
from engine.squares import parse_squares
from engine.tiles import count_tiles_left, count_unplayed, excess_of_play, whole_rack_size
from upscore.commands.console import DONE, PARTLY, UsageError, say, tell, tell_json
from upscore.commands.inputs import choose_lexicon, house_rules, read_position
from upscore.commands.lone_q import has_lone_q, with_lone_q
from upscore.words.judging import judge_word
from upscore.words.loader import load_meanings


def judge(args: argparse.Namespace) -> int:
    """Settle a challenge; PARTLY when one of the words is not playable."""
    house_rules(args)  # no switch changes which words there are, but a wrong file is an error
    lexicon, meanings = choose_lexicon(args), load_meanings()
    verdicts = [judge_word(word, lexicon, meanings) for word in args.words]
    if args.json:
        tell_json([verdict.to_json() for verdict in verdicts])
    else:
        for verdict in verdicts:
            tell(verdict.line())
    return DONE if all(verdict.playable for verdict in verdicts) else PARTLY


def score(args: argparse.Namespace) -> int:
    """Check and score one play; PARTLY when it is not legal."""
    position = read_position(args.position)
    play = parse_play(args.tiles, lone_q=has_lone_q(position.edition), alphabet=position.edition.alphabet)
    _warn_of_excess(position, play.faces)
    edition, rules = position.edition, house_rules(args)
    lexicon = choose_lexicon(args, edition)
    size = _size_before(args, position, play, rules)
    verdict = referee(position.board, play, edition=edition, lexicon=lexicon, rules=rules, rack_size=size)
    spelt = _as_spelt(edition)
    status = DONE if verdict.legal else PARTLY
    if args.json:
        tell_json(spelt(verdict_json(verdict)))
        return status
    tell(f"{'legal' if verdict.legal else 'NOT legal'}: {verdict.points} points")
    for line in (*(violation.text for violation in verdict.violations), *verdict.explanation()):
        tell(f"  {spelt(line)}")
    return status


def _as_spelt(edition: Edition) -> Callable[[Any], Any]:
    """Return the function that spells words and tiles in a line or JSON, with a lone Q for another game."""
    return partial(with_lone_q, name="text") if has_lone_q(edition) else (lambda value: value)


def _size_before(args: argparse.Namespace, position: Position, play: Play, rules: HouseRules) -> int | None:
    """Return how many tiles the player held, from --rack. Without --rack, say so if points depend on it."""
    if args.rack is not None:
        rack = _rack(args.rack, position.edition)
        lacking = Counter(play.faces) - Counter(rack)
        if lacking:
            faces = _as_spelt(position.edition)(", ".join(lacking.elements()))
            raise UsageError(f"--tiles plays {faces}, which --rack does not hold: correct one of them.")
        return _rack_size(position, rack)
    if rules.bonus_for_short_rack and _rack_size(position, play.faces) < position.edition.rack_size:
        bonus = position.edition.full_rack_bonus
        say(f"note: these may be all the tiles that were held, for {bonus} more by your house rules: give --rack.")
    return None


def solve(args: argparse.Namespace) -> int:
    """Print every legal play, best first."""
    if args.top is not None and args.top < 1:
        raise UsageError("--top takes a whole number from 1.")
    if args.rack is None and args.squares is None:
        raise UsageError("Give --rack with the tiles held, --squares with those played on, or both.")
    if args.think and args.squares is not None:
        raise UsageError("--think weighs what a rack can do: leave out --squares.")
    if args.seconds is not None and not (args.think and args.seconds > 0):
        raise UsageError("--seconds takes a number above 0, and goes with --think.")
    position = read_position(args.position)
    told = _as_spelt(position.edition)
    if args.think:
        return _think(args, position, told)
    plays = _find_plays(args, position)[: args.top]
    if args.json:
        tell_json(told([format_solved(play) for play in plays]))
        return DONE
    if not plays:
        say("There is no legal play.")
    for play in plays:
        tell(told(f"{play.points:4}  {_play_text(play)}"))
    return DONE


def _think(args: argparse.Namespace, position: Position, told: Callable[[Any], Any]) -> int:
    """Print what the rack can do, weighed by what the next player can answer, the best first."""
    end = inf if args.seconds is None else monotonic() + args.seconds
    rack = _rack(args.rack, position.edition)
    left = Counter(_count_left(position) or ()) - Counter(rack)
    adviser = Adviser(
        position.board,
        rack,
        tuple(left.elements()),
        edition=position.edition,
        lexicon=choose_lexicon(args, position.edition),
        rules=house_rules(args),
        players=len(position.players) or 2,
        may_go_on=lambda: monotonic() < end,
    )
    choices = adviser.advise(_find_plays(args, position))[: args.top]
    if args.json:
        tell_json(told([choice_json(choice) for choice in choices]))
        return DONE
    for choice in choices:
        what = _play_text(choice.play) if choice.play else f"exchange {choice.given}" if choice.given else "pass"
        worth = f"then about {choice.reply:.0f} for the next player, worth {choice.value:.1f}"
        tell(told(f"{choice.points:4}  {what}; {worth}"))
    return DONE


def _play_text(play: ScoredPlay) -> str:
    """Write a play with its words, each with its points and their rules, and the bonus, so that the points add up."""
    parts = [f"{word.word} {word.points} ({word.rules})" for word in play.words]
    if play.bonus:
        parts.append(f"{play.bonus} for all tiles (6D)")
    return f"{format_play(play.play)}  {' + '.join(parts)}"


def _find_plays(args: argparse.Namespace, position: Position) -> list[ScoredPlay]:
    """Return the plays of the rack, or those on the given squares, of the rack or of any tiles that are left."""
    board, edition = position.board, position.edition
    rack = None if args.rack is None else _rack(args.rack, edition)
    if rack is not None:
        _warn_of_excess(position, rack)
    size = edition.rack_size if rack is None else _rack_size(position, rack)
    lexicon, rules = choose_lexicon(args, edition), house_rules(args)
    if args.squares is None:
        return legal_plays(board, rack or (), edition=edition, lexicon=lexicon, rules=rules, rack_size=size)
    squares = parse_squares(args.squares)
    tiles = _count_left(position) if rack is None else Counter(rack)
    return plays_on(board, squares, tiles, edition=edition, lexicon=lexicon, rules=rules, rack_size=size)


def _rack(text: str, edition: Edition) -> tuple[str, ...]:
    """Return the tiles of --rack; raises UsageError if there are none or too many."""
    rack = edition.alphabet.parse_faces(text, lone_q=has_lone_q(edition))
    if not rack:
        raise UsageError("--rack has no tiles: write those held one after another, as in AEINSTQu.")
    if len(rack) > edition.rack_size:
        raise UsageError(f"--rack has {len(rack)} tiles: give {edition.rack_size} at most.")
    return rack


def _rack_size(position: Position, shown: Sequence[str]) -> int:
    """Return how many tiles are on the rack of a player who shows these."""
    if position.remaining is None:
        unplayed = count_unplayed(position.edition, position.board)
    else:
        unplayed = sum(position.remaining.values())
    return whole_rack_size(position.edition, len(shown), unplayed, len(position.players) or MAX_PLAYERS)


def _count_left(position: Position) -> Mapping[str, int] | None:
    """Return the tiles that may be on racks, None if any may."""
    if position.remaining is not None:
        return position.remaining
    return count_tiles_left(position.edition, position.board)


def _warn_of_excess(position: Position, faces: Sequence[str]) -> None:
    """Warn on stderr about every letter that is used more often than the set has it."""
    for line in excess_of_play(position.edition, position.board.counts(), faces):
        say(f"warning: {line}")
