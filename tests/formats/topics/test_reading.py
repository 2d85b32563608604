from __future__ import annotations

import gzip
import io
import json
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import polars as pl
import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.topics.fields import USUAL, FieldChoice, named_values
from workbench.formats.topics.reading import TopicsFile, read_topics


def read(tmp_path: Path, content: str | bytes, choice: FieldChoice = USUAL) -> TopicsFile:
    path = tmp_path / "topics.txt"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read_topics(path, choice)


def refusal(tmp_path: Path, content: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, content)
    return str(caught.value).replace(str(tmp_path) + "/", "")


def test_a_first_line_that_is_longer_than_a_cell_may_be_is_no_header(tmp_path: Path) -> None:
    (topic,) = read(tmp_path, "1\t" + "x," * 70_000 + '"' + "y" * 140_000).topics
    assert topic.topic_id == "1"


def test_closed_tags_upper_case_attributes_and_references_are_read(tmp_path: Path) -> None:
    (topic,) = read(
        tmp_path,
        "<TOPICS>\n<TOP lang='en'><NUM>C301</NUM><EN-title>R&amp;D &hyph; caf&#233;</EN-title>"
        "<EN-desc>A<br>B, AT&T</EN-desc></TOP></TOPICS>",
    ).topics
    assert (topic.topic_id, topic.title, topic.description) == ("C301", "R&D - café", "A\nB, AT&T")
    assert dict(topic.fields) == {"lang": "en"}


@pytest.mark.parametrize(
    ("written", "topic_id"),
    [
        ("Number: 007", "007"),
        ("Number:  AR1 ", "AR1"),
        ("CLEF topic C301", "C301"),
        ("num: x-1", "x-1"),
        ("12", "12"),
    ],
)
def test_ids_stay_text_without_their_label(tmp_path: Path, written: str, topic_id: str) -> None:
    (topic,) = read(tmp_path, f"<top><num> {written}\n<title> t\n</top>").topics
    assert topic.topic_id == topic_id


@pytest.mark.parametrize(
    "content",
    [
        "007\tfirst words\n8\tx\n",
        "\ufeff007\tfirst words\r\n\r\n8\tx\r\n",
        "qid\ttitle\n007\tfirst words\n8\tx\n",
        "title,qid\nfirst words,007\nx,8\n",
        "Query;QID\nfirst words;007\nx;8\n",
        "007 first words\n8 x\n",
        "007: first words\n8: x\n",
        '{"qid": "007", "query": "first words"}\n{"qid": 8, "query": "x"}\n',
        '[{"id": "007", "title": "first\\nwords"},\n {"id": 8, "title": "x"}]',
        '{"id": "007",\n "title": "first words"}\n{"id": "8",\n "title": "x"}',
        '{"topics": [{"number": "007", "title": "first words"}, {"number": "8", "title": "x"}]}',
        '{"007": "first words", "8": {"title": "x"}}',
        "<topics><topic number='007'><title>first words</title></topic>"
        "<topic number='8'><title>x</title></topic></topics>",
        "<topic number='007'><query>first words</query></topic>\n<topic number='8'><query>x</query></topic>",
        "<queries><query><qid>007</qid><content>first words</content></query><query id='8'>x</query></queries>",
        '<?xml version="1.0"?>\n<!DOCTYPE t [<!ELEMENT t ANY>]>\n<t xmlns="urn:x"><record><id>007</id>'
        "<text>first <b>words</b></text>"
        "</record><record><id>8</id><text>x</text></record></t>",
        "<DOC><DOCNO> 007 </DOCNO>\n first\n words </DOC>\n<DOC><DOCNO>8</DOCNO>x</DOC>",
        ".I 007\n.W\nfirst\nwords\n.I 8\n.W\nx\n",
        b"\xff\xfe" + "007\tfirst words\n8\tx\n".encode("utf-16-le"),
        gzip.compress(b"007\tfirst words\n8\tx\n", mtime=0),
    ],
)
def test_every_layout_says_the_same(tmp_path: Path, content: str | bytes) -> None:
    found = read(tmp_path, content)
    assert [(topic.topic_id, topic.title) for topic in found.topics] == [("007", "first words"), ("8", "x")]
    assert found.warnings == ()


