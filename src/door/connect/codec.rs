//! Converts messages between the two forms of the Connect protocol, JSON and protocol buffers. The content type of a
//! request chooses the form.

use http_body_util::Full;
use prost::{Message as _, bytes::Bytes};
use prost_reflect::{DynamicMessage, MessageDescriptor, SerializeOptions};
use tonic::body::Body;

use super::{json_faults, json_twice};
use crate::calls::{Invalid, Keeping, ServiceError};
use puzzled_base::message::MARK;

/// The form of the messages of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Codec {
    /// The JSON mapping. Unknown fields are errors.
    Json,
    /// Protocol buffers.
    Proto,
}

impl Codec {
    /// The form that a content type names, and whether it is for streams.
    pub(super) fn of_content_type(content_type: &str) -> Option<(Self, bool)> {
        let (form, parameters) = content_type.split_once(';').unwrap_or((content_type, ""));
        let charset = parameters.trim().to_ascii_lowercase();
        let is_utf8 = matches!(charset.as_str(), "" | "charset=utf-8" | "charset=\"utf-8\"");
        let form = form.trim().to_ascii_lowercase();
        let all = [(Self::Json, false), (Self::Json, true), (Self::Proto, false), (Self::Proto, true)];
        all.into_iter().find(|(codec, is_stream)| is_utf8 && codec.content_type(*is_stream) == form)
    }

    /// The content type of a message, or of a stream of messages.
    pub(super) const fn content_type(self, is_stream: bool) -> &'static str {
        match (self, is_stream) {
            (Self::Json, false) => "application/json",
            (Self::Json, true) => "application/connect+json",
            (Self::Proto, false) => "application/proto",
            (Self::Proto, true) => "application/connect+proto",
        }
    }

    /// Converts a caller's message to protocol buffers. A message in protocol buffers is returned unchecked: gRPC decodes it later.
    ///
    /// # Errors
    /// [`ServiceError::Invalid`] with the wrong fields, or with the place of the syntax error in the JSON.
    pub(super) fn read(self, descriptor: &MessageDescriptor, message: Bytes) -> Result<Bytes, ServiceError> {
        match self {
            Self::Proto => Ok(message),
            Self::Json => read_json(descriptor, &message),
        }
    }

    /// Converts a message of the server from protocol buffers.
    ///
    /// # Errors
    /// [`ServiceError::Internal`] if the message does not match its descriptor.
    pub(super) fn write(self, descriptor: &MessageDescriptor, message: Bytes) -> Result<Bytes, ServiceError> {
        match self {
            Self::Proto => Ok(message),
            Self::Json => {
                let message = DynamicMessage::decode(descriptor.clone(), message).map_err(internal)?;
                json(&message).map(Bytes::from)
            }
        }
    }
}

/// The message as JSON. Fields with their default value are left out, as in other Connect servers.
pub(super) fn json(message: &DynamicMessage) -> Result<Vec<u8>, ServiceError> {
    let mut serializer = serde_json::Serializer::new(Vec::new());
    let options = SerializeOptions::new();
    message.serialize_with_options(&mut serializer, &options).map_err(internal)?;
    Ok(serializer.into_inner())
}

fn internal(error: impl std::fmt::Display) -> ServiceError {
    ServiceError::Internal(format!("a message cannot be translated: {error}"))
}

fn read_json(descriptor: &MessageDescriptor, json: &[u8]) -> Result<Bytes, ServiceError> {
    let json = json.strip_prefix(MARK.as_bytes()).unwrap_or(json);
    if json.iter().all(u8::is_ascii_whitespace) {
        return Err(Invalid::one("body", "empty; send {} for a request without fields".to_owned()));
    }
    if let Some(field) = json_twice::field(descriptor, json) {
        return Err(Invalid::one(field, "stated twice; state it once".to_owned()));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let message =
        DynamicMessage::deserialize_with_options(descriptor.clone(), &mut deserializer, &json_faults::strict());
    match message.and_then(|message| deserializer.end().map(|()| message)) {
        Ok(message) => Ok(message.encode_to_vec().into()),
        Err(error) => Err(json_faults::in_words(descriptor, json, &error)),
    }
}

/// A body of these bytes. It keeps the gRPC body, which counts the call as in flight, until all bytes are sent.
pub(super) fn whole(bytes: Bytes, grpc: Body) -> Body {
    Body::new(Keeping { body: Full::new(bytes), _kept: grpc })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_types_are_read_with_their_parameters() {
        for (content_type, expected) in [
            ("application/json", Some((Codec::Json, false))),
            ("Application/JSON; Charset=UTF-8", Some((Codec::Json, false))),
            ("application/proto", Some((Codec::Proto, false))),
            ("application/connect+json", Some((Codec::Json, true))),
            ("application/connect+proto", Some((Codec::Proto, true))),
            ("application/json; charset=latin1", None),
            ("application/jsonp", None),
            ("text/plain", None),
            ("", None),
        ] {
            assert_eq!(Codec::of_content_type(content_type), expected, "{content_type:?}");
        }
    }
}
