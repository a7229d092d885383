"""The referee: what a play breaks, the words it makes, and its points.

The rules of placing come first (3 to 5), then plurals, then the verdict on a play, and last the oddities of a board,
however it came about: a table may insist on such a board and go on playing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.board import Board, Stack, stacks_after
from engine.editions import Edition
from engine.errors import RulesError
from engine.faces import spell
from engine.lexicon.lexicon import InflectingList, WordList
from engine.play import PlacedTile, Play
from engine.rules.house_rules import SHEET_RULES, HouseRules
from engine.rules.scoring import WordScore, all_tiles_bonus, score_word, score_words
from engine.squares import SQUARES, Square, centre_squares, run_around, square_name, square_names
from engine.tiles import excess_letters
from engine.wording import join_names, number_of, number_word, phrase, plural

Rows = Sequence[Sequence[Stack]]


@dataclass(frozen=True, slots=True)
class Violation:
    """A rule that a play breaks: the rule's id, a sentence for reading aloud, and the squares concerned."""

    rule: str
    text: str
    squares: tuple[Square, ...]

    @property
    def of_words(self) -> bool:
        """True if only a word list objects (Rule 7): such a play stands unless somebody challenges it."""
        return self.rule.startswith("7")


def _placement_violations(
    board: Board, play: Play, after: Rows, edition: Edition, rules: HouseRules
) -> Iterator[Violation]:
    """Yield every breach of Rules 3 and 4 and of 5-one, 5-same, 5-five and 5-cover, in that order.

    A play of more tiles than a rack holds comes first. `after` holds the rows of stacks with the play in place,
    as `engine.board.stacks_after` returns them.
    """
    before = board.stacks
    touching, covered = _contact(before, play)
    if len(play.tiles) > edition.rack_size:
        held, played = number_of(edition.rack_size, "tile"), number_of(len(play.tiles), "tile")
        yield Violation(
            "equipment",
            phrase("Equipment: a rack holds %(held)s, and this turn plays %(played)s.", held=held, played=played),
            play.squares,
        )
    if not touching and board.is_empty:
        yield from _first_play(edition, play, rules)
        yield from _line(play, after)
    else:
        yield from _line(play, after)
        if not touching:
            text = phrase("Rule 4, connected: no tile lies beside or on top of a tile that was there before.")
            yield Violation("4-connect", text, play.squares)
    yield from _stacking(play, after, edition.stack_limit)
    if len(covered) > 1:
        yield from _check_covered_words(before, covered)


def _contact(before: Rows, play: Play) -> tuple[bool, list[Square]]:
    """Return whether a tile touches an earlier tile, and the squares that the play covers."""
    last = len(before) - 1
    touching = False
    covered: list[Square] = []
    for tile in play.tiles:
        square = tile.square
        row, col = square.row, square.col
        line = before[row]
        if line[col]:
            covered.append(square)
        elif touching:
            continue
        elif (
            (row and before[row - 1][col])
            or (row < last and before[row + 1][col])
            or (col and line[col - 1])
            or (col < last and line[col + 1])
        ):
            touching = True
    return touching or bool(covered), covered


def _first_play(edition: Edition, play: Play, rules: HouseRules) -> Iterator[Violation]:
    """Check Rule 3: at least two tiles, one of them on a start square."""
    if len(play.tiles) < 2:
        qu = play.tiles[0].face == "Qu"
        if not (qu and rules.lone_qu_first_play):
            lone = phrase("a lone Qu tile") if qu else phrase("one tile")
            text = phrase("Rule 3, first play: it takes two tiles at least, and this is %(lone)s.", lone=lone)
            yield Violation("3", text, play.squares)
    if edition.start.isdisjoint(play.squares):
        if edition.start == centre_squares(edition.size):
            one, many = phrase("the centre square"), phrase("at least one of the centre squares")
        else:
            one, many = phrase("the start square"), phrase("at least one of the start squares")
        which = one if len(edition.start) == 1 else many
        text = phrase(
            "Rule 3, first play: it must cover %(which)s (%(squares)s).",
            which=which,
            squares=square_names(sorted(edition.start)),
        )
        yield Violation("3", text, play.squares)