def test_a_nested_object_lends_what_the_outer_one_lacks(tmp_path: Path) -> None:
    (topic,) = read(
        tmp_path,
        '{"qid": "3", "query": "keyboards", "original": {"query_id": "3", "title": "keyboards", "narrative": "n"}}',
    ).topics
    assert topic == ("3", "keyboards", "", "n", {})


def test_the_id_of_a_title_is_no_part_of_its_name(tmp_path: Path) -> None:
    (topic,) = read(
        tmp_path,
        '<t><topic><num id="n">7</num><title id="t">rivers</title><title id="u">streams</title>'
        '<desc number="1">long ones</desc></topic></t>',
    ).topics
    assert topic == ("7", "rivers", "long ones", "", {"title u": "streams"})


CLEF = (
    "<queries><query><id> 151001 </id><en> anemia diet </en><fr> anémie alimentation </fr></query></queries>"
)


def test_a_chosen_field_that_no_topic_has_is_refused_with_the_fields_there_are(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read(tmp_path, CLEF, FieldChoice("english"))
    assert says(error.value.problems[0].message, "english")


def test_no_text_of_a_topic_is_lost_whatever_it_is_called(tmp_path: Path) -> None:
    (topic,) = read(
        tmp_path, '[{"id": 1, "title": "t", "year": 2020, "parts": [{"n": 1, "text": "a"}, {"text": "b"}]}]'
    ).topics
    assert dict(topic.fields) == {"year": "2020", "parts 1": "n: 1\ntext: a", "parts 2": "text: b"}
    (topic,) = read(
        tmp_path, "<top><num>1</num><title>t</title><desc>on <term>ice</term> and snow</desc></top>"
    ).topics
    assert (topic.description, dict(topic.fields)) == ("on ice and snow", {})


def test_angle_brackets_of_a_word_are_text(tmp_path: Path) -> None:
    (topic,) = read(tmp_path, "<top>\n<num>1\n<title>vector<int> iterator\n<desc>d\n</top>").topics
    assert (topic.title, topic.description) == ("vector<int> iterator", "d")


def test_escaped_text_in_a_table_is_kept_and_warned_about(tmp_path: Path) -> None:
    found = read(tmp_path, "1\t&quot;x&quot;\n2\tAT&T\n")
    assert found.topics[0].title == "&quot;x&quot;"
    assert says(str(found.warnings[0]))


def test_a_first_line_that_may_be_a_header_is_a_topic_with_a_warning(tmp_path: Path) -> None:
    found = read(tmp_path, "nr\tThema\n1\tcats\n2\tdogs\n")
    assert [topic.topic_id for topic in found.topics] == ["nr", "1", "2"]
    (warning,) = found.warnings
    assert warning.line == 1
    assert says(warning.message, "nr")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n \n",
        "1\ta\n1\tb\n",
        "<top><num> Number: a 1 b 2\n<title> t\n</top>",
        "\tsnow\n",
        "1\ta\nno tab here\n",
        "301,Organized Crime\n",
        "Once upon a time\nthere was\n",
        "1 0 d1 1\n1 0 d2 0\n",
        "1 Q0 d1 1 2.5 tag\n",
        "alpha\nbeta\ngamma\n",
        "name,thing\na,b\n",
        "<doc><docno>1</docno><text>wings</text></doc>",
        "qid,doc_id,label\n1,d,0\n",
        'qid,title\n1,"a" b\n',
        "qid,title\n1,a,b\n",
        '{"account": "x"}\n',
        '{"qid": "1", "vector": [0.1, 2]}\n',
        '{"qid": "1", "title": "a"}\n{"qid": 2,\n',
        '[{"qid": "1", "title": "a"}',
        "[1, 2]",
        "[" * 100_000,
        "<t><topic id='1'><title>x</topic></t>",
        "<t><topic><title>x</title></topic></t>",
        "<!DOCTYPE html><html><body>x</body></html>",
        "[]",
        "id\ttitle\n",
        "<t><topic id='1'><document rank='1' docid='d'/></topic></t>",
        b"%PDF-1.4\n",
        b"abc\0def",
    ],
)
def test_what_is_no_file_of_topics_is_refused_with_its_reason(tmp_path: Path, content: str | bytes) -> None:
    assert says(refusal(tmp_path, content))


A_AND_B = '<{0} id="1"><title>a</title></{0}><{0} id="2"><title>b</title></{0}>'


