//! The methods as operations: a POST with a message, which the server answers with a message or an error.

use prost_reflect::{Kind, MethodDescriptor};
use prost_types::method_options::IdempotencyLevel;
use serde_json::{Value, json};

use super::{comments::in_file, schemas::Schemas};

/// The path of a method, and its only operation.
pub(super) fn path(method: &MethodDescriptor, schemas: &mut Schemas) -> (String, Value) {
    let service = method.parent_service();
    let said = in_file(&method.parent_file(), method.path());
    let [request, response] = [method.input(), method.output()].map(|message| schemas.message(&message));
    let operation = json!({
        "operationId": format!("{}_{}", service.name(), method.name()),
        "tags": [service.name()],
        "description": format!("{said}\n\nRole: {}. Idempotency: {}.", role(method), idempotency(method)),
        "parameters": parameters(),
        "requestBody": { "required": true, "content": { "application/json": { "schema": request } } },
        "responses": {
            "200": {
                "description": in_file(&method.output().parent_file(), method.output().path()),
                "content": { "application/json": { "schema": response } },
            },
            "default": failed(),
        },
    });
    (format!("/{}/{}", service.full_name(), method.name()), json!({ "post": operation }))
}

/// The response of a call that failed.
pub(super) fn failed() -> Value {
    json!({ "$ref": "#/components/responses/Error" })
}

/// The headers of every request.
pub(super) fn parameters() -> Vec<Value> {
    let names = headers().as_object().into_iter().flat_map(|headers| headers.keys().cloned()).collect::<Vec<_>>();
    names.into_iter().map(|name| json!({ "$ref": format!("#/components/parameters/{name}") })).collect()
}

/// The headers by name.
pub(super) fn headers() -> Value {
    json!({
        "connect-timeout-ms": {
            "name": "connect-timeout-ms",
            "in": "header",
            "description": "The time that the call may take, in milliseconds. Default: no limit.",
            "schema": { "type": "integer", "minimum": 0, "maximum": 9_999_999_999_u64 },
        },
        "x-request-id": {
            "name": "x-request-id",
            "in": "header",
            "description": "The call ID, which the answer, the log, and the audit trail have too. Default: random.",
            "schema": { "type": "string", "pattern": "^[A-Za-z0-9._-]{1,64}$" },
        },
    })
}

/// The lowest role that may call the method: an option that the API itself defines.
fn role(method: &MethodDescriptor) -> String {
    let option = method.parent_pool().get_extension_by_name("puzzled.v1.role");
    let named = option.and_then(|option| {
        let Kind::Enum(roles) = option.kind() else { return None };
        let number = method.options().get_extension(&option).as_enum_number()?;
        Some(roles.get_value(number)?.name().trim_start_matches("ROLE_").to_lowercase())
    });
    format!("`{}`", named.unwrap_or_default())
}

fn idempotency(method: &MethodDescriptor) -> String {
    let options = method.options();
    let number = options.get_field_by_name("idempotency_level").and_then(|level| level.as_enum_number());
    match number.and_then(|number| IdempotencyLevel::try_from(number).ok()) {
        None | Some(IdempotencyLevel::IdempotencyUnknown) => "not declared".to_owned(),
        Some(level) => format!("`{}`", level.as_str_name()),
    }
}
