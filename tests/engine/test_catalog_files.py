"""Catalogs from files. Rows in tests/data are real rows of SkyPilot's and gpuhunt's catalogs; prices a month are the
hour's times 720."""

import csv
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import packaged_catalog, size
from engine.catalog_files import market_catalog, read_catalog, whole
from engine.catalog_names import gpu_named
from engine.catalog_rows import Source
from engine.errors import CatalogError
from engine.gpus import all_gpus, gpu
from engine.offers import Catalog, joined
from engine.price_bands import is_sane
from tests.engine.asking import bare, codes, warning

DATA = Path(__file__).parents[1] / "data"
TODAY = date(2026, 11, 30)
HEADER = "provider,gpu,count,price,unit,commitment,currency,date,region,shortest_term_days,stock,source,note"
SKYPILOT = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region,AvailabilityZone,GpuInfo"
GPUHUNT = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot"


def own(*lines, header=HEADER):
    return read_catalog(Source("mine", "", TODAY), (header, *lines))


def foreign(header, provider, *lines):
    return read_catalog(Source(provider, provider, TODAY), (header, *lines))


def rows_of(name, column):
    """Real rows of a file by provider, with the header that remains."""
    with (DATA / name).open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    for row in rows:
        yield row[header.index(column)], header[1:], row[1:]


def written(*rows):
    return [",".join(f'"{cell.replace(chr(34), chr(34) * 2)}"' for cell in row) for row in rows]


def of(found, commitment="on-demand"):
    return [(o.gpu, o.count, o.usd_month) for o in found.offers if o.commitment == commitment]


def month(usd_hour):
    return Decimal(usd_hour) * 720


# our own format


def test_a_line_of_our_own():
    found = own("lambda,a10,4,1.29,hour,spot,USD,2026-09-20,us-east-1,7,3,their page,four at once")
    offer = found.offers[0]
    assert (offer.gpu, offer.count, offer.usd_month) == ("a10", 4, Decimal("928.80"))
    assert (offer.provider, offer.commitment, offer.priced_on) == ("lambda", "spot", date(2026, 9, 20))
    assert (offer.region, offer.shortest_term_days, offer.stock) == ("us-east-1", 7, 3)
    assert found.bad == []


def test_a_price_a_month_is_taken_as_it_is():
    assert of(own("here,a40,1,240,month,,,2026-09-01,,,,,")) == [("a40", 1, Decimal(240))]


def test_columns_may_stand_in_any_order_and_be_left_out():
    found = own("2026-09-20,hour,1.29,1,a10,lambda", header="date,unit,price,count,gpu,provider")
    assert of(found) == [("a10", 1, month("1.29"))]


