//! Checks what the alert rules of `deploy/` name: sections of the page on alerts, and their tests.

use std::{fs, path::Path};

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

#[test]
fn each_alert_has_a_section_and_two_tests() {
    let (rules, tests) = (read("deploy/prometheus/rules.yaml"), read("deploy/prometheus/rules_test.yaml"));
    let alerts: Vec<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert_eq!(alerts.len(), 10);
    let page = read("docs/operations/alerts.md");
    for alert in alerts {
        let link = format!("runbook_url: docs/operations/alerts.md#{}", alert.to_lowercase());
        assert!(rules.contains(&link) && page.contains(&format!("\n## {alert}\n")), "{alert}");
        let cases: Vec<_> = tests.split("- expr: ").filter(|case| case.contains(&format!("\"{alert}\""))).collect();
        let silent = cases.iter().filter(|case| case.contains("exp_samples: []")).count();
        assert!(silent >= 1 && cases.len() > silent, "{alert}: {} cases, {silent} of them silent", cases.len());
    }
}
