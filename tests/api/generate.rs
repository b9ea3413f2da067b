//! `Generate` and `BatchGenerate`: the job that is returned, with defaults, spec, seed, and start time; repeats with the
//! same `request_id`; batches that are queued as a whole or not at all; and the limit of open jobs.

use crate::prelude::*;

pub(crate) fn sudoku() -> pb::GenerateRequest {
    pb::GenerateRequest { kind: pb::Kind::Sudoku.into(), ..Default::default() }
}

#[tokio::test]
async fn job_is_returned_at_once_with_all_defaults() {
    let server = Server::start().await;
    let job = server.generate(sudoku()).await.unwrap();
    assert_eq!(job.state(), pb::JobState::Queued);
    assert_eq!((job.id.as_str(), job.wanted, job.made, job.priority), ("job-1", 1, 0, 0));
    assert!(job.create_time.is_some() && job.not_before_time.is_none() && job.start_time.is_none());
    let spec = job.spec.unwrap();
    assert_eq!((spec.kind(), spec.variant.as_str()), (pb::Kind::Sudoku, "9x9"));
    assert_eq!((spec.level(), spec.symmetry()), (pb::Level::Unspecified, pb::Symmetry::Rotation180));
    assert_eq!((spec.min_rating, spec.max_rating), (None, None));
    assert_eq!((spec.min_givens, spec.max_givens), (Some(28), Some(30)));
}

#[tokio::test]
async fn job_contains_the_requested_spec() {
    let server = Server::start().await;
    let far = prost_types::Timestamp { seconds: now_seconds() + 3_600, nanos: 500_000_000 };
    let request = pb::GenerateRequest {
        variant: "9x9".to_owned(),
        min_rating: Some(2.3),
        max_rating: Some(4.2),
        symmetry: pb::Symmetry::Rotation180.into(),
        min_givens: Some(24),
        max_givens: Some(26),
        technique: "x-wing".to_owned(),
        count: Some(500),
        seed: Some(u64::MAX),
        priority: -100,
        not_before_time: Some(far),
        request_id: "nightly 2026-11-21".to_owned(),
        ..sudoku()
    };
    let job = server.generate(request).await.unwrap();
    assert_eq!((job.wanted, job.seed, job.priority), (500, u64::MAX, -100));
    assert_eq!((job.request_id.as_str(), job.not_before_time), ("nightly 2026-11-21", Some(far)));
    let spec = job.spec.unwrap();
    assert_eq!((spec.min_rating, spec.max_rating), (Some(3.2), Some(3.2)), "the ratings of the technique");
    assert_eq!((spec.min_givens, spec.max_givens), (Some(24), Some(26)));
    assert_eq!(spec.technique, "X-Wing", "as the ladder writes it");
    assert_eq!((spec.symmetry(), spec.level()), (pb::Symmetry::Rotation180, pb::Level::Unspecified));

    let levelled = server.generate(pb::GenerateRequest { level: pb::Level::Expert.into(), ..sudoku() }).await.unwrap();
    let spec = levelled.spec.unwrap();
    assert_eq!((spec.level(), spec.min_rating, spec.max_rating), (pb::Level::Expert, None, None));
}

#[tokio::test]
async fn a_seed_that_is_left_open_is_drawn_and_a_given_one_is_kept() {
    let server = Server::start().await;
    let one = server.generate(sudoku()).await.unwrap().seed;
    let other = server.generate(sudoku()).await.unwrap().seed;
    assert_ne!(one, other);
    assert_eq!(server.generate(pb::GenerateRequest { seed: Some(0), ..sudoku() }).await.unwrap().seed, 0);
}

#[tokio::test]
async fn a_time_that_has_passed_means_at_once() {
    let server = Server::start().await;
    let past = Some(prost_types::Timestamp { seconds: -62_135_596_800, nanos: 0 });
    let job = server.generate(pb::GenerateRequest { not_before_time: past, ..sudoku() }).await.unwrap();
    assert_eq!(job.not_before_time, None);
    assert_eq!(server.work(12, 1).await.map(|job| job.made), Some(1));
}

