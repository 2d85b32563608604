"""Pages of PDF files as images: drawn in a process that is held to its limits, whatever the file is."""

from __future__ import annotations

import io
import subprocess
import sys
import zlib
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import skip_or_fail
from tests.images import GIF, png
from tests.pdfs import of_objects, pdf, stream
from tests.sentences import says
from workbench.formats.documents import page_images
from workbench.formats.documents.page_images import HEIGHT, MOST_DRAWN, WIDTH, drawn_pages

SCRIPT = (
    "/OpenAction << /S /JavaScript /JS (app.alert\\('run'\\)) >> /AA << /O << /S /Launch /F (calc.exe) >> >>"
)
CANNOT = "its pages are not kept as images: they cannot be drawn in 20 seconds and 600 MB; rewrite the PDF"


@pytest.fixture(autouse=True)
def _with_the_library() -> None:
    if find_spec("pypdfium2") is None:
        skip_or_fail("pypdfium2 is not installed: relevance-workbench[pdf]")


def one_page(box: str, content: bytes, resources: str = "", *more: bytes) -> bytes:
    """A PDF of one page with this box and content; `more` objects begin with the number 7."""
    page = f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents 6 0 R /Resources << {resources} >> >>"
    catalog, pages = b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [5 0 R] /Count 1 >>"
    return of_objects([catalog, pages, b"<< >>", b"<< >>", page.encode(), stream(content), *more])


def greys(image: bytes) -> set[int]:
    """The pairs of greys that an image of ours has."""
    start = image.index(b"IDAT")
    size = int.from_bytes(image[start - 4 : start])
    width = int.from_bytes(image[16:20])
    lines, line = zlib.decompress(image[start + 4 : start + 4 + size]), 1 + (width + 1) // 2
    assert len(lines) == line * int.from_bytes(image[20:24])
    return {half for at in range(0, len(lines), line) for half in lines[at + 1 : at + line]}


def test_each_page_is_an_image_of_its_number_as_large_as_a_screen_needs() -> None:
    found = drawn_pages(pdf("Ice on rivers.", b""), 2)
    assert found.warning == ""
    assert [page[:3] for page in found.images] == [(1, 1000, 1295), (2, 1000, 1295)]
    assert greys(found.images[1].image) == {0xFF}  # an empty page is white
    assert {0x00, 0xFF} < greys(found.images[0].image)


def test_of_two_thousand_pages_the_first_twenty_are_drawn() -> None:
    found = drawn_pages(pdf(*["Ice."] * 2_000), 2_000)
    assert [page.page for page in found.images] == list(range(1, MOST_DRAWN + 1))
    assert found.warning == ""  # the document's page says how many there are


@pytest.mark.parametrize(
    "box", ["0 0 1000000 1000000", "0 0 1000000 1", "0 0 1 1000000000", "0 0 1e400 -5", "0 0 0 0", "0 0 1 1"]
)
def test_a_page_of_any_size_becomes_an_image_of_bounded_size(box: str) -> None:
    found = drawn_pages(one_page(box, b"0 0 m 9999 9999 l S"), 1)
    ((_, width, height, image),) = found.images
    assert 0 < width <= WIDTH + 1
    assert 0 < height <= HEIGHT + 1
    assert len(image) < 100_000


