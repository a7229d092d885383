"""Compiled templates, kept beside them as Python keeps its own modules: compiling those of a game's page takes as long
as all else that the first page does."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from jinja2.bccache import Bucket, FileSystemBytecodeCache


class TemplateCache(FileSystemBytecodeCache):
    """Keeps compiled templates in `__pycache__` of a folder of templates.

    Each is used only for the very text that it was compiled from. Where nothing can be written, as in an installation
    for all users, or Python itself is told to write none, templates are compiled anew at each start.
    """

    def __init__(self, templates: Path) -> None:
        self._folder = templates / "__pycache__"
        super().__init__(str(self._folder))

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take what was kept; where that cannot be read it is done without."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep one; where that fails it is done without."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            super().dump_bytecode(bucket)