#[tokio::test]
async fn another_request_under_a_known_name_is_refused_and_named() {
    let server = Server::start().await;
    let request = pb::GenerateRequest { request_id: "r1".to_owned(), ..sudoku() };
    let first = server.generate(request.clone()).await.unwrap();
    // An explicit default, and fields that do not choose the puzzles, do not make a different request.
    let labels = [("for".to_owned(), "paper".to_owned())].into();
    for same in [
        pb::GenerateRequest { count: Some(1), variant: "9x9".to_owned(), ..request.clone() },
        pb::GenerateRequest { priority: 9, labels, ..request.clone() },
    ] {
        assert_eq!(server.generate(same).await.unwrap(), first);
    }
    let easy = pb::GenerateRequest { level: pb::Level::Easy.into(), ..request.clone() };
    for (other, field, words) in [
        (pb::GenerateRequest { count: Some(2), ..request.clone() }, "count", "count (2, before 1)"),
        (pb::GenerateRequest { seed: Some(5), ..request.clone() }, "seed", "seed (5, before not set)"),
        (
            pb::GenerateRequest { max_givens: Some(24), ..easy },
            "level,max_givens",
            "level (LEVEL_EASY, before not set) and max_givens (24, before not set)",
        ),
    ] {
        let refused = server.generate(other).await;
        let message = format!(
            "request_id: \"r1\" was used before for a request that queued {} and differs in {words}; repeat that request or \
             choose another request_id",
            first.id
        );
        assert_eq!(refused.as_ref().unwrap_err().message(), message);
        let details = check(refused, Code::AlreadyExists, "REQUEST_ID_REUSED");
        assert_eq!(details.resource_info().unwrap().resource_name, first.id);
        let metadata = &details.error_info().unwrap().metadata;
        assert_eq!((metadata["job"].as_str(), metadata["field"].as_str()), (first.id.as_str(), field));
    }
}

#[tokio::test]
async fn full_backlog_refuses_with_quota_and_retry_delay_until_there_is_room() {
    let server = Server::with(|options| options.settings.queue.max_open_jobs = 2).await;
    let named = pb::GenerateRequest { request_id: "r1".to_owned(), ..sudoku() };
    let first = server.generate(named.clone()).await.unwrap();
    server.generate(sudoku()).await.unwrap();
    let details = check(server.generate(sudoku()).await, Code::ResourceExhausted, "BACKLOG_FULL");
    assert!(details.retry_info().unwrap().retry_delay.is_some());
    let violation = &details.quota_failure().unwrap().violations[0];
    assert_eq!(
        violation.description,
        "jobs: 2 are queued or running; the limit is 2; wait for one to end or raise `max_open_jobs`"
    );

    assert_eq!(server.generate(named).await.unwrap().id, first.id, "a known request needs no room");
    server.cancel_job(&first.id).await.unwrap();
    server.generate(sudoku()).await.unwrap();
}

#[expect(clippy::disallowed_methods, reason = "a client reads its own clock")]
fn now_seconds() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

fn easy() -> pb::GenerateRequest {
    pb::GenerateRequest { kind: pb::Kind::Sudoku.into(), level: pb::Level::Easy.into(), ..Default::default() }
}

fn named(name: &str, count: u32) -> pb::GenerateRequest {
    pb::GenerateRequest { request_id: name.to_owned(), count: Some(count), ..easy() }
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
            "requests[1]: request_id: \"b\" is also that of requests[0], but this request differs in count (2, before 1); \
             repeat that request or choose another request_id",
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
    let server = Server::with(|options| options.settings.queue.max_open_jobs = 4).await;
    server.batch_generate(&[easy(), easy(), named("a", 1)]).await.unwrap();
    let full = server.batch_generate(&[easy(), named("a", 1), easy()]).await;
    assert_eq!(
        full.as_ref().unwrap_err().message(),
        "requests[2]: jobs: 4 are queued, running, or earlier in the batch; the limit is 4; wait for one to end or raise \
         `max_open_jobs`"
    );
    check(full, Code::ResourceExhausted, "BACKLOG_FULL");
    assert_eq!(server.queue_state().await.queued_jobs, 3);
    server.batch_generate(&[easy(), named("a", 1)]).await.unwrap();
}
