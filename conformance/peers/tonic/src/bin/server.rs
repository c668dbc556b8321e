//! The conformance service (vectors/rpc/conformance.proto) on tonic. Argument: the port.
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use tokio_stream::{Stream, StreamExt};
use tonic::body::Body;
use tonic::codec::CompressionEncoding;
use tonic::metadata::{KeyAndValueRef, MetadataKey, MetadataMap, MetadataValue};
use tonic::server::{Grpc, NamedService, ServerStreamingService, StreamingService, UnaryService};
use tonic::{Code, Request, Response, Status, Streaming};
use touchstone_tonic::{proto, Octets};

const RUNNING: u64 = 1;
const ENDED: u64 = 2;
const CANCELLED: u64 = 3;

#[derive(Default)]
struct Fate {
    state: u64,
    requests: u64,
}
type Shared = Arc<Mutex<Fate>>;
fn fates() -> &'static Mutex<HashMap<String, Shared>> {
    static FATES: OnceLock<Mutex<HashMap<String, Shared>>> = OnceLock::new();
    FATES.get_or_init(Default::default)
}

type Responses = Pin<Box<dyn Stream<Item = Result<Vec<u8>, Status>> + Send>>;
type Boxed<T> = Pin<Box<dyn Future<Output = Result<Response<T>, Status>> + Send>>;

fn add(metadata: &mut MetadataMap, fields: &[proto::Field]) {
    for one in fields {
        if one.name.ends_with("-bin") {
            if let Ok(key) = MetadataKey::from_bytes(one.name.as_bytes()) {
                metadata.append_bin(key, MetadataValue::from_bytes(&one.octets));
            }
        } else if let (Ok(key), Ok(value)) = (MetadataKey::from_bytes(one.name.as_bytes()), MetadataValue::try_from(one.text.as_str())) {
            metadata.append(key, value);
        }
    }
}

/// The milliseconds of a timeout, which the library does not show its handlers.
fn timeout_ms(text: &str) -> Option<f64> {
    let unit = text.chars().last()?;
    let number: f64 = text[..text.len() - unit.len_utf8()].parse().ok()?;
    let ms = match unit {
        'H' => 3_600_000.0,
        'M' => 60_000.0,
        'S' => 1_000.0,
        'm' => 1.0,
        'u' => 0.001,
        'n' => 0.000_001,
        _ => return None,
    };
    Some(number * ms)
}

/// What one call does.
struct Course {
    metadata: MetadataMap,
    begun: Instant,
    fate: Shared,
    plan: proto::Plan,
    has_seen: bool,
}
impl Drop for Course {
    /// The library drops the handler of a call that is over.
    fn drop(&mut self) {
        self.end(CANCELLED);
    }
}
impl Course {
    fn new(metadata: MetadataMap) -> Self {
        let fate = Arc::new(Mutex::new(Fate { state: RUNNING, requests: 0 }));
        Course { metadata, begun: Instant::now(), fate, plan: Default::default(), has_seen: false }
    }
    fn end(&self, state: u64) {
        let mut fate = self.fate.lock().unwrap();
        if fate.state == RUNNING {
            fate.state = state;
        }
    }
    fn take(&mut self, octets: &[u8]) -> Result<Vec<u8>, Status> {
        let request = proto::request(octets).ok_or_else(|| Status::internal("the message does not decode"))?;
        let mut fate = self.fate.lock().unwrap();
        fate.requests += 1;
        if fate.requests == 1 {
            if let Some(plan) = request.plan {
                if !plan.call.is_empty() {
                    fates().lock().unwrap().insert(plan.call.clone(), self.fate.clone());
                }
                self.plan = plan;
            }
        }
        Ok(request.payload)
    }
    async fn pause(&self) {
        if self.plan.delay_ms > 0 {
            tokio::time::sleep(Duration::from_millis(self.plan.delay_ms)).await;
        }
    }
    fn response(&mut self, payload: &[u8], number: u64) -> Vec<u8> {
        let mut out = Vec::new();
        let zeros = vec![0; self.plan.response_octets];
        proto::put_octets(&mut out, 1, if zeros.is_empty() { payload } else { &zeros });
        proto::put_number(&mut out, 2, number);
        if !self.has_seen {
            self.has_seen = true;
            proto::put_octets(&mut out, 3, &self.seen());
        }
        out
    }
    fn seen(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for one in self.metadata.iter() {
            let mut field = Vec::new();
            let name = match one {
                KeyAndValueRef::Ascii(key, value) => {
                    let Ok(text) = value.to_str() else { continue };
                    proto::put_octets(&mut field, 2, text.as_bytes());
                    key.as_str()
                }
                KeyAndValueRef::Binary(key, value) => {
                    let Ok(octets) = value.to_bytes() else { continue };
                    proto::put_octets(&mut field, 3, &octets);
                    key.as_str()
                }
            };
            if name.starts_with("grpc-") || ["te", "content-type", "user-agent"].contains(&name) {
                continue;
            }
            proto::put_octets(&mut field, 1, name.as_bytes());
            proto::put_octets(&mut out, 1, &field);
        }
        let timeout = self.metadata.get("grpc-timeout").and_then(|value| timeout_ms(value.to_str().ok()?));
        if let Some(ms) = timeout {
            proto::put_number(&mut out, 2, 1);
            proto::put_number(&mut out, 3, (ms - self.begun.elapsed().as_millis() as f64).max(0.0) as u64);
        }
        out
    }
    /// The last of the responses: a status, with trailers. The library has no other way to trailers of a call that succeeds.
    fn finish(&self) -> Option<Status> {
        self.end(ENDED);
        if self.plan.throws {
            return Some(Status::unknown("a failure without a status"));
        }
        if self.plan.status == 0 && self.plan.trailers.is_empty() {
            return None;
        }
        let mut metadata = MetadataMap::new();
        add(&mut metadata, &self.plan.trailers);
        Some(Status::with_metadata(Code::from_i32(self.plan.status), self.plan.message.clone(), metadata))
    }
    /// Responses with the headers of the plan.
    fn open(plan: &proto::Plan, responses: Responses) -> Response<Responses> {
        let mut made = Response::new(responses);
        add(made.metadata_mut(), &plan.headers);
        if plan.compression != 1 {
            made.disable_compression();
        }
        made
    }
}

