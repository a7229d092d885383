"""`upscore backup` and `upscore restore`: all games with their pictures in one file, and back."""

from __future__ import annotations

import argparse

from upscore.commands.console import DONE, say
from upscore.commands.inputs import data_folder
from webui.storage.archive import restore, write_backup
from webui.storage.data_folder import DataFolder


def run_backup(args: argparse.Namespace) -> int:
    """Write a backup, also while the page is served."""
    written = write_backup(data_folder(args), args.file)
    say(f"All games and their pictures are in {args.file} (games: {written.games}, pictures: {written.pictures}).")
    for line in written.unreplayed:
        say(f"{line} The backup has it unchanged.")
    return DONE


def run_restore(args: argparse.Namespace) -> int:
    """Put a backup into a new data folder, after replaying every game in it."""
    folder = DataFolder(args.data)
    try:
        restored = restore(args.file, args.data)
    except BaseException:
        folder.abandon()
        raise
    folder.close()
    for line in restored.unreplayed:
        say(f"{line} It was so when the backup was made, and was put there as it is.")
    replayed = "each of the others" if restored.unreplayed else "each"
    say(
        f"Games: {restored.games}, {replayed} replayed to the totals that it was kept with; "
        f"pictures: {restored.pictures}. Start the page with: upscore serve --data {args.data}"
    )
    return DONE
