//! Queues a job, watches it, and gets its puzzles. Prints the same lines as the other examples.

use std::{error::Error, time::Duration};

use api::{job_service_client::JobServiceClient, puzzle_service_client::PuzzleServiceClient, *};
use tokio::time::sleep;
use tonic::{Code, Request, Status, transport::Endpoint};
use tonic_types::StatusExt as _;

mod api {
    tonic::include_proto!("puzzled.v1");
}
/// Makes a call that is safe to repeat: it only reads, or has a request ID.
macro_rules! repeat {
    ($client:ident.$method:ident($request:expr), $seconds:literal) => {{
        let mut attempts = 0;
        loop {
            let mut request = Request::new($request.clone());
            request.set_timeout(Duration::from_secs($seconds));
            match $client.$method(request).await {
                Err(error) if attempts < 4 && matches!(error.code(), Code::Unavailable | Code::DeadlineExceeded) => {}
                ended => break ended?.into_inner(),
            }
            attempts += 1;
            sleep(Duration::from_secs(attempts)).await;
        }
    }};
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let address = std::env::var("PUZZLED_ADDRESS").unwrap_or_else(|_| "127.0.0.1:50051".to_owned());
    let token = std::env::var("PUZZLED_TOKEN").ok().map(|token| format!("Bearer {token}").parse()).transpose()?;
    let with_token = move |mut request: Request<()>| {
        token.clone().and_then(|token| request.metadata_mut().insert("authorization", token));
        Ok::<_, Status>(request)
    };
    let channel = Endpoint::new(format!("http://{address}"))?.connect_lazy();
    let mut puzzles = PuzzleServiceClient::with_interceptor(channel.clone(), with_token.clone());
    let mut jobs = JobServiceClient::with_interceptor(channel, with_token);
    let (sudoku, kakuro, new_id) = (Kind::Sudoku.into(), Kind::Kakuro.into(), || uuid::Uuid::new_v4().to_string());

    let request = GenerateRequest { kind: sudoku, count: Some(30), request_id: new_id(), ..Default::default() };
    let mut job = repeat!(puzzles.generate(request), 5).job.unwrap_or_default();
    assert_eq!(repeat!(puzzles.generate(request), 5).job.unwrap_or_default().id, job.id);
    println!("queued 30 puzzles, and the repeat returned the same job");
    // A stream may break at any time; the next one begins with the job as it is then.
    while [JobState::Queued, JobState::Running].contains(&job.state()) {
        let mut changes = repeat!(jobs.watch_job(WatchJobRequest { id: job.id.clone() }), 600);
        let broken = |error: Status| if error.code() == Code::Unavailable { Ok(None) } else { Err(error) };
        while let Some(change) = changes.message().await.or_else(broken)? {
            job = change.job.unwrap_or_default();
        }
    }
    println!("job ended with {}, {} of {} puzzles", job.state().as_str_name(), job.made, job.wanted);
    let (audience, request_id) = ("reader-1".to_owned(), new_id());
    let request = GetPuzzleRequest { kind: sudoku, audience, request_id, wait: true, ..Default::default() };
    let puzzle = repeat!(puzzles.get_puzzle(request), 10).puzzle.unwrap_or_default();
    assert_eq!(repeat!(puzzles.get_puzzle(request), 10).puzzle.unwrap_or_default().id, puzzle.id);
    println!("delivered a Sudoku of {} characters, and the repeat returned the same puzzle", puzzle.text.len());
    // Without `wait`, an empty stock is an error, whose details say when to repeat the call.
    let request =
        GetPuzzleRequest { kind: kakuro, wait: false, enqueue_if_short: true, request_id: new_id(), ..request };
    if let Err(error) = puzzles.get_puzzle(request.clone()).await {
        let info = error.get_details_error_info().filter(|info| info.metadata.contains_key("job")).ok_or("no job")?;
        println!("no Kakuro in stock: {}, a job was queued", info.reason);
        let delay = error.get_details_retry_info().and_then(|retry| retry.retry_delay).ok_or("no delay")?;
        sleep(delay).await;
    }
    let puzzle = repeat!(puzzles.get_puzzle(request), 5).puzzle.unwrap_or_default();
    println!("delivered a {} after the delay", puzzle.kind().as_str_name());

    let mut request = ListPuzzlesRequest { kind: sudoku, page_size: 12, ..Default::default() };
    let (mut pages, mut listed) = (0, 0);
    while pages == 0 || !request.page_token.is_empty() {
        let page = repeat!(puzzles.list_puzzles(request), 5);
        (pages, listed, request.page_token) = (pages + 1, listed + page.puzzles.len(), page.next_page_token);
    }
    println!("listed {listed} puzzles on {pages} pages");
    Ok(())
}
