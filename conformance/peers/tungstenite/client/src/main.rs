//! An echo client on tungstenite: it sends back every message of the server. Exits with status 0 after a clean close.
use std::process::ExitCode;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::CloseFrame;
use tungstenite::stream::MaybeTlsStream;
use tungstenite::Error;

/// The Close frame for an error: the crate leaves sending it to the application.
fn code_of(fault: &Error) -> Option<CloseCode> {
    match fault {
        Error::Protocol(_) => Some(CloseCode::Protocol),
        Error::Utf8(_) => Some(CloseCode::Invalid),
        Error::Capacity(_) => Some(CloseCode::Size),
        _ => None,
    }
}

fn echo(address: &str) -> Result<(), Error> {
    let mut request = address.into_client_request()?;
    if let Some((_, protocols)) = address.split_once("?protocols=") {
        let value = HeaderValue::from_str(&protocols.replace(',', ", ")).expect("sub-protocols are tokens");
        request.headers_mut().insert("Sec-WebSocket-Protocol", value);
    }
    let (mut socket, _) = tungstenite::connect(request)?;
    if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
        let _ = stream.set_nodelay(true);
    }
    // After a Close frame, read to the end: the crate sends the response itself.
    loop {
        match socket.read() {
            Ok(message) if message.is_text() || message.is_binary() => socket.send(message)?,
            Ok(_) => {}
            Err(Error::ConnectionClosed) => return Ok(()),
            Err(fault) => {
                if let Some(code) = code_of(&fault) {
                    let _ = socket.close(Some(CloseFrame { code, reason: "".into() }));
                    let _ = socket.flush();
                }
                return Err(fault);
            }
        }
    }
}

fn main() -> ExitCode {
    let address = std::env::args().nth(1).expect("an address");
    match echo(&address) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::FAILURE
        }
    }
}
