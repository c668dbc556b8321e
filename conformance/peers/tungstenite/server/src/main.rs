//! An echo server on tungstenite, with a thread per connection.
use std::net::TcpListener;
use std::thread::spawn;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::CloseFrame;
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

fn main() {
    let port = std::env::args().nth(1).expect("a port");
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).expect("a free port");
    for stream in listener.incoming().flatten() {
        spawn(move || {
            let _ = stream.set_nodelay(true);
            let Ok(mut socket) = tungstenite::accept(stream) else { return };
            // After a Close frame, read to the end: the crate sends the response itself.
            loop {
                match socket.read() {
                    Ok(message) if message.is_text() || message.is_binary() => {
                        if socket.send(message).is_err() {
                            return;
                        }
                    }
                    Ok(_) => {}
                    Err(fault) => {
                        if let Some(code) = code_of(&fault) {
                            let _ = socket.close(Some(CloseFrame { code, reason: "".into() }));
                            let _ = socket.flush();
                        }
                        return;
                    }
                }
            }
        });
    }
}