/// A unary response of a course that has read its requests: streamed by the library, because only streams may end with trailers.
async fn single(mut course: Course, payload: Vec<u8>, number: u64) -> Result<Response<Responses>, Status> {
    let plan = course.plan.clone();
    let is_first = plan.headers_first;
    if !is_first {
        course.pause().await;
    }
    let fails = plan.status != 0 || plan.throws;
    if fails && !is_first && plan.headers.is_empty() {
        return Err(course.finish().unwrap_or_else(|| Status::unknown("")));
    }
    let responses = async_stream(move |out| async move {
        if is_first {
            course.pause().await;
        }
        let mut all = Vec::new();
        if !fails {
            all.push(Ok(course.response(&payload, number)));
        }
        if let Some(status) = course.finish() {
            all.push(Err(status));
        }
        for one in all {
            let _ = out.send(one).await;
        }
    });
    Ok(Course::open(&plan, responses))
}

/// The stream of what a task sends; the task ends with the stream.
fn async_stream<F, T>(make: F) -> Responses
where
    F: FnOnce(tokio::sync::mpsc::Sender<Result<Vec<u8>, Status>>) -> T,
    T: Future<Output = ()> + Send + 'static,
{
    let (sender, receiver) = tokio::sync::mpsc::channel(1);
    let task = tokio::spawn(make(sender));
    struct Owned(tokio::task::JoinHandle<()>, tokio::sync::mpsc::Receiver<Result<Vec<u8>, Status>>);
    impl Drop for Owned {
        fn drop(&mut self) {
            self.0.abort();
        }
    }
    impl Stream for Owned {
        type Item = Result<Vec<u8>, Status>;
        fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            self.1.poll_recv(context)
        }
    }
    Box::pin(Owned(task, receiver))
}

struct Unary;
impl ServerStreamingService<Vec<u8>> for Unary {
    type Response = Vec<u8>;
    type ResponseStream = Responses;
    type Future = Boxed<Responses>;
    fn call(&mut self, request: Request<Vec<u8>>) -> Self::Future {
        Box::pin(async move {
            let mut course = Course::new(request.metadata().clone());
            let payload = course.take(request.get_ref())?;
            single(course, payload, 1).await
        })
    }
}

struct ServerStream;
impl ServerStreamingService<Vec<u8>> for ServerStream {
    type Response = Vec<u8>;
    type ResponseStream = Responses;
    type Future = Boxed<Responses>;
    fn call(&mut self, request: Request<Vec<u8>>) -> Self::Future {
        Box::pin(async move {
            let mut course = Course::new(request.metadata().clone());
            let payload = course.take(request.get_ref())?;
            let plan = course.plan.clone();
            let is_first = plan.headers_first;
            if !is_first {
                course.pause().await;
            }
            let responses = async_stream(move |out| async move {
                if is_first {
                    course.pause().await;
                }
                for number in 1..=course.plan.responses {
                    let response = course.response(&payload, number);
                    if out.send(Ok(response)).await.is_err() {
                        return;
                    }
                }
                if let Some(status) = course.finish() {
                    let _ = out.send(Err(status)).await;
                }
            });
            Ok(Course::open(&plan, responses))
        })
    }
}

