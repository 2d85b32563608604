from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from tests.formats.collections_of_documents import refusal, warnings, write
from tests.images import GIF, JPEG, png, png_bomb
from tests.sentences import says
from workbench.core.records import Document
from workbench.formats.documents import in_images
from workbench.formats.documents.reading import document_files, read_documents

DOT = png()
SHOWN = f"data:image/png;base64,{b64encode(DOT).decode()}"
NOT_SHOWN = "an image of a page is not shown"


def page_of(tmp_path: Path, html: str, **images: bytes) -> str:
    """The text of a page in a folder `site/pages` with these images beside it, as `name_png` for `name.png`."""
    files: dict[str, str | bytes] = {"site/pages/a.html": html}
    files |= {f"site/pages/{name.replace('_', '.')}": data for name, data in images.items()}
    (found,) = read_documents(write(tmp_path, files) / "site")
    return found.text


def test_an_image_beside_its_page_becomes_a_part_of_the_page(tmp_path: Path) -> None:
    html = '<p>Ice <img alt="a river" src="dot.png" width=9> and more'
    assert page_of(tmp_path, html, dot_png=DOT) == html.replace("dot.png", SHOWN)


@pytest.mark.parametrize(
    "source",
    [
        "src=dot.png", "SRC = 'dot.png'", 'src="./dot.png?size=2#x"', 'src="../pages/dot.png"', "src='/pages/dot.png'",
        'src="d%6ft.png"', 'src="d&#111;t.png"', 'data-src="other.png" src=" dot.png "',
    ],
)  # fmt: skip
def test_an_image_is_found_however_its_address_is_written(source: str, tmp_path: Path) -> None:
    assert SHOWN in page_of(tmp_path, f"<img {source}>", dot_png=DOT)