def test_every_bad_line_is_reported_with_its_reason():
    found = own(
        "lambda,a10,1,1.29,hour,,,2026-09-20,,,,,",
        "lambda,a11,1,1.29,hour,,,2026-09-20,,,,,",
        "lambda,h100,1,3.49,hour,,,2026-09-20,,,,,",
        "lambda,a40,0,1,minute,rented,EUR,2026-13-20,,-1,x,,",
        "lambda,h100-sxm-80,1,209.4,hour,,,2026-09-20,,,,,",
        "lambda,a40,1",
        "lambda,a40,2,0,hour,,,2026-09-20,,,,,",
        "lambda,a40,2,nan,hour,,,2026-09-20,,,,,",
        "lambda,a40,2,1.2,hour,,,2027-09-20,,,,,",
        ",,,1,,,,,,,,,",
        "lambda,a10,1,1.30,hour,,,2026-09-20,,,,,",
    )
    assert [bad.line for bad in found.bad] == [3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert len(found.offers) == 2
    said = {bad.line: bad.reason for bad in found.bad}
    assert "no GPU has this name" in said[3]
    assert "h100-pcie-80 or h100-sxm-80 or h100-nvl-94" in said[4]
    for column in ("count", "unit", "commitment", "currency", "date", "shortest_term_days", "stock"):
        assert f"{column}:" in said[5]
    assert "not credible" in said[6]
    assert "number of cells" in said[7]
    assert "2027-09-20 lies ahead of 2026-11-30" in said[10]
    for column in ("provider", "gpu", "count", "unit", "date"):
        assert f"{column}: missing" in said[11]


def test_an_unknown_column_is_bad_and_not_ignored():
    header = "provider,gpu,count,price,unit,date,shortes_term"
    found = own(*["l,a10,1,1,hour,2026-09-20,5"] * 3, header=header)
    assert [bad.line for bad in found.bad] == [1]
    assert "'shortes_term': no such column" in found.bad[0].reason


def test_a_column_that_stands_there_twice_is_bad():
    found = own("l,a10,1,1,9,hour,2026-09-20", header="provider,gpu,count,price,price,unit,date")
    assert (found.bad[0].line, found.bad[0].reason) == (1, "price: the column stands there 2 times")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("l,a10,1.5,1,hour,2026-09-20,", "count: a whole number from 1 to 10,000, given '1.5'"),
        ("l,a10,two,1,hour,2026-09-20,", "count: a whole number from 1 to 10,000, given 'two'"),
        ("l,a10,1,1 USD,hour,2026-09-20,", "price: a number above 0, or nothing, given '1 USD'"),
        ("l,a10,1,nan,hour,2026-09-20,", "price: a number above 0, or nothing, given 'nan'"),
        ("l,a10,1,1,hours,2026-09-20,", "unit: hour or month, given 'hours'"),
        ("l,a10,1,1,hour,20.9.2026,", "date: a day is written as in 2026-11-30, given '20.9.2026'"),
        ("l,a10,1,1,hour,2026-09-20,few", "stock: a whole number, given 'few'"),
        (f"{'l' * 61},a10,1,1,hour,2026-09-20,", f"provider: a name of at most 60 characters, given '{'l' * 39}…'"),
    ],
)
def test_what_is_wrong_in_a_cell_is_said_in_our_own_words(line, said):
    found = own(line, header="provider,gpu,count,price,unit,date,stock")
    assert [bad.reason for bad in found.bad] == [said]


@pytest.mark.parametrize("lines", [[], [""], ["a,b,c", "1,2,3"], ["\0"]])
def test_what_is_no_catalog_is_refused(lines):
    with pytest.raises(CatalogError):
        read_catalog(Source("x", "x", TODAY), lines)


def test_a_header_that_is_no_csv_is_refused():
    with pytest.raises(CatalogError, match="no CSV file"):
        read_catalog(Source("x", "x", TODAY), ["x" * 200_000])


def test_a_foreign_file_without_a_name_says_nobody():
    with pytest.raises(CatalogError, match="whose the offers are"):
        read_catalog(Source("x", "", TODAY), [GPUHUNT, "a,r,1,1,1,1,A10,24.0,False"])


def test_a_packaged_file_has_to_be_right():
    with pytest.raises(CatalogError, match="mine:2"):
        whole(own("lambda,a11,1,1.29,hour,,,2026-09-20,,,,,"))


def test_a_gpu_by_any_name_that_means_one():
    assert of(own("x,RTX 4090,1,0.5,hour,,,2026-09-20,,,,,")) == [("rtx-4090", 1, month("0.5"))]


def test_a_byte_order_mark_and_quotes_do_no_harm():
    found = read_catalog(Source("x", "", TODAY), [f"\ufeff{HEADER}", '"Lamb, da",a10,1,1.29,hour,,,2026-09-20,,,,,'])
    assert found.offers[0].provider == "Lamb, da"


def test_a_missing_price_is_listed_apart_and_never_picked():
    found = own("lambda,a40,1,,hour,,,2026-09-20,,,,,", "lambda,l40s,1,1.5,hour,,,2026-11-20,,,,,")
    assert [one.gpu for one in found.unpriced] == ["a40"]
    assert size(bare(13, "lora"), found.catalog).pick.name == "L40S"


def test_a_cell_too_long_for_csv_is_a_bad_line_and_the_rest_is_read():
    found = own(f"{'x' * 200_000},a10,1,1.29,hour,,,2026-09-20,,,,,", "l,a10,1,1.29,hour,,,2026-09-20,,,,,")
    assert [bad.line for bad in found.bad] == [2]
    assert len(found.offers) == 1


