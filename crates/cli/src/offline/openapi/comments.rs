//! The comments of the API definition as descriptions.

use prost_reflect::FileDescriptor;
use serde_json::Value;

/// The comment before an element as one paragraph, empty if there is none. A path of field numbers and indices identifies the
/// element.
pub(super) fn in_file(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let place = info.and_then(|info| info.location.iter().find(|place| place.path == path));
    let said = place.map(prost_types::source_code_info::Location::leading_comments).unwrap_or_default();
    said.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The object with this description, unless the description is empty.
pub(super) fn with_description(mut object: Value, description: String) -> Value {
    if !description.is_empty() {
        put(&mut object, "description", description.into());
    }
    object
}

/// A Markdown list of names, each with its meaning.
pub(super) fn list<N: AsRef<str>>(entries: impl IntoIterator<Item = (N, String)>) -> String {
    let lines = entries.into_iter().map(|(name, meaning)| format!("- `{}`: {meaning}", name.as_ref()));
    lines.collect::<Vec<_>>().join("\n")
}

/// Sets a member of a JSON object.
pub(super) fn put(object: &mut Value, name: &str, value: Value) {
    if let Some(members) = object.as_object_mut() {
        members.insert(name.to_owned(), value);
    }
}