@pytest.mark.parametrize(("space", "values"), [("DeviceGray", 1), ("DeviceRGB", 3)])
def test_a_page_with_an_image_bomb_is_drawn_or_left_out(space: str, values: int) -> None:
    runs = zlib.compress(b"\x81\0" * (30_000 * 30_000 * values // 128))  # each two bytes stand for 128
    more = (
        f"/Type /XObject /Subtype /Image /Width 30000 /Height 30000 /ColorSpace /{space} /BitsPerComponent 8 "
    )
    bomb = stream(runs, more=f"/Filter [/FlateDecode /RunLengthDecode] {more}")
    found = drawn_pages(
        one_page("0 0 612 792", b"612 0 0 792 0 0 cm /I Do", "/XObject << /I 7 0 R >>", bomb), 1
    )
    assert [page.page for page in found.images] == [1] or found.warning.startswith(CANNOT)


def laughing(depth: int) -> bytes:
    """A page that draws a form that draws another one ten times, and so on."""
    of_form = "/Subtype /Form /BBox [0 0 999 999] /Resources << /XObject << /X %d 0 R >> >> "
    forms = [stream(b"/X Do " * 10, more=of_form % (8 + number)) for number in range(depth)]
    last = stream(b"0 0 m 500 500 l S", more="/Subtype /Form /BBox [0 0 999 999] ")
    return one_page("0 0 612 792", b"/X Do", "/XObject << /X 7 0 R >>", *forms, last)


def test_what_takes_too_much_time_or_memory_is_ended_and_the_way_out_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(page_images, "MOST_SECONDS", 1)
    monkeypatch.setattr(page_images, "MOST_MEGABYTES", 300)
    images, warning = drawn_pages(laughing(10), 1)
    assert (images, says(warning, "1 seconds", "300 MB")) == ((), True)


def test_a_process_that_cannot_begin_draws_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "gone"))
    assert drawn_pages(pdf("Ice."), 1).warning.startswith(CANNOT)


def test_pages_before_the_one_at_which_drawing_ends_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_images, "MOST_BYTES", 9_000)
    found = drawn_pages(pdf(*["Ice."] * 5), 5)
    assert [page.page for page in found.images] == [1, 2]
    assert says(found.warning)


def test_a_page_that_is_none_is_left_out_and_the_others_keep_their_numbers() -> None:
    data = pdf("Ice.", "Snow.", "Hail.").replace(b"/Kids [5 0 R 7 0 R", b"/Kids [5 0 R 99 0 R")
    found = drawn_pages(data, 3)
    assert [page.page for page in found.images] == [1, 3]
    assert says(found.warning)


def test_scripts_and_actions_change_nothing() -> None:
    assert drawn_pages(pdf("Ice.", more=SCRIPT), 1) == drawn_pages(pdf("Ice."), 1)


HELD = """
import socket, subprocess, sys
from workbench.formats.documents.draw_pages import _hold_to
_hold_to(5, 600_000_000, 100)
def refused(act):
    try: act()
    except OSError: return True
print([refused(act) for act in (
    lambda: open("/etc/hosts"), lambda: open("new", "w"), socket.socket, lambda: subprocess.run(["true"]),
)])
sys.stdout.flush()
try: bytearray(700_000_000)
except MemoryError: print("bounded")
sys.stdout.flush()
sys.stdout.write("x" * 200)
sys.stdout.flush()
"""


def test_the_process_that_draws_opens_no_file_connection_or_process_and_writes_no_more_than_it_may(
    tmp_path: Path,
) -> None:
    with (tmp_path / "said").open("wb") as said:
        command = [sys.executable, "-c", HELD]
        subprocess.run(command, stdout=said, stderr=subprocess.DEVNULL, cwd=tmp_path, check=False)
    told = (tmp_path / "said").read_text()
    assert told.startswith("[True, True, True, True]\nbounded\nxxx")
    assert len(told) == 100
    assert [path.name for path in tmp_path.iterdir()] == ["said"]


def test_what_comes_from_it_is_taken_for_a_page_only_if_it_is_an_image_of_that_size() -> None:
    def framed(*images: bytes) -> bytes:
        return b"".join(len(image).to_bytes(4, "big") + image for image in images)

    def taken(data: bytes) -> list[bytes]:
        return list(page_images._taken(io.BytesIO(data)))

    small = png(2, 2)
    assert taken(framed(small, GIF, b"<svg/>", png(2_000, 2_000), b"", small)) == [
        small, b"", b"", b"", b"", small,
    ]  # fmt: skip
    assert taken(framed(small) + b"\0\0\1\0" + small) == [small]
    assert taken(b"\xff\xff\xff\xff" + small) == []
    assert len(taken(framed(*[small] * 100))) == MOST_DRAWN


# ---- as a file is read
