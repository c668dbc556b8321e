//! HTTP/1.1 and HTTP/2 with prior knowledge on the port of the first argument: 200 for GET and HEAD of /, 10 MiB for GET of /10m, and the content back for POST to /echo.
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{header, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use std::convert::Infallible;

const PAGE: &str = "<!doctype html><title>Touchstone</title><p>Touchstone looks at this answer.\n";

fn answer(status: StatusCode, body: impl Into<Bytes>) -> Response<Full<Bytes>> {
    Response::builder().status(status).header(header::CONTENT_TYPE, "text/html").body(Full::new(body.into())).unwrap()
}

async fn handle(request: Request<Incoming>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let method = request.method().clone();
    let body = match request.into_body().collect().await {
        Ok(all) => all.to_bytes(),
        Err(_) => return Ok(answer(StatusCode::BAD_REQUEST, "")),
    };
    Ok(match (path.as_str(), method) {
        // Over HTTP/2 the library sends whatever content it gets, also in response to HEAD.
        ("/", Method::HEAD) => {
            let mut head = answer(StatusCode::OK, "");
            head.headers_mut().insert(header::CONTENT_LENGTH, PAGE.len().into());
            head
        }
        (_, Method::HEAD) => answer(StatusCode::NOT_FOUND, ""),
        ("/", Method::GET | Method::POST | Method::OPTIONS) => answer(StatusCode::OK, PAGE),
        ("/10m", Method::GET) => answer(StatusCode::OK, vec![b'x'; 10 * 1024 * 1024]),
        ("/echo", Method::POST) => answer(StatusCode::OK, body),
        ("/" | "/echo", _) => {
            let mut refused = answer(StatusCode::METHOD_NOT_ALLOWED, "");
            refused.headers_mut().insert(header::ALLOW, "GET, HEAD, POST, OPTIONS".parse().unwrap());
            refused
        }
        _ => answer(StatusCode::NOT_FOUND, "not found\n"),
    })
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let port: u16 = std::env::args().nth(1).expect("a port").parse().expect("a port");
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await.expect("the port is free");
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        tokio::spawn(async move {
            let mut builder = auto::Builder::new(TokioExecutor::new());
            builder.http1().timer(TokioTimer::new());
            builder.http2().timer(TokioTimer::new());
            let _ = builder.serve_connection(TokioIo::new(stream), service_fn(handle)).await;
        });
    }
}