@given(st.lists(st.integers(0, len(market_catalog().offers) - 1), max_size=20), st.sampled_from([7, 13, 34, 70]))
def test_another_offer_never_makes_the_pick_dearer(places, params_b):
    """Of one GPU: a single GPU that holds it goes before any set."""
    offers = tuple(market_catalog().offers[place] for place in places)
    own_alone = size(bare(params_b, limits={"max_gpus": 1}), packaged_catalog()).pick
    with_others = size(
        bare(params_b, limits={"max_gpus": 1}), joined([packaged_catalog(), Catalog("more", TODAY, offers)])
    ).pick
    assert with_others.usd_month <= own_alone.usd_month


# prices out of band


@pytest.mark.parametrize("offer", [*packaged_catalog().offers, *market_catalog().offers], ids=lambda o: o.gpu)
def test_every_packaged_price_is_credible_and_sixty_times_it_is_not(offer):
    assert is_sane(gpu(offer.gpu), offer.count, offer.usd_month)
    assert not is_sane(gpu(offer.gpu), offer.count, 60 * offer.usd_month)


# SkyPilot


@pytest.mark.parametrize(
    ("cloud", "on_demand", "spot"),
    [
        ("vast", [("rtx-5090", 2, month("0.93"))], []),
        ("verda", [("b300-288", 1, month("6.99"))], [("b300-288", 1, month("2.447"))]),
        ("lambda", [("rtx-a6000", 4, month("4.36"))], []),
        ("runpod", [("a100-80-pcie", 2, month("2.78"))], []),
        ("gcp", [], []),
    ],
)
def test_real_rows_of_skypilot(cloud, on_demand, spot):
    header, row = next((header, row) for name, header, row in rows_of("skypilot_rows.csv", "cloud") if name == cloud)
    found = read_catalog(Source(cloud, cloud, TODAY), written(header, row))
    assert (found.format, found.bad) == ("skypilot", [])
    assert (of(found), of(found, "spot")) == (on_demand, spot)


def test_on_gcp_machine_and_gpus_are_added():
    """0.73948 for the machine and 2.933 for the A100."""
    found = foreign(
        SKYPILOT,
        "gcp",
        ",A100,1,2.933,0.880,us-central1,us-central1-a,",
        "a2-highgpu-1g,,,0.73948,0.22,us-central1,us-central1-a,",
        ",L4,1,0.56,,us-central1,us-central1-b,",
        "g2-standard-4,,,0.15,,us-central1,us-central1-b,",
        ",A100,1,2.933,,asia-east1,asia-east1-a,",
        ",tpu-v3-8,1,700.0,,us-central1,us-central1-a,",
    )
    assert of(found) == [("a100-40-sxm", 1, month("3.67248")), ("l4", 1, month("0.71"))]
    assert of(found, "spot") == [("a100-40-sxm", 1, month("1.100"))]
    assert found.left_out["GPUs whose machine is not in the file"] == 1
    assert found.left_out["placeholder prices of TPUs"] == 1


def test_on_vast_the_machine_names_the_gpu_and_modded_memory_is_left_out():
    found = foreign(
        SKYPILOT,
        "vast",
        "1x-RTX_4060_Ti-8-16384,RTX4060,1,0.10,0.00,Texas,,\"{'SizeInMiB': 16380}\"",
        "1x-RTX_4090-16-65536,RTX4090,1,0.40,0.00,Texas,,\"{'SizeInMiB': 49140}\"",
        "1x-A100-16-65536,A100,1,0.60,0.00,Texas,,\"{'SizeInMiB': 81920}\"",
    )
    assert [(gpu_id, count) for gpu_id, count, _ in of(found)] == [("rtx-4060-ti-16", 1), ("a100-80-pcie", 1)]
    assert found.left_out["GPUs of another memory than they are sold with"] == 1


