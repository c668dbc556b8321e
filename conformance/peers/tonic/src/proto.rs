//! The messages of vectors/rpc/conformance.proto, field by field.

/// A value of a field: a number, or octets.
pub enum Value<'a> {
    Number(u64),
    Octets(&'a [u8]),
}

fn varint(octets: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let (first, rest) = octets.split_first()?;
        *octets = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}
fn take<'a>(octets: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    if count > octets.len() {
        return None;
    }
    let (first, rest) = octets.split_at(count);
    *octets = rest;
    Some(first)
}
/// The fields of a message; none if it is malformed.
pub fn fields(mut octets: &[u8]) -> Option<Vec<(u64, Value<'_>)>> {
    let mut found = Vec::new();
    while !octets.is_empty() {
        let tag = varint(&mut octets)?;
        if tag >> 3 == 0 {
            return None;
        }
        let value = match tag & 7 {
            0 => Value::Number(varint(&mut octets)?),
            1 => Value::Octets(take(&mut octets, 8)?),
            2 => {
                let count = varint(&mut octets)?;
                Value::Octets(take(&mut octets, usize::try_from(count).ok()?)?)
            }
            5 => Value::Octets(take(&mut octets, 4)?),
            _ => return None,
        };
        found.push((tag >> 3, value));
    }
    Some(found)
}

#[derive(Clone, Default)]
pub struct Field {
    pub name: String,
    pub text: String,
    pub octets: Vec<u8>,
}
#[derive(Clone, Default)]
pub struct Plan {
    pub call: String,
    pub headers: Vec<Field>,
    pub trailers: Vec<Field>,
    pub headers_first: bool,
    pub delay_ms: u64,
    pub compression: u64,
    pub responses: u64,
    pub response_octets: usize,
    pub early: bool,
    pub status: i32,
    pub message: String,
    pub details: Vec<u8>,
    pub throws: bool,
}
#[derive(Default)]
pub struct Request {
    pub payload: Vec<u8>,
    pub plan: Option<Plan>,
}

fn text(octets: &[u8]) -> Option<String> {
    String::from_utf8(octets.to_vec()).ok()
}
fn field(octets: &[u8]) -> Option<Field> {
    let mut made = Field::default();
    for one in fields(octets)? {
        match one {
            (1, Value::Octets(name)) => made.name = text(name)?,
            (2, Value::Octets(value)) => made.text = text(value)?,
            (3, Value::Octets(value)) => made.octets = value.to_vec(),
            _ => {}
        }
    }
    Some(made)
}
fn plan(octets: &[u8]) -> Option<Plan> {
    let mut made = Plan::default();
    for one in fields(octets)? {
        match one {
            (1, Value::Octets(value)) => made.call = text(value)?,
            (2, Value::Octets(value)) => made.headers.push(field(value)?),
            (3, Value::Octets(value)) => made.trailers.push(field(value)?),
            (4, Value::Number(value)) => made.headers_first = value != 0,
            (5, Value::Number(value)) => made.delay_ms = value,
            (6, Value::Number(value)) => made.compression = value,
            (7, Value::Number(value)) => made.responses = value,
            (8, Value::Number(value)) => made.response_octets = value as usize,
            (9, Value::Number(value)) => made.early = value != 0,
            (10, Value::Number(value)) => made.status = value as i32,
            (11, Value::Octets(value)) => made.message = text(value)?,
            (12, Value::Octets(value)) => made.details = value.to_vec(),
            (13, Value::Number(value)) => made.throws = value != 0,
            _ => {}
        }
    }
    Some(made)
}
pub fn request(octets: &[u8]) -> Option<Request> {
    let mut made = Request::default();
    for one in fields(octets)? {
        match one {
            (1, Value::Octets(value)) => made.payload = value.to_vec(),
            (2, Value::Octets(value)) => made.plan = Some(plan(value)?),
            _ => {}
        }
    }
    Some(made)
}
/// The name in a FateRequest.
pub fn fate_request(octets: &[u8]) -> Option<String> {
    let mut name = String::new();
    for one in fields(octets)? {
        if let (1, Value::Octets(value)) = one {
            name = text(value)?;
        }
    }
    Some(name)
}

fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 0x7f {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
pub fn put_number(out: &mut Vec<u8>, number: u64, value: u64) {
    if value == 0 {
        return;
    }
    put_varint(out, number << 3);
    put_varint(out, value);
}
pub fn put_octets(out: &mut Vec<u8>, number: u64, value: &[u8]) {
    put_varint(out, number << 3 | 2);
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}
