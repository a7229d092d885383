"""`upscore judge`, `score` and `solve`: the referee without a camera."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from engine.faces import parse_faces
from engine.jsonparts import tiles_json, verdict_json, words_json
from engine.play import format_play, parse_play
from engine.position import Position, load_position
from engine.rules import referee
from engine.solver import legal_plays
from upscore.commands.common import (
    DONE,
    PARTLY,
    UsageError,
    add_judging,
    house_rules,
    read_text,
    warn_of_excess,
)
from upscore.words.judging import judge_word
from upscore.words.loader import load_lexicon, load_meanings

if TYPE_CHECKING:
    from upscore.commands.common import Commands


def add_judge(commands: Commands) -> None:
    parser = commands.add_parser(
        "judge", help="settle a challenge: may these words be played, and what do they mean?"
    )
    parser.add_argument("words", nargs="+", metavar="WORD")
    parser.add_argument("--json", action="store_true", help="JSON on stdout")
    add_judging(parser)
    parser.set_defaults(run=run_judge)


def run_judge(args: argparse.Namespace) -> int:
    house_rules(args)
    lexicon, meanings = load_lexicon(args.lexicon), load_meanings()
    verdicts = [judge_word(word, lexicon, meanings) for word in args.words]
    if args.json:
        print(json.dumps([verdict.to_json() for verdict in verdicts]))
    else:
        for verdict in verdicts:
            told = verdict.meaning or "in the word list" if verdict.playable else verdict.reason
            print(f"{verdict.word}: {'playable' if verdict.playable else 'NOT playable'} - {told}")
    return DONE if all(verdict.playable for verdict in verdicts) else PARTLY


def add_score(commands: Commands) -> None:
    parser = commands.add_parser("score", help="validate and score one play")
    parser.add_argument("position", type=Path, metavar="POSITION.json")
    parser.add_argument(
        "--tiles", required=True, metavar="'N@d7 A@e7'", help="the tiles played, each with its square"
    )
    parser.add_argument("--json", action="store_true", help="JSON on stdout")
    add_judging(parser)
    parser.set_defaults(run=run_score)


def run_score(args: argparse.Namespace) -> int:
    position = _position(args.position)
    play = parse_play(args.tiles)
    verdict = referee(
        position.board,
        play,
        edition=position.edition,
        lexicon=load_lexicon(args.lexicon),
        rules=house_rules(args),
    )
    if args.json:
        print(json.dumps(verdict_json(verdict)))
        return DONE
    print(f"{'legal' if verdict.legal else 'NOT legal'}: {verdict.points} points")
    for line in (*(violation.text for violation in verdict.violations), *verdict.explanation()):
        print(f"  {line}")
    return DONE


def add_solve(commands: Commands) -> None:
    parser = commands.add_parser("solve", help="every legal play, best first")
    parser.add_argument("position", type=Path, metavar="POSITION.json")
    parser.add_argument("--rack", required=True, metavar="AEINSTQu", help="the tiles on the rack")
    parser.add_argument("--top", type=int, metavar="N", help="the N best only")
    parser.add_argument("--json", action="store_true", help="JSON on stdout")
    add_judging(parser)
    parser.set_defaults(run=run_solve)


def run_solve(args: argparse.Namespace) -> int:
    if args.top is not None and args.top < 1:
        raise UsageError("--top takes a whole number from 1.")
    position = _position(args.position)
    plays = legal_plays(
        position.board, parse_faces(args.rack), edition=position.edition, lexicon=load_lexicon(args.lexicon),
        rules=house_rules(args),
    )[: args.top]  # fmt: skip
    if args.json:
        print(json.dumps([
            {"tiles": tiles_json(p.play), "words": words_json(p.words), "points": p.points} for p in plays
        ]))  # fmt: skip
        return DONE
    for play in plays:
        words = " + ".join(f"{word.word} {word.points}" for word in play.words)
        print(f"{play.points:4}  {format_play(play.play)}  {words}")
    return DONE


def _position(path: Path) -> Position:
    position = load_position(read_text(path))
    warn_of_excess(position.edition, position.board)
    return position
