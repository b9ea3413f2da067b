//! The API `puzzled.v1`: the Rust types, servers, and clients that `build.rs` generates, the descriptors for
//! reflection, and the text of the proto files for clients.

/// The compiled proto files with their comments, which reflection serves.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/puzzled_descriptors.bin"));

macro_rules! files {
    ($($path:literal)*) => { &[$(($path, include_str!(concat!("../proto/", $path)))),*] };
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
