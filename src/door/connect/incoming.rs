//! Reads the headers of a Connect request: the form and compression of its body and of its answer, the version of the
//! protocol, and the timeout. With them, converts the request to gRPC.

use http::{HeaderMap, HeaderName, HeaderValue, Request, Uri, Version, header};
use prost::bytes::Bytes;
use prost_reflect::{MessageDescriptor, MethodDescriptor};
use tonic::{Status, body::Body};

use super::{
    codec::Codec,
    gzip,
    request_body::{Reading, request_body},
};
use crate::calls::{Invalid, ServiceError};
use puzzled_engine::shared::names::quoted;

/// A path that gRPC has no method for.
const UNKNOWN: &str = "/unknown";

const PROTOCOL_VERSION: &str = "connect-protocol-version";
const TIMEOUT: &str = "connect-timeout-ms";
/// The compression of the messages of a stream.
const STREAM_ENCODING: &str = "connect-content-encoding";
const STREAM_ACCEPT_ENCODING: &str = "connect-accept-encoding";

/// The maximum number of digits in a timeout, by the specification of Connect.
const TIMEOUT_DIGITS_MAX: usize = 10;

/// The maximum number of milliseconds in `grpc-timeout`, which has eight digits. Longer timeouts are sent in seconds.
const GRPC_MILLIS_MAX: u64 = 99_999_999;

/// The headers about the connection and about the form of the body. The gRPC request gets its own instead.
const REPLACED: [HeaderName; 9] = [
    header::CONTENT_TYPE,
    header::CONTENT_LENGTH,
    header::CONTENT_ENCODING,
    header::ACCEPT_ENCODING,
    header::ACCEPT,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::EXPECT,
    header::UPGRADE,
];

/// A request in the form of Connect.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) codec: Codec,
    is_stream: bool,
    /// Whether the caller reads gzip.
    pub(super) reads_gzip: bool,
    /// The type of the answer's messages; `None` for an unknown method.
    pub(super) output: Option<MessageDescriptor>,
    timeout: Option<String>,
    reading: Result<Reading, Box<Status>>,
}

impl Incoming {
    /// Reads the headers of a request to `method`. `None` if the content type is not that of Connect, or not that of
    /// this type of method.
    pub(super) fn read(headers: &HeaderMap, method: Option<&MethodDescriptor>, bytes_max: usize) -> Option<Self> {
        let content_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
        let (codec, is_stream) = Codec::of_content_type(content_type)?;
        if method.is_some_and(|method| method.is_server_streaming() != is_stream) {
            return None;
        }
        let (sent, accepted) = if is_stream {
            (STREAM_ENCODING, STREAM_ACCEPT_ENCODING)
        } else {
            (header::CONTENT_ENCODING.as_str(), header::ACCEPT_ENCODING.as_str())
        };
        let timeout = timeout(headers);
        let fault = version_fault(headers).or_else(|| timeout.as_ref().err().cloned());
        let reading = match (fault, method, gzip::is_used(headers.get(sent))) {
            (Some(fault), ..) | (None, _, Err(fault)) => Err(Box::new(fault)),
            // This is the status of gRPC for an unknown method.
            (None, None, Ok(_)) => Err(Box::new(Status::unimplemented(""))),
            (None, Some(method), Ok(is_gzip)) => {
                Ok(Reading { codec, is_stream, is_gzip, input: method.input(), bytes_max })
            }
        };
        Some(Self {
            codec,
            is_stream,
            reads_gzip: gzip::is_accepted(headers.get(accepted)),
            output: method.map(MethodDescriptor::output),
            timeout: timeout.ok().flatten(),
            reading,
        })
    }

    /// A request to a unary method that comes without the headers of Connect. Its body is the message in protocol buffers. If
    /// there is a `fault`, the call fails with it.
    pub(super) fn of_message(
        headers: &HeaderMap,
        method: &MethodDescriptor,
        fault: Option<Status>,
        bytes_max: usize,
    ) -> Self {
        let (codec, is_stream) = (Codec::Proto, false);
        let reading = Reading { codec, is_stream, is_gzip: false, input: method.input(), bytes_max };
        Self {
            codec,
            is_stream,
            reads_gzip: gzip::is_accepted(headers.get(header::ACCEPT_ENCODING)),
            output: Some(method.output()),
            timeout: None,
            reading: fault.map_or(Ok(reading), |fault| Err(Box::new(fault))),
        }
    }

