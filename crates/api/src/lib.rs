//! The API `puzzled.v1`: the Rust types, servers, and clients that `build.rs` generates, the descriptors for reflection, the text of the
//! proto files for clients, and how puzzles, boards, criteria, kinds, and levels are written in messages.

pub mod board;
pub mod codes;
pub mod criteria;
pub mod puzzle;
pub mod reasons;
pub mod words;

use std::{collections::BTreeMap, ops::RangeInclusive, sync::LazyLock};

use prost::Name;
use prost_reflect::{DescriptorError, DescriptorPool, DynamicMessage, Kind, Value};
use prost_types::FileDescriptorProto;

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

/// The default address of a server.
pub const ADDRESS: &str = "127.0.0.1:50051";

/// Allowed numbers of puzzles in one job.
pub const COUNT: RangeInclusive<i64> = 1..=10_000_000;

/// Allowed numbers of tries at one puzzle.
pub const TRIES: RangeInclusive<i64> = 1..=1_000_000;

/// The default of the maximum number of tries at one puzzle.
pub const TRIES_DEFAULT: u32 = 2_000;

/// The maximum number of puzzles in one call of `RecordDeliveries`.
pub const RECORDED_MAX: usize = 500;

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

/// The descriptors of the API, with which code reads a message field by field.
pub static CONTRACT: LazyLock<DescriptorPool> =
    LazyLock::new(|| DescriptorPool::decode(DESCRIPTORS).expect("build.rs wrote the descriptors that it compiled"));

/// The names of all fields of a message.
///
/// # Panics
/// If the message is not one of the contract.
pub fn field_names<M: Name>() -> impl Iterator<Item = String> {
    let message = CONTRACT.get_message_by_name(&M::full_name()).expect("a message of the contract");
    message.fields().map(|field| field.name().to_owned()).collect::<Vec<_>>().into_iter()
}

/// The fields that a message sets, by their names. Each value is a text: an enum by its name, or empty if unknown; a `double` with one
/// decimal; a string or `uint32` as it is; any other value in its debug form.
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

/// The messages and services of the API, the health service, and the details of errors.
///
/// # Errors
/// [`DescriptorError`] if a dependency was built with descriptors that contradict those of the API.
pub fn whole_contract() -> Result<DescriptorPool, DescriptorError> {
    let mut pool = DescriptorPool::decode(DESCRIPTORS)?;
    pool.decode_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)?;
    pool.add_file_descriptor_protos(error_details()?)?;
    Ok(pool)
}

/// The files of the error details, without google.rpc.Status: the API has that message itself, and a client cannot load
/// a message from two files.
///
/// # Errors
/// [`DescriptorError`] if the descriptors of tonic cannot be read.
pub fn error_details() -> Result<Vec<FileDescriptorProto>, DescriptorError> {
    let details = DescriptorPool::decode(tonic_types::pb::FILE_DESCRIPTOR_SET)?;
    let has_status = |file: &FileDescriptorProto| file.message_type.iter().any(|message| message.name() == "Status");
    Ok(details.file_descriptor_protos().filter(|file| !has_status(file)).cloned().collect())
}
