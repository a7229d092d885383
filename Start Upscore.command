#!/usr/bin/env bash
# Starts Upscore on a Mac by a double click: makes what it needs, serves the page to phones too, and opens it here.
cd "$(dirname "$0")" || exit 2
PATH="/usr/local/bin:/opt/homebrew/bin:$PATH" # where Python's own installer and Homebrew put it
. tools/setup.sh
make_environment run
exec .venv/bin/upscore serve --host 0.0.0.0 "$@"
