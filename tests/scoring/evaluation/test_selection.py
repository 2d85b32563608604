from __future__ import annotations

import pytest

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.methods.measures import parse_measure
from workbench.methods.measures.reference_names import NICKNAMES
from workbench.scoring.evaluation.selection import PROFILES, choose

TEN, NINE = PROFILES["trec_eval-10"], PROFILES["trec_eval-9"]


def names(*asked: str, level: int = 1) -> list[str]:
    return [each.name for each in choose(asked, TEN, {"rel": level})]


def test_measures_stand_once_in_the_order_of_the_reference_program_and_ours_at_the_end() -> None:
    assert names("P.10", "map", "num_q", "P.5") == ["num_q", "map", "P_5", "P_10"]
    assert names("ndcg_cut.100,20,3") == ["ndcg_cut_3", "ndcg_cut_20", "ndcg_cut_100"]
    assert names("RBP(p=0.5)", "nDCG@10", "map", "AP") == ["map", "RBP(p=0.5)", "nDCG@10", "AP"]
    assert names("map", "map", "P.5", "P.5,5", "P_5") == ["map", "P_5"]
    (chosen,) = choose(["Rprec"], TEN, {"rel": 2})
    assert (chosen.name, chosen.measure) == ("Rprec", parse_measure("Rprec(rel=2)"))


def test_parameters_take_the_place_of_the_usual_ones_and_nothing_asked_means_official() -> None:
    assert names("P", "P.3", "P.7", "map") == ["map", "P_3", "P_7"]
    official = names("official", "P.3")
    assert [name for name in official if name.startswith("P_")] == ["P_3"]
    assert names() == names("official")
    assert names()[:5] == ["runid", "num_q", "num_ret", "num_rel", "num_rel_ret"]
    lengths = {each.name: each.length for each in choose(["relstring.20", "runid"], TEN, {})}
    assert lengths == {"relstring_20": 20, "runid": 10}
    assert choose(["relstring"], TEN, {})[0].length == 10


@pytest.mark.parametrize("name", ["relstring.x", "relstring.inf"])
def test_a_relstring_of_no_length_is_refused(name: str) -> None:
    with refused(UnknownName):
        names(name)


def test_version_9_has_no_rbp_and_no_unj_in_all_trec_but_gives_them_when_asked() -> None:
    nine = [each.name for each in choose(["all_trec"], NINE, {})]
    ten = [each.name for each in choose(["all_trec"], TEN, {})]
    assert [name for name in ten if name not in nine] == ["rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]
    assert [each.name for each in choose(["rbp"], NINE, {})] == ["rbp"]


@pytest.mark.parametrize("nickname", NICKNAMES)
def test_every_nickname_is_known(nickname: str) -> None:
    families = {each.family for each in choose([nickname], TEN, {})}
    assert families == set(NICKNAMES[nickname])


@pytest.mark.parametrize("name", ["prefs", "qrels_jg"])
def test_preferences_and_judgment_groups_are_refused_with_a_reason(name: str) -> None:
    with refused(UnknownName):
        names(name)


def test_an_unknown_name_lists_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"did you mean .*ndcg_cut"):
        names("ndcg_cutt")
