"""A cache of compiled templates beside their sources, like Python's own.

Compiling the templates of a game's page takes as long as everything else for the first page.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from jinja2.bccache import Bucket, FileSystemBytecodeCache


class TemplateCache(FileSystemBytecodeCache):
    """A cache of compiled templates in `__pycache__` of a folder of templates.

    A compiled template is used only for the exact text that it came from. The cache stays empty in a folder that can't
    be written to, and if Python is told to write no bytecode. Then each start compiles the templates again.
    """

    def __init__(self, templates: Path) -> None:
        self._folder = templates / "__pycache__"
        super().__init__(str(self._folder))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a compiled template. Leave it out if its file can't be read."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Save a compiled template. Leave it out if its file can't be written."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            super().dump_bytecode(bucket)
