//! Explains why the JSON of a request cannot be read: the place of a syntax error, or the wrong fields.

use std::borrow::Cow;

use prost_reflect::{DeserializeOptions, DynamicMessage, Kind, MessageDescriptor};
use serde_json::{Map, Value};

use crate::calls::{Invalid, ServiceError};
use puzzled_engine::shared::names::{SHOWN_MAX, head, hint, quoted};

/// The maximum number of fields that one error names. It is low, because the details of an error travel in a header.
const FAULTS_MAX: usize = 8;

/// Messages of this package have JSON forms of their own.
const WELL_KNOWN: &str = "google.protobuf.";

/// The error for JSON that could not be read because of `error`.
pub(super) fn in_words(descriptor: &MessageDescriptor, json: &[u8], error: &serde_json::Error) -> ServiceError {
    let value = match serde_json::from_slice::<Value>(json) {
        Ok(value) => value,
        Err(error) => return Invalid::one("body", format!("not valid JSON: {error}; send one JSON object")),
    };
    let mut faults = Faults(Vec::new());
    faults.look(descriptor, &value, "");
    if faults.0.is_empty() {
        // Each field can be read if it stands alone, so the fault is in their combination.
        return Invalid::one("body", error.to_string());
    }
    ServiceError::Invalid(Invalid(faults.0))
}

/// The wrong fields, by their paths.
struct Faults(Vec<(Cow<'static, str>, String)>);

impl Faults {
    fn add(&mut self, path: &str, fault: String) {
        if self.0.len() < FAULTS_MAX {
            let path = if path.is_empty() { "body" } else { path };
            self.0.push((path.to_owned().into(), fault));
        }
    }

    fn look(&mut self, descriptor: &MessageDescriptor, value: &Value, path: &str) {
        let Value::Object(fields) = value else {
            return self.add(path, "not a JSON object; use {\"field\": value}".to_owned());
        };
        for (name, value) in fields {
            if self.0.len() == FAULTS_MAX {
                return;
            }
            let path = if path.is_empty() {
                head(name, SHOWN_MAX).to_owned()
            } else {
                format!("{path}.{}", head(name, SHOWN_MAX))
            };
            self.look_at_field(descriptor, (name, value), &path);
        }
    }

    fn look_at_field(&mut self, descriptor: &MessageDescriptor, (name, value): (&String, &Value), path: &str) {
        let field = descriptor.get_field_by_json_name(name).or_else(|| descriptor.get_field_by_name(name));
        let Some(field) = field else {
            let known: Vec<_> = descriptor.fields().map(|field| field.json_name().to_owned()).collect();
            let known: Vec<_> = known.iter().map(String::as_str).collect();
            let remedy = if known.is_empty() { "the request has no fields".to_owned() } else { hint(name, &known) };
            return self.add(path, format!("unknown field; {remedy}"));
        };
        let alone = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
        let Err(error) = DynamicMessage::deserialize_with_options(descriptor.clone(), alone, &strict()) else { return };
        let count = self.0.len();
        match (field.kind(), value) {
            (Kind::Message(inner), Value::Array(entries)) if field.is_list() => {
                for (index, entry) in entries.iter().enumerate().take_while(|(index, _)| *index < FAULTS_MAX) {
                    self.look(&inner, entry, &format!("{path}[{index}]"));
                }
            }
            (Kind::Message(inner), Value::Object(_))
                if !field.is_map() && !inner.full_name().starts_with(WELL_KNOWN) =>
            {
                self.look(&inner, value, path);
            }
            (Kind::Enum(values), Value::String(word)) => {
                let known: Vec<_> = values.values().map(|value| value.name().to_owned()).collect();
                let known: Vec<_> = known.iter().map(String::as_str).collect();
                self.add(path, format!("{} is unknown; {}", quoted(word), hint(word, &known)));
            }
            (kind, Value::Number(number)) => {
                if let Some((min, max)) = bounds(&kind) {
                    self.add(path, format!("{number} is not allowed; use a whole number from {min} to {max}"));
                }
            }
            _ => {}
        }
        if self.0.len() == count {
            self.add(path, error.to_string());
        }
    }
}

/// The least and the greatest number of a type of integers.
const fn bounds(kind: &Kind) -> Option<(i64, u64)> {
    match kind {
        Kind::Int32 => Some((i32::MIN as i64, i32::MAX as u64)),
        Kind::Uint32 => Some((0, u32::MAX as u64)),
        Kind::Int64 => Some((i64::MIN, i64::MAX as u64)),
        Kind::Uint64 => Some((0, u64::MAX)),
        _ => None,
    }
}

/// The options for reading JSON of callers.
pub(super) fn strict() -> DeserializeOptions {
    DeserializeOptions::new().deny_unknown_fields(true)
}
