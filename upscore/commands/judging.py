"""`upscore judge`, `score` and `solve`: the referee without a camera."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from engine.faces import parse_faces
from engine.jsonparts import tiles_json, verdict_json, words_json
from engine.play import format_play, parse_play
from engine.position import Position
from engine.rules import referee
from engine.solver import legal_plays
from engine.tiles import excess_of_play
from upscore.commands.console import DONE, PARTLY, say, tell, tell_json
from upscore.commands.inputs import chosen_lexicon, house_rules, read_position
from upscore.errors import UsageError
from upscore.words.judging import judge_word
from upscore.words.loader import load_meanings


def judge(args: argparse.Namespace) -> int:
    """Settle a challenge; PARTLY when one of the words is not playable."""
    house_rules(
        args
    )  # no switch changes which words there are, but a file that is wrong should be said to be
    lexicon, meanings = chosen_lexicon(args), load_meanings()
    verdicts = [judge_word(word, lexicon, meanings) for word in args.words]
    if args.json:
        tell_json([verdict.to_json() for verdict in verdicts])
    else:
        for verdict in verdicts:
            if verdict.playable:
                tell(f"{verdict.word}: playable - {verdict.meaning or 'in the word list'}")
            else:
                tell(f"{verdict.word}: NOT playable - {verdict.reason}")
    return DONE if all(verdict.playable for verdict in verdicts) else PARTLY


def score(args: argparse.Namespace) -> int:
    """Check and score one play."""
    position, play = read_position(args.position), parse_play(args.tiles)
    _warn_of_excess(position, play.faces)
    verdict = referee(
        position.board,
        play,
        edition=position.edition,
        lexicon=chosen_lexicon(args),
        rules=house_rules(args),
    )
    if args.json:
        tell_json(verdict_json(verdict))
        return DONE
    tell(f"{'legal' if verdict.legal else 'NOT legal'}: {verdict.points} points")
    for line in (*(violation.text for violation in verdict.violations), *verdict.explanation()):
        tell(f"  {line}")
    return DONE


def solve(args: argparse.Namespace) -> int:
    """Every legal play, best first."""
    if args.top is not None and args.top < 1:
        raise UsageError("--top takes a whole number from 1.")
    position, rack = read_position(args.position), parse_faces(args.rack)
    _warn_of_excess(position, rack)
    plays = legal_plays(
        position.board, rack, edition=position.edition, lexicon=chosen_lexicon(args), rules=house_rules(args)
    )[: args.top]
    if args.json:
        tell_json([
            {"tiles": tiles_json(p.play), "words": words_json(p.words), "points": p.points} for p in plays
        ])  # fmt: skip
        return DONE
    if not plays:
        say("There is no legal play.")
    for play in plays:
        words = " + ".join(f"{word.word} {word.points}" for word in play.words)
        tell(f"{play.points:4}  {format_play(play.play)}  {words}")
    return DONE


def _warn_of_excess(position: Position, faces: Sequence[str]) -> None:
    """A line on stderr for every letter of which the set has not that many; they are used all the same."""
    for line in excess_of_play(position.edition, position.board.counts(), faces):
        say(f"warning: {line}")
