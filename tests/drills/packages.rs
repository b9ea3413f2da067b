//! Checks that the files of `deploy/`, the compose file, and the Dockerfile name only existing settings, and that each
//! alert has a section in the docs and two tests.

use std::{collections::BTreeSet, fs, path::Path};

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()
}

/// The variables with our prefix in a text.
fn variables(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_uppercase() || c == '_';
    let named = text.match_indices("PUZZLED_").map(|(at, _)| text[at..].split(|c| !is_part(c)).next().unwrap());
    named.filter(|name| *name != "PUZZLED_").map(str::to_owned).collect()
}

#[test]
fn variables_in_packages_are_settings_of_the_program() {
    let help = ["serve", "work"].map(|command| read(&format!("tests/golden/help/{command}.txt"))).concat();
    let known = variables(&help);
    for file in [
        "deploy/systemd/puzzled.service",
        "deploy/systemd/puzzled-work.service",
        "deploy/systemd/credentials.conf",
        "deploy/kubernetes/sqlite.yaml",
        "deploy/kubernetes/postgres.yaml",
        "docker-compose.yml",
        "Dockerfile",
    ] {
        // The compose file passes this one to PostgreSQL.
        let named = variables(&read(file)).into_iter().filter(|name| name != "PUZZLED_DB_PASSWORD");
        let unknown: Vec<_> = named.filter(|name| !known.contains(name)).collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
    }
}

#[test]
fn each_alert_has_a_section_and_two_tests() {
    let (rules, tests) = (read("deploy/prometheus/rules.yaml"), read("deploy/prometheus/rules_test.yaml"));
    let alerts: Vec<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert_eq!(alerts.len(), 12);
    let page = read("docs/operations/alerts.md");
    for alert in alerts {
        let link = format!("runbook_url: docs/operations/alerts.md#{}", alert.to_lowercase());
        assert!(rules.contains(&link) && page.contains(&format!("\n## {alert}\n")), "{alert}");
        let cases: Vec<_> = tests.split("- expr: ").filter(|case| case.contains(&format!("\"{alert}\""))).collect();
        let silent = cases.iter().filter(|case| case.contains("exp_samples: []")).count();
        assert!(silent >= 1 && cases.len() > silent, "{alert}: {} cases, {silent} of them silent", cases.len());
    }
}
