"""Metadata, changelog, workflows and issue forms of the project are valid and consistent."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def _jobs(path: Path) -> dict[str, dict[str, Any]]:
    jobs: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text("utf-8"))["jobs"]
    return jobs


def _steps(path: Path) -> list[dict[str, str]]:
    return [step for job in _jobs(path).values() for step in job.get("steps", ())]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_calls_existing_make_targets(path: Path) -> None:
    named = {target for step in _steps(path) for target in re.findall(r"\bmake ([a-z-]+)", step.get("run", ""))}
    assert named
    assert named <= TARGETS


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflow_has_read_permissions_by_default_a_timeout_and_versions_of_actions(path: Path) -> None:
    assert yaml.safe_load(path.read_text("utf-8"))["permissions"] in ({}, {"contents": "read"})
    assert all(job.get("timeout-minutes", 60) <= 60 for job in _jobs(path).values())
    for action in (step["uses"] for step in _steps(path) if "uses" in step):
        assert re.fullmatch(r"[\w-]+/[\w-]+@(release/)?v\d+", action), action


def test_tests_run_on_all_supported_versions_of_python() -> None:
    for job in _jobs(ROOT / ".github" / "workflows" / "tests.yml").values():
        versions = job["strategy"]["matrix"]["python"]
        assert versions == ["3.11", "3.12", "3.13", "3.14"]
        assert {f"Programming Language :: Python :: {version}" for version in versions} <= set(PROJECT["classifiers"])
    assert PROJECT["requires-python"] == ">=3.11"


def test_only_the_release_workflow_gets_an_id_token_and_publishes_from_the_pypi_environment() -> None:
    with_identity = {
        (path.name, name): job.get("environment")
        for path in WORKFLOWS
        for name, job in _jobs(path).items()
        if "id-token" in job.get("permissions", {})
    }
    assert with_identity == {("release.yml", "build"): None, ("release.yml", "publish"): "pypi"}


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_issue_form_has_fields_with_ids(path: Path) -> None:
    form = yaml.safe_load(path.read_text("utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    ids = [field["id"] for field in form["body"]]
    assert len(ids) == len(set(ids))
    assert all(field["attributes"]["label"] for field in form["body"])


def test_citation_describes_the_current_version() -> None:
    assert {"cff-version", "message", "title", "authors"} <= CITATION.keys(), "required by version 1.2.0 of the format"
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["version"] == PROJECT["version"]
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["authors"] == PROJECT["authors"]


def test_changelog_starts_with_unreleased_changes_and_the_current_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert sections[:2] == ["[Unreleased]", f"[{PROJECT['version']}] - {CITATION['date-released']}"]
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", section) for section in sections[1:])
    groups = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert groups <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
