//! Converts the body of a Connect request to that of a gRPC request: reads it within a size limit, decompresses it, and
//! frames it as one message.

use futures_util::stream::once;
use http_body::{Body as _, Frame};
use http_body_util::{BodyExt as _, StreamBody};
use prost::bytes::{Bytes, BytesMut};
use prost_reflect::MessageDescriptor;
use tonic::{Status, body::Body};

use super::{
    codec::Codec,
    frames::{self, Flags, HEAD_LEN},
    gzip,
};
use crate::calls::Invalid;

/// A body that is too large is read and discarded up to this multiple of its limit. A caller that is still sending when
/// the connection closes does not always see the answer.
const DISCARDED_BOUNDS: usize = 4;

/// How the body of a request is read.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    pub(super) codec: Codec,
    /// Whether the message has a head, as in a stream.
    pub(super) is_stream: bool,
    /// If the message has a head: whether it may be compressed. Otherwise: whether it is compressed.
    pub(super) is_gzip: bool,
    pub(super) input: MessageDescriptor,
    /// The maximum size of the body in bytes, both before and after decompression.
    pub(super) bytes_max: usize,
}

impl Reading {
    /// Reads the message from a complete body, and frames it for gRPC.
    ///
    /// # Errors
    /// `INVALID_FIELD` with what is wrong with the body or its JSON; `MESSAGE_TOO_LARGE`.
    pub(super) fn message(&self, body: Bytes) -> Result<Bytes, Status> {
        let (message, is_gzip) = if self.is_stream { self.only_message(body)? } else { (body, self.is_gzip) };
        // An empty message is never compressed.
        let message = if is_gzip && !message.is_empty() { gzip::inflate(&message, self.bytes_max)? } else { message };
        Ok(frames::framed(&self.codec.read(&self.input, message)?))
    }

    /// The message after its head, and whether it is compressed. Methods that stream take one message.
    fn only_message(&self, mut body: Bytes) -> Result<(Bytes, bool), Status> {
        let fault = |fault: &str| Status::from(Invalid::one("body", fault.to_owned()));
        let Some((flags, len)) = frames::head(&body) else {
            return Err(fault("less than five bytes; a message begins with its flags and its length"));
        };
        if ![Flags::PLAIN, Flags::COMPRESSED].contains(&flags) {
            return Err(fault("unknown flags of a message; use 0, or 1 for a compressed message"));
        }
        if flags.is_compressed() && !self.is_gzip {
            return Err(fault("compressed, but `connect-content-encoding` does not say how"));
        }
        let message = body.split_off(HEAD_LEN);
        if message.len() != len {
            return Err(fault(&format!("{} bytes after a head that says {len}; send one message", message.len())));
        }
        Ok((message, flags.is_compressed()))
    }
}

/// A Connect body that is read as a gRPC body. If `reading` is a fault, the body fails with it.
pub(super) fn request_body(body: Body, reading: Result<Reading, Box<Status>>) -> Body {
    Body::new(StreamBody::new(once(async move {
        let message = gathered(body, &reading.map_err(|fault| *fault)?).await?;
        Ok::<_, Status>(Frame::data(message))
    })))
}

/// Reads the whole body, or returns its fault.
async fn gathered(mut body: Body, reading: &Reading) -> Result<Bytes, Status> {
    let bytes_max = reading.bytes_max + if reading.is_stream { HEAD_LEN } else { 0 };
    let discarded_max = bytes_max.saturating_mul(DISCARDED_BOUNDS);
    if body.size_hint().lower() > discarded_max as u64 {
        return Err(gzip::too_large(reading.bytes_max));
    }
    let (mut gathered, mut len) = (BytesMut::new(), 0_usize);
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else { continue };
        len = len.saturating_add(data.len());
        if len <= bytes_max {
            gathered.extend_from_slice(&data);
        } else if len > discarded_max {
            break;
        }
    }
    if len > bytes_max { Err(gzip::too_large(reading.bytes_max)) } else { reading.message(gathered.freeze()) }
}
