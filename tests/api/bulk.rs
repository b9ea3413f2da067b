//! `BatchGenerate`: queues several jobs, all or none. A repeated batch is safe, and an error names the request that
//! caused it.

use puzzled::proto::v1 as pb;
use tonic::Code;

use crate::{
    errors::{check, check_fields},
    server::Server,
};

fn easy() -> pb::GenerateRequest {
    pb::GenerateRequest { kind: pb::Kind::Sudoku.into(), level: pb::Level::Easy.into(), ..Default::default() }
}

fn named(name: &str, count: u32) -> pb::GenerateRequest {
    pb::GenerateRequest { request_id: name.to_owned(), count: Some(count), ..easy() }
}

#[tokio::test]
async fn a_batch_is_queued_in_order_and_is_safe_to_repeat() {
    let server = Server::start().await;
    let jobs = server.batch_generate(&[named("a", 1), easy(), named("b", 2), named("a", 1)]).await.unwrap();
    let told: Vec<_> = jobs.iter().map(|job| (job.id.as_str(), job.wanted, job.request_id.as_str())).collect();
    assert_eq!(told, [("job-1", 1, "a"), ("job-2", 1, ""), ("job-3", 2, "b"), ("job-1", 1, "a")]);
    let again = server.batch_generate(&[named("b", 2), named("a", 1)]).await.unwrap();
    assert_eq!(again, [jobs[2].clone(), jobs[0].clone()]);
    // Jobs without a seed get different seeds, and a batch recognizes a job that was queued alone.
    assert_ne!(jobs[0].seed, jobs[1].seed);
    let alone = server.generate(named("c", 3)).await.unwrap();
    assert_eq!(server.batch_generate(&[named("c", 3)]).await.unwrap(), [alone]);
}

#[tokio::test]
async fn one_bad_request_refuses_the_batch_and_the_path_of_the_field_says_which() {
    let server = Server::start().await;
    let bad = [
        named("a", 1),
        pb::GenerateRequest { count: Some(0), ..easy() },
        easy(),
        pb::GenerateRequest { kind: 0, priority: 101, ..easy() },
    ];
    let refused = server.batch_generate(&bad).await;
    let fields = refused.as_ref().unwrap_err().message().to_owned();
    assert!(fields.starts_with("requests[1].count: 0 is below 1; requests[3].kind: "), "{fields}");
    check(refused, Code::InvalidArgument, "INVALID_FIELD");
    let one = [easy(), pb::GenerateRequest { count: Some(0), ..easy() }];
    check_fields(server.batch_generate(&one).await, &[("requests[1].count", "0 is below 1")]);
    assert_eq!(server.queue_state().await.queued_jobs, 0);
    check_fields(server.batch_generate(&[]).await, &[("requests", "0 are outside 1 to 100")]);
    check_fields(server.batch_generate(&vec![easy(); 101]).await, &[("requests", "101 are outside 1 to 100")]);
    assert_eq!(server.batch_generate(&vec![easy(); 100]).await.unwrap().len(), 100);
}

#[tokio::test]
async fn changed_request_under_a_known_name_refuses_the_batch_and_is_named() {
    let server = Server::start().await;
    server.batch_generate(&[named("a", 1)]).await.unwrap();
    for (requests, message) in [
        (
            [easy(), named("a", 9)],
            "requests[1]: request_id: \"a\" was used before for a request that queued job-1 and differs in count (9, before \
             1); repeat that request or choose another request_id",
        ),
        (
            [named("b", 1), named("b", 2)],
            "requests[1]: request_id: \"b\" is also that of requests[0], which differs in count (2, before 1); repeat that \
             request or choose another request_id",
        ),
    ] {
        let refused = server.batch_generate(&requests).await;
        assert_eq!(refused.as_ref().unwrap_err().message(), message);
        check(refused, Code::AlreadyExists, "REQUEST_ID_REUSED");
    }
    assert_eq!(server.queue_state().await.queued_jobs, 1);
}

#[tokio::test]
async fn a_batch_that_the_backlog_has_no_room_for_is_refused_as_a_whole() {
    let server = Server::with(|options| options.policy.open_jobs_max = 4).await;
    server.batch_generate(&[easy(), easy(), named("a", 1)]).await.unwrap();
    let full = server.batch_generate(&[easy(), named("a", 1), easy()]).await;
    assert_eq!(
        full.as_ref().unwrap_err().message(),
        "requests[2]: jobs: 4 are queued or running; the limit is 4; wait for one to end or raise `max_open_jobs`"
    );
    check(full, Code::ResourceExhausted, "BACKLOG_FULL");
    assert_eq!(server.queue_state().await.queued_jobs, 3);
    server.batch_generate(&[easy(), named("a", 1)]).await.unwrap();
}
