"""Metrics: plain integers that are turned into Prometheus' text only when somebody asks."""

import platform
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

# The fastest answers take some 20 µs; 2.5 s is near the time limit of the webhook configurations.
SECONDS_BUCKETS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
BYTES_BUCKETS = (1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22)

Labels = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """One metric of the table that also makes the documentation. Counters leave out `_total` here."""

    name: str
    kind: str
    about: str
    labels: Labels = ()


REQUESTS = Family(
    "percard_admission_requests", "counter", "AdmissionReviews that were answered.", ("endpoint", "operation", "dialect", "outcome")
)
DURATION = Family(
    "percard_admission_duration_seconds", "histogram", "From the last byte of a review to the first of its answer.", ("endpoint",)
)
BODY = Family("percard_admission_body_bytes", "histogram", "Size of the AdmissionReviews.")
FINDINGS = Family("percard_findings", "counter", "Findings in the reviews that were answered.", ("check", "dialect", "severity"))
PATCHES = Family("percard_patch_operations", "counter", "Operations of the patches that went out.", ("dialect",))
REFUSED = Family("percard_http_errors", "counter", "Requests that were answered with an HTTP error, by its code.", ("code",))
FAULTS = Family("percard_faults", "counter", "Requests on which percard itself failed (HTTP 500).")
SHED = Family("percard_shed", "counter", "Requests refused because of overload, by the cap that was reached.", ("cap",))
RELOADS = Family("percard_reloads", "counter", "Certificates, client CAs and settings read again.", ("what", "result"))
LOST_LINES = Family(
    "percard_log_lines_dropped", "counter", "Log lines that were lost because nobody read the log, or it could not be written."
)
IN_FLIGHT = Family("percard_requests_in_flight", "gauge", "Requests that have begun and are not answered yet.")
CONNECTIONS = Family("percard_connections", "gauge", "Open connections to the TLS port.")
EXPIRY = Family("percard_certificate_expiry_timestamp_seconds", "gauge", "When the certificate in force expires; 0 while there is none.")
SETTINGS = Family("percard_settings_info", "gauge", "The settings in force, by a hash of their values.", ("revision",))
BUILD = Family("percard_build_info", "gauge", "The version of percard and of Python.", ("version", "python"))

COUNTERS = (REQUESTS, FINDINGS, PATCHES, REFUSED, FAULTS, SHED, RELOADS, LOST_LINES)
HISTOGRAMS = (DURATION, BODY)
GAUGES = (IN_FLIGHT, CONNECTIONS, EXPIRY, SETTINGS, BUILD)
FAMILIES = (*COUNTERS, *HISTOGRAMS, *GAUGES)


class Histogram:
    """Counts by upper bound, the last one for everything beyond."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        """Take the upper bounds, smallest first; each is included in its bucket."""
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def observe(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.total += value

    def buckets(self) -> list[tuple[str, float]]:
        """Return the cumulative counts as Prometheus wants them."""
        names = [*(repr(float(bound)) for bound in self.bounds), "+Inf"]
        return list(zip(names, map(float, accumulate(self.counts)), strict=True))


@dataclass(slots=True)
class Counters:
    """All figures of one server. Every label has a fixed set of values, so the number of series is bounded."""

    version: str
    requests: dict[Labels, int] = field(default_factory=dict)
    findings: dict[Labels, int] = field(default_factory=dict)
    patches: dict[Labels, int] = field(default_factory=dict)
    refused: dict[Labels, int] = field(default_factory=dict)
    shed: dict[Labels, int] = field(default_factory=dict)
    reloads: dict[Labels, int] = field(default_factory=dict)
    durations: dict[Labels, Histogram] = field(default_factory=dict)
    body: Histogram = field(default_factory=lambda: Histogram(BYTES_BUCKETS))
    faults: int = 0
    lost_lines: int = 0
    in_flight: int = 0
    connections: int = 0
    expiry: float = 0.0
    revision: str = ""

    @staticmethod
    def add(counts: dict[Labels, int], labels: Labels, number: int = 1) -> None:
        """Count under the labels."""
        counts[labels] = counts.get(labels, 0) + number


class PercardCollector(Collector):
    """Shows the counters to prometheus-client."""

    def __init__(self, counters: Counters) -> None:
        """Take the counters to show."""
        self._counters = counters

    def collect(self) -> Iterable[Metric]:
        """Yield every family, also those in which nothing was counted yet."""
        yield from self._counter_families()
        yield from self._histograms()
        yield from self._gauges()

    def _counter_families(self) -> Iterator[Metric]:
        own = self._counters
        faults: dict[Labels, int] = {(): own.faults}
        lost: dict[Labels, int] = {(): own.lost_lines}
        values = (own.requests, own.findings, own.patches, own.refused, faults, own.shed, own.reloads, lost)
        for family, counts in zip(COUNTERS, values, strict=True):
            metric = CounterMetricFamily(family.name, family.about, labels=family.labels)
            for labels, count in counts.items():
                metric.add_metric(labels, count)
            yield metric

    def _histograms(self) -> Iterator[Metric]:
        bodies: dict[Labels, Histogram] = {(): self._counters.body}
        for family, histograms in zip(HISTOGRAMS, (self._counters.durations, bodies), strict=True):
            metric = HistogramMetricFamily(family.name, family.about, labels=family.labels)
            for labels, histogram in histograms.items():
                metric.add_metric(labels, histogram.buckets(), histogram.total)
            yield metric

    def _gauges(self) -> Iterator[Metric]:
        own = self._counters
        build = (own.version, platform.python_version())
        values: tuple[tuple[Labels, float], ...] = (
            ((), own.in_flight),
            ((), own.connections),
            ((), own.expiry),
            ((own.revision,), 1),
            (build, 1),
        )
        for family, (labels, value) in zip(GAUGES, values, strict=True):
            metric = GaugeMetricFamily(family.name, family.about, labels=family.labels)
            metric.add_metric(labels, value)
            yield metric


def registry_of(counters: Counters) -> CollectorRegistry:
    """Return a registry of this server alone, with the figures of its process."""
    registry = CollectorRegistry()
    registry.register(PercardCollector(counters))
    ProcessCollector(registry=registry)
    return registry
