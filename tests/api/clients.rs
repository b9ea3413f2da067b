//! Checks the retry policy for clients, `proto/service_config.json`: it retries the methods that are safe to repeat,
//! and only if the server is unavailable.

use std::collections::BTreeSet;

use prost_reflect::DescriptorPool;
use prost_types::method_options::IdempotencyLevel;
use puzzled::proto::DESCRIPTORS;
use serde_json::Value;

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
    let pool = DescriptorPool::decode(DESCRIPTORS).unwrap();
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
    assert_eq!(methods.len(), retried.len() + 6);
}
