//! Labels of jobs: jobs keep them, lists can be filtered by them, and bad labels are refused.

use std::collections::BTreeMap;

use puzzled::proto::v1 as pb;

use crate::{errors::check_fields, server::Server};

fn labels(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn labelled(pairs: &[(&str, &str)]) -> pb::GenerateRequest {
    pb::GenerateRequest { kind: pb::Kind::Sudoku.into(), labels: labels(pairs), ..Default::default() }
}

#[tokio::test]
async fn jobs_keep_their_labels_and_are_found_by_them() {
    let server = Server::start().await;
    for pairs in [&[("team", "web"), ("run", "7")][..], &[("team", "app")], &[]] {
        let job = server.generate(labelled(pairs)).await.unwrap();
        assert_eq!(job.labels, labels(pairs));
    }
    for (pairs, wanted) in
        [(&[("team", "web")][..], vec!["job-1"]), (&[("team", "x")], vec![]), (&[], vec!["job-3", "job-2", "job-1"])]
    {
        let request = pb::ListJobsRequest { labels: labels(pairs), ..Default::default() };
        let listed = server.list_jobs(request).await.unwrap();
        assert_eq!(listed.iter().map(|job| job.id.as_str()).collect::<Vec<_>>(), wanted);
    }
}

#[tokio::test]
async fn bad_labels_and_targets_are_refused_with_value_and_limit() {
    let server = Server::start().await;
    let long = "x".repeat(64);
    let words = format!(
        "the name \"{}\"… (64 bytes) is not allowed; use 1 to 63 characters of a-z, 0-9, '.', '_' and '-'",
        "x".repeat(40)
    );
    check_fields(server.generate(labelled(&[(&long, "")])).await, &[("labels", &words)]);
    let words = "the value \"\\n\" of \"a\" is not allowed; use at most 63 printable ASCII characters";
    check_fields(server.generate(labelled(&[("a", "\n")])).await, &[("labels", words)]);
    let many: Vec<_> = (0..17).map(|number| (number.to_string(), String::new())).collect();
    let request = pb::GenerateRequest { labels: many.into_iter().collect(), ..labelled(&[]) };
    check_fields(server.generate(request).await, &[("labels", "17 labels; at most 16 are allowed")]);
    let request = pb::ListJobsRequest { target_id: "job-1".to_owned(), ..Default::default() };
    let words = "\"job-1\" is not the ID of a stock target";
    check_fields(server.list_jobs(request).await, &[("target_id", words)]);
}
