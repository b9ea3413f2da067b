//! The error of a failed call: its code, its message, and its details, among them the reason.

use prost_reflect::{DescriptorPool, EnumDescriptor};
use serde_json::{Value, json};

use super::{
    comments::{in_file, list, put, with_description},
    schemas::{Schemas, reference},
};
use puzzled_api::codes::codes;

/// The messages of `google.rpc` that errors carry.
const DETAILS: [&str; 7] =
    ["ErrorInfo", "BadRequest", "PreconditionFailure", "QuotaFailure", "RequestInfo", "ResourceInfo", "RetryInfo"];

/// The detail with the reason.
const REASON: &str = "google.rpc.ErrorInfo";

const PREFIX: &str = "ERROR_REASON_";

/// The schema of an error.
pub(super) fn error(pool: &DescriptorPool, schemas: &mut Schemas) -> Value {
    let forms: Vec<_> = DETAILS.iter().filter_map(|name| form(name, pool, schemas)).collect();
    if let Some(reasons) = pool.get_enum_by_name("puzzled.v1.ErrorReason") {
        schemas.add("Reason", reason(&reasons));
        let properties = json!({ "reason": reference("Reason"), "domain": { "const": "puzzled.v1" } });
        schemas.change(REASON, |info| merge(info, properties));
    }
    let named: Vec<_> = codes().map(|(name, _)| name).collect();
    let codes = codes().map(|(name, status)| (name, format!("HTTP status {status}")));
    schemas.add(
        "ErrorDetail",
        json!({
            "type": "object",
            "description": "A detail of an error.",
            "properties": {
                "type": { "type": "string", "description": "The name of the message, such as `google.rpc.ErrorInfo`." },
                "value": { "type": "string", "description": "The message in protocol buffers, in base64 without padding." },
                "debug": { "description": "The message as JSON." },
            },
            "required": ["type", "value"],
            "allOf": forms,
        }),
    );
    let details = "The details. The first one is a `google.rpc.ErrorInfo` with the reason. If there is a `google.rpc.RetryInfo`, \
                   repeat the call after its delay.";
    let members = json!({
        "code": { "type": "string", "enum": named, "description": format!("The code:\n\n{}", list(codes)) },
        "message": { "type": "string", "description": "The error for people. The text may change." },
        "details": { "type": "array", "items": reference("ErrorDetail"), "description": details },
    });
    schemas.add(
        "Error",
        json!({
            "type": "object",
            "description": "The error of a failed call. Decide by the reason in its details.",
            "properties": members,
            "required": ["code"],
        }),
    )
}

/// The rule for details of one type: if `type` is the message with this name, `debug` is the message as JSON.
fn form(name: &str, pool: &DescriptorPool, schemas: &mut Schemas) -> Option<Value> {
    let message = pool.get_message_by_name(&format!("google.rpc.{name}"))?;
    Some(json!({
        "if": { "properties": { "type": { "const": message.full_name() } } },
        "then": { "properties": { "debug": schemas.message(&message) } },
    }))
}

/// The reasons, as errors name them.
fn reason(reasons: &EnumDescriptor) -> Value {
    let known: Vec<_> = reasons
        .values()
        .filter(|value| value.number() != 0)
        .map(|value| {
            let name = value.name().trim_start_matches(PREFIX).to_owned();
            (name, in_file(&value.parent_file(), value.path()))
        })
        .collect();
    let names: Vec<_> = known.iter().map(|(name, _)| name.clone()).collect();
    let said = format!("The reason of an error. Newer servers may send others.\n\n{}", list(known));
    with_description(json!({ "type": "string", "enum": names }), said)
}

/// Puts properties into the schema of a message.
fn merge(schema: &mut Value, properties: Value) {
    if let (Some(known), Value::Object(new)) = (schema.get_mut("properties"), properties) {
        new.into_iter().for_each(|(name, value)| put(known, &name, value));
    }
}