@pytest.mark.parametrize(
    "content",
    [
        f'<topics id="2024">{A_AND_B.format("topic")}</topics>',
        f"<query>{A_AND_B.format('query')}</query>",
        f"<item><topic>{A_AND_B.format('topic')}</topic></item>",
        f'<collection id="c">{A_AND_B.format("need")}</collection>',
        f'<data id="d"><part id="e">{A_AND_B.format("need")}</part></data>',
        '<data id="d"><p id="e"><n id="1" title="a"/></p><p id="f"><n id="2" title="b"/></p></data>',
    ],
    ids=[
        "usual names",
        "the topics' own name",
        "two usual names",
        "other names",
        "two of other names",
        "groups",
    ],
)
def test_what_wraps_topics_is_no_topic_even_with_an_id_or_name(tmp_path: Path, content: str) -> None:
    assert [(topic.topic_id, topic.title) for topic in read(tmp_path, content).topics] == [
        ("1", "a"),
        ("2", "b"),
    ]


@pytest.mark.parametrize(
    "content",
    [
        '<need id="1"><title>a</title><part id="x">b</part><part id="y">c</part></need>',
        '<need id="1"><title id="t">a</title><narrative id="n">b</narrative></need>',
        '<need id="1"><title id="t">a</title></need>',
        '<topic id="1"><title>a</title><query id="q"><title>b</title></query></topic>',
    ],
)
def test_a_topic_whose_parts_have_ids_is_one_topic(tmp_path: Path, content: str) -> None:
    assert [topic.topic_id for topic in read(tmp_path, content).topics] == ["1"]


