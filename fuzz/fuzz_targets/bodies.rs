//! Fuzz target: any bytes as the body of a request over plain HTTP, in each form and to each method. Checks that a body
//! is read as one framed message or refused with an error of the caller.
#![no_main]

use std::sync::LazyLock;

use bytes::Bytes;
use fuzz::{Choices, in_time};
use http::{HeaderMap, HeaderValue};
use libfuzzer_sys::fuzz_target;
use puzzled::{door::Methods};

/// Most bytes of a body, before and after decompression.
const BYTES_MAX: usize = 64 << 10;

/// Bytes of the head of a framed message.
const HEAD_LEN: usize = 5;

/// The numbers of INVALID_ARGUMENT, OUT_OF_RANGE, and UNIMPLEMENTED, which a caller can bring about.
const CODES: [i32; 3] = [3, 11, 12];

const CONTENT_TYPES: [&str; 4] =
    ["application/json", "application/proto", "application/connect+json", "application/connect+proto"];

static METHODS: LazyLock<Methods> = LazyLock::new(|| Methods::load().expect("the descriptors of the API"));

static PATHS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let mut paths: Vec<_> = METHODS.paths().collect();
    paths.sort_unstable();
    paths
});

fuzz_target!(|data: &[u8]| in_time(|| look(data)));

fn look(data: &[u8]) {
    let mut choices = Choices(data);
    let path = PATHS[choices.below(PATHS.len())];
    let content_type = CONTENT_TYPES[choices.below(CONTENT_TYPES.len())];
    let encoding = ["identity", "gzip"][choices.below(2)];
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static(content_type));
    headers.insert("content-encoding", HeaderValue::from_static(encoding));
    headers.insert("connect-content-encoding", HeaderValue::from_static(encoding));
    let body = Bytes::copy_from_slice(choices.0);
    match METHODS.read_body(path, &headers, body, BYTES_MAX) {
        // A method of another type, such as a stream.
        None => {}
        Some(Ok(framed)) => check(path, content_type, framed),
        Some(Err(status)) => {
            assert!(CODES.contains(&i32::from(status.code())), "{status:?}");
            assert!(status.message().chars().count() <= 400, "{status:?}");
        }
    }
}

/// A message has the head of gRPC, and reads as the same message again.
fn check(path: &str, content_type: &'static str, framed: Bytes) {
    let (head, message) = framed.split_at(HEAD_LEN);
    let len = u32::from_be_bytes([head[1], head[2], head[3], head[4]]);
    assert_eq!((head[0], len as usize), (0, message.len()));
    let (again, body) = if content_type.contains("connect") {
        ("application/connect+proto", framed.clone())
    } else {
        ("application/proto", framed.slice(HEAD_LEN..))
    };
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static(again));
    if body.len() <= BYTES_MAX {
        let read = METHODS.read_body(path, &headers, body, BYTES_MAX).expect("a method of the same type");
        assert_eq!(read.expect("a message that was read"), framed);
    }
}