@pytest.mark.parametrize(
    "source",
    [
        "http://example.org/dot.png", "//example.org/dot.png", "file:///etc/dot.png", "data:image/png;base64,AAAA",
        "none.png", "../../secret.png", "/../secret.png", "link.png", "%00.png", "a" * 900, "", ".",
    ],
)  # fmt: skip
def test_what_is_not_in_the_folder_stays_an_address(source: str, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(DOT)
    (tmp_path / "site" / "pages").mkdir(parents=True)
    (tmp_path / "site" / "pages" / "link.png").symlink_to(tmp_path / "secret.png")
    html = f'<img src="{source}">'
    assert page_of(tmp_path, html, dot_png=DOT) == html


def test_images_of_pages_are_no_documents_and_a_part_of_the_source(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.html": "<img src=a.png>", "a.png": DOT, "b.jpg": JPEG, "c.svg": "<svg/>"})
    assert [document.document_id for document in read_documents(folder)] == ["a"]
    assert [path.name for path in document_files(folder)] == ["a.html", "a.png", "b.jpg"]
    assert says("\n".join(warnings(folder)))


def test_what_is_too_large_or_no_image_is_left_to_its_words(tmp_path: Path) -> None:
    html = "<img src=bomb.png><img src=long.png><img src=none.png><img src=dot.png>"
    bomb, long = png_bomb(30_000, 30_000), DOT + bytes(in_images.LARGEST_IMAGE)
    folder = write(
        tmp_path, {"a.html": html, "bomb.png": bomb, "long.png": long, "none.png": "no", "dot.png": DOT}
    )
    (document,) = read_documents(folder)
    assert document.text == html.replace("src=dot.png", f'src="{SHOWN}"')
    assert says("\n".join([warning.partition(": ")[2].split(",")[0] for warning in warnings(folder)[1:]]))


def test_all_images_of_a_page_have_their_bound(tmp_path: Path) -> None:
    image = DOT + bytes(900_000)
    folder = write(tmp_path, {"a.html": "<img src=a.png>" * 5, "a.png": image})
    (document,) = read_documents(folder)
    assert document.text.count("data:image/png") == 2
    (warning,) = warnings(folder)
    assert says(warning)
    assert warning.endswith("(3 times, first here)")


@pytest.mark.parametrize(
    "sources",
    [
        'srcset="dot.png"', 'src="https://example.org/dot.png" srcset="dot.png 2x"', "srcset='none.png 1x,dot.png 2x'",
        'src="none.png" srcset="https://example.org/a.png, dot.png 480w"', "srcset = dot.png",
    ],
)  # fmt: skip
def test_of_images_for_several_screens_the_first_that_is_there_is_shown(sources: str, tmp_path: Path) -> None:
    text = page_of(tmp_path, f"<img alt=ice {sources}>", dot_png=DOT)
    assert text.count(f'src="{SHOWN}"') == 1


def test_of_images_for_several_screens_that_of_all_screens_comes_first(tmp_path: Path) -> None:
    html = '<img srcset="other.gif 2x" src="dot.png">'
    assert page_of(tmp_path, html, dot_png=DOT, other_gif=GIF) == html.replace("dot.png", SHOWN)


def markdown_of(tmp_path: Path, markdown: str, **images: bytes) -> str:
    """The text of a Markdown file in a folder with these images beside it."""
    files: dict[str, str | bytes] = {"a.md": markdown}
    files |= {name.replace("_", "."): data for name, data in images.items()}
    (found,) = read_documents(write(tmp_path, files))
    return found.text


@pytest.mark.parametrize(
    "markdown",
    [
        "![a river](dot.png)", '![](  dot.png "a title")', "x ![*ice*](<dot.png>) y", "[![ice](dot.png)](http://x)",
        "![ice][1]\n\n[1]: dot.png 'ice'", "![ice]\n\n  [ice]: <dot.png>", "`code` <img alt=a src=\"dot.png\">",
        "```\ncode\n```\n![](dot.png)", "~~~~\n~~~\n~~~~\n\n![](dot.png)",
    ],
)  # fmt: skip
def test_an_image_that_markdown_names_becomes_a_part_of_it(markdown: str, tmp_path: Path) -> None:
    expected = markdown.replace("<dot.png>", SHOWN).replace("dot.png", SHOWN)
    assert markdown_of(tmp_path, markdown, dot_png=DOT) == expected


@pytest.mark.parametrize(
    "written", ["d%6ft.png", "d&#111;t.png", "d\\ot.png", "dot(1).png", "dot.png?size=2"]
)
def test_the_address_of_an_image_in_markdown_may_be_written_in_other_ways(
    written: str, tmp_path: Path
) -> None:
    files: dict[str, str | bytes] = {"a.md": f"![ice]({written})", "dot.png": DOT, "dot(1).png": DOT}
    (found,) = read_documents(write(tmp_path, files | ({"d\\ot.png": DOT} if "\\" in written else {})))
    assert found.text == f"![ice]({SHOWN})"


@pytest.mark.parametrize(
    "markdown",
    [
        "[a link](dot.png)", "![none](none.png)", "![up](../dot.png)", "![far](https://example.org/dot.png)",
        "```md\n![ice](dot.png)\n```", "~~~\n<img src=dot.png>", "\\![ice] (dot.png)", "![ice](\n\ndot.png)",
    ],
)  # fmt: skip
def test_in_markdown_links_code_and_what_is_elsewhere_stay_as_they_are(markdown: str, tmp_path: Path) -> None:
    assert markdown_of(tmp_path, markdown, dot_png=DOT) == markdown


def test_images_of_markdown_have_the_bounds_of_those_of_a_page(tmp_path: Path) -> None:
    markdown = "![bomb](bomb.png) ![long](long.png) ![none](none.png) ![dot](dot.png)"
    bomb, long = png_bomb(30_000, 30_000), DOT + bytes(in_images.LARGEST_IMAGE)
    images = {"bomb_png": bomb, "long_png": long, "none_png": b"no", "dot_png": DOT}
    assert markdown_of(tmp_path, markdown, **images) == markdown.replace("dot.png", SHOWN)


@pytest.mark.parametrize(
    ("name", "text"), [("a.html", "<p><img src='img/a.png'>"), ("a.md", "# Ice\n\n![ice](img/a.png)")]
)
def test_a_page_that_is_named_itself_has_the_images_beside_and_below_it(
    name: str, text: str, tmp_path: Path
) -> None:
    folder = write(tmp_path, {name: text, "img/a.png": DOT, "b.png": DOT})
    (found,) = read_documents(folder / name)
    assert SHOWN in found.text
    assert document_files(folder / name) == (folder / name, folder / "img/a.png")


def test_beside_a_file_that_was_sent_nothing_is_looked_at(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.html": "<img src=a.png>", "a.png": DOT})
    assert [document.text for document in read_documents(folder / "a.html", name="sent.html")] == [
        "<img src=a.png>"
    ]


def test_an_image_file_is_a_document_that_shows_it(tmp_path: Path) -> None:
    folder = write(tmp_path, {"birds/a&b.gif": GIF, "c.txt": "ice"})
    shown = f'<img src="data:image/gif;base64,{b64encode(GIF).decode()}" alt="birds/a&amp;b">'
    assert list(read_documents(folder)) == [
        Document("birds/a&b", "a&b", shown, "text/html"),
        Document("c", "", "ice"),
    ]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (DOT[:20], "a.png: the image is damaged; copy or download it again"),
        (
            png_bomb(30_000, 30_000),
            "the image has 0.0 MB and 900.0 million pixels, at most 2 MB and 50 million pixels",
        ),
        (DOT + bytes(3_000_000), "the image has 3.0 MB and 0.0 million pixels, at most 2 MB"),
    ],
)
def test_an_image_that_cannot_be_shown_is_refused_with_a_way_out(
    data: bytes, reason: str, tmp_path: Path
) -> None:
    assert reason in refusal(tmp_path, "a.png", data)


def test_an_image_that_nobody_wants_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(DOT[:9])
    assert list(read_documents(tmp_path / "a.png", wanted=set())) == [Document("a")]


@pytest.mark.parametrize(("limit", "most", "shown"), [("MOST_PIXELS", 12, 2), ("MOST_PIXELS", 11, 1)])
def test_the_images_of_a_page_have_so_many_pixels_together(
    limit: str, most: int, shown: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_images, limit, most)
    text = page_of(tmp_path, "<img src=a.png><img src=b.png>", a_png=png(2, 3), b_png=png(3, 2))
    assert text.count("data:image/png") == shown


def test_an_image_and_all_of_a_page_have_so_many_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for most, shown in ((len(DOT), 1), (len(DOT) - 1, 0)):
        monkeypatch.setattr(in_images, "LARGEST_IMAGE", most)
        assert page_of(tmp_path, "<img src=a.png>", a_png=DOT).count("data:image/png") == shown
    monkeypatch.setattr(in_images, "LARGEST_IMAGE", 1_000)
    address = len(SHOWN) * 3 // 4
    for most, shown in ((2 * address, 2), (2 * address - 1, 1)):
        monkeypatch.setattr(in_images, "LARGEST_IMAGES", most)
        # The same image again is a part of the text again.
        assert page_of(tmp_path, "<img src=a.png><img src=a.png>", a_png=DOT).count("data:image/png") == shown