def _line(play: Play, after: Rows) -> Iterator[Violation]:
    """Check Rule 4: one row or one column, without a gap."""
    tiles = play.tiles
    first, last = tiles[0].square, tiles[-1].square
    if first.row == last.row:
        gaps = [SQUARES[first.row][col] for col in range(first.col, last.col) if not after[first.row][col]]
    elif all(tile.square.col == first.col for tile in tiles):
        gaps = [SQUARES[row][first.col] for row in range(first.row, last.row) if not after[row][first.col]]
    else:
        named = square_names(dict.fromkeys(play.squares))
        yield Violation(
            "4-line",
            phrase("Rule 4, one line: %(squares)s are not in one row or one column.", squares=named),
            play.squares,
        )
        return
    if gaps:
        text = phrase("Rule 4, one line: the tiles leave a gap at %(squares)s.", squares=square_names(gaps))
        yield Violation("4-line", text, tuple(gaps))


def _stacking(play: Play, after: Rows, most: int) -> Iterator[Violation]:
    """Check 5-one, 5-same and 5-five, square by square."""
    counts: dict[Square, int] = {}
    for tile in play.tiles:
        if len(after[tile.square.row][tile.square.col]) > 1:
            counts[tile.square] = counts.get(tile.square, 0) + 1
    for square, count in counts.items():
        if count > 1:
            on = phrase(
                "%(count)s went on %(square)s in one turn", count=number_of(count, "tile"), square=square_name(square)
            )
            yield Violation("5-one", phrase("Rule 5, stacking: %(what)s, and only one may.", what=on), (square,))
    for square, count in counts.items():
        stack = after[square.row][square.col]
        for level in range(max(1, len(stack) - count), len(stack)):
            if stack[level] == stack[level - 1]:
                face = stack[level]
                text = phrase(
                    "Rule 5, stacking: the %(face)s on %(square)s covers another %(face)s.",
                    face=face,
                    square=square_name(square),
                )
                yield Violation("5-same", text, (square,))
    for square in counts:
        height = len(after[square.row][square.col])
        if height > most:
            high = phrase(
                "%(square)s would be %(height)s high", square=square_name(square), height=number_of(height, "tile")
            )
            yield Violation(
                "5-five",
                phrase("Rule 5, stacking: %(what)s, and %(most)s is the most.", what=high, most=number_word(most)),
                (square,),
            )


def _check_covered_words(before: Rows, covered: Sequence[Square]) -> Iterator[Violation]:
    """Check 5-cover: the play may not cover every letter of a word that stood on the board.

    One uncovered letter is enough. Stacks never leave the board, so that letter is always part of the new word.
    """
    squares = set(covered)
    reported: set[tuple[Square, ...]] = set()
    for square in covered:
        row, col = square.row, square.col
        across = SQUARES[row][slice(*run_around(before[row], col, col))]
        down = tuple(SQUARES[at][col] for at in range(*run_around([line[col] for line in before], row, row)))
        for word in (across, down):
            if len(word) > 1 and word not in reported and squares.issuperset(word):
                reported.add(word)
                spelt = spell(before[sq.row][sq.col][-1] for sq in word)
                text = phrase("Rule 5, stacking: the turn covers all of %(word)s; one letter must stay.", word=spelt)
                yield Violation("5-cover", text, word)


def _plural_violations(
    board: Board, play: Play, words: Sequence[WordScore], lexicon: WordList | None, rules: HouseRules
) -> Iterator[Violation]:
    """Yield every breach of 5-plural under the house rules; nothing if ``plural_rule`` is off."""
    if not rules.plural_rule or not words:
        return
    if len(play.tiles) == 1:
        tile = play.tiles[0]
        if tile.face == "S":
            if not board.height(tile.square):
                yield from _lone_s(tile.square, words, lexicon, rules)
            elif not rules.stacked_s and all(word.squares[-1] == tile.square for word in words):
                # It adds no square, so it is allowed unless the house rules forbid it.
                yield _house_plural(
                    phrase("a lone S may not be stacked to make %(word)s", word=words[0].word), tile.square
                )
    elif not rules.several_tiles_ending_in_s:
        yield from _several_tiles(board, play.tiles, words[0])


