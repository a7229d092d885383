"""The answers to a question about a photograph: whole turns, as words with their points."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from engine import Game, Play, Square, Verdict
from engine.rules.scoring import WordScore
from engine.squares import square_names
from engine.wording import join_texts, number_of, phrase, points_text
from vision import Outcome
from webui.table.games import OpenGame
from webui.table.question import Question, question_text


@dataclass(frozen=True)
class AnswerView:
    """A button under a question.

    `face` is the tile it stands for, or "", `words` the resulting words with points. `covered` says that dots in these
    stand for letters that were never seen, `flagged` that its last play breaks a rule.
    """

    index: int
    face: str
    words: str
    covered: bool
    flagged: bool


def view_answers(open_game: OpenGame, question: Question) -> tuple[AnswerView, ...]:
    """Return the answers to the waiting question; none for "Was it a pass?", which has its own buttons.

    If one look shows several turns, a letter that a later turn covers was never seen. The words it makes are shown
    without it.
    """
    if question.kind == "none":
        return ()
    one_look = len(open_game.belief.looks) <= open_game.belief.open_from + 1
    return tuple(_answer(open_game.game, question, at, one_look) for at in range(len(question.outcomes)))


def without_duplicates(answers: tuple[AnswerView, ...]) -> tuple[AnswerView, ...]:
    """Keep only the likeliest of answers that read the same, since they differ in a letter that nobody saw."""
    kept: dict[AnswerView, AnswerView] = {}
    for answer in answers:
        kept.setdefault(replace(answer, index=0), answer)
    return tuple(kept.values())


def say_reason(question: Question) -> str | None:
    """Return why a play is asked about, unless the question says it: what hides its square, or else the reason."""
    if question.kind == "play" and question.square is None:
        reason = str(question.reason or "")
        return None if reason in ("", question_text(question)) else reason
    return question.hidden


def score_text(verdict: Verdict) -> str:
    """Return words and points in one line: ``"WOOL: 6 points"``, ``"WOOL 6 + LEAP 6 = 12 points"``."""
    if len(verdict.words) == 1 and not verdict.bonus:
        return phrase("%(words)s: %(points)s", words=verdict.words[0].word, points=points_text(verdict.points))
    return phrase("%(words)s = %(points)s", words=words_text(verdict), points=points_text(verdict.points))


def words_text(verdict: Verdict, unseen: Collection[Square] = ()) -> str:
    """Return the words of a verdict in one line: ``"WOOL 6 + LEAP 6"``.

    Letters on `unseen` squares are left open, as in ``"M··ED 10"``, or ``"five letters, 10 points"`` if all are unseen.
    """
    words = join_texts((_word_text(word, unseen) for word in verdict.words), " + ") or phrase("no word")
    if not verdict.bonus:
        return words
    return phrase("%(words)s + %(points)s for a full rack", words=words, points=verdict.bonus)


def _word_text(word: WordScore, unseen: Collection[Square]) -> str:
    if all(square in unseen for square in word.squares):
        return join_texts((number_of(len(word.squares), "letter"), points_text(word.points)), ", ")
    stacks = zip(word.squares, word.stacks, strict=True)
    letters = "".join("·" if square in unseen else stack[-1] for square, stack in stacks)
    return f"{letters.upper()} {word.points}"


def _answer(game: Game, question: Question, at: int, one_look: bool) -> AnswerView:
    outcome = question.outcomes[at]
    corrected = outcome.revision.correct(game)
    lines, flagged = _say_corrections(game, corrected), False
    turns = _turns(corrected, outcome, one_look)
    several = sum(verdict is not None for _, _, verdict in turns) > 1
    for player, text, verdict in turns:
        told = text if verdict is None else score_text(verdict)
        if several and player:
            told = join_texts((player, text))
        lines.append(told if lines or not several else phrase("first %(turn)s", turn=told))
        flagged = verdict is not None and not verdict.legal
    words = reduce(lambda before, then: phrase("%(first)s, then %(then)s", first=before, then=then), lines)
    return AnswerView(
        index=at, face=outcome.face_at(question.square), words=words, covered="·" in words, flagged=flagged
    )


def _turns(corrected: Game, outcome: Outcome, one_look: bool) -> list[tuple[str, str, Verdict | None]]:
    """Return what an answer adds to an already corrected game: each turn's player, text and verdict."""
    turns: list[tuple[str, str, Verdict | None]] = []
    game, added = corrected, outcome.revision.added
    for number, event in enumerate(added):
        player = game.current_player or ""
        if event is None:
            turns.append(("", phrase("%(tiles)s taken back", tiles=_take_back(game)), None))
            game = game.take_back()
        else:
            verdict = game.shown_verdict(event)
            laid, later = (_squares_of(plays) for plays in (added[: number + 1], added[number + 1 :]))
            unseen = laid & later if one_look else ()
            turns.append((player, words_text(verdict, unseen), verdict))
            game = game.play(event)
    return turns


def _squares_of(events: Sequence[Play | None]) -> set[Square]:
    return {square for play in events if play is not None for square in play.squares}


def _take_back(game: Game) -> str:
    last: Play | None = None if game.open_play is None else game.open_play.play
    return (
        phrase("the tiles") if last is None else phrase("the tiles on %(squares)s", squares=square_names(last.squares))
    )


def _say_corrections(game: Game, corrected: Game) -> list[str]:
    """Say what an answer corrects on the scoresheet: "turn 1 was MOOD 8, not MOON 8"."""
    lines: list[str] = []
    for was, now in zip(game.turns, corrected.turns, strict=False):
        if was.play != now.play and was.verdict is not None and now.verdict is not None:
            lines.append(
                phrase(
                    "turn %(number)s was %(now)s, not %(before)s",
                    number=now.number,
                    now=words_text(now.verdict),
                    before=words_text(was.verdict),
                )
            )
    lost_turns = game.turns[len(corrected.turns) :]
    return lines + [phrase("turn %(number)s never happened", number=record.number) for record in lost_turns]
