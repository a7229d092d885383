"""The view of the state of hands-free play: a large headline, and a sentence on what to do."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.wording import counted, points_text
from webui.live.table_state import WATCHING, Kind, TableState
from webui.views.sheet import TurnView

_TEXTS: dict[Kind, tuple[str, str]] = {
    "connecting": ("Connecting to the camera", "One moment."),
    "live": ("Watching", "Play, then take your hands away."),
    "hand": ("Hand over the board", "Done? Take your hand away."),
    "reading": ("Reading", "Keep your hands off for a moment."),
    "question": ("Question waiting", "You can keep playing."),
    "lift": ("Take tiles off", "They no longer count, but they are still on the board."),
    "sought": ("Looking for the board", "Point the camera at the whole board."),
    "lost": ("The board is out of view", "Point the camera at the whole board. Upscore can't see any plays now."),
    "gone": ("No picture from the camera", ""),
    "reconnecting": ("Reconnecting", ""),
    "ended": ("The film has ended", "Its last picture stays."),
    "restarted": ("Started again", ""),
}
_CALM: frozenset[Kind] = WATCHING | {"connecting", "ended"}
_ALARM: frozenset[Kind] = frozenset({"lost", "gone", "reconnecting"})


@dataclass(frozen=True)
class StateView:
    """The state of hands-free play.

    `score` is a play and its points, "" for none, and `player` is who made it. `provisional` says that it is not on the
    sheet yet.

    `tone` is "calm", "todo" or "alarm". Screen readers announce a state that is not calm, once.
    """

    kind: Kind
    headline: str
    sentence: str
    tone: str
    score: str = ""
    player: str = ""
    provisional: bool = False

    @property
    def announced(self) -> str:
        """The text for screen readers, "" for a calm state and for a question, which the page announces itself."""
        return "" if self.tone == "calm" or self.kind == "question" else f"{self.headline}. {self.sentence}"


def view_state(state: TableState) -> StateView | None:
    """Return the view of a state, None if no camera follows the game."""
    if state.kind == "off":
        return None
    headline, sentence = _TEXTS[state.kind]
    if state.kind == "lift":
        sentence = f"Take the tiles on {', '.join(state.squares)} off the board, then go on."
    elif state.kind in WATCHING or state.kind == "sought":
        sentence = state.text or sentence
    elif state.kind == "question":
        if state.waiting > 1:
            headline = f"{headline}: {counted(state.waiting, 'turn')}"
        if state.squares:
            sentence = f"Answer it, and take the tiles on {', '.join(state.squares)} off the board."
    tone = "calm" if state.kind in _CALM else "alarm" if state.kind in _ALARM else "todo"
    view = StateView(state.kind, headline, sentence or state.text, tone)
    score = state.score
    if score is None or state.kind not in WATCHING:
        return view
    text = f"{' + '.join(score.words) or 'no word'} {score.points}{' …' if score.provisional else ''}"
    return replace(view, score=text, player=score.player, provisional=score.provisional)


def spoken(turn: TurnView | None) -> str:
    """Return a turn for a voice to read out: ``"Red: wool and leap, 12 points."``.

    The words are in small letters: a voice would spell out capitals.
    """
    if turn is None:
        return ""
    if turn.did or turn.taken_back:
        return turn.sentence if turn.did else f"{turn.player} takes the last word back."
    words = " and ".join(word.word.lower() for word in turn.words) or "no word"
    return f"{turn.player}: {words}, {points_text(turn.points)}."
