//! The API as descriptors, for tests that call methods without generated code: all methods, and messages as JSON.

use std::sync::LazyLock;

use prost::Message as _;
use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor};
use prost_types::FileDescriptorSet;
use puzzled_api::DESCRIPTORS;
use serde_json::Value;

/// The contract, with the messages of error details.
pub(crate) static CONTRACT: LazyLock<DescriptorPool> = LazyLock::new(|| {
    let mut pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    // The contract has google.rpc.Status itself.
    let mut details = FileDescriptorSet::decode(tonic_types::pb::FILE_DESCRIPTOR_SET).unwrap();
    details.file.retain(|file| file.message_type.iter().all(|message| message.name() != "Status"));
    pool.add_file_descriptor_set(details).unwrap();
    pool
});

/// All methods of the contract.
pub(crate) fn methods() -> Vec<MethodDescriptor> {
    let services = CONTRACT.services().filter(|service| service.package_name() == "puzzled.v1");
    services.flat_map(|service| service.methods().collect::<Vec<_>>()).collect()
}

/// A message as JSON.
pub(crate) fn json(message: &DynamicMessage) -> Value {
    serde_json::to_value(message).unwrap()
}
