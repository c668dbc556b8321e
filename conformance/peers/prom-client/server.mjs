/** A page with the default metrics of the library and one metric of each of its types. */
import { createServer } from "node:http";
import { createRequire } from "node:module";

const client = createRequire(`${process.env.PROM_CLIENT}/package.json`)("prom-client");
const registries = { text: new client.Registry(), openmetrics: new client.Registry() };
registries.openmetrics.setContentType(client.openMetricsContentType);
const metrics = Object.values(registries).map((registry) => {
  client.collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const isOpen = registry === registries.openmetrics;
  return {
    requests: new client.Counter({
      name: "app_requests_total",
      help: "Requests.",
      labelNames: ["method"],
      registers,
      enableExemplars: isOpen,
    }),
    temperature: new client.Gauge({ name: "app_temperature_celsius", help: "The temperature.", registers }),
    latency: new client.Histogram({ name: "app_latency_seconds", help: "The latency.", registers, enableExemplars: isOpen }),
    size: new client.Summary({ name: "app_size_bytes", help: "The size.", registers }),
    isOpen,
  };
});
/** The library leaves the choice of a format to its user. */
const qualityOf = ({ headers }, type) => {
  const range = headers.accept?.split(",").find((one) => one.includes(type));
  return range === undefined ? 0 : Number(/q=([\d.]+)/.exec(range)?.[1] ?? 1);
};
const exemplarLabels = { trace_id: "KOO5S4vxi0o" };

createServer(async (request, response) => {
  for (const { requests, temperature, latency, size, isOpen } of metrics) {
    if (isOpen) {
      requests.inc({ labels: { method: "get" }, value: 1, exemplarLabels });
      latency.observe({ value: 0.2, exemplarLabels });
    } else {
      requests.inc({ method: "get" });
      latency.observe(0.2);
    }
    temperature.set(20.5);
    size.observe(100);
  }
  const registry = qualityOf(request, "openmetrics-text") > qualityOf(request, "text/plain") ? registries.openmetrics : registries.text;
  response.setHeader("content-type", registry.contentType).end(await registry.metrics());
}).listen(Number(process.argv[2]), "127.0.0.1");
