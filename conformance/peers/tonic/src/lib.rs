//! What server and client share: messages as octets, whatever they mean.
use bytes::{Buf, BufMut};
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::Status;

pub mod proto;

/// Messages as they are.
#[derive(Clone, Default)]
pub struct Octets;

impl Codec for Octets {
    type Encode = Vec<u8>;
    type Decode = Vec<u8>;
    type Encoder = Octets;
    type Decoder = Octets;
    fn encoder(&mut self) -> Octets {
        Octets
    }
    fn decoder(&mut self) -> Octets {
        Octets
    }
}
impl Encoder for Octets {
    type Item = Vec<u8>;
    type Error = Status;
    fn encode(&mut self, item: Vec<u8>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put_slice(&item);
        Ok(())
    }
}
impl Decoder for Octets {
    type Item = Vec<u8>;
    type Error = Status;
    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Vec<u8>>, Status> {
        let mut octets = vec![0; buffer.remaining()];
        buffer.copy_to_slice(&mut octets);
        Ok(Some(octets))
    }
}

/// Octets in hex.
pub fn hex(octets: &[u8]) -> String {
    octets.iter().map(|one| format!("{one:02x}")).collect()
}
pub fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).filter_map(|at| u8::from_str_radix(&text[at * 2..at * 2 + 2], 16).ok()).collect()
}
