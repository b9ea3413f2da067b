//! Ages in tables do not depend on the clock of the machine on which a command runs.

use std::net::SocketAddr;

use jiff::{Timestamp, ToSpan as _, fmt::rfc2822::DateTimePrinter};
use prost::Message as _;
use puzzled_api::v1::{Job, ListJobsResponse};
use tokio::net::TcpListener;

use crate::ops::ask;

/// A server whose clock is an hour ahead of ours. It lists a job that was queued two minutes ago by its clock.
async fn an_hour_ahead() -> SocketAddr {
    let now = Timestamp::now() + 1.hour();
    let date = DateTimePrinter::new().timestamp_to_rfc9110_string(&now).unwrap();
    let created = prost_types::Timestamp { seconds: now.as_second() - 120, nanos: 0 };
    let job = Job { id: "job-1".to_owned(), create_time: Some(created), ..Job::default() };
    let jobs = ListJobsResponse { jobs: vec![job], ..ListJobsResponse::default() }.encode_to_vec();
    let message = [&[0][..], &u32::try_from(jobs.len()).unwrap().to_be_bytes(), &jobs].concat();
    let answers = move |path: &str| if path.ends_with("/ListJobs") { message.clone() } else { vec![0; 5] };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        let mut connection = h2::server::handshake(socket).await.unwrap();
        while let Some(Ok((request, mut call))) = connection.accept().await {
            let head = http::Response::builder().header("content-type", "application/grpc").header("date", &date);
            let mut answer = call.send_response(head.body(()).unwrap(), false).unwrap();
            answer.send_data(answers(request.uri().path()).into(), false).unwrap();
            let ok = [("grpc-status".parse().unwrap(), "0".parse().unwrap())];
            answer.send_trailers(http::HeaderMap::from_iter(ok)).unwrap();
        }
    });
    address
}

/// Cause: a machine whose clock was behind that of the server showed the age 0s.
#[tokio::test]
async fn age_of_a_job_is_computed_by_the_clock_of_the_server() {
    let listed = ask(&an_hour_ahead().await.to_string(), "jobs").await;
    let row = listed.out.lines().nth(1).unwrap_or_default();
    let is_near = ["2m 00s", "2m 01s", "2m 02s", "1m 59s"].iter().any(|age| row.ends_with(age));
    assert!(is_near, "{}{}", listed.out, listed.err);
}
