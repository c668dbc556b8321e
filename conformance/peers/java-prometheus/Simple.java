import io.prometheus.metrics.core.metrics.*;
import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.Unit;

/** A page with one metric of each type of the library. */
public class Simple {
  public static void main(String[] args) throws Exception {
    Counter requests = Counter.builder().name("app_requests_total").help("Requests.").labelNames("method").register();
    Gauge temperature = Gauge.builder().name("app_temperature_celsius").unit(Unit.CELSIUS).help("The temperature.").register();
    Histogram latency = Histogram.builder().name("app_latency_seconds").unit(Unit.SECONDS).help("The latency.").classicUpperBounds(0.1, 1, 10).register();
    Summary size = Summary.builder().name("app_size_bytes").unit(Unit.BYTES).help("The size.").quantile(0.5, 0.05).register();
    StateSet state = StateSet.builder().name("app_state").help("What it does.").states("idle", "busy").register();
    Info.builder().name("app_build_info").help("What it is.").labelNames("version").register().setLabelValues("1.2.3");
    HTTPServer server = HTTPServer.builder().hostname("127.0.0.1").port(Integer.parseInt(args[0])).buildAndStart();
    Labels exemplar = Labels.of("trace_id", "KOO5S4vxi0o", "span_id", "b");
    while (server != null) {
      requests.labelValues("get").incWithExemplar(exemplar);
      latency.observeWithExemplar(0.2, exemplar);
      temperature.set(20.5);
      size.observe(100);
      state.setTrue("busy");
      Thread.sleep(100);
    }
  }
}