def test_fractions_of_a_gpu_are_no_gpu():
    found = foreign(
        SKYPILOT,
        "azure",
        "Standard_NV6ads_A10_v5,A10,0.1667,0.454,,eastus,,",
        "Standard_NV12ads_A10_v5,A10,1,0.908,,eastus,,",
        "Standard_NV36ads_A10_v5,A10,1,3.2,,eastus,,",
    )
    assert of(found) == [("a10", 1, month("3.2"))]
    assert found.left_out["machines with a part of a GPU"] == 2


def test_placeholder_and_broken_prices_of_skypilot_are_reported():
    found = foreign(SKYPILOT, "x", "m,H100,1,700,,r,,", "m,A10,x,1,,r,,", "m,A10,1,,,r,,")
    assert [bad.line for bad in found.bad] == [2, 3]
    assert [one.gpu for one in found.unpriced] == ["a10"]


# gpuhunt


@pytest.mark.parametrize(
    ("provider", "on_demand", "spot"),
    [
        ("lambdalabs", [("gh200-96", 1, month("2.29"))], []),
        ("azure", [("a100-80-pcie", 1, month("3.673"))], []),
        ("runpod", [("rtx-4090", 1, month("0.74"))], []),
        ("aws", [("h100-sxm-80", 8, month("55.04"))], [("h200-sxm-141", 8, month("27.1988"))]),
    ],
)
def test_real_rows_of_gpuhunt(provider, on_demand, spot):
    found_rows = [(header, row) for name, header, row in rows_of("gpuhunt_rows.csv", "provider") if name == provider]
    lines = written(found_rows[0][0], *(row for _, row in found_rows))
    found = read_catalog(Source(provider, provider, TODAY), lines)
    assert (found.format, found.bad) == ("gpuhunt", [])
    assert (of(found), of(found, "spot")) == (on_demand, spot)
    assert {offer.provider for offer in found.offers} == {provider}


def test_gpuhunt_counts_and_machines_with_a_part_of_a_gpu():
    found = foreign(
        GPUHUNT, "azure", "a,r,1,1,1,two,A10,24.0,False", "Standard_NV12ads_A10_v5,r,0.9,1,1,1,A10,24,False"
    )
    assert [bad.line for bad in found.bad] == [2]
    assert found.left_out == {"machines with a part of a GPU": 1}


def test_skypilot_lists_hosts_without_a_price_and_gpus_without_any():
    found = foreign(
        SKYPILOT,
        "gcp",
        "n1-standard-4,,,,,r,z,",
        "m,WonderGPU,1,1.0,,r,z,",
        ",T4,1,0.35,,r,z,",
        "1x-RTX_4090-16-65536,RTX4090,1,0.4,,r,z,\"{'SizeInMiB': 0}\"",
    )
    assert found.left_out["GPUs that are not known"] == 1
    assert found.left_out["GPUs whose machine is not in the file"] == 1


def test_on_vast_a_machine_without_a_size_is_taken_by_its_name():
    line = "1x-RTX_3090-16-65536,RTX3090,1,0.2,0.00,Texas,,"
    assert of(foreign(SKYPILOT, "vast", line)) == [("rtx-3090", 1, month("0.2"))]


def test_gpuhunt_lists_parts_of_a_gpu_and_other_memory():
    found = foreign(
        GPUHUNT,
        "x",
        "a,r,0.5,1,1,1,A10,4.0,False",
        "b,r,0.5,1,1,1,RTX4090,48.0,False",
        "c,r,0.5,1,1,0,,,False",
        "d,r,2.0,1,1,1,MI325X,288.0,False",
        "e,r,,1,1,1,A10,24.0,False",
        "f,r,0.5,1,1,1,WonderGPU,24.0,False",
    )
    assert [gpu_id for gpu_id, _, _ in of(found)] == ["mi325x-256"]
    assert found.left_out == {
        "GPUs of another memory than they are sold with": 2,
        "machines without a GPU": 1,
        "GPUs that are not known": 1,
    }
    assert [one.gpu for one in found.unpriced] == ["a10"]


