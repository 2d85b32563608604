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


def page_of(tmp_path: Path, html: str, **images: bytes) -> str:
    """The text of a page in a folder `site/pages` with these images beside it, as `name_png` for `name.png`."""
    files: dict[str, str | bytes] = {"site/pages/a.html": html}
    files |= {f"site/pages/{name.replace('_', '.')}": data for name, data in images.items()}
    (found,) = read_documents(write(tmp_path, files) / "site")
    return found.text


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
    "data",
    [DOT[:20], png_bomb(30_000, 30_000), DOT + bytes(3_000_000)],
    ids=["cut off", "a bomb", "too long"],
)
def test_an_image_that_cannot_be_shown_is_refused_with_a_way_out(data: bytes, tmp_path: Path) -> None:
    assert says(refusal(tmp_path, "a.png", data), "a.png: ")
