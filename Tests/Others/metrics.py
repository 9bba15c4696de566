# SPDX-License-Identifier: Apache-2.0
"""Prometheus' own parsers read /metrics, in both of its formats."""
import requests
from prometheus_client.openmetrics import parser as openmetrics
from prometheus_client import parser as plain

from scene import event, expect, post, serving

# The Accept header of Prometheus 2.
SCRAPE = "application/openmetrics-text;version=1.0.0;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1"
parsers = {"text/plain": plain.text_string_to_metric_families, "application/openmetrics-text": openmetrics.text_string_to_metric_families}


def scraped(service, accept):
    """Gives the type of the answer, and the families by name that its parser reads."""
    answer = requests.get(f"{service.address}/metrics", headers=service.headers | ({"Accept": accept} if accept else {}), timeout=20)
    expect(answer.status_code == 200, f"prometheus: {accept} is answered with {answer.status_code}")
    kind = answer.headers["Content-Type"].split(";")[0]
    return kind, {family.name: family for family in parsers[kind](answer.text)}


def requests_to(families, route):
    samples = families["laurel_http_requests"].samples
    return sum(one.value for one in samples if one.name.endswith("_total") and one.labels["route"] == route)


def check_format(service, accept, wanted):
    kind, families = scraped(service, accept)
    expect(kind == wanted, f"prometheus: {accept} is answered with {wanted}, not {kind}")
    for start in ("laurel_", "process_"):
        expect(any(name.startswith(start) for name in families), f"prometheus: {kind} has {start}*: {sorted(families)}")
    typeless = [name for name, family in families.items() if family.type in ("unknown", "untyped")]
    expect(not typeless, f"prometheus: {kind}: each family has a type: {typeless}")
    silent = [name for name, family in families.items() if not family.documentation]
    expect(not silent, f"prometheus: {kind}: each family has a help text: {silent}")
    for name in ("process_cpu_seconds", "process_resident_memory_bytes", "process_start_time_seconds", "process_open_fds"):
        expect(name in families and families[name].samples[0].value > 0, f"prometheus: {kind} has {name}: {families.get(name)}")
    return families


def check():
    with serving() as service:
        post(service, event(1))
        first = check_format(service, None, "text/plain")
        second = check_format(service, "application/openmetrics-text", "application/openmetrics-text")
        third = check_format(service, SCRAPE, "application/openmetrics-text")
        expect(set(first) == set(second) == set(third), f"prometheus: both formats have the same: {set(first) ^ set(second)}")
        post(service, event(2))
        _, fourth = scraped(service, SCRAPE)
        counts = [requests_to(families, "/v1/events") for families in (third, fourth)]
        expect(counts == [1, 2], f"prometheus: requests are counted: {counts}")
    return f"{len(first)} families"
