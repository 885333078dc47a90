"""A spool that is no file of its own is refused before it is touched."""

import os
import sqlite3

import pytest

from adapters.settings import SettingsError, settings
from adapters.storage import check_spool


def database(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE kept (one)")
    connection.close()


def test_the_log_survives_a_spool_that_is_its_own_file(vram, tmp_path):
    file = tmp_path / "log.sqlite3"
    vram("13b", VRAM_DATABASE_URL=f"sqlite:///{file}")
    done = vram("7b", VRAM_DATABASE_URL=f"sqlite:///{file}", VRAM_SPOOL=str(file))
    assert (done.stdout, done.returncode, done.stderr.count("\n")) == ("", 1, 1)
    assert done.stderr.startswith("VRAM_SPOOL cannot be used: it is the file of the database")
    assert "13b" in vram("log", VRAM_DATABASE_URL=f"sqlite:///{file}").stdout


def test_so_does_the_log_of_the_data_folder(vram, tmp_path):
    vram("13b")
    file = next((tmp_path / "data").rglob("vram.sqlite3"))
    assert vram("7b", VRAM_SPOOL=str(file)).returncode == 1
    assert "13b" in vram("log").stdout


@pytest.mark.parametrize(
    ("address", "spool"),
    [
        ("sqlite:///{0}/a", "{0}/a"),
        ("sqlite+aiosqlite:///{0}/a", "{0}/b/../a"),
        ("sqlite:///file:{0}/a?mode=rw&uri=true", "{0}/a"),
        ("sqlite:///{0}/a", "{0}/a-wal"),
        ("sqlite:///{0}/a.replay", "{0}/a"),
        ("sqlite:///{0}/a", "{0}/symbolic"),
        ("sqlite:///{0}/a", "{0}/hard"),
        ("postgresql://u@h/d", "{0}/a"),
        ("postgresql://u@h/d", "{0}/notes.txt"),
    ],
)
def test_a_file_that_is_something_else_is_refused(tmp_path, address, spool):
    database(tmp_path / "a")
    (tmp_path / "symbolic").symlink_to(tmp_path / "a")
    os.link(tmp_path / "a", tmp_path / "hard")
    (tmp_path / "notes.txt").write_text("buy milk\n")
    known = settings({"VRAM_DATABASE_URL": address.format(tmp_path), "VRAM_SPOOL": spool.format(tmp_path)})
    with pytest.raises(SettingsError, match=r"^VRAM_SPOOL cannot be used: .*leave it unset\.$"):
        check_spool(known)


@pytest.mark.parametrize("held", [None, "", '{"public_id": "a"}\n'])
def test_a_spool_of_its_own_is_taken(tmp_path, held):
    if held is not None:
        (tmp_path / "spool").write_text(held)
    database(tmp_path / "a")
    check_spool(settings({"VRAM_DATABASE_URL": f"sqlite:///{tmp_path}/a", "VRAM_SPOOL": f"{tmp_path}/spool"}))
