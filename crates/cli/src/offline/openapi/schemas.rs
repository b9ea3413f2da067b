//! Translates messages and enums to schemas of OpenAPI, by the JSON mapping of protocol buffers.

use prost_reflect::{EnumDescriptor, FieldDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use super::{
    PACKAGE,
    comments::{in_file, list, put, with_description},
};

/// The comment of a field that a request must set begins with this word.
const REQUIRED: &str = "Required. ";

/// The schemas that are referenced, by name.
#[derive(Debug, Default)]
pub(super) struct Schemas(Map<String, Value>);

impl Schemas {
    /// All schemas, each under its name.
    pub(super) fn into_components(self) -> Value {
        Value::Object(self.0)
    }

    /// Adds a schema, and returns a reference to it.
    pub(super) fn add(&mut self, name: &str, schema: Value) -> Value {
        self.0.insert(name.to_owned(), schema);
        reference(name)
    }

    /// Changes a schema that was added.
    pub(super) fn change(&mut self, name: &str, change: impl FnOnce(&mut Value)) {
        if let Some(schema) = self.0.get_mut(name) {
            change(schema);
        }
    }

    /// The schema of a message. Adds the message, and all messages and enums in it.
    pub(super) fn message(&mut self, message: &MessageDescriptor) -> Value {
        if let Some(schema) = well_known(message.full_name()) {
            return schema;
        }
        let name = short(message.full_name());
        if !self.0.contains_key(name) {
            // A message may contain itself, so its name is taken before its fields are looked at.
            self.add(name, Value::Null);
            let schema = self.fields(message);
            self.add(name, schema);
        }
        reference(name)
    }

    /// The schema of a single value.
    pub(super) fn of_kind(&mut self, kind: &Kind) -> Value {
        match kind {
            Kind::Message(message) => self.message(message),
            Kind::Enum(values) => self.add(short(values.full_name()), names(values)),
            Kind::Bool => json!({ "type": "boolean" }),
            Kind::String => json!({ "type": "string" }),
            Kind::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
            Kind::Double => json!({ "type": "number", "format": "double" }),
            Kind::Float => json!({ "type": "number", "format": "float" }),
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
                json!({ "type": "integer", "format": "int32", "minimum": i32::MIN, "maximum": i32::MAX })
            }
            Kind::Uint32 | Kind::Fixed32 => {
                json!({ "type": "integer", "format": "uint32", "minimum": 0, "maximum": u32::MAX })
            }
            // The JSON of protocol buffers writes integers of 64 bits as strings, because a number of JavaScript cannot hold all of them.
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
                json!({ "type": "string", "format": "int64", "pattern": "^-?[0-9]{1,19}$" })
            }
            Kind::Uint64 | Kind::Fixed64 => json!({ "type": "string", "format": "uint64", "pattern": "^[0-9]{1,20}$" }),
        }
    }

    fn fields(&mut self, message: &MessageDescriptor) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in message.fields() {
            let comment = in_file(&field.parent_file(), field.path());
            if comment.starts_with(REQUIRED) {
                required.push(field.json_name().to_owned());
            }
            properties.insert(field.json_name().to_owned(), with_description(self.field(&field), comment));
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        if !required.is_empty() {
            put(&mut schema, "required", required.into());
        }
        let excluded = exclusive(message);
        if !excluded.is_empty() {
            put(&mut schema, "not", json!({ "anyOf": excluded }));
        }
        with_description(schema, in_file(&message.parent_file(), message.path()))
    }

    fn field(&mut self, field: &FieldDescriptor) -> Value {
        match field.kind() {
            Kind::Message(entry) if field.is_map() => {
                json!({ "type": "object", "additionalProperties": self.of_kind(&entry.map_entry_value_field().kind()) })
            }
            kind if field.is_list() => json!({ "type": "array", "items": self.of_kind(&kind) }),
            kind => self.of_kind(&kind),
        }
    }
}

/// A reference to a schema by its name.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The name of a message or enum in the document. The package of the API is left out.
fn short(full_name: &str) -> &str {
    full_name.strip_prefix(PACKAGE).and_then(|name| name.strip_prefix('.')).unwrap_or(full_name)
}

/// The values of an enum by name.
fn names(of: &EnumDescriptor) -> Value {
    let names: Vec<_> = of.values().map(|value| value.name().to_owned()).collect();
    let file = of.parent_file();
    let meanings = of.values().map(|value| (value.name().to_owned(), in_file(&file, value.path())));
    let said = format!("{}\n\n{}", in_file(&file, of.path()), list(meanings));
    json!({ "type": "string", "enum": names, "description": said })
}

/// The pairs of fields of which at most one may be set.
fn exclusive(message: &MessageDescriptor) -> Vec<Value> {
    let mut pairs = Vec::new();
    for choice in message.oneofs().filter(|choice| !choice.is_synthetic()) {
        let names: Vec<_> = choice.fields().map(|field| field.json_name().to_owned()).collect();
        for (i, first) in names.iter().enumerate() {
            pairs.extend(names.iter().skip(i + 1).map(|second| json!({ "required": [first, second] })));
        }
    }
    pairs
}

/// The schema of a message that JSON represents in a special form.
fn well_known(full_name: &str) -> Option<Value> {
    Some(match full_name.strip_prefix("google.protobuf.")? {
        "Timestamp" => json!({ "type": "string", "format": "date-time" }),
        "Duration" => {
            json!({ "type": "string", "pattern": r"^-?[0-9]{1,12}(\.[0-9]{1,9})?s$", "examples": ["1.5s"] })
        }
        "FieldMask" => json!({ "type": "string", "examples": ["target,lowWater"] }),
        "Struct" => json!({ "type": "object", "additionalProperties": true }),
        "Any" => json!({
            "type": "object",
            "properties": { "@type": { "type": "string" } },
            "required": ["@type"],
            "additionalProperties": true,
        }),
        _ => return None,
    })
}
