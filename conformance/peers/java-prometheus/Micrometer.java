import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.*;
import io.micrometer.prometheusmetrics.*;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.ByteArrayOutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A page with one meter of each kind, in the format that the request accepts. */
public class Micrometer {
  public static void main(String[] args) throws Exception {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Counter requests = Counter.builder("app.requests").description("Requests.").tag("method", "get").register(registry);
    Gauge.builder("app.temperature", () -> 20.5).baseUnit("celsius").description("The temperature.").register(registry);
    Timer latency = Timer.builder("app.latency").description("The latency.").publishPercentileHistogram().register(registry);
    DistributionSummary size = DistributionSummary.builder("app.size").baseUnit("bytes").description("The size.").publishPercentiles(0.5).register(registry);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 64);
    server.createContext("/metrics", exchange -> {
      requests.increment();
      latency.record(Duration.ofMillis(200));
      size.record(100);
      String accept = exchange.getRequestHeaders().getFirst("Accept");
      String type = ExpositionFormats.init().findWriter(accept).getContentType();
      ByteArrayOutputStream octets = new ByteArrayOutputStream();
      registry.scrape(octets, type);
      byte[] page = octets.toByteArray();
      exchange.getResponseHeaders().set("Content-Type", type);
      boolean isHead = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(200, isHead ? -1 : page.length);
      if (!isHead) exchange.getResponseBody().write(page);
      exchange.close();
    });
    server.start();
  }
}
