"""docker-compose.yml, Dockerfile and .env.example, as far as they can be held to something without an engine.

compose_spec.json is the schema of the Compose specification as docker-compose 1.29.2 ships it (Apache License 2.0;
source: PyPI, docker-compose 1.29.2, compose/config/compose_spec.json).
"""

import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft7Validator

from adapters.settings import Settings
from tests.conftest import ROOT

SCHEMA = json.loads((Path(__file__).parent / "compose_spec.json").read_text(encoding="utf-8"))
COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
EXAMPLE = (ROOT / ".env.example").read_text(encoding="utf-8")
SETTINGS = {str(field.alias) for field in Settings.model_fields.values()}
SECRETS = {str(field.alias) for field in Settings.model_fields.values() if "SecretStr" in str(field.annotation)}


def example():
    pairs = (line.split("=", 1) for line in EXAMPLE.splitlines() if line and not line.startswith("#"))
    return dict(pairs)


def test_compose_file_keeps_to_the_specification():
    assert [error.message for error in Draft7Validator(SCHEMA).iter_errors(COMPOSE)] == []


def test_the_schema_tells_a_wrong_file():
    wrong = {"services": {"bot": {"imagee": "x"}}}
    assert list(Draft7Validator(SCHEMA).iter_errors(wrong))


def test_bot_waits_for_a_healthy_database_that_keeps_its_data():
    database, bot = COMPOSE["services"]["database"], COMPOSE["services"]["bot"]
    assert "pg_isready" in " ".join(database["healthcheck"]["test"])
    assert bot["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert "/healthz" in " ".join(bot["healthcheck"]["test"])
    volumes = {volume.split(":")[0] for service in (database, bot) for volume in service["volumes"]}
    assert volumes == set(COMPOSE["volumes"])


def test_bot_may_hardly_anything():
    bot = COMPOSE["services"]["bot"]
    assert bot["read_only"] is True
    assert bot["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in bot["security_opt"]
    assert all(port.startswith("127.0.0.1:") for port in bot["ports"])
    assert "ports" not in COMPOSE["services"]["database"]


def test_no_secret_stands_in_a_file():
    assert all(not example()[name] for name in SECRETS & set(example()))
    assert example()["VRAM_DATABASE_PASSWORD"] == ""
    for service in COMPOSE["services"].values():
        for name, value in service["environment"].items():
            assert name not in SECRETS - {"VRAM_DATABASE_URL"}
            assert "PASSWORD" not in name or re.fullmatch(r"\$\{\w+:\?.*\}", value)
    assert not re.search(r"xox|xapp|://\w+:(?!\$)\w+@", (ROOT / "docker-compose.yml").read_text(encoding="utf-8"))


def test_what_the_files_set_are_settings():
    given = set(COMPOSE["services"]["bot"]["environment"]) | set(example()) - {"VRAM_DATABASE_PASSWORD"}
    in_image = set(re.findall(r"\b(VRAM_\w+)=", DOCKERFILE))
    assert given | in_image <= SETTINGS


def test_image_is_slim_and_not_roots():
    stages = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert all(stage.endswith("-slim") for stage in stages)
    assert len(stages) == 2
    assert re.search(r"^USER 10001$", DOCKERFILE, re.MULTILINE)
    assert DOCKERFILE.index("USER 10001") < DOCKERFILE.index("ENTRYPOINT")
    assert 'ENTRYPOINT ["vram"]' in DOCKERFILE


@pytest.mark.parametrize("package", ["engine", "bot", "adapters", "templates"])
def test_image_holds_every_package_and_nothing_else(package):
    built = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    copied = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
    assert f"{package} {package}" in copied
    assert set(built["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]) == {
        line.split()[0] for line in copied if len(line.split()) == 2
    }
    allowed = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert allowed[0] == "*"
    assert f"!{package}" in allowed
