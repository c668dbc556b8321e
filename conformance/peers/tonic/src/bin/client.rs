//! The client of tonic as an adapter of the suite rpc (conformance/rpc/README.md): descriptions on standard input, reports on standard output.
use std::time::Duration;

use serde_json::{json, Value};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tokio_stream::StreamExt;
use tonic::client::Grpc;
use tonic::codec::CompressionEncoding;
use tonic::metadata::{KeyAndValueRef, MetadataKey, MetadataMap, MetadataValue};
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status};
use touchstone_tonic::{hex, unhex, Octets};

const FEATURES: [&str; 8] = ["streams", "cancel", "deadline", "gzip", "deflate", "receive-limit", "tls", "client-certificate"];

fn encoding(name: &str) -> Option<CompressionEncoding> {
    match name {
        "gzip" => Some(CompressionEncoding::Gzip),
        "deflate" => Some(CompressionEncoding::Deflate),
        _ => None,
    }
}
fn texts(list: &Value) -> Vec<String> {
    list.as_array().map(|all| all.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()).unwrap_or_default()
}

fn add(metadata: &mut MetadataMap, fields: &Value) {
    for field in fields.as_array().into_iter().flatten() {
        let (name, value) = (field[0].as_str().unwrap_or(""), field[1].as_str().unwrap_or(""));
        if name.ends_with("-bin") {
            if let Ok(key) = MetadataKey::from_bytes(name.as_bytes()) {
                metadata.append_bin(key, MetadataValue::from_bytes(&unhex(value)));
            }
        } else if let (Ok(key), Ok(value)) = (MetadataKey::from_bytes(name.as_bytes()), MetadataValue::try_from(value)) {
            metadata.append(key, value);
        }
    }
}
fn pairs(metadata: &MetadataMap) -> Vec<[String; 2]> {
    metadata
        .iter()
        .map(|one| match one {
            KeyAndValueRef::Ascii(key, value) => [key.to_string(), String::from_utf8_lossy(value.as_encoded_bytes()).into_owned()],
            KeyAndValueRef::Binary(key, value) => [key.to_string(), value.to_bytes().map(|octets| hex(&octets)).unwrap_or_default()],
        })
        .collect()
}

/// What is known of a call so far.
#[derive(Default)]
struct Got {
    headers: Vec<[String; 2]>,
    trailers: Vec<[String; 2]>,
    messages: Vec<String>,
}
fn reported(got: Got, status: Result<(), Status>) -> Value {
    let (code, message, trailers) = match &status {
        Ok(()) => (0, String::new(), got.trailers),
        Err(status) => (i32::from(status.code()), status.message().to_owned(), pairs(status.metadata())),
    };
    json!({"status": code, "message": message, "headers": got.headers, "trailers": trailers, "messages": got.messages})
}

