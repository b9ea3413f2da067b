//! `ListPuzzles` and `ListJobs`: pages stay stable while the lists grow. Also page sizes, page tokens, and filters.

use crate::prelude::*;

fn easy() -> pb::ListPuzzlesRequest {
    pb::ListPuzzlesRequest { kind: 1, level: pb::Level::Easy.into(), ..Default::default() }
}

async fn page(server: &Server, request: pb::ListPuzzlesRequest) -> (Vec<String>, String) {
    let page = server.list_puzzles(request).await.unwrap();
    (page.puzzles.into_iter().map(|puzzle| puzzle.id).collect(), page.next_page_token)
}

#[tokio::test]
async fn puzzles_of_one_job_are_listed_with_all_other_criteria() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 3).await;
    server.fill(Symmetry::None, 26, 4).await;
    server.fill(Symmetry::None, 12, 3).await;
    let of = |job_id: &str| pb::ListPuzzlesRequest { job_id: job_id.to_owned(), ..Default::default() };
    let (ids, token) = page(&server, pb::ListPuzzlesRequest { page_size: 2, ..of("job-2") }).await;
    assert_eq!(ids, ["puzzle-4", "puzzle-5"]);
    let request = pb::ListPuzzlesRequest { page_size: 2, page_token: token.clone(), ..of("job-2") };
    assert_eq!(page(&server, request).await, (vec!["puzzle-6".to_owned(), "puzzle-7".to_owned()], String::new()));
    assert_eq!(page(&server, pb::ListPuzzlesRequest { job_id: "job-3".to_owned(), ..easy() }).await.0.len(), 3);
    assert_eq!(page(&server, pb::ListPuzzlesRequest { job_id: "job-2".to_owned(), ..easy() }).await.0.len(), 0);
    assert_eq!(page(&server, of("job-9")).await, (vec![], String::new()));

    let foreign = pb::ListPuzzlesRequest { page_token: token.clone(), ..of("job-1") };
    let described = format!("\"{token}\" is not a token of this list and these criteria; use the last next_page_token");
    check_fields(server.list_puzzles(foreign).await, &[("page_token", &described)]);
    for id in ["3", "job-03", "puzzle-3"] {
        let wrong = format!("\"{id}\" is not the ID of a job");
        check_fields(server.list_puzzles(of(id)).await, &[("job_id", &wrong)]);
    }
}

#[tokio::test]
async fn pages_have_a_default_size_and_a_cap_and_the_last_one_no_token() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 201).await;
    for (page_size, expected, has_next) in [(0, 50, true), (200, 200, true), (201, 200, true), (i32::MAX, 200, true)] {
        let (ids, token) = page(&server, pb::ListPuzzlesRequest { page_size, ..easy() }).await;
        assert_eq!((ids.len(), !token.is_empty()), (expected, has_next), "{page_size}");
    }
    let (_, token) = page(&server, pb::ListPuzzlesRequest { page_size: 200, ..easy() }).await;
    assert_eq!(page(&server, pb::ListPuzzlesRequest { page_token: token, ..easy() }).await.0, ["puzzle-201"]);
    let (ids, token) = page(&server, pb::ListPuzzlesRequest { min_rating: Some(9.0), level: 0, ..easy() }).await;
    assert_eq!((ids.len(), token.as_str()), (0, ""));
    // Exactly one full page is also the last one.
    server.fill(Symmetry::None, 26, 50).await;
    let hard = pb::ListPuzzlesRequest { level: pb::Level::Hard.into(), ..easy() };
    let (ids, token) = page(&server, hard).await;
    assert_eq!((ids.len(), token.as_str()), (50, ""));
}

#[tokio::test]
async fn a_token_of_another_list_or_other_criteria_is_refused() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 2).await;
    server.fill(Symmetry::None, 12, 2).await;
    let (_, token) = page(&server, pb::ListPuzzlesRequest { page_size: 1, ..easy() }).await;
    let described = format!("\"{token}\" is not a token of this list and these criteria; use the last next_page_token");
    let refused = [("page_token", described.as_str())];
    for other in [
        pb::ListPuzzlesRequest { level: pb::Level::Medium.into(), ..easy() },
        pb::ListPuzzlesRequest { level: 0, ..easy() },
        pb::ListPuzzlesRequest { symmetry: pb::Symmetry::None.into(), ..easy() },
    ] {
        let request = pb::ListPuzzlesRequest { page_token: token.clone(), ..other };
        check_fields(server.list_puzzles(request).await, &refused);
    }
    let jobs = pb::ListJobsRequest { page_token: token.clone(), ..Default::default() };
    check_fields(server.list_jobs(jobs).await, &refused);
    // A token remains valid after a restart.
    let server = server.restart().await;
    let request = pb::ListPuzzlesRequest { page_token: token, page_size: 1, ..easy() };
    assert_eq!(page(&server, request).await.0, ["puzzle-2"]);
}

#[tokio::test]
async fn jobs_are_listed_newest_first_and_by_state_and_kind() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 1).await;
    for _ in 0..4 {
        server.queue_job(Symmetry::None, 1).await;
    }
    let mut jobs = server.jobs().await;
    let mut request = pb::ListJobsRequest { page_size: 3, ..Default::default() };
    for expected in [&["job-5", "job-4", "job-3"][..], &["job-2", "job-1"]] {
        let page = jobs.list_jobs(request.clone()).await.unwrap().into_inner();
        assert_eq!(page.jobs.iter().map(|job| &job.id).collect::<Vec<_>>(), expected);
        request.page_token = page.next_page_token;
    }
    assert_eq!(request.page_token, "");

    server.cancel_job("job-3").await.unwrap();
    let (succeeded, cancelled) = (pb::JobState::Succeeded.into(), pb::JobState::Cancelled.into());
    let request = pb::ListJobsRequest { states: vec![succeeded, cancelled, succeeded], kind: 1, ..Default::default() };
    let found = server.list_jobs(request).await.unwrap();
    let found: Vec<_> = found.iter().map(|job| (job.id.as_str(), job.state().as_str_name())).collect();
    assert_eq!(found, [("job-3", "JOB_STATE_CANCELLED"), ("job-1", "JOB_STATE_SUCCEEDED")]);
    let any = pb::ListJobsRequest { states: vec![succeeded, 0], ..Default::default() };
    assert_eq!(server.list_jobs(any).await.unwrap().len(), 5);
}
