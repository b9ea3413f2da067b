//! The largest request of each method that the limits on its fields allow also fits the limit on message size. A batch
//! of the largest requests is queued.

use std::collections::HashMap;

use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value};
use puzzled_api::DESCRIPTORS;

use crate::prelude::*;

/// The maximum number of bytes of each text field, by the API, the limits, or the form of an ID or a date.
fn len_max(field: &FieldDescriptor) -> usize {
    match field.name() {
        "variant" => 1_024,
        "text" | "board" => 8_192,
        "technique" => 100,
        "request_id" | "import_id" | "audience" | "series" | "cron" | "time_zone" | "principal" | "method" => 128,
        // 500 characters of four bytes each.
        "reason" | "source" | "note" => 2_000,
        "page_token" => 256,
        "id" | "ids" | "job_id" | "target_id" | "after_id" | "subject" | "date" | "effective_date" | "repeat_hash" => {
            32
        }
        "paths" | "name" => 64,
        other => panic!("{other} of {}: a text without a bound here", field.parent_message().full_name()),
    }
}

/// The maximum number of entries of each list.
fn entries_max(field: &FieldDescriptor) -> usize {
    match field.name() {
        // 500 puzzles are allowed. Together, their texts may exceed the bound, as the contract says.
        "requests" | "puzzles" => 100,
        "ids" => 500,
        "criteria" => 7,
        "labels" | "states" | "paths" => 16,
        // 500 records fit only if their texts are small. The definition of the API says so.
        "records" => 20,
        // The cells of a Kakuro 30x30.
        "candidates" => 900,
        other => panic!("{other} of {}: a list without a bound here", field.parent_message().full_name()),
    }
}

/// A message in which each field has its maximum size.
fn largest(of: &MessageDescriptor) -> DynamicMessage {
    let mut message = DynamicMessage::new(of.clone());
    for field in of.fields() {
        let value = if field.is_map() {
            let label = |index: usize| MapKey::String(format!("{index:063}"));
            let labels = (0..entries_max(&field)).map(|index| (label(index), Value::String("v".repeat(63))));
            Value::Map(labels.collect::<HashMap<_, _>>())
        } else if field.is_list() {
            Value::List(vec![largest_value(&field); entries_max(&field)])
        } else {
            largest_value(&field)
        };
        message.set_field(&field, value);
    }
    message
}

fn largest_value(field: &FieldDescriptor) -> Value {
    match field.kind() {
        Kind::String => Value::String("~".repeat(len_max(field))),
        Kind::Message(of) => Value::Message(largest(&of)),
        Kind::Enum(_) => Value::EnumNumber(-1),
        Kind::Bool => Value::Bool(true),
        Kind::Int32 => Value::I32(-1),
        Kind::Int64 => Value::I64(-1),
        Kind::Uint32 => Value::U32(u32::MAX),
        Kind::Uint64 => Value::U64(u64::MAX),
        Kind::Double => Value::F64(f64::MAX),
        other => panic!("{}: {other:?} is not in any request yet", field.full_name()),
    }
}

#[tokio::test]
async fn largest_request_of_each_method_passes_the_bound_on_its_size() {
    let server = Server::start().await;
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    let methods = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>());
    let mut sizes = Vec::new();
    for method in methods.filter(|method| method.full_name().starts_with("puzzled.v1.")) {
        let message = largest(&method.input());
        let name = format!("{}/{}", method.parent_service().name(), method.name());
        let mut raw = Raw::connect(server.address).await;
        let status = raw::status(raw.call(&name, None, &message)).await;
        let size = prost::Message::encoded_len(&message);
        assert!(
            ![Code::OutOfRange, Code::ResourceExhausted].contains(&status.code()),
            "{name}: {size} bytes: {status}"
        );
        sizes.push((size, name));
    }
    let largest = sizes.iter().max().unwrap();
    assert!(sizes.len() >= 29 && largest.1 == "PuzzleService/RecordDeliveries", "{} methods, {largest:?}", sizes.len());
}

#[tokio::test]
async fn batch_of_the_largest_requests_is_queued() {
    let server = Server::start().await;
    let labels = |request: u32| {
        let label = |index: u32| (format!("{request:03}-{index:059}"), "v".repeat(63));
        (0..16).map(label).collect()
    };
    let request = |index: u32| pb::GenerateRequest {
        kind: pb::Kind::Sudoku.into(),
        count: Some(1),
        request_id: format!("{index:0128}"),
        labels: labels(index),
        ..Default::default()
    };
    let batch = pb::BatchGenerateRequest { requests: (0..100).map(request).collect() };
    // More than the 64 KiB that were allowed before.
    assert!(prost::Message::encoded_len(&batch) > 115_300);
    let jobs = server.puzzles().await.batch_generate(batch).await.unwrap().into_inner().jobs;
    assert_eq!((jobs.len(), jobs[99].labels.len()), (100, 16));
}
