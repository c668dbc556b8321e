//! A page with one metric of each type, always in OpenMetrics.
use hyper::{body::Incoming, server::conn::http1, service::service_fn, Request, Response};
use hyper_util::rt::TokioIo;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::exemplar::{CounterWithExemplar, HistogramWithExemplars};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;

type Labels = Vec<(String, String)>;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let port: u16 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut registry = Registry::default();
    let requests = Family::<Labels, Counter>::default();
    let jobs = CounterWithExemplar::<Labels>::default();
    let temperature = Gauge::<f64, std::sync::atomic::AtomicU64>::default();
    let latency = HistogramWithExemplars::<Labels>::new([0.1, 1.0, 10.0].into_iter());
    registry.register("app_requests", "Requests", requests.clone());
    registry.register("app_jobs", "Jobs", jobs.clone());
    registry.register_with_unit("app_temperature", "The temperature", Unit::Celsius, temperature.clone());
    registry.register_with_unit("app_latency", "The latency", Unit::Seconds, latency.clone());
    registry.register("app_build", "What it is", Info::new(vec![("version".to_string(), "1.2.3".to_string())]));
    let registry = Arc::new(registry);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    let exemplar: Labels = vec![("trace_id".into(), "KOO5S4vxi0o".into())];
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        let (registry, requests, jobs, temperature, latency, exemplar) =
            (registry.clone(), requests.clone(), jobs.clone(), temperature.clone(), latency.clone(), exemplar.clone());
        let service = service_fn(move |_: Request<Incoming>| {
            requests.get_or_create(&vec![("method".into(), "get".into())]).inc();
            jobs.inc_by(1, Some(exemplar.clone()), None);
            latency.observe(0.2, Some(exemplar.clone()), None);
            temperature.set(20.5);
            let mut page = String::new();
            encode(&mut page, &registry).unwrap();
            let answer = Response::builder()
                .header("content-type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
                .body(page)
                .unwrap();
            async move { Ok::<_, std::convert::Infallible>(answer) }
        });
        tokio::spawn(async move {
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}
