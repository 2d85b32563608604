"""Near duplicates are found whatever the order of documents, and only where enough shingles are common."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text import duplicates
from workbench.methods.text.duplicates import clusters, shingles_of, sign

HAN = (
    "天地玄黃宇宙洪荒日月盈昃辰宿列張寒來暑往秋收冬藏閏餘成歲律呂調陽雲騰致雨露結為霜金生麗水玉出崑岡劍號巨闕"
)
THAI = "กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะาเแโใไๅฤฦ๐๑๒๓๔๕"


def numbered(words: int) -> list[str]:
    """So many different words: of n words, n - 4 shingles."""
    return [f"w{number}" for number in range(words)]


def changed(words: list[str], *places: int) -> str:
    """The text of these words with others at some places."""
    return " ".join(f"other{place}" if place in places else word for place, word in enumerate(words))


def near_duplicates(texts: dict[str, str]) -> list[tuple[str, ...]]:
    signatures = {document_id: sign(text) for document_id, text in texts.items()}
    return clusters(signatures, lambda document_id: shingles_of(texts[document_id]))


def are_near(one: str, other: str) -> bool:
    return near_duplicates({"a": one, "b": other}) == [("a", "b")]


def test_texts_are_near_duplicates_from_a_similarity_of_four_fifths_on() -> None:
    # 45 shingles each; the five with the changed word differ: 40 in common of 45 + 45 - 40 = 50, that is 0.8.
    assert are_near(changed(numbered(49)), changed(numbered(49), 20))
    # 44 shingles each; 39 in common of 44 + 44 - 39 = 49, that is 0.796.
    assert not are_near(changed(numbered(48)), changed(numbered(48), 20))
    # 40 shingles of 50 are 0.8; of 51, 0.784.
    assert are_near(changed(numbered(44)), changed(numbered(54)))
    assert not are_near(changed(numbered(44)), changed(numbered(55)))


def test_clusters_are_chains_in_byte_order() -> None:
    # 56 shingles each. a and b, b and c: 51 in common of 61, 0.836. a and c: 46 of 66, 0.697.
    words = numbered(60)
    texts = {"c": changed(words, 20, 40), "a": changed(words), "b": changed(words, 20)}
    assert not are_near(texts["a"], texts["c"])
    assert near_duplicates(texts) == [("a", "b", "c")]
    texts = {"ä": "one", "z": "two", "B": "two", "a": "one", "\U0001f600": "one", "\uffff": "one"}
    assert near_duplicates(texts) == [("B", "z"), ("a", "ä", "\uffff", "\U0001f600")]


@pytest.mark.parametrize(
    "other",
    [
        "  the frozen river\n\nbroke up\tin march ",
        "THE FROZEN RIVER BROKE UP IN MARCH",
        "“The frozen river” broke up -- in March!",
        "Ｔｈｅ ﬁrst".replace("ﬁrst", "frozen river broke up in March"),
        "The fro\u00adzen river\u00a0broke up in March\u200e",
    ],
)
def test_case_blanks_punctuation_and_forms_of_letters_make_no_difference(other: str) -> None:
    assert are_near("The frozen river broke up in March.", other)


def test_accents_and_words_make_a_difference_and_blanks_between_chinese_characters_do_not() -> None:
    assert not are_near("cote", "côte")
    assert not are_near("it costs $5", "it costs €5")
    assert are_near("東京都 2020年 Tokyo", "東 京 都2020 年Tokyo")
    # "a b c d e a b c d e" has the shingles abcde, bcdea, cdeab, deabc, eabcd, and so has any longer one.
    assert are_near("a b c d e " * 2, "a b c d e " * 9)


def test_a_text_of_fewer_than_five_words_is_a_near_duplicate_of_the_same_words_alone() -> None:
    texts = dict(
        zip(
            "abcd",
            ("four words are here", "Four words are here.", "four words are there", "four"),
            strict=True,
        )
    )
    assert near_duplicates(texts) == [("a", "b")]
    assert not are_near("four words are here", "four words are here too")


@pytest.mark.parametrize("nothing", ["", "   \n", "… -- !", "\u00ad\u200b"])
def test_texts_without_words_are_no_duplicates_of_each_other(nothing: str) -> None:
    assert near_duplicates({"a": nothing, "b": nothing, "c": ""}) == []
    assert sign(nothing) is None


@pytest.mark.parametrize("characters", [HAN[:49], THAI[:49]], ids=["Chinese", "Thai"])
def test_in_scripts_without_blanks_each_character_is_a_word(characters: str) -> None:
    assert len(set(characters)) == 49
    # 45 shingles of five characters each, 40 in common of 50 when one inside is another.
    assert are_near(characters, f"{characters[:20]}中{characters[21:]}")
    # 44 shingles, 39 in common of 49.
    assert not are_near(characters[:48], f"{characters[:20]}中{characters[21:48]}")


def varied(chance: random.Random) -> dict[str, str]:
    """Texts of 5 to 40 words, each made from one of 12 by changing, leaving out or adding words."""
    models = [[f"m{model}w{place}" for place in range(chance.randint(5, 40))] for model in range(12)]
    texts = {}
    for number in range(160):
        words = list(chance.choice(models))
        for _ in range(chance.randint(0, 3)):
            place = chance.randrange(len(words))
            words[place : place + chance.randint(0, 1)] = [f"x{chance.randint(0, 9)}"] * chance.randint(0, 1)
        texts[f"d{number}"] = " ".join(words)
    return texts


def clusters_by_hand(texts: dict[str, str]) -> list[tuple[str, ...]]:
    """Every pair compared by the sets of its shingles, and groups merged as long as two of them are linked."""
    groups = {name: {name} for name in texts}
    for one, other in combinations(texts, 2):
        a, b = (set(zip(*(texts[name].split()[k:] for k in range(5)), strict=False)) for name in (one, other))
        if texts[one] == texts[other] != "" or (a and 10 * len(a & b) >= 8 * len(a | b)):
            merged = groups[one] | groups[other]
            groups.update(dict.fromkeys(merged, merged))
    return sorted({tuple(sorted(group)) for group in groups.values() if len(group) > 1})


@pytest.mark.parametrize("many", [0, 1000], ids=["by bands", "all pairs of signatures"])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3, 4))])
def test_the_clusters_are_those_of_comparing_all_texts(
    monkeypatch: pytest.MonkeyPatch, seed: int, many: int
) -> None:
    monkeypatch.setattr(duplicates, "MANY", many)
    texts = varied(random.Random(seed))
    clusters = near_duplicates(texts)
    assert clusters == clusters_by_hand(texts)
    assert len(clusters) > 5


def test_the_order_of_documents_makes_no_difference() -> None:
    texts = varied(random.Random(7))
    shuffled = list(texts.items())
    random.Random(8).shuffle(shuffled)
    assert near_duplicates(dict(shuffled)) == near_duplicates(texts)


@given(
    st.dictionaries(
        st.text(max_size=3), st.lists(st.sampled_from("abc"), max_size=9).map(" ".join), max_size=9
    )
)
def test_clusters_are_disjoint_and_hold_every_document_with_the_same_words(texts: dict[str, str]) -> None:
    clusters = near_duplicates(texts)
    of = {document_id: cluster for cluster in clusters for document_id in cluster}
    assert len(of) == sum(map(len, clusters))
    assert all(list(cluster) == sorted(cluster) and len(cluster) > 1 for cluster in clusters)
    for one, other in combinations(texts, 2):
        if texts[one] and texts[one] == texts[other]:
            assert of[one] is of[other]


def test_a_signature_is_the_same_in_every_process_and_version() -> None:
    signed = sign("a river that was frozen over")
    assert signed is not None
    assert signed.minima[:2].tolist() == [874336435, 2286817306]


def test_a_long_text_is_signed_in_parts_as_it_would_be_whole() -> None:
    # The minima of 4,100 shingles, of which 4,096 are hashed first: those of the two parts' minima.
    words = numbered(4104)
    whole, head, tail = (sign(" ".join(part)) for part in (words, words[:4000], words[3996:]))
    assert whole is not None
    assert head is not None
    assert tail is not None
    smallest = [min(pair) for pair in zip(head.minima.tolist(), tail.minima.tolist(), strict=True)]
    assert whole.minima.tolist() == smallest
