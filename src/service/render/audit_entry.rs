//! Converts audit entries to messages of the API.

use prost_types::{ListValue, NullValue, Struct, Value, value::Kind};
use serde_json::{Map, Value as Json};

use super::timestamp;
use crate::{
    proto::v1 as pb,
    rules::access::{audit_entry::AuditEntry, principal::Role},
};

pub(in crate::service) fn audit_entry(entry: AuditEntry) -> pb::AuditEntry {
    pb::AuditEntry {
        id: entry.id,
        create_time: Some(timestamp(entry.at)),
        principal: entry.principal,
        role: entry.role.map_or(pb::Role::Unspecified, role).into(),
        address: entry.address,
        method: entry.method,
        call_id: entry.call_id,
        subjects: entry.subjects,
        details: Some(object(entry.details)),
        denied: entry.is_denied,
        calls: entry.calls,
    }
}

fn role(role: Role) -> pb::Role {
    match role {
        Role::Reader => pb::Role::Reader,
        Role::Maker => pb::Role::Maker,
        Role::Ops => pb::Role::Ops,
        Role::Admin => pb::Role::Admin,
    }
}

/// A field without a value is left out.
fn object(fields: Map<String, Json>) -> Struct {
    let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
    Struct { fields: fields.map(|(name, json)| (name, value(json))).collect() }
}

fn value(json: Json) -> Value {
    let kind = match json {
        Json::Null => Kind::NullValue(NullValue::NullValue.into()),
        Json::Bool(is) => Kind::BoolValue(is),
        // The numbers in entries are 32-bit counts and limits.
        Json::Number(number) => Kind::NumberValue(number.as_f64().unwrap_or_default()),
        Json::String(text) => Kind::StringValue(text),
        Json::Array(values) => Kind::ListValue(ListValue { values: values.into_iter().map(value).collect() }),
        Json::Object(fields) => Kind::StructValue(object(fields)),
    };
    Value { kind: Some(kind) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_same_names_on_the_wire() {
        for one in Role::ALL {
            assert_eq!(role(one).as_str_name(), format!("ROLE_{}", one.name().to_ascii_uppercase()));
        }
    }
}