struct ClientStream;
impl StreamingService<Vec<u8>> for ClientStream {
    type Response = Vec<u8>;
    type ResponseStream = Responses;
    type Future = Boxed<Responses>;
    fn call(&mut self, request: Request<Streaming<Vec<u8>>>) -> Self::Future {
        Box::pin(async move {
            let mut course = Course::new(request.metadata().clone());
            let mut requests = request.into_inner();
            let mut all = Vec::new();
            let mut count = 0;
            while let Some(one) = requests.next().await {
                all.extend(course.take(&one?)?);
                count += 1;
                if course.plan.early {
                    break;
                }
            }
            single(course, all, count).await
        })
    }
}

struct BidiStream;
impl StreamingService<Vec<u8>> for BidiStream {
    type Response = Vec<u8>;
    type ResponseStream = Responses;
    type Future = Boxed<Responses>;
    fn call(&mut self, request: Request<Streaming<Vec<u8>>>) -> Self::Future {
        Box::pin(async move {
            let mut course = Course::new(request.metadata().clone());
            let mut requests = request.into_inner();
            // The plan of the first request decides on the headers.
            let first = match requests.next().await {
                Some(one) => Some(course.take(&one?)?),
                None => None,
            };
            let plan = course.plan.clone();
            if !plan.headers_first {
                course.pause().await;
            }
            let responses = async_stream(move |out| async move {
                if course.plan.headers_first {
                    course.pause().await;
                }
                let mut next = first;
                let mut number = 0;
                while let Some(payload) = next {
                    number += 1;
                    let response = course.response(&payload, number);
                    if out.send(Ok(response)).await.is_err() {
                        return;
                    }
                    if course.plan.early {
                        break;
                    }
                    next = match requests.next().await {
                        None => None,
                        Some(Ok(octets)) => match course.take(&octets) {
                            Ok(payload) => Some(payload),
                            Err(status) => {
                                let _ = out.send(Err(status)).await;
                                return;
                            }
                        },
                        Some(Err(status)) => {
                            let _ = out.send(Err(status)).await;
                            return;
                        }
                    };
                }
                if let Some(status) = course.finish() {
                    let _ = out.send(Err(status)).await;
                }
            });
            Ok(Course::open(&plan, responses))
        })
    }
}

struct FateOf;
impl UnaryService<Vec<u8>> for FateOf {
    type Response = Vec<u8>;
    type Future = Boxed<Vec<u8>>;
    fn call(&mut self, request: Request<Vec<u8>>) -> Self::Future {
        Box::pin(async move {
            let name = proto::fate_request(request.get_ref()).ok_or_else(|| Status::internal("the message does not decode"))?;
            let mut out = Vec::new();
            if let Some(known) = fates().lock().unwrap().get(&name) {
                let fate = known.lock().unwrap();
                proto::put_number(&mut out, 1, fate.state);
                proto::put_number(&mut out, 2, fate.requests);
            }
            Ok(Response::new(out))
        })
    }
}

#[derive(Clone)]
struct Conformance;
impl NamedService for Conformance {
    const NAME: &'static str = "touchstone.conformance.v1.Conformance";
}
fn grpc() -> Grpc<Octets> {
    let mut made = Grpc::new(Octets);
    for encoding in [CompressionEncoding::Gzip, CompressionEncoding::Deflate, CompressionEncoding::Zstd] {
        made = made.accept_compressed(encoding);
    }
    made.send_compressed(CompressionEncoding::Gzip)
}
impl tower::Service<http::Request<Body>> for Conformance {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }
    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async move {
            let method = request.uri().path().rsplit('/').next().unwrap_or("").to_owned();
            Ok(match method.as_str() {
                "Unary" => grpc().server_streaming(Unary, request).await,
                "ServerStream" => grpc().server_streaming(ServerStream, request).await,
                "ClientStream" => grpc().streaming(ClientStream, request).await,
                "BidiStream" => grpc().streaming(BidiStream, request).await,
                "Fate" => grpc().unary(FateOf, request).await,
                // As the code that the library generates does.
                _ => Status::new(Code::Unimplemented, "").into_http(),
            })
        })
    }
}

#[tokio::main]
async fn main() {
    let port = std::env::args().nth(1).unwrap_or_default();
    let address = format!("127.0.0.1:{port}").parse().expect("the argument is a port");
    tonic::transport::Server::builder().add_service(Conformance).serve(address).await.expect("the server runs");
}
