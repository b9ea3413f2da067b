//! The API `puzzled.v1`: the Rust types, servers, and clients that `build.rs` generates, the descriptors for reflection, the text of the
//! proto files for clients, and how criteria, kinds, and levels are written in messages.

pub mod criteria;
pub mod words;

use std::{collections::BTreeMap, sync::LazyLock};

use prost::Name;
use prost_reflect::{DescriptorPool, DynamicMessage, Kind, Value};

/// The compiled proto files with their comments, which reflection serves.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/puzzled_descriptors.bin"));

macro_rules! files {
    ($($path:literal)*) => { &[$(($path, include_str!(concat!("../../../proto/", $path)))),*] };
}

/// The files that clients compile: each path in the folder `proto`, and its text.
pub const FILES: &[(&str, &str)] = files!(
    "buf.yaml"
    "google/rpc/status.proto"
    "puzzled/v1/access.proto"
    "puzzled/v1/common.proto"
    "puzzled/v1/errors.proto"
    "puzzled/v1/job.proto"
    "puzzled/v1/puzzle.proto"
    "puzzled/v1/series.proto"
    "puzzled/v1/server.proto"
    "puzzled/v1/stock.proto"
    "service_config.json"
);

/// Package `puzzled.v1`.
#[expect(
    unused_qualifications,
    clippy::allow_attributes,
    clippy::allow_attributes_without_reason,
    clippy::pedantic,
    reason = "generated code"
)]
pub mod v1 {
    tonic::include_proto!("puzzled.v1");
}

/// The descriptors, by which a message is read field by field.
pub static CONTRACT: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(DESCRIPTORS).expect("build.rs wrote the descriptors that it compiled"));

/// The fields that a message sets, by their names. Each value is a text: enums by name, `double` with one decimal, and others as they are.
///
/// # Panics
/// If the message is not one of the contract.
pub fn set_fields<M: Name>(message: &M) -> BTreeMap<String, String> {
    let mut fields =
        DynamicMessage::new(CONTRACT.get_message_by_name(&M::full_name()).expect("a message of the contract"));
    fields.transcode_from(message).expect("a message and its descriptor come from the same files");
    let in_words = |kind: Kind, value: &Value| match (kind, value) {
        (Kind::Enum(of), Value::EnumNumber(number)) => of.get_value(*number).map(|known| known.name().to_owned()),
        (_, Value::F64(number)) => Some(format!("{number:.1}")),
        (_, Value::String(text)) => Some(text.clone()),
        (_, Value::U32(number)) => Some(number.to_string()),
        (_, value) => Some(format!("{value:?}")),
    };
    let words = fields.fields().map(|(field, value)| (field.name().to_owned(), in_words(field.kind(), value)));
    words.map(|(field, value)| (field, value.unwrap_or_default())).collect()
}
