"""`catalog`: what is shown of the catalog that is asked, and every bad line of a file."""

import pytest

from adapters.catalogs import FilesOnDisk, catalog_in
from adapters.settings import SettingsError
from engine.catalog_files import market_catalog
from engine.errors import CatalogError, EmptyQuestion, UnknownWord
from tests.bot.market.asking import ask, rows, shown

HEADER = "provider,gpu,count,price,unit,date\n"


def written(folder, *lines, name="offers.csv"):
    path = folder / name
    path.write_text(HEADER + "".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def broken(tmp_path):
    good = ["lambda,a10,1,1.29,hour,2026-09-20"]
    bad = ["lambda,a11,1,1.29,hour,2026-09-20", "lambda,a40,0,1,hour,2026-09-20", "lambda,a40,1,99,hour,2026-09-20"]
    return written(tmp_path, *good, *bad, *good)


def test_every_bad_line_is_shown(broken):
    reply = ask(f"catalog check {broken}", files=FilesOnDisk())
    assert (reply.kind, reply.exit_status) == ("failed", 1)
    assert [row["line"] for row in reply.rows] == [3, 4, 5]
    text = reply.text
    assert text.splitlines()[0] == "offers: 3 of 5 lines cannot be used"
    for line in ("Line 3    gpu: no GPU has this name, given 'a11'", "Line 4    count:", "Line 5    price: 99 USD"):
        assert line in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_slip_in_the_header_is_told_once_as_the_headers(tmp_path):
    path = tmp_path / "offers.csv"
    path.write_text(
        "provider,gpu,count,price,unit,date,regin\n" + "l,a10,1,1,hour,2026-09-20,x\n" * 3, encoding="utf-8"
    )
    text = ask(f"catalog check {path}", files=FilesOnDisk()).text
    assert text.splitlines()[0] == "offers: the header cannot be used"
    assert text.count("'regin': no such column") == 1
    assert "Header    'regin'" in text
    with pytest.raises(SettingsError, match="line 1: 'regin': no such column"):
        catalog_in([str(path)], FilesOnDisk())


def test_a_hundred_bad_lines_are_all_there(tmp_path):
    name = written(tmp_path, *["x,a11,1,1,hour,2026-09-20"] * 100)
    assert len(rows(f"catalog check {name}", files=FilesOnDisk())) == 100


def test_a_good_file(tmp_path):
    name = written(tmp_path, "lambda,a10,1,1.29,hour,2026-09-20", "lambda,a40,1,,hour,2026-09-20")
    reply = ask(f"catalog check {name}", files=FilesOnDisk())
    assert reply.exit_status == 0
    assert "all 2 lines can be used" in reply.text
    assert "No price  1: shown last and never picked" in reply.text


def test_a_name_with_spaces_and_marks_is_a_name(tmp_path):
    name = written(tmp_path, "lambda,a10,1,1.29,hour,2026-09-20", name="_my *offers*.csv")
    assert ask(f"catalog check {name}", files=FilesOnDisk()).exit_status == 0


def test_the_catalog_that_is_asked():
    text = " ".join(shown("catalog show").split())
    assert "53 of 15 GPUs" in text
    assert "gpu-rent-hub 53" in text
    assert shown("catalog") == shown("catalog show")
    assert len(rows("catalog show")) == 53


def test_the_second_catalog_says_its_providers_kinds_and_days():
    text = " ".join(shown("catalog show", catalog=market_catalog()).split())
    assert "155 on-demand, 10 reserved, 5 serverless, 19 spot" in text
    assert "of 2026-03-08 to 2026-11-16" in text
    assert "lambda 15" in text


@pytest.mark.parametrize(
    ("text", "error"),
    [("catalog chek", UnknownWord), ("catalog check", EmptyQuestion), ("catalog check /nowhere.csv", CatalogError)],
)
def test_other_words_are_refused(text, error):
    with pytest.raises(error):
        ask(text, files=FilesOnDisk())


def test_where_no_file_may_be_named_none_is_read(broken):
    with pytest.raises(CatalogError):
        ask(f"catalog check {broken}")


def test_the_setting_names_files_and_packaged_catalogs(tmp_path):
    name = written(tmp_path, "lambda,a10,1,1.29,hour,2026-09-20")
    both = catalog_in(["gpu-rent-hub", name], FilesOnDisk())
    assert both.name == "gpu-rent-hub + offers"
    assert both.providers() == ("gpu-rent-hub", "lambda")


def test_a_catalog_with_a_bad_line_stops_the_start_and_says_how_to_see_all(broken):
    with pytest.raises(SettingsError, match=r"line 3: gpu: .* and 2 more\. .*vram catalog check"):
        catalog_in([broken], FilesOnDisk())


def test_what_is_no_catalog_stops_the_start(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="columns"):
        catalog_in([str(path)], FilesOnDisk())
    with pytest.raises(SettingsError, match="cannot be read"):
        catalog_in([str(tmp_path / "none.csv")], FilesOnDisk())


def test_a_file_of_skypilots_is_named_by_its_folder(tmp_path):
    folder = tmp_path / "lambda"
    folder.mkdir()
    header = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region"
    (folder / "vms.csv").write_text(f"{header}\ngpu_1x_a10,A10,1,1.29,,us-east-1\n", encoding="utf-8")
    known = catalog_in([str(folder / "vms.csv")], FilesOnDisk())
    assert (known.name, known.offers[0].provider) == ("lambda", "lambda")
