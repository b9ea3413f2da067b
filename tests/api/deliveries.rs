//! Deliveries: `GetPuzzle` with audiences and `request_id`, jobs and waiting calls for an exhausted stock,
//! `ListDeliveries`, `ForgetAudience`, and `WithdrawPuzzle`.

use crate::{prelude::*, server};

#[tokio::test]
async fn an_audience_gets_each_puzzle_once_and_new_ones_as_they_come() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 3).await;
    let mut ids = BTreeSet::new();
    for _ in 0..3 {
        ids.insert(server.get_puzzle(sudoku_for("anna")).await.unwrap().id);
    }
    assert_eq!(ids.len(), 3);
    let refused = server.get_puzzle(pb::GetPuzzleRequest { level: pb::Level::Easy.into(), ..sudoku_for("anna") }).await;
    let message = "\"anna\" has had every Sudoku 9x9 of level easy in stock (3 puzzles); queue some with Generate \
                   (`puzzled enqueue`), or set enqueue_if_short (`puzzled get --make`)";
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    let details = check(refused, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert!(details.retry_info().is_none(), "nobody makes any");
    assert_eq!(details.error_info().unwrap().metadata["nearest_1"], "sudoku 9x9, 30 givens, rated 1.2: 3");
    server.get_puzzle(sudoku_for("bert")).await.unwrap();
    server.get_puzzle(sudoku_for("")).await.unwrap();
    server.fill(Symmetry::None, 12, 1).await;
    assert!(ids.insert(server.get_puzzle(sudoku_for("anna")).await.unwrap().id));
    check(server.get_puzzle(sudoku_for("anna")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

#[tokio::test]
async fn repeat_under_a_name_gets_the_same_puzzle_and_a_changed_one_fails() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 3).await;
    let named = pb::GetPuzzleRequest { request_id: "r1".to_owned(), ..sudoku_for("anna") };
    let first = server.get_puzzle(named.clone()).await.unwrap();
    let server = server.restart().await;
    assert_eq!(server.get_puzzle(named.clone()).await.unwrap(), first);
    // These fields do not choose the puzzle, and an explicit default is the same criterion.
    for same in [
        pb::GetPuzzleRequest { wait: true, enqueue_if_short: true, ..named.clone() },
        pb::GetPuzzleRequest { include_solution: true, include_ratings: true, ..named.clone() },
        pb::GetPuzzleRequest { scramble_seed: Some(7), ..named.clone() },
        pb::GetPuzzleRequest { variant: "9x9".to_owned(), ..named.clone() },
    ] {
        assert_eq!(server.get_puzzle(same).await.unwrap().id, first.id);
    }
    let other = pb::GetPuzzleRequest { level: pb::Level::Easy.into(), ..named.clone() };
    let refused = server.get_puzzle(other).await;
    let message = format!(
        "request_id: \"r1\" was used before for a request that was answered with {} and differs in level (LEVEL_EASY, before \
         not set); repeat that request or choose another request_id",
        first.id
    );
    assert_eq!(refused.as_ref().unwrap_err().message(), message);
    let details = check(refused, Code::AlreadyExists, "REQUEST_ID_REUSED");
    let metadata = &details.error_info().unwrap().metadata;
    assert_eq!((metadata["puzzle"].as_str(), metadata["field"].as_str()), (first.id.as_str(), "level"));
    assert_eq!(details.resource_info().unwrap().resource_name, first.id);
    server.get_puzzle(pb::GetPuzzleRequest { audience: "bert".to_owned(), ..named }).await.unwrap();
    server.withdraw(&first.id).await.unwrap();
    let named = pb::GetPuzzleRequest { request_id: "r1".to_owned(), ..sudoku_for("anna") };
    let withdrawn = server.get_puzzle(named).await.unwrap();
    assert_eq!((withdrawn.id.as_str(), withdrawn.withdraw_time.is_some()), (first.id.as_str(), true));
    let listed = server.deliveries("anna").await;
    let listed: Vec<_> = listed.iter().map(|one| (one.puzzle_id.as_str(), one.request_id.as_str())).collect();
    assert_eq!(listed, [(first.id.as_str(), "r1")]);
}

#[tokio::test]
async fn exhausted_stock_queues_one_job_for_any_number_of_callers() {
    let server = Server::start().await;
    let hard = pb::GetPuzzleRequest { level: pb::Level::Hard.into(), enqueue_if_short: true, ..sudoku_for("anna") };
    let mut jobs = BTreeSet::new();
    for audience in ["anna", "bert", ""] {
        let request = pb::GetPuzzleRequest { audience: audience.to_owned(), ..hard.clone() };
        let details = check(server.get_puzzle(request).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
        assert!(details.retry_info().unwrap().retry_delay.is_some());
        jobs.insert(details.error_info().unwrap().metadata["job"].clone());
    }
    assert_eq!(jobs.len(), 1);
    let easy = pb::GetPuzzleRequest { level: pb::Level::Easy.into(), ..hard.clone() };
    check(server.get_puzzle(easy).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    let jobs = server.list_jobs(pb::ListJobsRequest::default()).await.unwrap();
    let specs: Vec<_> = jobs.iter().map(|job| (job.spec.as_ref().unwrap().level(), job.wanted)).collect();
    assert_eq!(specs, [(pb::Level::Easy, 20), (pb::Level::Hard, 20)]);
    let hardest = pb::GetPuzzleRequest { level: pb::Level::Unspecified.into(), min_rating: Some(13.4), ..hard };
    check(server.get_puzzle(hardest).await, Code::FailedPrecondition, "RATING_UNSUPPORTED");
}

#[tokio::test]
async fn retry_delay_follows_the_pace_of_open_jobs() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 100).await;
    let wanted = || pb::GetPuzzleRequest { symmetry: pb::Symmetry::Full.into(), ..sudoku_for("anna") };
    let details = check(server.get_puzzle(wanted()).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
    assert!(details.retry_info().is_none(), "the job makes others");
    let none = || pb::GetPuzzleRequest { symmetry: pb::Symmetry::None.into(), ..sudoku_for("anna") };
    let delay = |answer| {
        let details = check(answer, Code::FailedPrecondition, "STOCK_EXHAUSTED");
        details.retry_info().unwrap().retry_delay.unwrap().as_secs()
    };
    assert_eq!(delay(server.get_puzzle(none()).await), 10, "before its first puzzle nothing is known");
    server.work(12, 1).await;
    for _ in 0..8 {
        server.get_puzzle(none()).await.unwrap();
    }
    assert_eq!(delay(server.get_puzzle(none()).await), 1, "eight puzzles were made within a millisecond");
}

#[tokio::test]
async fn waiting_call_gets_the_next_fitting_puzzle_of_any_process() {
    let server = Server::start().await;
    for (rating, audience, is_own) in [(27, "anna", true), (28, "anna", false), (29, "", true), (30, "", false)] {
        let wire = f64::from(rating) / 10.0;
        let wanted =
            pb::GetPuzzleRequest { min_rating: Some(wire), max_rating: Some(wire), wait: true, ..sudoku_for(audience) };
        let wanted = pb::GetPuzzleRequest { enqueue_if_short: true, ..wanted };
        let reads = server.store.shelf_reads();
        let mut client = server.puzzles().await;
        let answer = tokio::spawn(async move { client.get_puzzle(wanted).await });
        // It finds nothing with new counts, and then waits.
        server.store.until_shelves_read(reads + 2).await;
        // Does not fit.
        server.fill(Symmetry::None, 12, 1).await;
        server.queue_job(Symmetry::None, 1).await;
        if is_own {
            server.work(rating, u32::MAX).await;
        } else {
            server::work(&server.other_process(), rating, u32::MAX).await;
        }
        let puzzle = answer.await.unwrap().unwrap().into_inner().puzzle.unwrap();
        assert_eq!(puzzle.rating.to_bits(), wire.to_bits());
    }
}

#[tokio::test]
async fn number_of_waiting_calls_is_limited() {
    let server = Server::with(|options| options.settings.limits.max_waiting_calls = 1).await;
    let wanted = pb::GetPuzzleRequest { wait: true, ..sudoku_for("anna") };
    server.queue_job(Symmetry::None, 1).await;
    let mut client = server.puzzles().await;
    let mut waiting = JoinSet::new();
    for _ in 0..2 {
        let (mut client, wanted) = (client.clone(), wanted.clone());
        waiting.spawn(async move { client.get_puzzle(wanted).await });
    }
    let refused = waiting.join_next().await.unwrap().unwrap();
    check(refused, Code::ResourceExhausted, "BUSY");
    server.work(12, 1).await;
    waiting.join_next().await.unwrap().unwrap().unwrap();
    check(client.get_puzzle(sudoku_for("anna")).await, Code::FailedPrecondition, "STOCK_EXHAUSTED");
}

#[tokio::test]
async fn deliveries_are_listed_page_by_page_until_the_audience_is_forgotten() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 5).await;
    let mut delivered = Vec::new();
    for _ in 0..5 {
        delivered.insert(0, server.get_puzzle(sudoku_for("anna")).await.unwrap().id);
    }
    let (mut client, mut ids) = (server.puzzles().await, Vec::new());
    let mut request = pb::ListDeliveriesRequest { audience: "anna".to_owned(), page_size: 2, ..Default::default() };
    loop {
        let page = client.list_deliveries(request.clone()).await.unwrap().into_inner();
        assert!(page.deliveries.iter().all(|one| one.deliver_time.is_some() && one.request_id.is_empty()));
        ids.extend(page.deliveries.into_iter().map(|one| one.puzzle_id));
        request.page_token = page.next_page_token;
        if request.page_token.is_empty() {
            break;
        }
        let other = pb::ListDeliveriesRequest { audience: "bert".to_owned(), ..request.clone() };
        assert_eq!(client.list_deliveries(other).await.unwrap_err().code(), Code::InvalidArgument);
    }
    assert_eq!(ids, delivered);
    for forgotten in [5, 0] {
        let reply = client.forget_audience(pb::ForgetAudienceRequest { audience: "anna".to_owned() }).await.unwrap();
        assert_eq!(reply.into_inner().forgotten, forgotten);
    }
    assert_eq!(server.deliveries("anna").await, []);
    server.get_puzzle(sudoku_for("anna")).await.unwrap();
}