    pub(super) fn is_stream(&self) -> bool {
        self.is_stream
    }

    /// Reads the message from a complete body.
    ///
    /// # Errors
    /// The fault of the headers or of the body.
    pub(super) fn message(self, body: Bytes) -> Result<Bytes, Status> {
        self.reading.map_err(|fault| *fault)?.message(body)
    }

    /// Converts the request to gRPC. A fault of the request becomes a fault of its body, so that the layers in front of
    /// the methods see every call.
    pub(super) fn grpc_request(&self, request: Request<Body>) -> Request<Body> {
        let mut request = request.map(|body| request_body(body, self.reading.clone()));
        *request.version_mut() = Version::HTTP_2;
        if self.output.is_none() {
            // gRPC may have a method at this path, for example a bidirectional stream.
            *request.uri_mut() = Uri::from_static(UNKNOWN);
        }
        let headers = request.headers_mut();
        for name in &REPLACED {
            headers.remove(name);
        }
        for name in [PROTOCOL_VERSION, TIMEOUT, STREAM_ENCODING, STREAM_ACCEPT_ENCODING] {
            headers.remove(name);
        }
        for name in ["grpc-timeout", "grpc-encoding", "grpc-accept-encoding"] {
            headers.remove(name);
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
        headers.insert(header::TE, HeaderValue::from_static("trailers"));
        if let Some(timeout) = self.timeout.as_deref().and_then(|timeout| HeaderValue::from_str(timeout).ok()) {
            headers.insert("grpc-timeout", timeout);
        }
        request
    }
}

fn version_fault(headers: &HeaderMap) -> Option<Status> {
    let version = headers.get(PROTOCOL_VERSION).filter(|version| *version != "1")?;
    let version = quoted(&String::from_utf8_lossy(version.as_bytes()));
    Some(Invalid::one(PROTOCOL_VERSION, format!("{version} is not supported; use 1")).into())
}

/// The timeout in the format of `grpc-timeout`.
fn timeout(headers: &HeaderMap) -> Result<Option<String>, Status> {
    let Some(value) = headers.get(TIMEOUT) else { return Ok(None) };
    let digits = value.to_str().unwrap_or_default();
    let is_number =
        (1..=TIMEOUT_DIGITS_MAX).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse::<u64>() {
        Ok(millis) if is_number && millis <= GRPC_MILLIS_MAX => Ok(Some(format!("{millis}m"))),
        Ok(millis) if is_number => Ok(Some(format!("{}S", millis / 1_000))),
        _ => {
            let value = quoted(&String::from_utf8_lossy(value.as_bytes()));
            let fault = format!("{value} is not allowed; use up to {TIMEOUT_DIGITS_MAX} digits, in milliseconds");
            Err(Status::from(Invalid::one(TIMEOUT, fault)))
        }
    }
}

/// The error for a request whose content type no method of its type accepts.
pub(super) fn content_type_error(sent: Option<&HeaderValue>, allowed: [&str; 2]) -> ServiceError {
    let [json, proto] = allowed;
    let sent = sent.map(|sent| quoted(&String::from_utf8_lossy(sent.as_bytes())));
    let sent = sent.map_or_else(|| "required".to_owned(), |sent| format!("{sent} is not supported here"));
    Invalid::one("content-type", format!("{sent}; use {json} or {proto}, or gRPC over HTTP/2"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts_become_those_of_grpc() {
        for (sent, expected) in [
            ("0", Some("0m")),
            ("250", Some("250m")),
            ("99999999", Some("99999999m")),
            ("100000000", Some("100000S")),
            ("9999999999", Some("9999999S")),
            ("10000000000", None),
            ("", None),
            ("-1", None),
            ("+1", None),
            ("1.5", None),
            ("1 ", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(TIMEOUT, HeaderValue::from_str(sent).unwrap());
            assert_eq!(timeout(&headers).ok().flatten().as_deref(), expected, "{sent:?}");
        }
        assert!(timeout(&HeaderMap::new()).unwrap().is_none());
    }
}
