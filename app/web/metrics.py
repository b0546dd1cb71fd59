"""The metrics of this process for Prometheus. `deploy/grafana.json` shows them."""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from app import __version__, metrics
from app.rooms import Code

from .site import Site

GAUGES = {
    "fogline_rooms": "Rooms in memory",
    "fogline_sockets": "Sockets that follow a room",
    "fogline_outbox_bytes": "Bytes of answers that wait for sockets to take them",
    "fogline_bots_acting": "Bots that are about to move",
    "fogline_moves_waiting": "Moves that wait for a commit",
}


def render_metrics(site: Site) -> bytes:
    """All metrics, in Prometheus's text format."""
    registry = CollectorRegistry()
    registry.register(MetricsCollector(site))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class MetricsCollector(Collector):
    def __init__(self, site: Site) -> None:
        self._site = site

    def collect(self) -> Iterator[Metric]:
        yield InfoMetricFamily("fogline_build", "Version of Fogline", {"version": __version__})
        now = self._site.rooms.figures() | {"moves_waiting": self._site.store.journal.waiting}
        for name, text in GAUGES.items():
            yield GaugeMetricFamily(name, text, value=now[name.removeprefix("fogline_")])
        moves = {maker: metrics.MOVES[maker] for maker in ("human", "bot")}
        yield _counter("fogline_moves", "Moves stored", "by", moves)
        refusals = {code.value: metrics.REFUSALS[code] for code in Code}
        yield _counter("fogline_refusals", "What was refused", "code", refusals)
        yield _histogram("fogline_stage_seconds", "Seconds of each stage of a move", "stage", metrics.STAGES)
        yield _histogram("fogline_commit_moves", "Moves in a commit", "to", {"database": metrics.COMMIT_SIZES})


def _counter(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    family = CounterMetricFamily(name, text, labels=[label])
    for value, count in values.items():
        family.add_metric([value], count)
    return family


def _histogram(name: str, text: str, label: str, values: Mapping[str, metrics.Histogram]) -> Metric:
    family = HistogramMetricFamily(name, text, labels=[label])
    for value, histogram in values.items():
        bounds = [*(str(float(bound)) for bound in histogram.bounds), "+Inf"]
        family.add_metric([value], list(zip(bounds, accumulate(histogram.counts), strict=True)), histogram.sum)
    return family
