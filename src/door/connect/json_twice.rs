//! Finds a field that the JSON of a request states twice, in one spelling or in both. Readers of JSON differ in which of the two they
//! take.

use std::fmt;

use prost_reflect::{Kind, MessageDescriptor};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, SeqAccess, Visitor},
};

/// A JSON value with the fields of its objects in order, also those that occur twice.
enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    Other,
}

/// The path of the first field that occurs twice. `None` if there is none, or if the text is no JSON.
pub(super) fn field(descriptor: &MessageDescriptor, json: &[u8]) -> Option<String> {
    in_message(descriptor, &serde_json::from_slice(json).ok()?)
}

fn in_message(descriptor: &MessageDescriptor, tree: &Tree) -> Option<String> {
    let Tree::Object(fields) = tree else { return None };
    let mut seen = Vec::with_capacity(fields.len());
    for (name, value) in fields {
        let Some(field) = descriptor.get_field_by_json_name(name).or_else(|| descriptor.get_field_by_name(name)) else {
            continue;
        };
        if seen.contains(&field.number()) {
            return Some(field.json_name().to_owned());
        }
        seen.push(field.number());
        let Kind::Message(inner) = field.kind() else { continue };
        let below = match value {
            Tree::Array(entries) if field.is_list() => entries
                .iter()
                .enumerate()
                .find_map(|(at, entry)| in_message(&inner, entry).map(|path| format!("[{at}].{path}"))),
            Tree::Object(_) if !field.is_map() => in_message(&inner, value).map(|path| format!(".{path}")),
            _ => None,
        };
        if let Some(path) = below {
            return Some(format!("{}{path}", field.json_name()));
        }
    }
    None
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfTree)
    }
}

struct OfTree;

impl<'de> Visitor<'de> for OfTree {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        Ok(Tree::Object(fields))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Tree, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = sequence.next_element()? {
            entries.push(entry);
        }
        Ok(Tree::Array(entries))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<Tree, E> {
        Ok(Tree::Other)
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Other)
    }
}
