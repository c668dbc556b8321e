// A page with the default collectors and one metric of each type.
package main

import (
	"flag"
	"log"
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func main() {
	port := flag.Int("port", 0, "where to listen")
	flag.Parse()
	registry := prometheus.NewRegistry()
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "app_requests_total", Help: "Requests."}, []string{"method"})
	temperature := prometheus.NewGauge(prometheus.GaugeOpts{Name: "app_temperature_celsius", Help: "The temperature."})
	latency := prometheus.NewHistogram(prometheus.HistogramOpts{
		Name: "app_latency_seconds", Help: "The latency.", Buckets: []float64{0.1, 1, 10}, NativeHistogramBucketFactor: 1.1,
	})
	size := prometheus.NewSummary(prometheus.SummaryOpts{Name: "app_size_bytes", Help: "The size.", Objectives: map[float64]float64{0.5: 0.05}})
	registry.MustRegister(requests, temperature, latency, size, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	handler := promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		Registry: registry, EnableOpenMetrics: true, EnableOpenMetricsTextCreatedSamples: true,
	})
	exemplar := prometheus.Labels{"trace_id": "KOO5S4vxi0o"}
	http.HandleFunc("/metrics", func(w http.ResponseWriter, r *http.Request) {
		requests.WithLabelValues("get").(prometheus.ExemplarAdder).AddWithExemplar(1, exemplar)
		latency.(prometheus.ExemplarObserver).ObserveWithExemplar(0.2, exemplar)
		temperature.Set(20.5)
		size.Observe(100)
		handler.ServeHTTP(w, r)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+strconv.Itoa(*port), nil))
}