def _lone_s(
    square: Square, words: Sequence[WordScore], lexicon: WordList | None, rules: HouseRules
) -> Iterator[Violation]:
    """Check one S on an empty square, by words of three squares or more: without it, a word already stood there."""
    longer = [word for word in words if word.squares[-1] == square and len(word.squares) > 2]
    plurals = [word for word in longer if _is_plural(word.word, lexicon, rules)]
    if not plurals:
        return
    if len(plurals) == len(words):
        names = join_names([word.word for word in plurals])
        yield Violation(
            "5-plural",
            phrase("Rule 5, plurals: a turn can't simply add an S to make %(names)s.", names=names),
            (square,),
        )
    elif not rules.lone_s_with_crossing_word:
        yield _house_plural(
            phrase("a lone S may not make %(word)s, whatever else it makes", word=plurals[0].word), square
        )


def _several_tiles(board: Board, tiles: Sequence[PlacedTile], word: WordScore) -> Iterator[Violation]:
    """Check several tiles that lengthen a word and end it with an S on an empty square."""
    end = word.squares[-1]
    last = next((tile for tile in tiles if tile.square == end), None)
    if last is None or last.face != "S" or board.height(end):
        return
    stood = [board.height(square) > 0 for square in word.squares]
    if any(one and other for one, other in pairwise(stood)):
        yield _house_plural(phrase("%(word)s may not be made from a word by tiles that end in S", word=word.word), end)


def _house_plural(text: str, square: Square) -> Violation:
    return Violation("5-plural", phrase("House rule, plurals: %(what)s.", what=text), (square,))


