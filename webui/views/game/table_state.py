"""What the page says of hands-free play: large, in a few words, and then what to do."""

from __future__ import annotations

from dataclasses import dataclass

from engine.wording import counted, points_text
from webui.live.table_state import Kind, TableState
from webui.views.game.sheet import TurnView

_TOLD: dict[Kind, tuple[str, str]] = {
    "connecting": ("Connecting to the camera", "One moment."),
    "live": ("Play on", "A turn is taken when the hands have left the board."),
    "still": ("Hands off for a moment", "The board lies still: it is about to be read."),
    "hand": ("A hand is over the board", "When the word lies, take it away: the turn is taken by itself."),
    "reading": ("Reading the board", "You may play on."),
    "question": ("A question waits", "What is played meanwhile is kept."),
    "lift": ("Lift the tiles", "They were taken back on the sheet, and still lie on the board."),
    "sought": ("Looking for the board", "Point the camera so that the whole board is in the picture."),
    "lost": ("The board is out of view", "Bring the whole board into the picture: what is played now is not seen."),
    "gone": ("The camera is gone", ""),
    "reconnecting": ("Connecting again", ""),
    "ended": ("The film has ended", "Its last picture stays."),
    "restarted": ("Started again", ""),
}  # fmt: skip
_CALM: frozenset[Kind] = frozenset({"connecting", "live", "still", "hand", "reading", "ended"})
_ALARM: frozenset[Kind] = frozenset({"lost", "gone", "reconnecting"})


@dataclass(frozen=True)
class StateView:
    """A state as the page shows it.

    `tone` is "calm", "todo" or "alarm". What is not calm is `announced` to screen readers, once; a question announces
    itself.
    """

    kind: Kind
    headline: str
    sentence: str
    tone: str

    @property
    def announced(self) -> str:
        """What a screen reader says of it, "" for nothing."""
        return "" if self.tone == "calm" or self.kind == "question" else f"{self.headline}. {self.sentence}"


def view_state(state: TableState) -> StateView | None:
    """The view of a state; None where nothing is followed."""
    if state.kind == "off":
        return None
    headline, sentence = _TOLD[state.kind]
    if state.kind == "lift":
        sentence = f"Take those on {', '.join(state.squares)} off the board, then play on."
    elif state.kind == "question":
        if state.waiting > 1:
            headline = f"{headline}, with {counted(state.waiting, 'turn')}"
        if state.squares:
            sentence = f"Answer it, and take the tiles on {', '.join(state.squares)} off the board."
    tone = "calm" if state.kind in _CALM else "alarm" if state.kind in _ALARM else "todo"
    return StateView(state.kind, headline, sentence or state.text, tone)


def spoken(turn: TurnView | None) -> str:
    """A turn as it is read out: ``"Red: wool and leap, 12 points."``; words in capitals would be spelt out."""
    if turn is None:
        return ""
    if turn.did or turn.taken_back:
        return turn.sentence if turn.did else f"{turn.player} takes the last word back."
    words = " and ".join(word.word.lower() for word in turn.words) or "no word"
    return f"{turn.player}: {words}, {points_text(turn.points)}."