@pytest.mark.parametrize(
    ("name", "machine", "memory_gb", "meant"),
    [
        ("A100", "", None, "a100-40-sxm"),
        ("A100-80GB", "", None, "a100-80-pcie"),
        ("A100-80GB-SXM", "", None, "a100-80-sxm"),
        ("A100", "", 80.0, "a100-80-pcie"),
        ("A100", "gpu_8x_a100_80gb_sxm4", 80.0, "a100-80-sxm"),
        ("H100", "gpu_1x_h100_pcie", None, "h100-pcie-80"),
        ("H100", "gpu_8x_h100_sxm5", None, "h100-sxm-80"),
        ("H100", "Standard_NC40ads_H100_v5", None, "h100-nvl-94"),
        ("H100-NVL", "", None, "h100-nvl-94"),
        ("RTX6000-Ada", "", None, "rtx-6000-ada"),
        ("RTX6000", "", None, "quadro-rtx-6000"),
        ("RTXPRO6000WK", "", None, "rtx-pro-6000-ws-96"),
        ("NVIDIA H100 80GB HBM3", "", None, "h100-sxm-80"),
        ("RTXA6000", "", None, "rtx-a6000"),
    ],
)
def test_names_of_other_lists(name, machine, memory_gb, meant):
    assert gpu_named(name, machine, memory_gb).gpu.id == meant


# the second catalog, several at once, age


def test_market_2026_has_every_offer_once_with_its_day_and_source():
    offers = market_catalog().offers
    assert len(offers) == 189
    assert all(date(2026, 3, 1) <= offer.priced_on <= TODAY for offer in offers)
    with (Path(read_catalog.__code__.co_filename).parent / "data" / "market_2026.csv").open(encoding="utf-8") as lines:
        assert all(row["source"] for row in csv.DictReader(lines))
    keys = [(o.provider, o.gpu, o.count, o.commitment, o.region, o.note) for o in offers]
    assert len(set(keys)) == len(keys)


def test_spot_and_reserved_prices_are_never_picked():
    """A100 80 GB PCIe at Azure: 3.673 on demand, 0.679 on spot."""
    catalog = Catalog("azure", TODAY, tuple(o for o in market_catalog().offers if o.provider == "azure"))
    assert catalog.price_usd_month("a100-80-pcie", 1) == month("3.673")
    assert catalog.of_commitment("spot").price_usd_month("a100-80-pcie", 1) == month("0.67877")


def test_of_several_providers_the_pick_says_whose():
    both = joined([packaged_catalog(), market_catalog()])
    answer = size(bare(13, "lora"), both)
    offers = [o for o in both.offers if o.commitment == "on-demand" and o.count == 1 and gpu(o.gpu).memory_gb >= 33.5]
    cheapest = min(offers, key=lambda offer: offer.usd_month)
    assert (answer.pick.provider, answer.pick.usd_month) == (cheapest.provider, cheapest.usd_month)
    only = size(bare(13, "lora", limits={"provider": "lambda"}), both)
    assert only.pick.provider == "lambda"


def test_old_prices_warn_but_those_of_gpu_rent_hub_do_not():
    found = own("lambda,a40,1,1.29,hour,,,2026-09-20,,,,,").catalog
    assert "2026-09-20" in warning(size(bare(13, "lora"), found, today=TODAY), "price-old")
    assert "price-old" not in codes(size(bare(13, "lora"), packaged_catalog(), today=TODAY))
    both = joined([packaged_catalog(), found])
    assert "price-old" not in codes(size(bare(13, "lora"), both, today=TODAY))  # the A40 of gpu-rent-hub is cheaper


def test_one_catalog_alone_stays_itself():
    assert joined([packaged_catalog()]) is packaged_catalog()


def test_ten_thousand_lines_are_read_and_answered_from():
    """How fast is measured by `make bench`. Every one of them holds a 7B at int4 (7 GB): the pick is a cheapest one."""
    names = [one.id for one in all_gpus() if one.memory_gb >= 16]
    lines = [
        f"p{n % 40},{names[n % len(names)]},{2 ** (n % 4)},{1.5 * 2 ** (n % 4)},hour,,,2026-11-{1 + n % 29:02d},,,,,"
        for n in range(10_000)
    ]
    catalog = own(*lines).catalog
    assert len(catalog.offers) == 10_000
    assert size(bare(7, "infer", "int4"), catalog).pick.usd_hour == Decimal("1.5")
