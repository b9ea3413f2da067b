//! Converts the gRPC response of a server stream to one of Connect: a head before each message, and the status as the
//! last message.

use std::{
    collections::BTreeMap,
    convert::Infallible,
    pin::Pin,
    task::{Context, Poll, ready},
};

use http::{HeaderMap, HeaderValue, Response, header};
use http_body::{Body as _, Frame};
use prost::bytes::Bytes;
use prost_reflect::MessageDescriptor;
use serde::Serialize;
use tonic::{Code, Status, body::Body};

use super::{
    codec::Codec,
    failure::Failure,
    frames::{Flags, Messages, with_head},
    gzip,
    incoming::Incoming,
    methods::Methods,
    unary::{metadata, without_status},
};

/// The last message of a stream. The field names are those of the specification.
#[derive(Debug, Serialize)]
struct End<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failure<'a>>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    metadata: BTreeMap<String, Vec<String>>,
}

/// The answer in the form of the request. Its HTTP status is 200 even if the call failed.
pub(super) fn answer(response: Response<Body>, incoming: &Incoming, methods: &Methods) -> Response<Body> {
    let (parts, body) = response.into_parts();
    let refused = Status::from_header_map(&parts.headers);
    let stream = Stream {
        body,
        messages: Messages::default(),
        codec: incoming.codec,
        is_gzip: incoming.reads_gzip,
        output: incoming.output.clone(),
        methods: methods.clone(),
        refused,
        is_over: false,
    };
    let mut response = Response::new(Body::new(stream));
    let headers = response.headers_mut();
    for (name, value) in metadata(&parts.headers) {
        headers.append(name, value.clone());
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(incoming.codec.content_type(true)));
    if incoming.reads_gzip {
        headers.insert("connect-content-encoding", HeaderValue::from_static(gzip::GZIP));
    }
    response
}

/// A gRPC body that is read as a Connect body. It polls for the next message when its caller has taken the last one.
struct Stream {
    body: Body,
    messages: Messages,
    codec: Codec,
    is_gzip: bool,
    output: Option<MessageDescriptor>,
    methods: Methods,
    /// The status of a call that has no messages.
    refused: Option<Status>,
    is_over: bool,
}

impl Stream {
    fn message(&self, message: Bytes) -> Result<Bytes, Status> {
        let output = self.output.as_ref().ok_or_else(without_status)?;
        let message = self.codec.write(output, message)?;
        let compressed = if self.is_gzip { gzip::deflate(&message) } else { None };
        Ok(match compressed {
            Some(compressed) => with_head(Flags::COMPRESSED, &compressed),
            None => with_head(Flags::PLAIN, &message),
        })
    }

    fn end(&mut self, status: &Status, trailers: &HeaderMap) -> Bytes {
        self.is_over = true;
        let error = (status.code() != Code::Ok).then(|| Failure::of(status, &self.methods));
        let mut texts = BTreeMap::<_, Vec<_>>::new();
        for (name, value) in metadata(trailers) {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            texts.entry(name.as_str().to_owned()).or_default().push(value);
        }
        let end = serde_json::to_vec(&End { error, metadata: texts }).unwrap_or_default();
        with_head(Flags::END, &end)
    }

    fn poll_bytes(&mut self, cx: &mut Context<'_>) -> Poll<Bytes> {
        if let Some(status) = self.refused.take() {
            return Poll::Ready(self.end(&status, &HeaderMap::new()));
        }
        loop {
            if let Some(message) = self.messages.next() {
                return Poll::Ready(match self.message(message) {
                    Ok(bytes) => bytes,
                    Err(status) => self.end(&status, &HeaderMap::new()),
                });
            }
            let (status, trailers) = match ready!(Pin::new(&mut self.body).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => {
                        self.messages.push(&data);
                        continue;
                    }
                    Err(frame) => {
                        let trailers = frame.into_trailers().unwrap_or_default();
                        (Status::from_header_map(&trailers).unwrap_or_else(without_status), trailers)
                    }
                },
                Some(Err(status)) => (status, HeaderMap::new()),
                None => (without_status(), HeaderMap::new()),
            };
            return Poll::Ready(self.end(&status, &trailers));
        }
    }
}

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        if self.is_over {
            return Poll::Ready(None);
        }
        let bytes = ready!(self.poll_bytes(cx));
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.is_over
    }
}
