"""The verdict on a word."""

from __future__ import annotations

from dataclasses import dataclass

NO_MEANING = "No meaning is known here."


@dataclass(frozen=True)
class WordVerdict:
    """What a word list says of a word, which is in capitals.

    `sentence` is the whole verdict, to be read aloud: ``"XOOD is not playable: it is not in the word list."``.
    `reason` says in a clause why the word is not playable. `reason` and `meaning` are None where there is none.
    """

    word: str
    playable: bool
    sentence: str
    reason: str | None
    meaning: str | None

    def to_json(self) -> dict[str, str | bool | None]:
        """Return the verdict as the command line prints it."""
        return {"word": self.word, "playable": self.playable, "meaning": self.meaning, "reason": self.reason}

    def line(self) -> str:
        """Return the line that is printed: the sentence and, where it helps, the meaning."""
        if self.meaning is None:
            return f"{self.sentence} {NO_MEANING}" if self.playable else self.sentence
        return f"{self.sentence} {self.word.capitalize()}: {self.meaning}."
