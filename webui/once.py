"""Games begun once, however often the form that begins them is sent: a double tap, or a page gone back to."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from webui.errors import NotThere
from webui.storage.store import Store

_REMEMBERED = 200


class Once:
    """What each form, or photograph, has begun, as long as the server runs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._begun: OrderedDict[str, int] = OrderedDict()

    def game(self, sent: str | None, begin: Callable[[], int]) -> int:
        """The number of the game that `sent` began, by `begin` where it began none that is there still.

        One that comes while another begins a game waits for it. None is sent by what cannot be told apart.
        """
        with self._lock:
            known = None if sent is None else self._begun.get(sent)
            if known is not None and self._is_there(known):
                return known
            game_id = begin()
            if sent is not None:
                self._begun[sent] = game_id
                while len(self._begun) > _REMEMBERED:
                    self._begun.popitem(last=False)
            return game_id

    def _is_there(self, game_id: int) -> bool:
        try:
            self._store.game(game_id)
        except NotThere:
            return False
        return True
