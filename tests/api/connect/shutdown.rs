//! Shutdown and drain delay with HTTP/1.1 clients: calls in flight finish, streams end with an error, and idle
//! connections do not delay the shutdown.

use std::time::Duration;

use puzzled_engine::shared::symmetry::Symmetry;
use serde_json::json;
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use super::{
    bounds::{bounded, quick, used},
    http::{self, first_message, one, path, request, whole, with_head},
};
use crate::{server::Server, store::Gate};

fn get_job() -> Vec<u8> {
    request("POST", &path("JobService/GetJob"), &[("content-type", "application/json")], br#"{"id":"job-1"}"#)
}

#[tokio::test]
async fn idle_connections_do_not_hold_up_the_shutdown() {
    let server = bounded(|settings| settings.process.grace_seconds = Duration::from_hours(24)).await;
    let idle = [used(&server).await, used(&server).await];
    let mut begun = used(&server).await;
    begun.write_all(b"POST / HTTP/1.1\r\n").await.unwrap();
    server.shutdown.cancel();
    server.ended().await.unwrap();
    drop((idle, begun));
}

#[tokio::test]
async fn call_in_flight_finishes_and_closes_its_connection() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    server.store.set(Gate::Held);
    stream.write_all(&get_job()).await.unwrap();
    server.store.until_held(1).await;
    server.shutdown.cancel();
    // Without a drain delay, the listener closes at once.
    while TcpStream::connect(server.address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    server.store.set(Gate::Open);
    let answer = whole(&mut stream).await;
    assert_eq!((answer.status, answer.json()["job"]["id"].as_str()), (200, Some("job-1")));
    assert_eq!(answer.header("connection"), "close");
    server.ended().await.unwrap();
}

#[tokio::test]
async fn stream_ends_with_the_error_of_a_shutdown() {
    let server = Server::start().await;
    server.queue_job(Symmetry::None, 1).await;
    let headers = [("content-type", "application/connect+json")];
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    let body = with_head(0, br#"{"id":"job-1"}"#);
    stream.write_all(&request("POST", &path("JobService/WatchJob"), &headers, &body)).await.unwrap();
    first_message(&mut stream).await;
    server.shutdown.cancel();
    let mut rest = Vec::new();
    tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut rest).await.unwrap();
    let rest = String::from_utf8_lossy(&rest);
    assert!(rest.contains("unavailable") && rest.contains("SHUTTING_DOWN"), "{rest}");
    server.ended().await.unwrap();
}

#[tokio::test]
async fn call_that_outlasts_the_grace_time_is_cut() {
    let server = bounded(|settings| settings.process.grace_seconds = Duration::from_millis(50)).await;
    server.store.set(Gate::Held);
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(&get_job()).await.unwrap();
    server.store.until_held(1).await;
    server.shutdown.cancel();
    server.store.until_no_call_is_held().await;
    server.ended().await.unwrap();
}

/// Clients that call without a pause, each on a connection that it keeps for as long as the server lets it.
const KEEPING: usize = 8;

/// Cause: when the listener closed, the kernel reset connections that the server had not yet taken, and the HTTP server closed those from
/// which it had read nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_keep_connections_see_no_reset() {
    let server = bounded(|settings| settings.server.drain_delay_seconds = Duration::from_millis(100)).await;
    let address = server.address;
    let client = || async move {
        let mut answered = 0;
        // When no server listens any more, the connection is refused.
        while let Ok(mut stream) = TcpStream::connect(address).await {
            loop {
                stream.write_all(&quick()).await.unwrap();
                let answer = one(&mut stream).await;
                assert_eq!(answer.status, 200);
                answered += 1;
                if answer.header("connection") == "close" {
                    break;
                }
            }
        }
        answered
    };
    let clients: Vec<_> = (0..KEEPING).map(|_| tokio::spawn(client())).collect();
    let _used = used(&server).await;
    server.shutdown.cancel();
    for client in clients {
        assert!(client.await.unwrap() > 0);
    }
    server.ended().await.unwrap();
}

#[tokio::test]
async fn each_answer_during_the_drain_delay_asks_the_client_to_connect_anew() {
    let server = bounded(|settings| settings.server.drain_delay_seconds = Duration::from_hours(24)).await;
    let mut stream = used(&server).await;
    server.shutdown.cancel();
    stream.write_all(&quick()).await.unwrap();
    let answer = one(&mut stream).await;
    assert_eq!((answer.status, answer.header("connection")), (200, "close"));
    // The listener stays open, because a load balancer may still send connections.
    assert_eq!(http::post(server.address, "JobService/GetQueue", &json!({})).await.status, 200);
}
