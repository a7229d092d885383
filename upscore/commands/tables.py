"""`upscore tables`: the games of any number of Upscores on one page."""

from __future__ import annotations

import argparse

from upscore.commands.browser import has_screen, open_browser
from upscore.commands.console import DONE
from upscore.commands.inputs import data_folder, port_of
from webui.hall import Hall, Source, serve_hall


def run(args: argparse.Namespace) -> int:
    """Serve the page of all tables until it is stopped."""
    hall = Hall(tuple(map(Source.parse, args.addresses)), data_folder(args))
    on_ready = open_browser if has_screen() and not args.no_browser else None
    serve_hall(hall, args.host, port_of(args), tuple(args.name), on_ready)
    return DONE