def test_entity_bombs_are_refused(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    declared = f'<?xml version="1.0"?>\n<!DOCTYPE t [\n<!ENTITY l0 "lol">\n{laughs}]>\n'
    content = f'{declared}<t><topic id="1"><title>&l9;</title></topic></t>'
    assert says(refusal(tmp_path, content), "topics.txt:3")


def test_outside_files_are_never_read(tmp_path: Path) -> None:
    content = '<!DOCTYPE t SYSTEM "file:///etc/passwd"><t><topic id="1"><title>&x;y</title></topic></t>'
    (topic,) = read(tmp_path, content).topics
    assert topic.title == "&x;y"


class Row(NamedTuple):
    """What we say about one real file: the number of topics, the first id, how its title starts; or the refusal."""

    file: str
    topics: int
    first: str
    title: str
    warnings: int = 0


F, N, S = "formats/", "formats-ntcir/", "documents/anserini/sample_topics/"
T = "documents/terrier/shakespeare/test.shakespeare-merchant."

READ = [
    Row(F + "clefehealth-queries2016_with_url.xml", 300, "101001", "inguinal hernia repair laproscopic"),
    Row(F + "clefehealth-queries2016cs.xml", 300, "101001-cs", "korekce inguinální hernie"),
    Row(F + "clefehealth-queries2016de.xml", 300, "101001-de", "Leistenbruch Reparatur"),
    Row(F + "clefehealth-queries2016hu.xml", 300, "101001-hu", "lágyéksérv helyreállítás"),
    Row(F + "topics.adhoc.301-350.txt", 50, "301", "International Organized Crime"),
    Row(F + "topics.adhoc.451-550.txt", 100, "451", "What is a Bengals cat?"),
    Row(F + "topics.adhoc.51-100.txt", 50, "051", "Airbus Subsidies"),
    Row(F + "topics.backgroundlinking18.txt", 50, "321", "", 1),
    Row(F + "topics.cacm.txt", 64, "1", "What articles exist which deal with TSS"),
    Row(F + "topics.car17v2.0.benchmarkY1test.txt", 2254, "enwiki:Aftertaste", "Aftertaste"),
    Row(F + "topics.ciral-v1.0-ha-test-a-native.tsv", 80, "3", "A wace kasa cutar korona"),
    Row(F + "topics.ciral-v1.0-yo-test-a-native.tsv", 100, "24", "ẹgbẹ agbabọọlu wo"),
    Row(F + "topics.clef06fr.mono.fr.txt", 49, "301-AH", "Les Produits Nestlé"),
    Row(F + "topics.clef06fr.x2fr.bg.txt", 49, "301-AH", "Продуктите на Нестле", 1),
    Row(F + "topics.clef06fr.x2fr.hi.txt", 49, "301-AH", "नेस्ले ब्रांड"),
    Row(F + "topics.clef06fr.x2fr.zh.txt", 49, "301-AH", "雀巢品牌"),
    Row(F + "topics.core17.txt", 50, "307", "New Hydroelectric Projects"),
    Row(F + "topics.dl19-passage.txt", 43, "156493", "do goldfish grow"),
    Row(F + "topics.dl23.txt", 700, "2000138", "How does the process of digestion"),
    Row(F + "topics.epidemic-qa.expert.prelim.json", 45, "EQ001", "coronavirus origin"),
    Row(F + "topics.fire12bn.176-225.txt", 50, "176", "ও"),
    Row(F + "topics.fire12en.176-225.txt", 50, "176", "YSR Reddy death"),
    Row(F + "topics.fire12hi.176-225.txt", 50, "176", "वाई एस आर रेड्डी की मौत"),
    Row(F + "topics.hc4-v1.0-fa.test.desc.title.tsv", 50, "103", "راجع به وقوع ربودن"),
    Row(F + "topics.microblog2011.txt", 50, "MB001", "BBC World Service staff cuts"),
    Row(F + "topics.neuclir22-fa.ht-desc_title.txt", 114, "0", "دنبال مقالات مربوط"),
    Row(F + "topics.neuclir22-zh.ht-desc_title.txt", 114, "0", "我在查找有关在其他国家"),
    Row(F + "topics.neuclir22.ru.desc.title.tsv", 114, "0", "Я ищу статьи об иранских"),
    Row(F + "topics.ntcir8en.eval.txt", 73, "ACLIA2-CS-0002", "What is the relationship between the movie"),
    Row(F + "topics.ntcir8zh.eval.txt", 73, "ACLIA2-CS-0002", "《千里走单骑》和张艺谋"),
    Row(F + "topics.rag24.raggy-dev.txt", 120, "2001010", "cost comparison of funerals"),
    Row(F + "topics.rag25.test.jsonl", 105, "464", "I want a thorough understanding"),
    Row(F + "topics.robust04.txt", 250, "301", "International Organized Crime"),
    Row(F + "topics.robust05.txt", 50, "303", "Hubble Telescope Achievements"),
    Row(F + "topics.terabyte04.701-750.txt", 50, "701", "U.S. oil industry history"),
    Row(F + "topics.trec02ar-ar.txt", 50, "AR26", "مجلس المقاومة الوطني الكردستاني"),
    Row(F + "topics.trec02ar-en.txt", 50, "AR26", "Kurdistan Independence"),
    Row(F + "topics.web.251-300.txt", 50, "251", "identifying spider bites"),
    Row(F + "topics.www2.english.txt", 80, "0001", "Halloween picture"),
    Row(N + "geotime-ACLIA2-JA-T.xml", 100, "ACLIA2-JA-0001", "Who is Masatoshi Koshiba?"),
    Row(N + "geotime-GeoTime-EN-JA-Topics_ntcirEdited_10.xml", 25, "GeoTime-0001", "", 1),
    Row("cranfield/cran.qry", 225, "001", "what similarity laws must be obeyed"),
    Row("cranfield/trec-xml/cran.qry.xml", 225, "1", "what similarity laws must be obeyed"),
    Row("wows/topics-final.csv", 78, "1", "american civil war"),
    Row("wows/spot-check/queries.jsonl", 3, "3", "split ergo keyboard"),
    Row("wows/spot-check/queries.xml", 3, "3", "split ergo keyboard"),
    Row("wows/spot-check/topics.xml", 3, "3", "split ergo keyboard"),
    Row("documents/longeval-french/2022-06_queries.txt", 1, "4772", "loi de modernisation"),
    Row(S + "Microblog", 1, "MB001", "think tweet"),
    Row(S + "Trec", 1, "001", "simple text"),
    Row(S + "acl_topics.tsv", 2, "1", "model"),
    Row(S + "arctic.tsv", 2, "2024-145979", "what is vicarious trauma"),
    Row(S + "bglinking.txt", 1, "321", "", 1),
    Row(S + "bibtex_topics.tsv", 2, "1", "title"),
    Row(S + "c4_topics.tsv", 2, "1", "texts"),
    Row(S + "core_topics.tsv", 3, "1", "title"),
    Row(S + "encode-query-test-queries.jsonl", 2, "1048585", "what is paula deen's brother"),
    Row(S + "fineweb_topics.tsv", 1, "1", "first test document"),
    Row(S + "json_topics1.tsv", 1, "1", "##ing ##vert"),
    Row(S + "json_topics2.tsv", 3, "1", "1"),
    Row(S + "json_topics3.tsv", 2, "doc1", "contents"),
    Row(S + "json_topics4.tsv", 3, "1", "contents"),
    Row(S + "json_topics5.tsv", 1, "1048585", "what is paula deen's brother"),
    Row(S + "json_vector_topics.tsv", 3, "1", "f35"),
    Row(S + "sample-topics.msmarco-passage-dev-cosdpr-distil.tsv", 2, "2", "Androgen receptor define"),
    Row(S + "sample-topics.msmarco-passage-dev-openai-ada2.tsv", 2, "160885", "do you need immunizations"),
    Row(S + "smoltalk_topics.tsv", 1, "1", "capital France Paris"),
    Row(S + "stringID_topics.jsonl", 2, "topic1", "this is the contents 1."),
    Row(S + "topics.sample.beir-nfcorpus.flat.txt", 1, "1", "statin"),
    Row(S + "topics.sample.cacm.txt", 1, "1", "preliminary"),
    Row(S + "topics.sample.msmarco-v1-passage.txt", 1, "1", "obliterated"),
    Row(S + "topics.sample.msmarco-v2.1-doc-segmented.txt", 1, "1", "demerara"),
    Row(S + "zh_topics.tsv", 1, "1", "滑铁卢"),
    Row(T + "basic.topics", 7, "TEST00", "dramatis personae"),
    Row(T + "disjunctive.topics", 2, "TEST40", "{dramatis personae}"),
    Row(T + "field.topics", 3, "TEST10", "+title:street"),
    Row(T + "phrase-fields.topics", 2, "TEST30", 'title:"Belmont Avenue"'),
    Row(T + "phrase.topics", 2, "TEST20", '"DRAMATIS PERSONAE"'),
]

VECTORS = "no topic has any text: the fields are qid"
TWICE = "topic '1' occurs twice (first on line 1)"
REFUSED = [
    (S + "arctic.jsonl", VECTORS),
    (S + "sample-topics.msmarco-passage-dev-cosdpr-distil.jsonl", VECTORS),
    (S + "sample-topics.msmarco-passage-dev-openai-ada2.jsonl", VECTORS),
    (S + "sample-topics.msmarco-passage-dev-openai-ada2a.jsonl", VECTORS),
    (N + "geotime-M-JA-JA-01-D", "this is a run in XML"),
    ("broken-runs/topics_sample_valid.jsonl", TWICE),
    ("broken-runs/topics_sample_warning_qid_not_in_qrels.jsonl", TWICE),
    ("broken-runs/topics_sample_warning_qid_not_in_run.jsonl", TWICE),
    ("broken-runs/empty_file.txt", "the file is empty"),
    ("broken-runs/run_sample_valid.txt", "this is a run"),
    ("wows/manual.csv", "these are judgments"),
    (
        "wows/topic-mapping.jsonl",
        "no topic id: name it qid, id, topic_id or num; the fields are account, topics",
    ),
    ("wows/judgment-pool.json", "and 66 more"),
    ("wows/runs/ows-title-pl2.top25.gz", "this is a run"),
    ("wows/spot-check/dataset-metadata.yml", "do not look like topics"),
    ("documents/terrier/simplefilecollection/document.pdf", "this is a PDF file"),
]


@pytest.mark.data
@pytest.mark.parametrize("row", READ, ids=lambda row: row.file)
def test_a_real_file_is_read(data_folder: Path, row: Row) -> None:
    found = read_topics(data_folder / row.file)
    first = found.topics[0]
    assert (len(found.topics), first.topic_id) == (row.topics, row.first)
    assert first.title.startswith(row.title)
    assert bool(first.title) == bool(row.title)
    assert len(found.warnings) == row.warnings


@pytest.mark.data
@pytest.mark.parametrize(("file", "reason"), REFUSED)
def test_a_real_file_is_refused(data_folder: Path, file: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        read_topics(data_folder / file)
    assert reason in str(caught.value)


@pytest.mark.data
def test_no_real_file_of_topics_is_left_out_of_the_tables(data_folder: Path) -> None:
    known = {row.file for row in READ} | {file for file, _ in REFUSED}
    patterns = (F + "topics.*", F + "clefehealth*", N + "geotime*", S + "*", T + "*.topics")
    there = {str(path.relative_to(data_folder)) for pattern in patterns for path in data_folder.glob(pattern)}
    assert there <= known


def test_what_is_true_or_false_in_json_is_a_field_in_small_letters(tmp_path: Path) -> None:
    (topic,) = read(
        tmp_path, json.dumps([{"qid": "1", "title": "x", "hard": True, "short": False, "none": None}])
    ).topics
    assert dict(topic.fields) == {"hard": "true", "short": "false"}


def test_a_comment_among_topics_of_any_name_is_none_of_them(tmp_path: Path) -> None:
    text = "<a><!-- id --><b id='1'><title>x</title></b><?id y?><b id='2'><title>z</title></b></a>"
    assert [topic.topic_id for topic in read(tmp_path, text).topics] == ["1", "2"]


def test_bare_ampersands_and_names_of_characters_are_read_one_after_another(tmp_path: Path) -> None:
    text = "<topic><num>1</num><title>A&B && &eacute;&amp;&#233; &no_such; &nosuch; &</title></topic>"
    (topic,) = read(tmp_path, text).topics
    assert topic.title == "A&B && é&é &no_such; &nosuch; &"


def test_a_path_of_headings_is_its_own_title(tmp_path: Path) -> None:
    lines = "enwiki:Coffee/Health%20effects\n\nenwiki:A:B/C\nenwiki:Coffee%20beans/Roasting/At%20home\n"
    assert [(topic.topic_id, topic.title) for topic in read(tmp_path, lines).topics] == [
        ("enwiki:Coffee/Health%20effects", "Coffee / Health effects"),
        ("enwiki:A:B/C", "A:B / C"),
        ("enwiki:Coffee%20beans/Roasting/At%20home", "Coffee beans / Roasting / At home"),
    ]
    assert refusal(tmp_path, f"{lines}enwiki:A:B/C\n").startswith("topics.txt:5: ")


def test_lines_of_tabs_have_columns_beyond_those_with_names(tmp_path: Path) -> None:
    (topic, other) = read(tmp_path, "1\tt\td\tn\tfive\tsix\n\n2\tu\n").topics
    assert (topic.title, topic.description, topic.narrative) == ("t", "d", "n")
    assert dict(topic.fields) == {"column 5": "five", "column 6": "six"}
    assert (other.topic_id, other.title) == ("2", "u")
    assert says(refusal(tmp_path, "1\tt\n\n2 u\n"), "topics.txt:3", "2 u")


@pytest.mark.parametrize(
    ("file", "topics"),
    [
        (
            "topics-colon.txt",
            {
                "1": ("lake ferry timetable", {}),
                "2": ("how tall are poplars", {}),
                "3": ("otters", {}),
                "4": ("train, bus and tram fares", {}),
            },
        ),
        (
            "topics-colon-priority.txt",
            {
                "20001": ("lake ferry timetable", {"priority": "1"}),
                "20002": ("how tall are poplars", {"priority": "4"}),
                "20003": ("otters", {"priority": "1"}),
            },
        ),
        (
            "topics-named-fields.xml",
            {"1": ("", {"template": "eye", "visual acuity": "20/80", "prior surgery": "no"})},
        ),
    ],
)
def test_topics_of_the_field_have_whole_titles_and_the_names_of_their_fields(
    data_folder: Path, file: str, topics: dict[str, tuple[str, dict[str, str]]]
) -> None:
    found = read_topics(data_folder / "field-cases" / file).topics
    assert {topic.topic_id: (topic.title, dict(topic.fields)) for topic in found} == topics


@pytest.mark.parametrize(
    "content",
    [
        "qid\twords\n51\tlake\n",
        "id\twords\tmore\n51\tlake\t\n",
        "nr\tTopic\n51\tlake\n",
        "\tquery\n51\tlake\n",
        ",query\n51,lake\n",
        "\tqid\tquery\n0\t51\tlake\n",
        "Unnamed: 0,qid,query\n0,51,lake\n",
        "qid query\n51 lake\n",
        "query-id\ttext\n51\tlake\n",
        "Query ID,Query Text\n51,lake\n",
        "queryId;queryText\n51;lake\n",
        "q_id,claim\n51,lake\n",
        "_id\ttitle\n51\tlake\n",
        "topic_number,topic_title\n51,lake\n",
    ],
)
def test_a_header_is_no_topic_and_names_its_columns(tmp_path: Path, content: str) -> None:
    ((topic_id, title, *_),) = read(tmp_path, content).topics
    assert (topic_id, title) == ("51", "lake")


def test_a_header_of_unusual_names_is_reported_with_its_line(tmp_path: Path) -> None:
    (warning,) = read(tmp_path, "\nqid\twords\n51\tlake\n").warnings
    assert (warning.line, "names the columns" in warning.message) == (2, True)


def test_the_index_that_pandas_puts_into_parquet_is_the_id_if_nothing_else_is(tmp_path: Path) -> None:
    frame = io.BytesIO()
    pl.DataFrame({"__index_level_0__": ["51"], "query": ["lake"]}).write_parquet(frame)
    ((topic_id, title, *_),) = read(tmp_path, frame.getvalue()).topics
    assert (topic_id, title) == ("51", "lake")


def test_damaged_parquet_is_refused(tmp_path: Path) -> None:
    assert says(refusal(tmp_path, b"PAR1 and then nothing"))


def test_a_turn_is_a_topic_with_the_conversation_before_it_on_request(data_folder: Path) -> None:
    path = data_folder / "field-cases" / "topics-conversations.json"
    first, second = read_topics(path, FieldChoice(per_turn=True)).topics
    assert (first.topic_id, first.title) == ("81_1", "How do locks on canals work?")
    assert (second.topic_id, second.title) == ("81_2", "And who pays for them?")
    assert dict(second.fields) == {
        "conversation before": "1: How do locks on canals work?",
        "conversation": "boats",
        "manual_rewritten_utterance": "Who pays for canal locks?",
    }
    whole = read_topics(path)
    assert [topic.topic_id for topic in whole.topics] == ["81"]
    assert says(whole.warnings[0].message)


def test_turns_without_numbers_are_counted_and_have_the_answers_before_them(tmp_path: Path) -> None:
    turns = [{"utterance": "Snow?", "response": "Ice."}, {"utterance": "Where?"}]
    found = read(tmp_path, json.dumps([{"id": "8", "turns": turns}]), FieldChoice(per_turn=True)).topics
    assert [(topic.topic_id, topic.title) for topic in found] == [("8_1", "Snow?"), ("8_2", "Where?")]
    assert says(found[1].fields["conversation before"], "Snow?", "Ice.")
    silent = [{"id": "8", "title": "x", "turns": [*turns, {"number": 3}]}]
    assert [topic.topic_id for topic in read(tmp_path, json.dumps(silent)).topics] == ["8"]


def test_named_values_in_a_list_are_fields_of_a_topic(tmp_path: Path) -> None:
    topic = {"id": "1", "title": "x", "fields": [{"name": "prior surgery", "value": "no"}]}
    assert dict(read(tmp_path, json.dumps([topic])).topics[0].fields) == {"prior surgery": "no"}


@pytest.mark.parametrize("line", ["1" * 200_000, "1:" + " " * 200_000, " " * 200_000 + "1"])
def test_a_long_line_without_a_colon_takes_no_long_time(tmp_path: Path, line: str) -> None:
    with suppress(InputError):
        read(tmp_path, f"{line}\n2:otters\n")


@pytest.mark.parametrize(
    "name", ["narrative", "narr", "Guidelines", "background", "criteria", "instructions"]
)
def test_narratives_go_by_many_names(tmp_path: Path, name: str) -> None:
    (topic,) = read(tmp_path, json.dumps({"id": "1", "title": "t", name: "Relevant is ..."})).topics
    assert (topic.narrative, dict(topic.fields)) == ("Relevant is ...", {})


def test_a_file_whose_title_has_another_name_is_told_its_fields(tmp_path: Path) -> None:
    (warning,) = read(tmp_path, CLEF).warnings
    assert says(warning.message, "151001")


def test_a_name_that_a_field_has_already_is_passed_over_as_numbers_are_given() -> None:
    pairs = [("tag 2", "a"), ("tag", "b"), ("tag", "c"), ("tag", "d")]
    assert list(named_values(pairs)) == ["tag 2", "tag", "tag 3", "tag 4"]