#[tokio::test]
async fn a_withdrawn_puzzle_is_found_by_its_id_alone() {
    let server = Server::start().await;
    server.fill(Symmetry::None, 12, 2).await;
    let withdrawn = server.withdraw("puzzle-1").await.unwrap();
    assert_eq!((withdrawn.withdraw_reason.as_str(), withdrawn.withdraw_time.is_some()), ("a misprint", true));
    assert_eq!(server.withdraw("puzzle-1").await.unwrap(), withdrawn);
    let by_id = pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), ..Default::default() };
    assert_eq!(server.get_puzzle(by_id).await.unwrap(), withdrawn);
    assert_eq!(server.get_puzzle(sudoku_for("")).await.unwrap().id, "puzzle-2");
    check(server.withdraw("puzzle-9").await, Code::NotFound, "PUZZLE_NOT_FOUND");
}

#[tokio::test]
async fn bad_names_and_reasons_are_refused_with_their_values_and_limits() {
    let server = Server::start().await;
    let mut client = server.puzzles().await;
    let long = "a".repeat(129);
    let required = ("audience", "required; set the name of an audience");
    let cases = [
        (
            pb::GetPuzzleRequest { audience: long.clone(), ..sudoku_for("") },
            vec![("audience", "129 characters; at most 128 are allowed")],
        ),
        (sudoku_for("zoë"), vec![("audience", "\"zoë\" has characters that are not allowed; use printable ASCII")]),
        (
            pb::GetPuzzleRequest { request_id: long.clone(), ..sudoku_for("anna") },
            vec![("request_id", "129 characters; at most 128 are allowed")],
        ),
        (
            pb::GetPuzzleRequest { request_id: "r1".to_owned(), ..sudoku_for("") },
            vec![("request_id", "\"r1\" is set without an audience; set both")],
        ),
        (
            pb::GetPuzzleRequest { id: "puzzle-1".to_owned(), kind: 0, ..sudoku_for("anna") },
            vec![("id", "\"puzzle-1\" is set together with audience; set only one")],
        ),
    ];
    for (request, expected) in cases {
        check_fields(client.get_puzzle(request).await, &expected);
    }
    check_fields(client.list_deliveries(pb::ListDeliveriesRequest::default()).await, &[required]);
    check_fields(client.forget_audience(pb::ForgetAudienceRequest::default()).await, &[required]);
    let reasons = [
        (String::new(), "0 characters are outside 1 to 500"),
        ("é".repeat(501), "501 characters are outside 1 to 500"),
        ("a\0b".to_owned(), "the character U+0000 is not allowed; remove it"),
    ];
    for (reason, expected) in reasons {
        let request = pb::WithdrawPuzzleRequest { id: "puzzle-1".to_owned(), reason, ..Default::default() };
        check_fields(client.withdraw_puzzle(request).await, &[("reason", expected)]);
    }
    check_fields(
        client.withdraw_puzzle(pb::WithdrawPuzzleRequest::default()).await,
        &[("id", "required; set the ID of a puzzle"), ("reason", "0 characters are outside 1 to 500")],
    );
}