async fn run(grpc: &mut Grpc<Channel>, spec: &Value, got: &mut Got) -> Result<(), Status> {
    let messages: Vec<Vec<u8>> = texts(&spec["messages"]).iter().map(|one| unhex(one)).collect();
    let is_open = spec["open"].as_bool() == Some(true);
    let has_turns = spec["turns"].as_bool() == Some(true);
    let path = spec["path"].as_str().unwrap_or("/").parse().map_err(|_| Status::internal("no path"))?;
    grpc.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
    let prepared = |metadata: &mut MetadataMap| add(metadata, &spec["metadata"]);
    let timeout = spec["timeoutMs"].as_f64().map(|ms| Duration::from_micros((ms.max(0.0) * 1_000.0) as u64));
    let kind = spec["kind"].as_str().unwrap_or("unary");
    if kind == "unary" {
        let mut request = Request::new(messages.into_iter().next().unwrap_or_default());
        prepared(request.metadata_mut());
        if let Some(timeout) = timeout {
            request.set_timeout(timeout);
        }
        let response = grpc.unary(request, path, Octets).await?;
        // The library joins headers and trailers of such a response.
        got.headers = pairs(response.metadata());
        got.trailers = got.headers.clone();
        got.messages.push(hex(response.get_ref()));
        return Ok(());
    }
    let (turn, mut turns) = mpsc::channel::<()>(1_000);
    let (sender, receiver) = mpsc::channel(1);
    let (over, is_over) = oneshot::channel::<()>();
    tokio::spawn(async move {
        for (at, message) in messages.into_iter().enumerate() {
            if has_turns && at > 0 && turns.recv().await.is_none() {
                return;
            }
            if sender.send(message).await.is_err() {
                return;
            }
        }
        if is_open {
            let _ = is_over.await;
        }
    });
    let mut request = Request::new(ReceiverStream::new(receiver));
    prepared(request.metadata_mut());
    if let Some(timeout) = timeout {
        request.set_timeout(timeout);
    }
    if kind == "client-stream" {
        let response = grpc.client_streaming(request, path, Octets).await?;
        got.headers = pairs(response.metadata());
        got.trailers = got.headers.clone();
        got.messages.push(hex(response.get_ref()));
        return Ok(());
    }
    let response = grpc.streaming(request, path, Octets).await?;
    got.headers = pairs(response.metadata());
    let mut responses = response.into_inner();
    let most = spec["cancel"]["afterMessages"].as_u64();
    while let Some(one) = responses.next().await {
        got.messages.push(hex(&one?));
        let _ = turn.try_send(());
        if most == Some(got.messages.len() as u64) {
            return Err(Status::cancelled("as asked"));
        }
    }
    if let Some(trailers) = responses.trailers().await? {
        got.trailers = pairs(&trailers);
    }
    drop(over);
    Ok(())
}

/// Makes one call, and reports on it.
async fn report(channel: Channel, asked: Value, spec: Value) -> Value {
    let mut grpc = Grpc::new(channel).accept_compressed(CompressionEncoding::Gzip).accept_compressed(CompressionEncoding::Deflate);
    if let Some(limit) = asked["maxMessageOctets"].as_u64() {
        grpc = grpc.max_decoding_message_size(limit as usize);
    }
    let wanted = spec["encoding"].as_str().or(asked["encoding"].as_str()).and_then(encoding);
    if let Some(encoding) = wanted {
        grpc = grpc.send_compressed(encoding);
    }
    let mut got = Got::default();
    let cancelled = async {
        match spec["cancel"]["afterMs"].as_u64() {
            Some(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
            None => std::future::pending().await,
        }
    };
    // To drop a call is to cancel it.
    let status = tokio::select! {
        status = run(&mut grpc, &spec, &mut got) => status,
        () = cancelled => Err(Status::cancelled("as asked")),
    };
    reported(got, status)
}

async fn answer(asked: Value) -> Result<Value, String> {
    let target = asked["target"].as_str().unwrap_or("");
    let tls = &asked["tls"];
    let scheme = if tls.is_object() { "https" } else { "http" };
    let mut endpoint = Endpoint::from_shared(format!("{scheme}://{target}")).map_err(|error| error.to_string())?;
    if tls.is_object() {
        let mut config = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(tls["ca"].as_str().unwrap_or("")));
        if let (Some(cert), Some(key)) = (tls["cert"].as_str(), tls["key"].as_str()) {
            config = config.identity(Identity::from_pem(cert, key));
        }
        endpoint = endpoint.tls_config(config).map_err(|error| error.to_string())?;
    }
    let channel = endpoint.connect_lazy();
    let mut calls = Vec::new();
    for round in asked["rounds"].as_array().into_iter().flatten() {
        let all: Vec<_> = round
            .as_array()
            .into_iter()
            .flatten()
            .map(|spec| tokio::spawn(report(channel.clone(), asked["channel"].clone(), spec.clone())))
            .collect();
        for one in all {
            calls.push(one.await.map_err(|error| error.to_string())?);
        }
    }
    Ok(json!({"calls": calls}))
}

#[tokio::main]
async fn main() {
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        let asked: Value = serde_json::from_str(&line).unwrap_or_default();
        let id = asked["id"].clone();
        let mut found = if asked["features"].as_bool() == Some(true) {
            json!({"features": FEATURES, "language": "rust"})
        } else {
            answer(asked).await.unwrap_or_else(|error| json!({"error": error}))
        };
        found["id"] = id;
        println!("{found}");
    }
}
