"""The `upscore` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from engine.errors import UpscoreError
from upscore.commands import judging, read, replay, serving
from upscore.commands.common import MISUSED, Parser, say


def build_parser() -> Parser:
    """The parser of all commands."""
    parser = Parser(prog="upscore", description="Watches an Upwords board, referees it and keeps the score.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for add in (
        read.add, replay.add, judging.add_judge, judging.add_score, judging.add_solve, serving.add_serve,
        serving.add_demo,
    ):  # fmt: skip
        add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status (0 done, 1 partly, 2 misused)."""
    args = build_parser().parse_args(argv)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
        return status
    except UpscoreError as error:
        say(f"upscore: {error}")
        return MISUSED
    except BrokenPipeError:
        # whoever read our output has gone: not an error, and Python must not complain at exit either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
