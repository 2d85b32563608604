"""Whether near duplicates may deserve different grades: what stands where their texts differ.

The rule errs on the side of a grade of its own, which costs one key, as a grade that is taken over does. It knows four
signs: a marked word, a negation, a number, and a stretch as long as a sentence. A text with none of them where it
differs can still say something else ("rose" for "fell"): no list of words tells that.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.core.wording import translatable as _
from workbench.methods.text.compared_words import words_of
from workbench.methods.text.matching import Hit

MARKED, NEGATION, NUMBER, SENTENCE = _("marked words"), _("a negation"), _("a number"), _("a whole sentence")
REASONS = (MARKED, NEGATION, NUMBER, SENTENCE)

LONG = 8
"""Words in a row, or characters of a script without blanks: as long as a short sentence."""

# Words as `words_of` gives them: "isn't" is "isn" and "t". Left out is what is a common word of another language.
NEGATIONS = frozenset(
    words_of(
        # English; German, Dutch and Scandinavian; Romance
        "no not never none nor neither nobody nothing nowhere without cannot t cant dont unless except hardly "
        "nicht nichts nie niemals niemand kein keine keinen keiner keinem keines weder ohne niet nooit geen zonder "
        "inte ej aldrig ingen inget inga utan ikke ikkje aldri ingenting uden uten "
        "ne pas jamais aucun aucune sans rien personne ni nunca ningún ninguna ninguno sin nada nadie tampoco não nem "
        "nenhum nenhuma sem ninguém non né nessun nessuno nessuna senza niente nu nici fără "
        # Slavic and Baltic; Finnish, Estonian, Hungarian, Turkish; Greek
        "не нет ни никогда без ничего никто няма никога нема ніколи немає nigdy bez żaden brak není nikdy žádný žiadny "
        "nema nikad nije nisu nisam brez nav ei eivät eikä ilman nem nincs soha nélkül değil yok hiç hiçbir "
        "δεν μην όχι χωρίς ποτέ "
        # Hebrew, Arabic, Persian, Urdu; languages of India
        "לא אין בלי ليس ليست لا لم لن غير بدون بلا نیست نه هیچ نہیں نہ بغیر "
        "नहीं मत बिना ना নয় না নেই নাই বিনা नाही नको இல்லை அல்ல లేదు కాదు નથી નહીં "
        # Indonesian, Malay, Vietnamese, Swahili, Korean
        "tidak bukan tanpa belum jangan không chẳng chưa hapana 안 못 아니 없다 없는 않다 않는 아닌"
    )
)
SIGNS_OF_NEGATION = (
    "不 没 沒 無 无 非 未 否 勿 别 ない なかった ません ず ぬ ไม่ ບໍ່ មិន មဟုတ် ဘူး"
).split()  # in scripts without blanks, where a negation is a part of a stretch


class Side(NamedTuple):
    """One of two texts: its hits, and the ranges where it differs from the other. Both are ascending and disjoint;
    a range is empty where only the other text has words.
    """

    text: str
    hits: Sequence[Hit]
    ranges: Sequence[tuple[int, int]]


def reasons_to_differ(*sides: Side) -> tuple[str, ...]:
    """Which of REASONS hold where texts differ, in their order; none says that one grade may do for both.

    A hit counts when a part of it differs, and when words are between its words in the other text.
    """
    found = {reason for side in sides for reason in _reasons(side)}
    return tuple(reason for reason in REASONS if reason in found)


def _reasons(side: Side) -> Iterator[str]:
    if _touches_a_hit(side):
        yield MARKED
    for start, end in side.ranges:
        stretch = side.text[start:end]
        words = words_of(stretch)
        if not NEGATIONS.isdisjoint(words) or any(sign in stretch for sign in SIGNS_OF_NEGATION):
            yield NEGATION
        if any(unicodedata.numeric(character, None) is not None for character in stretch):
            yield NUMBER
        if len(words) >= LONG:
            yield SENTENCE


def _touches_a_hit(side: Side) -> bool:
    place = 0
    for start, end in side.ranges:
        while place < len(side.hits) and side.hits[place].end <= start:
            place += 1
        if place < len(side.hits) and side.hits[place].start < end:
            return True
    return False
