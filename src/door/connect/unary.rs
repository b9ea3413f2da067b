//! Converts the gRPC response of a unary call to one of Connect: the message or the error as the body, and the trailers
//! as headers.

use http::{HeaderMap, HeaderName, HeaderValue, Response, header};
use http_body_util::BodyExt as _;
use prost::bytes::Bytes;
use tonic::{Code, Status, body::Body};

use super::{codec::whole, failure, frames::Messages, gzip, incoming::Incoming, methods::Methods};

/// The prefix of the names of trailers that travel as headers.
const TRAILER: &str = "trailer-";

/// The answer in the form of the request.
pub(super) async fn answer(response: Response<Body>, incoming: &Incoming, methods: &Methods) -> Response<Body> {
    let success = |message, body| {
        let output = incoming.output.as_ref().ok_or_else(without_message)?;
        Ok(success(incoming.codec.write(output, message)?, body, incoming))
    };
    answer_with(response, methods, success).await
}

/// The answer that `success` makes of the message and the body of gRPC, or the error of the call.
pub(super) async fn answer_with(
    response: Response<Body>,
    methods: &Methods,
    success: impl FnOnce(Bytes, Body) -> Result<Response<Body>, Status>,
) -> Response<Body> {
    let (parts, mut body) = response.into_parts();
    let (message, status, trailers) = match Status::from_header_map(&parts.headers) {
        Some(status) => (None, status, HeaderMap::new()),
        None => gathered(&mut body).await,
    };
    let answered = match (status.code(), message) {
        (Code::Ok, Some(message)) => success(message, body),
        (Code::Ok, None) => Err(without_message()),
        _ => Err(status),
    };
    let mut response = answered.unwrap_or_else(|status| failure::answer(&status, methods));
    for (name, value) in metadata(&parts.headers) {
        response.headers_mut().append(name, value.clone());
    }
    for (name, value) in metadata(&trailers) {
        if let Ok(name) = HeaderName::try_from(format!("{TRAILER}{name}")) {
            response.headers_mut().append(name, value.clone());
        }
    }
    response
}

fn without_message() -> Status {
    Status::internal("the answer has no message")
}

/// Reads a body: its message, the status, and the trailers.
async fn gathered(body: &mut Body) -> (Option<Bytes>, Status, HeaderMap) {
    match body.collect().await {
        Ok(collected) => {
            let trailers = collected.trailers().cloned().unwrap_or_default();
            let status = Status::from_header_map(&trailers).unwrap_or_else(without_status);
            let mut messages = Messages::default();
            messages.push(&collected.to_bytes());
            (messages.next(), status, trailers)
        }
        Err(status) => (None, status, HeaderMap::new()),
    }
}

/// The status of an answer that ends without one.
pub(super) fn without_status() -> Status {
    Status::internal("the answer ended without a status")
}

fn success(message: Bytes, body: Body, incoming: &Incoming) -> Response<Body> {
    let compressed = if incoming.reads_gzip { gzip::deflate(&message) } else { None };
    let is_compressed = compressed.is_some();
    let mut response = Response::new(whole(compressed.unwrap_or(message), body));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(incoming.codec.content_type(false)));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(gzip::GZIP));
    }
    response
}

/// The headers or trailers of gRPC that are not part of its framing.
pub(super) fn metadata(headers: &HeaderMap) -> impl Iterator<Item = (&HeaderName, &HeaderValue)> {
    let framing = [header::CONTENT_TYPE, header::CONTENT_LENGTH];
    headers.iter().filter(move |(name, _)| !name.as_str().starts_with("grpc-") && !framing.contains(name))
}
