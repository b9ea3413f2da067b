//! A gRPC client that takes requests as JSON and returns responses as JSON, by the descriptors of the API. Tests compare its
//! responses with those of the Connect protocol.

use std::collections::BTreeSet;

use prost_reflect::{DynamicMessage, MethodDescriptor};
use prost_types::method_options::IdempotencyLevel;
use serde_json::Value;
use tonic::{Request, Status, Streaming};

use super::{
    contract::{json, methods},
    http::path,
};
use crate::{dynamic, server::Server};

/// The name as these tests write it: `JobService/GetJob`.
fn name(method: &MethodDescriptor) -> String {
    format!("{}/{}", method.parent_service().name(), method.name())
}

/// The names of all methods that only read, or of all others.
pub(crate) fn names(is_reading: bool) -> BTreeSet<String> {
    let reads = |method: &MethodDescriptor| {
        let options = method.method_descriptor_proto().options.as_ref();
        options.is_some_and(|options| options.idempotency_level() == IdempotencyLevel::NoSideEffects)
    };
    methods().iter().filter(|method| reads(method) == is_reading).map(name).collect()
}

fn method(wanted: &str) -> MethodDescriptor {
    methods().into_iter().find(|method| name(method) == wanted).unwrap_or_else(|| panic!("no method {wanted}"))
}

/// The message of a method's request.
pub(crate) fn message(of: &str, json: &Value) -> DynamicMessage {
    DynamicMessage::deserialize(method(of).input(), json).unwrap()
}

/// The message of a method's answer as JSON.
pub(crate) fn answer(of: &str, bytes: &[u8]) -> Value {
    json(&DynamicMessage::decode(method(of).output(), bytes).unwrap())
}

/// Opens a stream; a unary method counts as a stream of one message.
pub(crate) async fn open(server: &Server, of: &str, json: &Value) -> Result<Streaming<DynamicMessage>, Status> {
    let request = Request::new(message(of, json));
    dynamic::open(server.channel().await, &path(of), request, method(of).output()).await
}

/// All messages of an answer.
pub(crate) async fn call(server: &Server, of: &str, json: &Value) -> Result<Vec<Value>, Status> {
    let mut stream = open(server, of, json).await?;
    let mut messages = Vec::new();
    while let Some(message) = stream.message().await? {
        messages.push(self::json(&message));
    }
    Ok(messages)
}