def _is_plural(word: str, lexicon: WordList | None, rules: HouseRules) -> bool:
    """Return whether a word is the plural of the word before its S, or its verb form where the house rules forbid that.

    A lexicon must have both words: THIS is not a plural because THI isn't a word, and BELATEDS is none because it isn't
    a word itself. With a list that knows no inflections, every word in S counts as one, except a word in SS.
    """
    if lexicon is not None and not (word in lexicon and word[:-1] in lexicon):
        return False
    if not isinstance(lexicon, InflectingList):
        return not word.endswith("SS")
    return lexicon.is_inflection(word) if rules.verb_s_plural else lexicon.is_plural(word)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's verdict on a play.

    `violations` holds every rule that the play breaks. `words` and `points` give its score, or the score it would have
    if it were allowed to stand. `points` includes `bonus`, the 20 of rule 6D.
    """

    violations: tuple[Violation, ...]
    words: tuple[WordScore, ...]
    points: int
    bonus: int

    @property
    def legal(self) -> bool:
        """True if the play breaks no rule."""
        return not self.violations

    @property
    def breaches(self) -> tuple[Violation, ...]:
        """The rules of placing that the play breaks: the players correct these at once, without a challenge."""
        return tuple(broken for broken in self.violations if not broken.of_words)

    def explanation(self) -> tuple[str, ...]:
        """Return the score in sentences, one for each word and one for the bonus (6A to 6E)."""
        lines = [word.explanation for word in self.words]
        if self.bonus:
            lines.append(phrase("All tiles of the rack in one turn: %(bonus)s (6D)", bonus=self.bonus))
        return tuple(lines)


def referee(
    board: Board,
    play: Play,
    *,
    edition: Edition,
    lexicon: WordList | None,
    rules: HouseRules = SHEET_RULES,
    rack_size: int | None = None,
) -> Verdict:
    """Judge and score a play on `board`; without a lexicon words go unchecked.

    `rack_size` is the number of tiles on the player's rack before the play. Only the house rule
    ``bonus_for_short_rack`` needs it.

    Raises PositionError when a tile lies off the board, and RulesError for a play without tiles or a board that is not
    the edition's. Everything else that is wrong with the play is a violation, so that people see all of them at once.

    >>> from engine import find_edition, parse_play
    >>> board = Board.empty(8).with_play(parse_play("b4-MOOD"))
    >>> verdict = referee(board, parse_play("W@b4"), edition=find_edition("8x8"), lexicon=None)
    >>> verdict.legal, verdict.points, verdict.words[0].word
    (True, 5, 'WOOD')
    >>> referee(board, parse_play("M@b4"), edition=find_edition("8x8"), lexicon=None).violations[0].text
    'Rule 5, stacking: the M on b4 covers another M.'
    """
    if not play.tiles:
        raise RulesError(phrase("a play needs at least one tile: pass or exchange instead"))
    edition.check_size(len(board.stacks))
    after = stacks_after(board, play)
    words = score_words(after, play.tiles, edition.qu_bonus)
    if not words and rules.lone_qu_first_play and play.faces == ("Qu",) and board.is_empty:
        words = (score_word((("Qu",),), play.squares, edition.qu_bonus),)
    broken = list(_placement_violations(board, play, after, edition, rules))
    if edition.plural_rule:
        broken += _plural_violations(board, play, words, lexicon, rules)
    broken += _word_violations(play, words, lexicon, rules, placed_well=not broken)
    bonus = all_tiles_bonus(edition, len(play.tiles), rack_size, short_rack=rules.bonus_for_short_rack)
    points = sum([word.points for word in words]) + bonus
    return Verdict(tuple(broken), words, points, bonus)


def _word_violations(
    play: Play, words: Sequence[WordScore], lexicon: WordList | None, rules: HouseRules, *, placed_well: bool
) -> Iterator[Violation]:
    """Check 5-all and 7. Say that the turn makes no word only if no other rule explains that."""
    if not words and placed_well:
        yield Violation("5-all", phrase("Rule 5, words: the turn makes no word of two letters or more."), play.squares)
    if not rules.parallel_plays and len(words) > 2:
        crossing = words[1:]
        names = join_names([word.word for word in crossing])
        squares = tuple(square for word in crossing for square in word.squares)
        yield Violation(
            "5-all", phrase("House rule, one crossing word: the turn makes %(names)s.", names=names), squares
        )
    if lexicon is not None:
        for word in words:
            if word.word not in lexicon:
                text = phrase(
                    "Rule 7, words: %(word)s is not in the word list “%(list)s”.", word=word.word, list=lexicon.name
                )
                yield Violation("7", text, word.squares)


def oddities(edition: Edition, board: Board) -> tuple[str, ...]:
    """Return a sentence for everything about a board that no game by the rules could produce.

    These are tiles apart from the rest (4-connect), no tile on a centre square (3) and a letter on the same letter
    (5-same). Another is more of a letter than the edition has. People can play on anyway.

    >>> from engine import find_edition, parse_play
    >>> oddities(find_edition("8x8"), Board.empty(8).with_play(parse_play("a1-MOOD")))
    ('no tile lies on the centre of the board, d4, e4, d5 and e5 (Rule 3)',)
    """
    apart = _separate_squares(board)
    lines = (
        [
            plural(
                "%(squares)s is not joined to the other tiles (Rule 4)",
                "%(squares)s are not joined to the other tiles (Rule 4)",
                len(apart),
                squares=square_names(apart),
            )
        ]
        if apart
        else []
    )
    start = edition.start
    if not board.is_empty and not any(board.height(square) for square in start):
        where = phrase("the centre of the board") if start == centre_squares(board.size) else phrase("a start square")
        lines.append(
            phrase("no tile lies on %(where)s, %(squares)s (Rule 3)", where=where, squares=square_names(sorted(start)))
        )
    for square in board.list_occupied():
        if any(one == other for one, other in pairwise(board.stack(square))):
            lines.append(phrase("a letter lies on the same letter at %(square)s (Rule 5)", square=square_name(square)))
    return (*lines, *excess_letters(edition, board.counts()))


def _separate_squares(board: Board) -> tuple[Square, ...]:
    """Return the squares with tiles outside the largest group of joined ones, in reading order.

    Of equally large groups, the first in reading order counts as the largest.
    """
    groups: list[set[Square]] = []
    for square in board.list_occupied():
        before = {Square(square.row - 1, square.col), Square(square.row, square.col - 1)}
        joined = [group for group in groups if before & group]
        groups = [*(group for group in groups if group not in joined), {square}.union(*joined)]
    groups.sort(key=lambda group: (-len(group), min(group)))
    return tuple(sorted(square for group in groups[1:] for square in group))
