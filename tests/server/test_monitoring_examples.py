"""The examples for Prometheus, Grafana and containers: well formed, and about figures that there are."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any, Final

import pytest
import trio
import yaml
from trio.testing import MockClock

from heat_server.metrics import BUCKET_SECONDS
from heat_server.monitoring.exposition import Exposition
from tests.e2e.test_server_tcp import port_of, program
from tests.patience import PATIENCE_SECONDS
from tests.server.fleets import Fleet
from tests.server.scraping import address_in, samples_of
from tests.server.support import server_on

ROOT: Final = Path(__file__).parents[2]
EXAMPLES: Final = ROOT / "examples" / "monitoring"
CONFIGURATION: Final = yaml.safe_load((EXAMPLES / "prometheus.yml").read_text(encoding="utf-8"))
RULES: Final[list[dict[str, Any]]] = [
    rule
    for group in yaml.safe_load((EXAMPLES / "heat-server.rules.yml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
DASHBOARD: Final = json.loads((EXAMPLES / "grafana.json").read_text(encoding="utf-8"))
PANELS: Final[list[dict[str, Any]]] = DASHBOARD["panels"]
EXPRESSIONS: Final[list[str]] = [
    *(rule["expr"] for rule in RULES),
    *(target["expr"] for panel in PANELS for target in panel["targets"]),
]


@pytest.mark.trio
async def test_rules_dashboard_and_page_name_only_figures_that_there_are(
    fleet: Fleet, autojump_clock: MockClock
) -> None:
    async with server_on(fleet.join()) as house:
        for counts in (house.server.figures.refused, house.server.figures.dropped):
            counts["bye/idle"] += 1
        house.server.figures.malformed["wire/bad_message"] += 1
        found = {one.name for one in samples_of(Exposition(house.server).written().decode())}
    named = {name for text in EXPRESSIONS for name in re.findall(r"\b(?:heat_server|process)_\w+", text)}
    assert len(named) > 12
    assert named <= found
    page = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    on_page = {name for name in re.findall(r"`(heat_server_\w+)", page) if "_tls_" not in name}
    of_server = {re.sub(r"_(bucket|count|sum)$", "", name) for name in found if "heat_server" in name}
    assert on_page == of_server


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_an_expression_is_closed_and_compares_histograms_at_their_bounds(text: str) -> None:
    for opening, closing in ("()", "[]", "{}"):
        assert text.count(opening) == text.count(closing)
    if "histogram_quantile" in text and ">" in text:
        assert float(text.rpartition(">")[2]) in BUCKET_SECONDS


def test_the_configuration_scrapes_the_job_that_the_rules_are_about() -> None:
    (job,) = CONFIGURATION["scrape_configs"]
    assert all(name == job["job_name"] for text in EXPRESSIONS for name in re.findall(r'job="(.*?)"', text))
    assert [name for name in CONFIGURATION["rule_files"] if not (EXAMPLES / name).exists()] == []
    (target,) = job["static_configs"][0]["targets"]
    for name in ("heat-server.service", "Containerfile"):
        text = (ROOT / "examples" / name).read_text(encoding="utf-8")
        assert f"HEAT_SERVER_METRICS={target.rpartition(':')[2]}" in text


def test_each_rule_says_what_is_wrong_and_what_to_do() -> None:
    for rule in RULES:
        assert set(rule) - {"for"} == {"alert", "expr", "labels", "annotations"}
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert set(rule["annotations"]) == {"summary", "description"}
        whose = "job" if "by (job)" in rule["expr"] else "instance"
        assert f"{{{{ $labels.{whose} }}}}" in rule["annotations"]["summary"]
    assert len({rule["alert"] for rule in RULES}) == len(RULES)


def test_panels_of_the_dashboard_lie_beside_each_other() -> None:
    spaces = []
    for panel in PANELS:
        assert panel["title"]
        assert panel["targets"]
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
        spaces.append(
            {(x + place["x"], y + place["y"]) for x in range(place["w"]) for y in range(place["h"])}
        )
    assert not any(one & other for one, other in combinations(spaces, 2))
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    variables = {variable["name"] for variable in DASHBOARD["templating"]["list"]}
    used = set(re.findall(r"\$\{?(\w+)", json.dumps(DASHBOARD))) - {"__rate_interval"}
    assert used == variables


@pytest.mark.trio
async def test_the_containers_health_check_tells_a_server_that_is_ready(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "Containerfile").read_text(encoding="utf-8").replace("\\\n", "")
    (words,) = re.findall(r"(?m)^HEALTHCHECK .*CMD (.*)$", text)
    _, *arguments = json.loads(words)
    log = tmp_path / "log"

    def check(port: str) -> int:
        command = [sys.executable, *(word.replace("9777", port) for word in arguments)]
        return subprocess.run(command, stderr=subprocess.DEVNULL, timeout=30).returncode

    options = ("--log-format", "json", "--log-file", str(log))
    with trio.fail_after(60), program("--port", "0", "--metrics", "0", *options) as process:
        port_of(process)
        port = (await address_in(log)).rpartition(":")[2]
        assert await trio.to_thread.run_sync(check, port) == 0
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_SECONDS)
        assert await trio.to_thread.run_sync(check, port) == 1
