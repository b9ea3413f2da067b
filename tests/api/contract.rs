//! Checks the API definition, as reflection serves it: the first value of each enum, a comment on each element, and the
//! compiled files with their language packages. Also the retry policy for clients, `proto/service_config.json`: it
//! retries the methods that are safe to repeat, and only if the server is unavailable.

use std::fs;

use prost_reflect::FileDescriptor;
use prost_types::method_options::IdempotencyLevel;
use puzzled_api::DESCRIPTORS;
use serde_json::Value;

use crate::prelude::*;

fn ours() -> (DescriptorPool, Vec<FileDescriptor>) {
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
    let files = pool.files().filter(|file| file.package_name() == "puzzled.v1").collect();
    (pool, files)
}

#[test]
fn every_enum_begins_with_an_unspecified_value_of_its_own_name() {
    let (_, files) = ours();
    let enums: Vec<_> = files.iter().flat_map(FileDescriptor::enums).collect();
    assert!(enums.len() >= 5);
    for one in enums {
        let mut prefix = String::new();
        for (at, letter) in one.name().char_indices() {
            if at > 0 && letter.is_ascii_uppercase() {
                prefix.push('_');
            }
            prefix.push(letter.to_ascii_uppercase());
        }
        assert_eq!(one.get_value(0).unwrap().name(), format!("{prefix}_UNSPECIFIED"));
        assert!(one.values().all(|value| value.name().starts_with(&prefix)), "{}", one.full_name());
    }
}

#[test]
fn every_element_of_the_api_has_a_comment() {
    let (_, files) = ours();
    for file in files {
        let file = file.file_descriptor_proto();
        let info = file.source_code_info.as_ref().expect("comments are kept for reflection");
        let is_documented = |path: &[i32]| {
            info.location
                .iter()
                .any(|at| at.path == path && at.leading_comments.as_ref().is_some_and(|text| !text.trim().is_empty()))
        };
        let at = |index: usize| i32::try_from(index).unwrap();
        for (m, message) in file.message_type.iter().enumerate() {
            assert!(is_documented(&[4, at(m)]), "{}", message.name());
            for (f, field) in message.field.iter().enumerate() {
                assert!(is_documented(&[4, at(m), 2, at(f)]), "{}.{}", message.name(), field.name());
            }
        }
        for (e, one) in file.enum_type.iter().enumerate() {
            for (v, value) in one.value.iter().enumerate() {
                assert!(is_documented(&[5, at(e), 2, at(v)]), "{}", value.name());
            }
        }
        for (s, service) in file.service.iter().enumerate() {
            for (m, method) in service.method.iter().enumerate() {
                assert!(is_documented(&[6, at(s), 2, at(m)]), "{}.{}", service.name(), method.name());
            }
        }
    }
}

#[test]
fn every_proto_file_is_compiled_and_sets_language_packages() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/proto/puzzled/v1");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: BTreeSet<_> = files.map(|file| format!("puzzled/v1/{file}")).collect();
    let (_, ours) = ours();
    assert_eq!(ours.iter().map(|file| file.name().to_owned()).collect::<BTreeSet<_>>(), files);
    for file in ours {
        let options = file.file_descriptor_proto().options.clone().unwrap_or_default();
        let said = (options.go_package(), options.java_package(), options.java_multiple_files());
        let expected = ("github.com/puzzled/puzzled/gen/puzzled/v1;puzzledv1", "dev.puzzled.v1", true);
        assert_eq!(said, expected, "{}", file.name());
    }
}

const CONFIG: &str = include_str!("../../proto/service_config.json");

#[test]
fn service_config_retries_idempotent_methods_on_unavailable_only() {
    let config: Value = serde_json::from_str(CONFIG).unwrap();
    let mut retried = BTreeSet::new();
    for method in config["methodConfig"].as_array().unwrap() {
        assert_eq!(method["retryPolicy"]["retryableStatusCodes"], serde_json::json!(["UNAVAILABLE"]));
        for name in method["name"].as_array().unwrap() {
            let [service, method] = ["service", "method"].map(|key| name[key].as_str().unwrap());
            retried.insert(format!("{service}.{method}"));
        }
    }
    let (pool, _) = ours();
    let methods: Vec<_> = pool.services().flat_map(|service| service.methods().collect::<Vec<_>>()).collect();
    let marked = methods.iter().filter(|method| {
        let options = method.method_descriptor_proto().options.clone().unwrap_or_default();
        options.idempotency_level() != IdempotencyLevel::IdempotencyUnknown
    });
    assert_eq!(retried, marked.map(|method| method.full_name().to_owned()).collect());
    // Without a request_id they may not be repeated blindly.
    for method in ["Generate", "BatchGenerate", "GetPuzzle", "BatchGetPuzzles"] {
        assert!(!retried.contains(&format!("puzzled.v1.PuzzleService.{method}")));
    }
    // A repeat of a call that succeeded fails: the target exists, or is deleted.
    for method in ["CreateStockTarget", "DeleteStockTarget"] {
        assert!(!retried.contains(&format!("puzzled.v1.StockService.{method}")));
    }
    assert_eq!(methods.len(), retried.len() + 7);
}
