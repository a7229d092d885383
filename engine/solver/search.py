"""The solver: every legal play for a board and a rack, best first, or every play on given squares.

It walks the word graph along a line. It starts from each square where a word may begin and goes left to right. It keeps
or covers an occupied square and fills an empty one. The first free squares take the rack's beginnings, which all lines
share. (Appel and Jacobson, "The World's Fastest Scrabble Program", 1988, build the left part anew at each anchor.)
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter

from engine.board import Board
from engine.editions import Edition
from engine.errors import RulesError
from engine.lexicon.lexicon import Lexicon
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.solver.hands import Hands, Supply
from engine.solver.lines import EMPTY, Line, lines_of
from engine.solver.plays import Filling, ScoredPlay, Search
from engine.squares import Square, run_around, square_names
from engine.wording import phrase


def fillings(line: Line, hands: Hands) -> list[Filling]:
    """Find every filling of a line whose word, and the words across it, are in the graph; each once.

    It checks only the words, and that the play is connected. `LineScorer` and the referee check the other rules. The
    line may allow faces that the hands don't hold.
    """
    plays: list[Filling] = []
    tops, allowed = line.tops, line.allowed
    table, masks, after, faces_in = hands.table, hands.masks, hands.after, hands.faces_in
    flags_at, final, signs = hands.dawg.flags, hands.dawg.final, hands.dawg.alphabet.signs

    def visit(col: int, node: int, hand: int, mask: int, letters: str) -> None:
        """Go on at `col`: the squares before it are done and have led to `node`."""
        flags = table[node + flags_at]
        top = tops[col]
        if top == EMPTY:
            if flags & final and mask:
                plays.append((mask, letters))
        elif table[node + top]:
            visit(col + 1, table[node + top], hand, mask, letters)
        faces = flags & allowed[col] & masks[hand]
        if faces:
            fewer = after[hand]
            mask |= 1 << col
            for face in faces_in[faces]:
                visit(col + 1, table[node + face], fewer[face], mask, letters + signs[face])

    for start, anchor in _starts(line, hands.size):
        length = anchor - start
        mask = (1 << anchor) - (1 << start)
        if tops[anchor] != EMPTY:
            for node, hand, letters in hands.leading_to(length, tops[anchor]):
                visit(anchor + 1, node, hand, mask, letters)
        faces = allowed[anchor] & hands.mask
        if faces and length < hands.size:
            mask |= 1 << anchor
            longer = hands.ending_in(length + 1)
            for face in faces_in[faces]:
                for node, hand, letters in longer[face]:
                    visit(anchor + 1, node, hand, mask, letters)
    return plays


def _starts(line: Line, tiles: int) -> Iterator[tuple[int, int]]:
    """Yield each square where a word may begin, and the first square at or behind it that connects the word."""
    anchor = len(line.anchors)
    for start in range(anchor - 1, -1, -1):
        if line.anchors[start]:
            anchor = start
        first = start == 0 or line.tops[start - 1] == EMPTY
        if first and anchor < len(line.anchors) and anchor - start <= tiles:
            yield start, anchor


def legal_plays(
    board: Board,
    rack: Sequence[str],
    *,
    edition: Edition,
    lexicon: Lexicon,
    rules: HouseRules = SHEET_RULES,
    rack_size: int | None = None,
) -> list[ScoredPlay]:
    """Find every play that the referee finds legal, best first; each set of tiles on squares comes once.

    `rack` holds faces, a full rack at most, as `engine.faces.parse_faces` returns them. Pass `rack_size`, the number of
    tiles on the whole rack, if `rack` has only some of them. Plays of equal points come rows first, from the top, then
    columns from the left. Raises RulesError for an impossible rack or a board that is not the edition's.

    >>> from engine import find_edition, format_play, parse_play
    >>> board = Board.empty(8).with_play(parse_play("b4-MOOD"))
    >>> words = Lexicon.from_words(["MOOD", "WOOD", "MOODY", "OW"])
    >>> plays = legal_plays(board, ("W", "Y"), edition=find_edition("8x8"), lexicon=words)
    >>> [(format_play(found.play), found.points) for found in plays]
    [('Y@f4', 10), ('W@b4', 5), ('W@c5', 4), ('W@d5', 4)]
    """
    if len(rack) > edition.rack_size:
        raise RulesError(
            phrase("a rack of %(count)s tiles: give %(most)s at most", count=len(rack), most=edition.rack_size)
        )
    edition.check_size(board.size)
    hands = Hands(rack, lexicon.dawg_over(edition.alphabet, edition.size))
    search = Search(board, edition, lexicon, rules, len(rack) if rack_size is None else rack_size)
    plays: list[ScoredPlay] = []
    if "Qu" in rack:
        for square in sorted(edition.start):
            plays += search.lone_qu(square)
    for line in lines_of(board, hands, edition):
        plays += search.legal_plays_in(line, fillings(line, hands))
    plays.sort(key=attrgetter("points"), reverse=True)
    return plays


def plays_on(
    board: Board,
    squares: Collection[Square],
    tiles: Mapping[str, int] | None,
    *,
    edition: Edition,
    lexicon: Lexicon,
    rules: HouseRules = SHEET_RULES,
    rack_size: int | None = None,
) -> list[ScoredPlay]:
    """Find every legal play that puts a tile on each of `squares` and on no other, best first.

    `tiles` counts the faces that may have been held, None if any may. `rack_size` is the number of tiles on the
    rack, a full one if not given. Plays of equal points come in the order of their letters, rows before columns.

    Raises RulesError for squares that no play can have, for faces that are not tiles, for an impossible rack, or for
    another edition's board. Raises PositionError for a square off the board.

    >>> from engine import find_edition, parse_play, parse_square
    >>> board = Board.empty(8).with_play(parse_play("b4-MOOD"))
    >>> words = Lexicon.from_words(["MOOD", "FOOD", "WOOD"])
    >>> plays = plays_on(board, [parse_square("b4")], None, edition=find_edition("8x8"), lexicon=words)
    >>> [found.words[0].word for found in plays]
    ['FOOD', 'WOOD']
    """
    rack_size = edition.rack_size if rack_size is None else rack_size
    if rack_size > edition.rack_size:
        raise RulesError(
            phrase("a rack of %(count)s tiles: give %(most)s at most", count=rack_size, most=edition.rack_size)
        )
    edition.check_size(board.size)
    _check(board, squares, edition.rack_size)
    supply = Supply(tiles, lexicon.dawg_over(edition.alphabet, edition.size), len(squares))
    search = Search(board, edition, lexicon, rules, rack_size)
    plays: list[ScoredPlay] = []
    qu = edition.alphabet.number.get("Qu")
    if len(squares) == 1 and qu is not None and supply.counts[qu]:
        plays += search.lone_qu(next(iter(squares)))
    for line in lines_of(board, supply, edition, through=squares):
        mask = sum(1 << (square.row if line.vertical else square.col) for square in squares)
        plays += search.legal_plays_in(line, _fillings(line, mask, supply))
    plays.sort(key=attrgetter("points"), reverse=True)
    return plays


def _check(board: Board, squares: Collection[Square], most: int) -> None:
    if not 1 <= len(squares) <= most:
        raise RulesError(
            phrase(
                "a play has 1 to %(most)s squares, not %(count)s: name those it lies on", most=most, count=len(squares)
            )
        )
    if len(set(squares)) < len(squares):
        raise RulesError(phrase("a square appears twice: name it once, since a turn puts only one tile on it"))
    for square in squares:
        board.height(square)
    if len({square.row for square in squares}) > 1 and len({square.col for square in squares}) > 1:
        raise RulesError(
            phrase(
                "%(squares)s do not lie in one row or column: no play has them all",
                squares=square_names(sorted(squares)),
            )
        )


def _fillings(line: Line, mask: int, supply: Supply) -> list[Filling]:
    """Find every filling of exactly these squares whose words are in the graph, in the order of the letters."""
    tops, allowed, table, counts = line.tops, line.allowed, supply.table, supply.counts
    start, end = (mask & -mask).bit_length() - 1, mask.bit_length()
    if any(tops[at] == EMPTY and not mask >> at & 1 for at in range(start, end)):
        return []
    start, end = run_around(line.heights, start, end - 1)
    if not any(line.anchors[start:end]):
        return []
    fillings: list[Filling] = []
    flags_at, final, signs = supply.dawg.flags, supply.dawg.final, supply.dawg.alphabet.signs

    def visit(col: int, node: int, letters: str) -> None:
        """Go on at `col`: the squares before it are done and have led to `node`."""
        flags = table[node + flags_at]
        if col == end:
            if flags & final:
                fillings.append((mask, letters))
        elif not mask >> col & 1:
            if table[node + tops[col]]:
                visit(col + 1, table[node + tops[col]], letters)
        else:
            for face in supply.faces_in[flags & allowed[col]]:
                if counts[face]:
                    counts[face] -= 1
                    visit(col + 1, table[node + face], letters + signs[face])
                    counts[face] += 1

    visit(start, supply.dawg.root, "")
    return fillings
