"""A page with the default collectors and one metric of each type."""

import sys
import time

from prometheus_client import Counter, Enum, Gauge, Histogram, Info, Summary, start_http_server

requests = Counter("app_requests_total", "Requests.", ["method"])
temperature = Gauge("app_temperature_celsius", "The temperature.")
latency = Histogram("app_latency_seconds", "The latency.", unit="seconds", buckets=(0.1, 1, 10))
size = Summary("app_size_bytes", "The size.", unit="bytes")
state = Enum("app_state", "What it does.", states=["idle", "busy"])
Info("app_build", "What it is.").info({"version": "1.2.3"})

start_http_server(int(sys.argv[1]), addr="127.0.0.1")
exemplar = {"trace_id": "KOO5S4vxi0o"}
while True:
    requests.labels("get").inc(exemplar=exemplar)
    latency.observe(0.2, exemplar)
    temperature.set(20.5)
    size.observe(100)
    state.state("busy")
    time.sleep(0.1)
