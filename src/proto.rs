//! The API `puzzled.v1` as Rust types, servers, and clients. `build.rs` generates them; do not edit.

/// The compiled proto files with their comments, which reflection serves.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/puzzled_descriptors.bin"));

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
