"""A process that only decodes pictures. Its memory is bounded and it cannot write files.

It reads jobs from stdin and answers on stdout until stdin ends. A job is `JOB`, then a name as JSON and the encoded
bytes. An answer is `ANSWER`, then the rows of the picture or an error's text as JSON.
"""

from __future__ import annotations

import json
import struct
import sys
from typing import BinaryIO

from engine.wording import text_data, text_from_data
from vision.system import bound_process

JOB = struct.Struct("<?QQ")
"""The head of a job: is the picture our own, and the lengths of its name and of the encoded bytes."""
ANSWER = struct.Struct("<?QQd")
"""The head of an answer: is it a picture, its height and width in px or the length of its text and 0, and its scale."""
MEMORY = 512 * 1024 * 1024
"""Bytes of memory. A photograph of 48 megapixels takes 300 MB; a bomb cannot take more than this. [by hand]"""
_LIBRARIES = 256 * 1024 * 1024
"""Bytes of address space for the libraries' files, most of which are never read into memory. OpenCV's take 220 MB.
[by hand]"""


def main() -> None:
    """Decode pictures from stdin until it ends."""
    from vision.decoding.decode import decode_image
    from vision.errors import ImageError

    source, sink = sys.stdin.buffer, sys.stdout.buffer
    bound_process(MEMORY + _LIBRARIES)  # the parent watches its memory and time, too
    while job := _job(source):
        own, name, data = job
        try:
            image, scale = decode_image(data, name=name, own=own)
        except ImageError as error:
            text = json.dumps(text_data(str(error))).encode()
            sink.write(ANSWER.pack(False, len(text), 0, 0.0) + text)
        else:
            sink.write(ANSWER.pack(True, image.shape[0], image.shape[1], scale))
            sink.write(image.data)
            del image
        del job, data
        sink.flush()


def _job(source: BinaryIO) -> tuple[bool, str, bytes] | None:
    head = source.read(JOB.size)
    if len(head) < JOB.size:
        return None
    own, name_length, data_length = JOB.unpack(head)
    name, data = source.read(name_length), source.read(data_length)
    return (own, text_from_data(json.loads(name)), data) if len(data) == data_length else None


if __name__ == "__main__":
    main()
